// What is said in parts, and after how long what Telegram did not take is tried again.
import { Api, GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { createManualClock } from '../../clock.ts';
import type { Rest } from '../outgoing.ts';
import { createChatRateLimit } from '../telegram/rate-limits.ts';
import { createMessageSender, pauseAfter } from './send-message.ts';

test('what follows is said in its place; after the last of it, it is again what it was at first', async () => {
  let rest: Rest | undefined = { of: { from: 7 } };
  const api = new Api('1:token', { fetch: () => Promise.resolve(Response.json({ ok: true, result: true })) });
  const clock = createManualClock(0);
  const send = createMessageSender({
    ...{ api, clock, findLanguage: () => 'en', isNewest: () => false },
    rateLimit: createChatRateLimit(clock),
    views: { part: () => ({ html: 'x', ...(rest && { rest }) }) },
  });
  const say = (payload: string) =>
    send(
      9,
      {
        ...{ id: 1, key: 'result:a', task: 'result', queue: 'chat:9', priority: 0, payload },
        ...{ queuedAt: 0, runAt: 0, attempts: 0, crashes: 0 },
      },
      { signal: new AbortController().signal, isReleased: () => false },
    );
  const order = { view: 'part', of: { from: 0 }, telegramId: 70, language: 'en' };
  const first = JSON.stringify(order);
  const next = JSON.stringify({ ...order, of: { from: 7 }, first });
  expect(await say(first)).toEqual({ state: 'next', payload: next });
  expect(await say(JSON.stringify({ ...order, of: { from: 3 }, first }))).toEqual({
    state: 'next',
    payload: next,
  });
  rest = undefined;
  expect(await say(next)).toEqual({ state: 'done', payload: first });
});

test('what was released while it was looked at is not said by that look, and goes on as it was', async () => {
  const said: string[] = [];
  const api = new Api('1:token', {
    fetch: (url: string) => {
      said.push(url.slice(url.lastIndexOf('/') + 1));
      return Promise.resolve(Response.json({ ok: true, result: { message_id: 5 } }));
    },
  });
  const clock = createManualClock(0);
  const send = createMessageSender({
    ...{ api, clock, findLanguage: () => 'en', isNewest: () => false, rateLimit: createChatRateLimit(clock) },
    views: { end: () => ({ html: 'x' }) },
  });
  const content = { view: 'end', of: { id: 7 }, telegramId: 70, language: 'en' };
  const payload = JSON.stringify(content);
  const task = {
    ...{ id: 1, key: 'result:a', task: 'result', queue: 'chat:9:result:a', priority: 0, payload },
    ...{ queuedAt: 0, runAt: 0, attempts: 0, crashes: 0 },
  };
  const { signal } = new AbortController();
  expect(await send(9, task, { signal, isReleased: () => true })).toMatchObject({ state: 'next' });
  expect(said).toEqual([]);
  expect(await send(9, task, { signal, isReleased: () => false })).toMatchObject({ state: 'done' });
  expect(said).toEqual(['sendMessage']);
});

const BROKEN = new Error('a fault of ours');
const flood = (retry_after: number) =>
  new GrammyError(
    'x',
    { ok: false, error_code: 429, description: 'x', parameters: { retry_after } },
    'x',
    {},
  );
test.each<[error: unknown, failures: number, ms: number]>([
  [BROKEN, 1, 1_000],
  [BROKEN, 2, 2_000],
  [BROKEN, 6, 32_000],
  [BROKEN, 7, 60_000],
  [BROKEN, 5_000, 60_000],
  [flood(90), 1, 90_000],
  [flood(3), 4, 8_000],
])('after %s for the %ith time a chat is left alone for %i ms', (error, failures, ms) => {
  expect(pauseAfter(error, failures)).toBe(ms);
});
