// What becomes of a message that waits: sent with what follows it, dropped for good, or tried again, and after which pause.
import { GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { soon } from '../../../test/harness/bot-words.ts';
import { createManualClock } from '../../clock.ts';
import type { WaitingMessage } from '../../store/bot-store.ts';
import { createMessageSender, pauseAfter } from './send-message.ts';
import { BotCallError } from '../telegram/telegram-errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const refusal = (error_code: number, description = 'x', parameters = {}) =>
  new GrammyError('refused', { ok: false, error_code, description, parameters }, 'sendMessage', {});
const rowOf = (changes: Partial<WaitingMessage> = {}): WaitingMessage => ({
  ...{ id: 1, key: 'deed:a', kind: 'result', at: 10 * DAY_MS, content: '{"html":"a"}' },
  ...changes,
});

function createWorld(failure?: unknown, rest?: object) {
  const did: unknown[] = [];
  const stopping = new AbortController();
  const clock = createManualClock(10 * DAY_MS);
  const note = (...what: unknown[]) =>
    soon(() => {
      did.push(what);
      if (failure) throw failure as Error;
    });
  const api = {
    sendMessage: (chatId: number, words: string) => note('send', chatId, words),
    editMessageText: (_chatId: number, id: number, words: string) => note('edit', id, words),
  };
  const send = createMessageSender({
    ...{ api, clock, signal: stopping.signal, findLanguage: () => 'en' },
    log: { warn: () => void did.push('dropped') },
    progress: { end: (place: object) => soon(() => void did.push(['end', place])) },
    views: { part: () => ({ send: () => note('file'), otherwise: { html: 'x' }, rest }) },
  } as never);
  return { send, did, stopping, clock };
}

test('it is sent; in the message that shows how it goes on, once that counts no more', async () => {
  const { send, did } = createWorld();
  expect(await send(9, rowOf(), 0)).toEqual({ state: 'sent' });
  expect(await send(9, rowOf({ content: '{"html":"b","messageId":3}' }), 0)).toEqual({ state: 'sent' });
  expect(did).toEqual([
    ['send', 9, 'a'],
    ['end', { chatId: 9, messageId: 3 }],
    ['edit', 3, 'b'],
  ]);
});

test.each([
  ['deed:a', 'deed:a#part-2'],
  ['deed:a#part-1', 'deed:a#part-2'],
])('what follows %s is kept as %s', async (key, next) => {
  const { send } = createWorld(undefined, { part: 2, view: 'part', of: { from: 7 } });
  const order = { view: 'part', of: { from: 0 }, telegramId: 70, language: 'en' };
  const content = JSON.stringify(order);
  expect(await send(9, rowOf({ key, content }), 0)).toEqual({
    state: 'sent',
    rest: { key: next, chatId: 9, content: JSON.stringify({ ...order, of: { from: 7 } }) },
  });
});

const BROKEN = new Error('a fault of ours');
const PASSING = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });

test.each<
  [
    what: string,
    failure: unknown,
    row: Partial<WaitingMessage>,
    failures: number,
    isDropped: boolean | 'pending',
  ]
>([
  ['the result of an action for whoever is gone', refusal(403), {}, 0, 'pending'],
  ['an answer for whoever is gone', refusal(403), { kind: 'answer' }, 0, true],
  ['a notice for whoever is gone', refusal(403), { kind: 'notice' }, 0, true],
  ['a form refused to its plainest', refusal(400), {}, 0, true],
  ['a token that is wrong for now', refusal(404), {}, 9, false],
  ['a flood', refusal(429), {}, 9, false],
  ['an outage', new BotCallError('x', 'timeout'), {}, 9, false],
  ['an outage for a week', new BotCallError('x', 'timeout'), { at: 3 * DAY_MS }, 9, false],
  ['an outage for more than a week', new BotCallError('x', 'timeout'), { at: 3 * DAY_MS - 1 }, 9, true],
  ['a fault of ours', BROKEN, {}, 3, false],
  ['a fault of ours, again and again', BROKEN, {}, 4, true],
  ['what passes', PASSING, {}, 9, false],
  ['what cannot be read any more', undefined, { content: undefined }, 0, true],
])('%s', async (_what, failure, row, failures, isDropped) => {
  const { send, did } = createWorld(failure);
  const sent = send(9, rowOf(row), failures);
  if (isDropped) expect(await sent).toEqual({ state: isDropped === 'pending' ? 'pending' : 'dropped' });
  else await expect(sent).rejects.toBe(failure);
  expect(did.includes('dropped')).toBe(isDropped !== false);
});

test('a stop drops nothing, and neither does a calendar that jumps', async () => {
  const stopped = createWorld(refusal(403));
  stopped.stopping.abort();
  await expect(stopped.send(9, rowOf(), 0)).rejects.toThrow('refused');
  const outage = new BotCallError('x', 'timeout');
  const { send, clock } = createWorld(outage);
  clock.set(100 * DAY_MS);
  await expect(send(9, rowOf(), 0)).rejects.toBe(outage);
  clock.advance(7 * DAY_MS);
  await expect(send(9, rowOf(), 0)).rejects.toBe(outage);
  clock.advance(1);
  expect(await send(9, rowOf(), 0)).toEqual({ state: 'dropped' });
});

test.each<[error: unknown, failures: number, ms: number, isAsked: boolean]>([
  [BROKEN, 1, 1_000, false],
  [BROKEN, 2, 2_000, false],
  [BROKEN, 6, 32_000, false],
  [BROKEN, 7, 60_000, false],
  [BROKEN, 5_000, 60_000, false],
  [refusal(429, 'x', { retry_after: 90 }), 1, 90_000, true],
  [refusal(429, 'x', { retry_after: 3 }), 4, 8_000, true],
])('after %s for the %ith time a chat is left alone for %i ms', (error, failures, ms, isAsked) => {
  expect(pauseAfter(error, failures)).toEqual({ ms, isAsked });
});
