// Words of the bot that are their own keys, and a context that remembers what was said on it: for tests of one function
// alone.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { fake } from './fake.ts';
import type { BotContext } from '../../src/bot/context.ts';
import type { Language, Texts, Variables } from '../../src/bot/texts.ts';

const bare = (text: string) => text.replace(/[\u2068\u2069]/g, '');

/**
 * `key`, or `key {"what":"…"}`; in any other language than English with that before it. Marks around names are left
 * out.
 */
function word(language: Language, key: string, variables: Variables = {}): string {
  const facts = Object.keys(variables).length === 0 ? '' : ` ${JSON.stringify(variables)}`;
  return bare(`${language === 'en' ? '' : `${language}:`}${key}${facts}`);
}

/** Something that takes its time: whoever does not wait for it goes on before it. */
export const soon = <T>(work: () => T): Promise<T> => nextTurn().then(work);

export const KEYS_FOR_WORDS: Texts = { say: word, label: word };

/**
 * What was said: `reply`, `edit <message>`, `tap` or `alert`; the words; the buttons, `label -> data`, a row a list.
 */
export type SaidWords = [how: string, words: string | undefined, ...rows: string[][]];

interface Keyboard {
  inline_keyboard?: readonly (readonly object[])[];
}

/** Rows of buttons as `label -> data`; those without a button are shown by nobody. */
export const formatButtons = ({ inline_keyboard: rows = [] }: Keyboard): string[][] =>
  rows.filter((row) => row.length > 0).map((row) => row.map(formatButton));

function formatButton(button: object): string {
  const { text, style: _style, ...does } = button as { text: string; style?: string };
  const [data]: unknown[] = Object.values(does);
  return `${bare(text)} -> ${typeof data === 'string' ? data : JSON.stringify(data)}`;
}

/**
 * Words are said when Telegram has taken them. Person 5 of account 1, an owner, in the private chat, at update 77;
 * `fields` in place of these.
 */
export function createRecordedContext(fields: object = {}): {
  ctx: BotContext;
  said: SaidWords[];
} {
  const said: SaidWords[] = [];
  const note = (how: string, words: string | undefined, options: { reply_markup?: Keyboard } = {}) => {
    said.push([how, words, ...formatButtons(options.reply_markup ?? {})]);
    return { message_id: 900 };
  };
  const ctx = {
    actor: { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' },
    isHost: false,
    isPrivate: true,
    language: 'en',
    from: { id: 5, first_name: 'Person', is_bot: false },
    chat: { id: 5, type: 'private' },
    me: { username: 'shop_bot' },
    update: { update_id: 77 },
    say: (key: string, variables?: Variables) => word('en', key, variables),
    label: (key: string, variables?: Variables) => word('en', key, variables),
    replyChannel: {
      mustWait: () => false,
      follow: () => undefined,
    },
    reply: (words: string, options?: object) => soon(() => note('reply', words, options)),
    editMessageText: (words: string, options?: object) => soon(() => note('edit', words, options)),
    replyWithChatAction: () => Promise.resolve(true),
    answerCallbackQuery: ({ text, show_alert }: { text?: string; show_alert?: boolean }) =>
      Promise.resolve(note(show_alert ? 'alert' : 'tap', text)),
    api: {
      editMessageText: (_chatId: number, messageId: number, words: string, options?: object) =>
        soon(() => note(`edit ${messageId}`, words, options)),
    },
    ...fields,
  };
  return { ctx: fake(ctx) satisfies BotContext, said };
}

/** The same, where a button with this data was pressed on message 8. */
export function createPressedContext(data: string, fields: object = {}) {
  const message = { message_id: 8, date: 1, chat: { id: 5, type: 'private' } };
  const pressed = { id: 'tap', from: { id: 5 }, chat_instance: 'x', data, message };
  const update = { update_id: 77, callback_query: pressed };
  return createRecordedContext({ update, callbackQuery: pressed, msg: message, ...fields });
}

/** The same, where a command was written. */
export function createCommandContext(text: string, fields: object = {}) {
  const length = text.split(' ', 1)[0]?.length ?? 0;
  const entities = [{ type: 'bot_command', offset: 0, length }];
  const message = { message_id: 9, date: 1, chat: { id: 5, type: 'private' }, text, entities };
  const update = { update_id: 77, message };
  return createRecordedContext({ update, message, msg: message, ...fields });
}
