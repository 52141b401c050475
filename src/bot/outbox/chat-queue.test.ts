// What waits to be said, over a Telegram that a test scripts and a clock that it moves.
import { GrammyError, HttpError, type Api } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import { createTaskWorker } from '../../core/tasks/worker.ts';
import { createBotStore, type OutgoingRow } from '../../store/bot-store.ts';
import { findLanguageOf } from '../actor.ts';
import { toOutgoingRow, type OutboxContent, type Sending } from '../outgoing.ts';
import { createChatQueues, type ChatQueues } from './chat-queue.ts';
import { createChatRateLimit, type ChatRateLimit } from '../telegram/rate-limits.ts';
import { createProgress } from '../telegram/progress.ts';
import { createTexts } from '../texts.ts';

interface Said {
  chatId: number;
  messageId?: number;
  text: string;
  options: { parse_mode?: string; reply_markup?: object };
}
/** What Telegram answers to a call: undefined, it takes it. */
type Answer = (said: Said) => Error | Promise<Error> | undefined;

let t: TestStore;
let clock: ManualClock;
let said: Said[];
let answer: Answer;
let typed: number[];
let queues: ChatQueues;
let logged: string[];

beforeEach(() => {
  t = openTestStore();
  clock = createManualClock(1_700_000_000_000);
  // The machine was up before the service.
  clock.advance(40 * 24 * 60 * 60 * 1000);
  said = [];
  typed = [];
  logged = [];
  kept = 0;
  answer = () => undefined;
  queues = open();
});
afterEach(async () => {
  await queues.stop();
  await t.close();
});

const store = () => createBotStore(t.store, () => clock.now());

function open(): ChatQueues {
  const rateLimit = createChatRateLimit(clock);
  const api = makeApi(rateLimit);
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  const progress = createProgress({ api, clock, log, rateLimit });
  const opened = createChatQueues({
    isOwnUpdate: () => true,
    core: { workOn: (handlers, tools) => createTaskWorker({ store: t.store, clock, ...tools }, handlers) },
    store: store(),
    texts: createTexts(TEST_GAMES),
    handlers: {},
    api,
    clock,
    log,
    rateLimit,
    progress,
    views: { broken: () => Promise.reject(new Error('a mistake of ours')), file: () => FILE },
    findLanguage: (telegramId) => findLanguageOf({ store: store() }, telegramId),
    isNewest: () => false,
  });
  opened.start();
  return opened;
}

function makeApi({ transformer }: ChatRateLimit): Api {
  const call = async (one: Said) => {
    const error = await answer(one);
    const payload = error instanceof GrammyError ? error : { ok: true };
    await transformer(() => Promise.resolve(payload as never), 'sendMessage', {
      chat_id: one.chatId,
      text: '',
    });
    if (error) throw error;
    said.push(one);
    return { message_id: 100 + said.length };
  };
  return fake({
    sendMessage: (chatId: number, text: string, options: Said['options']) => call({ chatId, text, options }),
    editMessageText: (chatId: number, messageId: number, text: string, options: Said['options']) =>
      call({ chatId, messageId, text, options }),
    sendChatAction: (chatId: number) => Promise.resolve(typed.push(chatId)),
  }) satisfies Api;
}

let kept: number;
const nextKey = () => `row:${(kept += 1)}`;
const put = (...rows: OutgoingRow[]) => store().outbox.save(rows);

const noticeOf = (chatId: number, kind: string, html: string): OutgoingRow => ({
  ...toOutgoingRow(`notice:${kind}:${(kept += 1)}:${chatId}`, chatId, { html }),
  kind: 'notice',
});

const keep = (chatId: number, html: string, more: Partial<OutboxContent> = {}) =>
  put(toOutgoingRow(nextKey(), chatId, { html, ...more }));

/** What became of every message, in the order in which they were kept. */
const states = () =>
  t.inspect((file) =>
    file
      .prepare(
        `select case when done_at is not null then 'sent' when dead_at is not null then 'dropped'
           when run_at is null then 'pending' else 'waiting' end from tasks order by id`,
      )
      .pluck()
      .all(),
  );

const FILE: Sending = {
  send: async (api, chatId) => void (await api.sendMessage(chatId, 'file and words', {})),
  sendBare: async (api, chatId) => void (await api.sendMessage(chatId, 'file', {})),
  otherwise: { html: 'not taken' },
};

const enqueueFile = (chatId: number) =>
  put(toOutgoingRow(nextKey(), chatId, { view: 'file', of: {}, telegramId: chatId, language: null }));

function refuse(code: number, description: string, parameters = {}): GrammyError {
  const payload = { ok: false as const, error_code: code, description, parameters };
  return new GrammyError('refused', payload, 'sendMessage', {});
}
const outage = () => new HttpError('no answer', refuse(502, 'Bad Gateway'));
const textsOf = (chat: number) => said.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
const keyboard = { inline_keyboard: [[{ text: 'Undo', callback_data: 'x' }]] };

test('what an earlier process left goes before anything new in its chat, from the first moment on', async () => {
  await queues.stop();
  await keep(1, 'left by the one before');
  queues = open();
  const replyChannel = queues.replyChannelOf(7);
  expect([replyChannel.mustWait(1), replyChannel.mustWait(2)]).toEqual([true, false]);
  await expect.poll(() => textsOf(1)).toEqual(['left by the one before']);
});

test('a chat that Telegram closes waits as long as it is asked to, in order, and nobody else does', async () => {
  answer = ({ chatId }) => (chatId === 1 ? refuse(429, 'Too Many', { retry_after: 245 }) : undefined);
  await keep(1, 'one');
  await keep(1, 'two');
  await keep(2, 'beside');
  await expect.poll(() => textsOf(2)).toEqual(['beside']);
  answer = () => undefined;
  clock.advance(240_000);
  await keep(2, 'later');
  await expect.poll(() => textsOf(2)).toEqual(['beside', 'later']);
  expect(textsOf(1)).toEqual([]);
  clock.advance(6_000);
  await expect.poll(() => textsOf(1)).toEqual(['one', 'two']);
});

test('what hangs in ten chats holds up no other', async () => {
  let end: (error: Error) => void = () => undefined;
  const hanging = new Promise<Error>((resolve) => (end = resolve));
  answer = ({ chatId }) => (chatId <= 10 ? hanging : undefined);
  for (let chat = 1; chat <= 10; chat += 1) await keep(chat, 'hangs');
  await keep(11, 'free');
  await expect.poll(() => textsOf(11)).toEqual(['free']);
  end(outage());
});

test('an outage is repeated until it is over, first things first', async () => {
  answer = outage;
  await keep(1, 'one');
  await expect.poll(() => logged.length).toBeGreaterThan(0);
  await keep(1, 'two');
  answer = () => undefined;
  clock.advance(60_000);
  await expect.poll(() => textsOf(1)).toEqual(['one', 'two']);
});

test('a form that is refused becomes plainer: without its buttons, then what matters', async () => {
  answer = ({ options }) => (options.reply_markup ? refuse(400, 'Bad Request: BUTTON_INVALID') : undefined);
  await keep(1, '<b>Done</b>', { keyboard, messageId: 7 });
  await expect.poll(() => said.length).toBe(1);
  expect(said[0]).toMatchObject({ messageId: 7, text: '<b>Done</b>', options: { parse_mode: 'HTML' } });
  answer = ({ options }) =>
    options.parse_mode ? refuse(400, "Bad Request: can't parse entities") : undefined;
  await keep(1, '<b>Done</b> &amp; well', { keyboard });
  await keep(1, '<b>Code</b>', { plain: '/receipt_7' });
  await expect.poll(() => textsOf(1).slice(1)).toEqual(['Done & well', '/receipt_7']);
});

test('words that are refused to their plainest form are given up after three tries, and hold up nothing', async () => {
  let tried = 0;
  answer = ({ text, options }) => {
    if (text === 'next') return undefined;
    tried += 1;
    // An endless repetition would end here.
    if (tried > 20) return refuse(403, 'Forbidden: bot was blocked by the user');
    return refuse(400, `Bad Request: refused ${Object.keys(options).length}`);
  };
  await keep(1, '<b>Done</b>', { keyboard });
  await keep(1, 'next');
  await expect.poll(() => textsOf(1)).toEqual(['next']);
  // In three forms, and a word that it is lost in two.
  expect(tried).toBe(5);
  expect(states()).toEqual(['dropped', 'sent', 'dropped']);
});

test('a file that is refused with its words is sent alone; refused alone, too, it is told', async () => {
  const invalid = () => refuse(400, 'Bad Request: BUTTON_INVALID');
  answer = ({ text }) => (text === 'file and words' ? invalid() : undefined);
  await enqueueFile(1);
  await expect.poll(() => textsOf(1)).toEqual(['file']);
  answer = ({ text }) => (text.startsWith('file') ? invalid() : undefined);
  await enqueueFile(2);
  await expect.poll(() => textsOf(2)).toEqual(['not taken']);
});

test('where the message is gone the words come as a new one; a word that stands already is no error', async () => {
  answer = ({ messageId }) =>
    messageId === 7 ? refuse(400, 'Bad Request: message to edit not found') : undefined;
  await keep(1, 'result', { messageId: 7, keyboard });
  await expect.poll(() => said).toMatchObject([{ text: 'result', options: { reply_markup: keyboard } }]);
  answer = () => refuse(400, 'Bad Request: message is not modified');
  await keep(1, 'result', { messageId: 8 });
  await expect.poll(() => states()).toEqual(['sent', 'sent']);
});

test('who has blocked the bot, and a mistake of ours, end with a line in the log and hold up nothing', async () => {
  answer = ({ text }) => (text === 'one' ? refuse(403, 'Forbidden: bot was blocked by the user') : undefined);
  await keep(1, 'one');
  const broken = toOutgoingRow('broken', 1, { view: 'broken', of: {}, telegramId: 1, language: null });
  await put(broken);
  await keep(1, 'three');
  const step = () => {
    clock.advance(60_000);
    return textsOf(1);
  };
  const lost = expect.stringContaining('I cannot show it');
  await expect.poll(step, { timeout: 8_000 }).toEqual(['three', lost]);
  // That it was sent is written after it.
  await expect.poll(states).toEqual(['pending', 'dropped', 'sent', 'sent']);
  expect(logged.filter((line) => /died/.test(line))).toHaveLength(1);
});

test('what was ordered before the bot was blocked is said when the chat opens, in its order, and before an answer', async () => {
  answer = () => refuse(403, 'Forbidden: bot was blocked by the user');
  await keep(1, 'result');
  await keep(1, 'receipt');
  const replyChannel = queues.replyChannelOf(7);
  await replyChannel.save(1, { html: 'an answer' });
  await expect.poll(() => states()).toEqual(['pending', 'pending', 'dropped']);
  answer = () => undefined;
  await queues.open(2);
  await queues.open(1);
  await replyChannel.save(1, { html: 'the answer to what opened it' });
  await expect.poll(() => textsOf(1)).toEqual(['result', 'receipt', 'the answer to what opened it']);
});

test('notices of one kind are one message, and stand before no answer', async () => {
  await queues.stop();
  const crowd = Array.from({ length: 45 }, (_, index) => noticeOf(1, 'webhookOff', `off ${index}`));
  await put(...crowd, noticeOf(1, 'stockLow', 'low'));
  queues = open();
  expect(queues.replyChannelOf(7).mustWait(1)).toBe(false);
  await expect.poll(() => textsOf(1)).toHaveLength(2);
  expect(textsOf(1)[0]?.split('\n\n')).toEqual(Array.from({ length: 45 }, (_, index) => `off ${index}`));
  expect([textsOf(1)[1], states().every((state) => state === 'sent')]).toEqual(['low', true]);
});

test('notices are cut where a message is full, and no kept answer comes after them', async () => {
  await queues.stop();
  const long = [0, 1, 2, 3].map((index) => noticeOf(1, 'webhookOff', `${index}`.repeat(1_500)));
  await put(...long, { ...toOutgoingRow('words:1:a', 1, { html: 'answer' }), kind: 'answer' });
  queues = open();
  await expect.poll(() => textsOf(1).map((text) => text.length)).toEqual([6, 3_002, 3_002]);
});

test('while an answer is held by a closed chat the bot types there, and nowhere else', async () => {
  answer = ({ chatId }) => (chatId === 1 ? refuse(429, 'Too Many', { retry_after: 60 }) : undefined);
  await keep(2, 'unasked');
  const replyChannel = queues.replyChannelOf(7);
  await replyChannel.save(1, { html: 'held' });
  await expect.poll(() => typed.length).toBe(1);
  clock.advance(5_000);
  await expect.poll(() => typed).toEqual([1, 1]);
  answer = () => undefined;
  clock.advance(60_000);
  await expect.poll(() => textsOf(1)).toEqual(['held']);
});

test('what cannot be said for a week is given up; a calendar that jumps gives up nothing', async () => {
  answer = outage;
  await keep(1, 'one');
  await expect.poll(() => logged.length).toBe(1);
  clock.set(clock.now() + 30 * 24 * 60 * 60 * 1000);
  await expect
    .poll(() => {
      clock.advance(61_000);
      return logged.length;
    })
    .toBeGreaterThan(2);
  expect(states()[0]).toBe('waiting');
  clock.advance(8 * 24 * 60 * 60 * 1000);
  await expect.poll(() => states()[0]).toBe('dropped');
});

test('an update whose words could not even be kept fails of the first of them, and no other does', () => {
  const replyChannel = queues.replyChannelOf(5);
  expect(() => replyChannel.finish()).not.toThrow();
  replyChannel.lose(new Error('full'));
  replyChannel.lose(new Error('still full'));
  expect(() => replyChannel.finish()).toThrow('full');
  expect(() => queues.replyChannelOf(6).finish()).not.toThrow();
});

test('words of an update wait where something else is to be said first, and are kept once', async () => {
  answer = outage;
  const replyChannel = queues.replyChannelOf(5);
  expect(replyChannel.mustWait(1)).toBe(false);
  await replyChannel.save(1, { html: 'first' });
  expect([replyChannel.mustWait(1), replyChannel.mustWait(2)]).toEqual([true, false]);
  await replyChannel.save(1, { html: 'first' });
  await replyChannel.save(1, { html: 'second' });
  await expect.poll(() => logged.length).toBeGreaterThan(0);
  answer = () => undefined;
  clock.advance(60_000);
  await expect.poll(() => textsOf(1)).toEqual(['first', 'second']);
  await expect.poll(() => replyChannel.mustWait(1)).toBe(false);
});
