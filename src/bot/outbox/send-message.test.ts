// What becomes of a message that waits: sent with what follows it, dropped for good, or tried again, and after which
// pause.
import { GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { Task } from '../../store/bot-store.ts';
import { createMessageSender, pauseAfter } from './send-message.ts';
import { BotCallError } from '../telegram/telegram-errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const refusal = (error_code: number, description = 'x', parameters = {}) =>
  new GrammyError('refused', { ok: false, error_code, description, parameters }, 'sendMessage', {});
const taskOf = (changes: Partial<Task> = {}): Task => ({
  ...{ id: 1, key: 'result:a', task: 'result', queue: 'chat:9', priority: 0, payload: '{"html":"a"}' },
  ...{ queuedAt: 10 * DAY_MS, runAt: 10 * DAY_MS, attempts: 0, crashes: 0 },
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
  const sender = createMessageSender(
    fake({
      ...{ api, clock, findLanguage: () => 'en' },
      progress: { end: (place: object) => soon(() => void did.push(['end', place])) },
      views: { part: () => ({ html: 'x', rest }) },
    }),
  );
  const send = (task: Task) => sender(9, task, stopping.signal);
  return { send, did, stopping, clock };
}

test('it is sent; in the message that shows how it goes on, once that counts no more', async () => {
  const { send, did } = createWorld();
  expect(await send(taskOf())).toEqual({ state: 'done' });
  expect(await send(taskOf({ payload: '{"html":"b","messageId":3}' }))).toEqual({ state: 'done' });
  expect(did).toEqual([
    ['send', 9, 'a'],
    ['end', { chatId: 9, messageId: 3 }],
    ['edit', 3, 'b'],
  ]);
});

test('what follows is said in its place; after the last of it, it is again what it was at first', async () => {
  const order = { view: 'part', of: { from: 0 }, telegramId: 70, language: 'en' };
  const payload = JSON.stringify(order);
  const rest = { ...order, of: { from: 7 }, first: payload };
  const { send } = createWorld(undefined, { of: { from: 7 } });
  for (const each of [payload, JSON.stringify({ ...rest, of: { from: 3 } })])
    expect(await send(taskOf({ payload: each }))).toEqual({ state: 'next', payload: JSON.stringify(rest) });
  const last = createWorld();
  expect(await last.send(taskOf({ payload: JSON.stringify(rest) }))).toEqual({ state: 'done', payload });
});

const BROKEN = new Error('a fault of ours');
const PASSING = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });

test.each<[what: string, failure: unknown, task: Partial<Task>, isDropped: boolean | 'pending']>([
  ['the result of an action for whoever is gone', refusal(403), { attempts: 0 }, 'pending'],
  ['an answer for whoever is gone', refusal(403), { task: 'answer', attempts: 0 }, true],
  ['a notice for whoever is gone', refusal(403), { task: 'notice', attempts: 0 }, true],
  ['a form refused to its plainest', refusal(400), { attempts: 0 }, true],
  ['a token that is wrong for now', refusal(404), { attempts: 9 }, false],
  ['a flood', refusal(429), { attempts: 9 }, false],
  ['an outage', new BotCallError('x', 'timeout'), { attempts: 9 }, false],
  ['an outage for a week', new BotCallError('x', 'timeout'), { queuedAt: 3 * DAY_MS, attempts: 9 }, false],
  [
    'an outage for more than a week',
    new BotCallError('x', 'timeout'),
    { queuedAt: 3 * DAY_MS - 1, attempts: 9 },
    true,
  ],
  ['a fault of ours', BROKEN, { attempts: 3 }, false],
  ['a fault of ours, again and again', BROKEN, { attempts: 4 }, true],
  ['what passes', PASSING, { attempts: 9 }, false],
  ['what cannot be read any more', undefined, { payload: undefined, attempts: 0 }, true],
])('%s', async (_what, failure, task, isDropped) => {
  const { send } = createWorld(failure);
  const sent = send(taskOf(task));
  if (isDropped === 'pending') expect(await sent).toEqual({ state: 'held', waitsFor: 'chat:9' });
  else if (isDropped) expect(await sent).toMatchObject({ state: 'dead' });
  else await expect(sent).rejects.toBe(failure);
});

test('a stop drops nothing, and neither does a calendar that jumps', async () => {
  const stopped = createWorld(refusal(403));
  stopped.stopping.abort();
  await expect(stopped.send(taskOf())).rejects.toThrow('refused');
  const outage = new BotCallError('x', 'timeout');
  const { send, clock } = createWorld(outage);
  clock.set(100 * DAY_MS);
  await expect(send(taskOf())).rejects.toBe(outage);
  clock.advance(7 * DAY_MS);
  await expect(send(taskOf())).rejects.toBe(outage);
  clock.advance(1);
  expect(await send(taskOf())).toMatchObject({ state: 'dead' });
});

test.each<[error: unknown, failures: number, ms: number]>([
  [BROKEN, 1, 1_000],
  [BROKEN, 2, 2_000],
  [BROKEN, 6, 32_000],
  [BROKEN, 7, 60_000],
  [BROKEN, 5_000, 60_000],
  [refusal(429, 'x', { retry_after: 90 }), 1, 90_000],
  [refusal(429, 'x', { retry_after: 3 }), 4, 8_000],
])('after %s for the %ith time a chat is left alone for %i ms', (error, failures, ms) => {
  expect(pauseAfter(error, failures)).toBe(ms);
});
