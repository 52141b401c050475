// One message brought to its chat: in its place, anew where that is gone, and more plainly where Telegram refuses its
// form.
import { GrammyError, type Api } from 'grammy';
import { expect, test } from 'vitest';

import { soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { OutboxContent, Outgoing, Sending, View } from '../outgoing.ts';
import { bring } from './send-message.ts';

const refusal = (error_code: number, description: string) =>
  new GrammyError('refused', { ok: false, error_code, description }, 'sendMessage', {});
const FORM = refusal(400, "Bad Request: can't parse entities");
const GONE = refusal(403, 'Forbidden: bot was blocked by the user');
const LOST = refusal(400, 'Bad Request: message to edit not found');
const OLD = refusal(400, "Bad Request: message can't be deleted for everyone");
const NONE = refusal(400, 'Bad Request: message to delete not found');
const SAME = refusal(400, 'Bad Request: message is not modified');
const FLOOD = refusal(429, 'Too Many Requests');

const isNewest = (chatId: number, messageId: number) => chatId === 9 && messageId === 4;

/** What is called while Telegram answers so, and what comes of it. */
async function tryTo(
  content: OutboxContent,
  answers: (Error | undefined)[] = [],
  views: Record<string, View> = {},
) {
  const calls: unknown[] = [];
  const call = async (what: unknown[]) => {
    await soon(() => calls.push(what));
    const answer = answers.shift();
    if (answer) throw answer;
  };
  const wordOf = ({ parse_mode, reply_markup, message_thread_id }: Record<string, unknown>) => [
    ...(parse_mode === undefined ? [] : [parse_mode]),
    ...(reply_markup === undefined ? [] : ['buttons']),
    ...(message_thread_id === undefined ? [] : [message_thread_id]),
  ];
  const api = {
    sendMessage: (chatId: number, text: string, options: Record<string, unknown>) =>
      call(['send', chatId, text, ...wordOf(options)]),
    editMessageText: (chatId: number, id: number, text: string, options: Record<string, unknown>) =>
      call([`edit ${id}`, chatId, text, ...wordOf(options)]),
    deleteMessage: (_chatId: number, id: number) => call([`delete ${id}`]),
    editMessageReplyMarkup: (_chatId: number, id: number, options: object) => call([`strip ${id}`, options]),
  };
  const deps = { api: fake(api) satisfies Api, views, findLanguage: () => 'ru' as const, isNewest };
  const result = await bring(deps, 9, content, new AbortController().signal).catch((error: unknown) => error);
  return [calls, result];
}

const WORDS: Outgoing = { html: '<b>a</b> &amp; b', keyboard: { inline_keyboard: [] } };
const FULL = [9, '<b>a</b> &amp; b', 'HTML', 'buttons'];
const BARE = [9, '<b>a</b> &amp; b', 'HTML'];
const PLAIN = [9, 'a & b'];

test.each<
  [what: string, content: OutboxContent, answers: (Error | undefined)[], calls: unknown[], result: unknown]
>([
  ['as it is', WORDS, [], [['send', ...FULL]], undefined],
  ['in its message', { ...WORDS, messageId: 3 }, [], [['edit 3', ...FULL]], undefined],
  ['in its topic', { ...WORDS, topic: 6 }, [], [['send', ...FULL, 6]], undefined],
  [
    'without buttons, then plain',
    WORDS,
    [FORM, FORM],
    [
      ['send', ...FULL],
      ['send', ...BARE],
      ['send', ...PLAIN],
    ],
    undefined,
  ],
  [
    'plain, in what matters of it',
    { html: '<b>a</b>', plain: 'short' },
    [FORM],
    [
      ['send', 9, '<b>a</b>', 'HTML'],
      ['send', 9, 'short'],
    ],
    undefined,
  ],
  [
    'to no avail',
    { html: 'a' },
    [FORM, FORM],
    [
      ['send', 9, 'a', 'HTML'],
      ['send', 9, 'a'],
    ],
    FORM,
  ],
  [
    'anew, where its message is gone',
    { ...WORDS, messageId: 3, topic: 6 },
    [LOST],
    [
      ['edit 3', ...FULL],
      ['send', ...FULL, 6],
    ],
    undefined,
  ],
  ['as it stands already', { ...WORDS, messageId: 3 }, [SAME], [['edit 3', ...FULL]], undefined],
  [
    'in its message, the newest',
    { ...WORDS, messageId: 4, rings: true },
    [],
    [['edit 4', ...FULL]],
    undefined,
  ],
  [
    'below what came after its message, which goes then',
    { ...WORDS, messageId: 3, rings: true },
    [],
    [['send', ...FULL], ['delete 3']],
    undefined,
  ],
  [
    'in both where its message is too old to go',
    { ...WORDS, messageId: 3, rings: true },
    [undefined, OLD, OLD],
    [['send', ...FULL], ['delete 3'], ['edit 3', ...FULL]],
    undefined,
  ],
  [
    'below, where its message is gone',
    { ...WORDS, messageId: 3, rings: true },
    [undefined, NONE],
    [['send', ...FULL], ['delete 3']],
    undefined,
  ],
  [
    'below, whatever becomes of its message',
    { ...WORDS, messageId: 3, rings: true },
    [undefined, FLOOD],
    [['send', ...FULL], ['delete 3']],
    undefined,
  ],
  [
    'below, and its message stays until that is taken',
    { ...WORDS, messageId: 3, rings: true },
    [FLOOD],
    [['send', ...FULL]],
    FLOOD,
  ],
  ['to whoever is gone', WORDS, [GONE], [['send', ...FULL]], GONE],
  ['in a flood', WORDS, [FLOOD], [['send', ...FULL]], FLOOD],
])('words are said %s', async (_what, content, answers, calls, result) => {
  expect(await tryTo(content, answers)).toEqual([calls, result]);
});

test('a text too long for a message is cut, in HTML and plain', async () => {
  const [calls] = (await tryTo({ html: 'x'.repeat(5_000) }, [FORM])) as [string[][]];
  expect(calls.map((call) => call[2]?.length)).toEqual([4_096, 4_096]);
});

test('a view is looked up for whoever it is for, in the language that was kept or in theirs', async () => {
  const asked: unknown[] = [];
  const views = { shown: (order: object) => (asked.push(order), { html: 'seen' }) };
  const order = { view: 'shown', of: { id: 1 }, telegramId: 70 };
  const told = [[['send', 9, 'seen', 'HTML']], undefined];
  expect(await tryTo({ ...order, language: 'en' }, [], views)).toEqual(told);
  expect(await tryTo({ ...order, language: null }, [], views)).toEqual(told);
  expect(asked).toEqual(['en', 'ru'].map((language) => ({ of: { id: 1 }, telegramId: 70, language })));
});

test('a view that has nothing to say, or that is none, says nothing', async () => {
  const order = { view: 'shown', of: {}, telegramId: 70, language: null } as const;
  expect(await tryTo(order, [], { shown: () => undefined })).toEqual([[], undefined]);
  expect(await tryTo(order)).toEqual([[], undefined]);
});

test.each<[what: string, answers: (Error | undefined)[], tried: string[], said: unknown[], result: unknown]>([
  ['as it is', [], ['full'], [['delete 3']], undefined],
  ['bare', [FORM], ['full', 'bare'], [['delete 3']], undefined],
  [
    'below its question, which has no button any more',
    [undefined, OLD],
    ['full'],
    [['delete 3'], ['strip 3', {}]],
    undefined,
  ],
  ['as words instead', [FORM, FORM], ['full', 'bare'], [['edit 3', 9, 'instead', 'HTML']], undefined],
  ['to whoever is gone', [GONE], ['full'], [], GONE],
  ['in a flood', [FLOOD], ['full'], [], FLOOD],
  ['bare in a flood', [FORM, FLOOD], ['full', 'bare'], [], FLOOD],
])('a file is sent %s', async (_what, answers, tried, said, result) => {
  const did: string[] = [];
  const send = (what: string) => async () => {
    await soon(() => did.push(what));
    const answer = answers.shift();
    if (answer) throw answer;
  };
  const sending: Sending = {
    ...{ send: send('full'), sendBare: send('bare'), otherwise: { html: 'instead' } },
    isInstead: true,
  };
  const order = { view: 'file', of: {}, telegramId: 70, language: null, messageId: 3 } as const;
  expect([await tryTo(order, answers, { file: () => sending }), did]).toEqual([[said, result], tried]);
});

test('what comes beside a message leaves it alone', async () => {
  const sending: Sending = { send: () => Promise.resolve(), otherwise: { html: 'instead' } };
  const order = { view: 'file', of: {}, telegramId: 70, language: null, messageId: 3 } as const;
  expect(await tryTo(order, [], { file: () => sending })).toEqual([[], undefined]);
});

test('a file that has no bare form is replaced by its words at once', async () => {
  const sending: Sending = { send: () => Promise.reject(FORM), otherwise: { html: 'instead' } };
  const order = { view: 'file', of: {}, telegramId: 70, language: null, messageId: 3 } as const;
  expect(await tryTo(order, [], { file: () => sending })).toEqual([
    [['send', 9, 'instead', 'HTML']],
    undefined,
  ]);
});
