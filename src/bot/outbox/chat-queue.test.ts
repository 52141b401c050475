// What waits to be said, over a Telegram that a test scripts and a clock that it moves.
import { GrammyError, HttpError, type Api } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../clock.ts';
import type { OutgoingRow, WaitingMessage } from '../../store/bot-store.ts';
import { toOutgoingRow, type OutboxContent, type Sending } from '../outgoing.ts';
import { createChatQueues, type ChatQueues } from './chat-queue.ts';
import { createChatRateLimit } from '../telegram/chat-rate-limit.ts';
import { createProgress } from '../telegram/progress.ts';

interface Said {
  chatId: number;
  messageId?: number;
  text: string;
  options: { parse_mode?: string; reply_markup?: object };
}
/** What Telegram answers to a call: undefined, it takes it. */
type Answer = (said: Said) => Error | Promise<Error> | undefined;

let clock: ManualClock;
let said: Said[];
let answer: Answer;
type Row = Omit<OutgoingRow, 'kind'> & Pick<WaitingMessage, 'id' | 'at' | 'kind'> & { state: string };
let rows: Row[];
let typed: number[];
let queues: ChatQueues;
let logged: string[];

beforeEach(() => {
  clock = createManualClock(1_700_000_000_000);
  // The machine was up before the service.
  clock.advance(40 * 24 * 60 * 60 * 1000);
  said = [];
  rows = [];
  typed = [];
  logged = [];
  answer = () => undefined;
  queues = open();
});
afterEach(() => queues.stop());

function open(): ChatQueues {
  const api = makeApi();
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  const rateLimit = createChatRateLimit(clock);
  const progress = createProgress({ api, clock, log, rateLimit });
  const opened = createChatQueues({
    store: { outbox: keepInMemory() },
    api,
    clock,
    log,
    rateLimit,
    progress,
    views: { broken: () => Promise.reject(new Error('a mistake of ours')), file: () => FILE },
    findLanguage: () => 'en',
    isNewest: () => false,
  });
  opened.start();
  return opened;
}

function makeApi(): Api {
  const call = async (one: Said) => {
    const error = await answer(one);
    if (error) throw error;
    said.push(one);
    return { message_id: 100 + said.length };
  };
  return {
    sendMessage: (chatId: number, text: string, options: Said['options']) => call({ chatId, text, options }),
    editMessageText: (chatId: number, messageId: number, text: string, options: Said['options']) =>
      call({ chatId, messageId, text, options }),
    sendChatAction: (chatId: number) => Promise.resolve(typed.push(chatId)),
  } as unknown as Api;
}

function keepInMemory() {
  const waiting = () => rows.filter(({ state, jobId }) => state === 'waiting' && jobId === undefined);
  return {
    keep: (messages: readonly OutgoingRow[]) => {
      for (const each of messages) {
        if (rows.some(({ key }) => key === each.key)) continue;
        put(each);
      }
      return Promise.resolve();
    },
    keepForNotices: () => Promise.resolve(),
    countWaiting: () => waiting().length,
    listChats: () => [...new Set(waiting().map(({ chatId }) => chatId))],
    findFirst(chat: number) {
      const its = waiting().filter(({ chatId }) => chatId === chat);
      return its.find(({ kind }) => kind !== 'notice') ?? its[0];
    },
    listNotices: (chat: number) =>
      waiting().filter(({ chatId, kind }) => chatId === chat && kind === 'notice'),
    open(chat: number) {
      const pending = rows.filter(({ chatId, state }) => chatId === chat && state === 'pending');
      for (const row of pending) row.state = 'waiting';
      return Promise.resolve(pending.length > 0);
    },
    release: () => Promise.resolve(false),
    finish: (id: number, state: 'sent' | 'dropped' | 'pending') => {
      const row = rows.find((each) => each.id === id);
      if (row) row.state = state;
      return Promise.resolve(true);
    },
    finishAll: (ids: readonly number[], state: 'sent' | 'dropped') => {
      for (const row of rows) if (ids.includes(row.id)) row.state = state;
      return Promise.resolve(true);
    },
    repeat: () => Promise.resolve(false),
  };
}

function put(row: OutgoingRow): void {
  rows.push({ ...row, kind: row.kind ?? 'result', id: rows.length + 1, at: clock.now(), state: 'waiting' });
}

const keepNotice = (chatId: number, kind: string, html: string) =>
  put({ ...toOutgoingRow(`notice:${kind}:${rows.length}:${chatId}`, chatId, { html }), kind: 'notice' });

function keep(chatId: number, html: string, more: Partial<OutboxContent> = {}): void {
  put(toOutgoingRow(`row:${rows.length}`, chatId, { html, ...more }));
  queues.wake(chatId);
}

const FILE: Sending = {
  send: async (api, chatId) => void (await api.sendMessage(chatId, 'file and words', {})),
  sendBare: async (api, chatId) => void (await api.sendMessage(chatId, 'file', {})),
  otherwise: { html: 'not taken' },
};

function keepFile(chatId: number): void {
  const order = { view: 'file', of: {}, telegramId: chatId, language: null };
  put(toOutgoingRow(`row:${rows.length}`, chatId, order));
  queues.wake(chatId);
}

function refuse(code: number, description: string, parameters = {}): GrammyError {
  const payload = { ok: false as const, error_code: code, description, parameters };
  return new GrammyError('refused', payload, 'sendMessage', {});
}
const outage = () => new HttpError('no answer', refuse(502, 'Bad Gateway'));
const textsOf = (chat: number) => said.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
const keyboard = { inline_keyboard: [[{ text: 'Undo', callback_data: 'x' }]] };

test('what an earlier process left goes before anything new in its chat, from the first moment on', async () => {
  await queues.stop();
  keep(1, 'left by the one before');
  queues = open();
  const voice = queues.voiceOf(7);
  expect([voice.mustWait(1), voice.mustWait(2)]).toEqual([true, false]);
  await expect.poll(() => textsOf(1)).toEqual(['left by the one before']);
});

test('a chat that Telegram closes waits as long as it is asked to, in order, and nobody else does', async () => {
  answer = ({ chatId }) => (chatId === 1 ? refuse(429, 'Too Many', { retry_after: 245 }) : undefined);
  keep(1, 'one');
  keep(1, 'two');
  keep(2, 'beside');
  await expect.poll(() => textsOf(2)).toEqual(['beside']);
  answer = () => undefined;
  clock.advance(240_000);
  queues.wake(1);
  keep(2, 'later');
  await expect.poll(() => textsOf(2)).toEqual(['beside', 'later']);
  expect(textsOf(1)).toEqual([]);
  clock.advance(6_000);
  await expect.poll(() => textsOf(1)).toEqual(['one', 'two']);
});

test('what hangs in ten chats holds up no other', async () => {
  let end: (error: Error) => void = () => undefined;
  const hanging = new Promise<Error>((resolve) => (end = resolve));
  answer = ({ chatId }) => (chatId <= 10 ? hanging : undefined);
  for (let chat = 1; chat <= 10; chat += 1) keep(chat, 'hangs');
  keep(11, 'free');
  await expect.poll(() => textsOf(11)).toEqual(['free']);
  end(outage());
});

test('an outage is repeated until it is over, first things first', async () => {
  answer = outage;
  keep(1, 'one');
  await expect.poll(() => logged.length).toBeGreaterThan(0);
  keep(1, 'two');
  answer = () => undefined;
  clock.advance(60_000);
  await expect.poll(() => textsOf(1)).toEqual(['one', 'two']);
});

test('a form that is refused becomes plainer: without its buttons, then what matters', async () => {
  answer = ({ options }) => (options.reply_markup ? refuse(400, 'Bad Request: BUTTON_INVALID') : undefined);
  keep(1, '<b>Done</b>', { keyboard, messageId: 7 });
  await expect.poll(() => said.length).toBe(1);
  expect(said[0]).toMatchObject({ messageId: 7, text: '<b>Done</b>', options: { parse_mode: 'HTML' } });
  answer = ({ options }) =>
    options.parse_mode ? refuse(400, "Bad Request: can't parse entities") : undefined;
  keep(1, '<b>Done</b> &amp; well', { keyboard });
  keep(1, '<b>Code</b>', { plain: '/receipt_7' });
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
  keep(1, '<b>Done</b>', { keyboard });
  keep(1, 'next');
  await expect.poll(() => textsOf(1)).toEqual(['next']);
  expect(tried).toBe(3);
  expect(rows.map(({ state }) => state)).toEqual(['dropped', 'sent']);
});

test('a file that is refused with its words is sent alone; refused alone, too, it is told', async () => {
  const invalid = () => refuse(400, 'Bad Request: BUTTON_INVALID');
  answer = ({ text }) => (text === 'file and words' ? invalid() : undefined);
  keepFile(1);
  await expect.poll(() => textsOf(1)).toEqual(['file']);
  answer = ({ text }) => (text.startsWith('file') ? invalid() : undefined);
  keepFile(2);
  await expect.poll(() => textsOf(2)).toEqual(['not taken']);
});

test('where the message is gone the words come as a new one; a word that stands already is no error', async () => {
  answer = ({ messageId }) =>
    messageId === 7 ? refuse(400, 'Bad Request: message to edit not found') : undefined;
  keep(1, 'result', { messageId: 7, keyboard });
  await expect.poll(() => said).toMatchObject([{ text: 'result', options: { reply_markup: keyboard } }]);
  answer = () => refuse(400, 'Bad Request: message is not modified');
  keep(1, 'result', { messageId: 8 });
  await expect.poll(() => rows.map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test('who has blocked the bot, and a mistake of ours, end with a line in the log and hold up nothing', async () => {
  answer = ({ text }) => (text === 'one' ? refuse(403, 'Forbidden: bot was blocked by the user') : undefined);
  keep(1, 'one');
  const broken = toOutgoingRow('broken', 1, { view: 'broken', of: {}, telegramId: 1, language: null });
  put(broken);
  keep(1, 'three');
  const step = () => {
    clock.advance(60_000);
    return textsOf(1);
  };
  await expect.poll(step, { timeout: 8_000 }).toEqual(['three']);
  expect(rows.map(({ state }) => state)).toEqual(['pending', 'dropped', 'sent']);
  expect(logged.filter((line) => /dropped|pending/.test(line))).toHaveLength(2);
});

test('what was ordered before the bot was blocked is said when the chat opens, in its order, and before an answer', async () => {
  answer = () => refuse(403, 'Forbidden: bot was blocked by the user');
  keep(1, 'result');
  keep(1, 'receipt');
  const voice = queues.voiceOf(7);
  await voice.keep(1, { html: 'an answer' });
  await expect.poll(() => rows.map(({ state }) => state)).toEqual(['pending', 'pending', 'dropped']);
  answer = () => undefined;
  await queues.open(2);
  await queues.open(1);
  await voice.keep(1, { html: 'the answer to what opened it' });
  await expect.poll(() => textsOf(1)).toEqual(['result', 'receipt', 'the answer to what opened it']);
});

test('notices of one kind are one message, and stand before no answer', async () => {
  await queues.stop();
  for (let index = 0; index < 45; index += 1) keepNotice(1, 'webhookOff', `off ${index}`);
  keepNotice(1, 'stockLow', 'low');
  queues = open();
  expect(queues.voiceOf(7).mustWait(1)).toBe(false);
  await expect.poll(() => textsOf(1)).toHaveLength(2);
  expect(textsOf(1)[0]?.split('\n\n')).toEqual(Array.from({ length: 45 }, (_, index) => `off ${index}`));
  expect([textsOf(1)[1], rows.every(({ state }) => state === 'sent')]).toEqual(['low', true]);
});

test('notices are cut where a message is full, and no kept answer comes after them', async () => {
  await queues.stop();
  for (let index = 0; index < 4; index += 1) keepNotice(1, 'webhookOff', `${index}`.repeat(1_500));
  put({ ...toOutgoingRow('words:1:a', 1, { html: 'answer' }), kind: 'answer' });
  queues = open();
  await expect.poll(() => textsOf(1).map((text) => text.length)).toEqual([6, 3_002, 3_002]);
});

test('while an answer is held by a closed chat the bot types there, and nowhere else', async () => {
  answer = ({ chatId }) => (chatId === 1 ? refuse(429, 'Too Many', { retry_after: 60 }) : undefined);
  keep(2, 'unasked');
  const voice = queues.voiceOf(7);
  await voice.keep(1, { html: 'held' });
  await expect.poll(() => typed.length).toBe(1);
  clock.advance(5_000);
  await expect.poll(() => typed).toEqual([1, 1]);
  answer = () => undefined;
  clock.advance(60_000);
  await expect.poll(() => textsOf(1)).toEqual(['held']);
});

test('what cannot be said for a week is given up; a calendar that jumps gives up nothing', async () => {
  answer = outage;
  keep(1, 'one');
  await expect.poll(() => logged.length).toBe(1);
  clock.set(clock.now() + 30 * 24 * 60 * 60 * 1000);
  await expect
    .poll(() => {
      clock.advance(61_000);
      return logged.length;
    })
    .toBeGreaterThan(2);
  expect(rows[0]?.state).toBe('waiting');
  clock.advance(8 * 24 * 60 * 60 * 1000);
  await expect.poll(() => rows[0]?.state).toBe('dropped');
});

test('an update whose words could not even be kept fails of the first of them, and no other does', () => {
  const voice = queues.voiceOf(5);
  expect(() => voice.finish()).not.toThrow();
  voice.lose(new Error('full'));
  voice.lose(new Error('still full'));
  expect(() => voice.finish()).toThrow('full');
  expect(() => queues.voiceOf(6).finish()).not.toThrow();
});

test('words of an update wait where something else is to be said first, and are kept once', async () => {
  answer = outage;
  const voice = queues.voiceOf(5);
  expect(voice.mustWait(1)).toBe(false);
  await voice.keep(1, { html: 'first' });
  expect([voice.mustWait(1), voice.mustWait(2)]).toEqual([true, false]);
  await voice.keep(1, { html: 'first' });
  await voice.keep(1, { html: 'second' });
  answer = () => undefined;
  clock.advance(60_000);
  await expect.poll(() => textsOf(1)).toEqual(['first', 'second']);
  await expect.poll(() => voice.mustWait(1)).toBe(false);
});
