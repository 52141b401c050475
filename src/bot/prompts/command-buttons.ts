// Commands as they are typed, pressed and pasted. A button that stands for one is typing it, with everything that follows
// from it, and so is the link of an invitation. One in capitals is made small, once, for everybody who asks: Telegram
// marks /Stock as a command, and grammY asks for the very letters.
import type { MessageEntity } from 'grammy/types';

import type { BotContext, BotDeps } from '../context.ts';
import { answerTap } from '../replies.ts';
import { LANGUAGES, type Texts } from '../texts.ts';

const SHAPE = /^go:([a-z_]{1,32}(?: [\w@-]{1,24})?)$/;

/** The callback data of a button for a command, such as `redeem` or `buy_activations 1`. */
export function commandData(command: string): string {
  const data = `go:${command}`;
  if (!SHAPE.test(data)) throw new Error(`A button cannot stand for the command ${JSON.stringify(command)}.`);
  return data;
}

/** Turns the tap into the message that the person would have typed. Whoever forges one could have typed it. */
export function actAsCommand(ctx: BotContext): void {
  const command = SHAPE.exec(ctx.callbackQuery?.data ?? '')?.[1];
  const under = ctx.callbackQuery?.message;
  if (command === undefined || !ctx.from || under?.chat.type !== 'private') return;
  answerTap(ctx);
  const message = { message_id: under.message_id, date: under.date, chat: under.chat, from: ctx.from };
  delete ctx.update.callback_query;
  ctx.update.message = becomeCommand(message, command);
}

/** The message, as if it were this command. */
function becomeCommand<M extends object>(
  message: M,
  command: string,
): M & { text: string; entities: MessageEntity[] } {
  const text = `/${command}`;
  const length = text.split(' ', 1)[0]?.length ?? 0;
  return Object.assign(message, { text, entities: [{ type: 'bot_command' as const, offset: 0, length }] });
}

const INVITATION = /(?<![\w-])join_[\w-]{1,59}(?![\w-])/;
/** Longer than any words around a link: it is something else that has one in it. */
const LONGEST_INVITATION = 1_000;

/**
 * An invitation that was pasted is one that was opened: a client that has the chat already loses what a link carries.
 * Whichever bot it names, its token is looked up.
 */
export function readInvitation(ctx: BotContext): void {
  const { message } = ctx;
  const command = findCommand(ctx);
  if (!message || !ctx.isPrivate || (command !== undefined && command !== 'start')) return;
  const text = message.text ?? message.caption ?? '';
  const links = (message.entities ?? message.caption_entities ?? []).map((each) =>
    'url' in each ? each.url : '',
  );
  const [found] = text.length > LONGEST_INVITATION ? [] : (INVITATION.exec([text, ...links].join(' ')) ?? []);
  if (found !== undefined) becomeCommand(message, `start ${found}`);
}

/** Changes the letters of the command alone: what follows it may be a code or a token. */
export function readAnyCase(ctx: BotContext): void {
  const command = findCommand(ctx);
  const { message } = ctx;
  if (command !== undefined && message?.text !== undefined)
    message.text = `/${command}${message.text.slice(command.length + 1)}`;
}

/** The name of the command that a message is; undefined when it is none. */
export function findCommand(ctx: BotContext): string | undefined {
  const text = ctx.message?.text;
  const first = ctx.message?.entities?.[0];
  if (text === undefined || first?.type !== 'bot_command' || first.offset !== 0) return undefined;
  const [command, target] = text.slice(1, first.length).split('@');
  if (target !== undefined && target.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return command?.toLowerCase();
}

// Button labels sent as a message: `stock`, `склад`, `отмена`. They are the commands that the buttons stand for;
// the words are in the locales, `command: word, word` a line, and understood in every language by everybody.

/** `onlyCancel`: a question takes any words, of which any other may be the answer. */
export function createButtonWords({
  texts,
}: Pick<BotDeps, 'texts'>): (ctx: BotContext, onlyCancel?: boolean) => void {
  const commands = readWords(texts);
  return (ctx, onlyCancel = false) => {
    const text = ctx.message?.text;
    const command = ctx.isPrivate && text !== undefined ? commands.get(text.trim().toLowerCase()) : undefined;
    if (command !== undefined && ctx.message && (command === 'cancel' || !onlyCancel))
      becomeCommand(ctx.message, command);
  };
}

function readWords(texts: Texts): ReadonlyMap<string, string> {
  const lines = LANGUAGES.flatMap((language) => texts.label(language, 'button-words').split('\n'));
  return new Map(
    lines.flatMap((line) => {
      const [command = '', words = ''] = line.split(':');
      return words.split(',').map((word) => [word.trim(), command.trim()] as const);
    }),
  );
}
