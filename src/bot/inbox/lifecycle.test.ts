// From the start of the bot to its stop: Telegram is tried again until it is reached, and nothing begins before.
import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { createLifecycle } from './lifecycle.ts';

const refusal = (error_code: number) =>
  new GrammyError('refused', { ok: false, error_code, description: 'x' }, 'getMe', {});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Telegram answers so, each time that it is asked who the bot is; the inbox cannot be read so often. */
function createWorld(
  answers: (Error | undefined)[] = [],
  webhook?: object,
  stopInbox?: (signal: AbortSignal) => Promise<void>,
  unreadable = 0,
) {
  const did: string[] = [];
  const note = (what: string) => () => void did.push(what);
  const noteSoon = (what: string) => () => Promise.resolve(void did.push(what));
  const stopping = new AbortController();
  const bot = {
    botInfo: { username: 'shop_bot' },
    api: {
      getMe: () => {
        did.push('asked');
        const answer = answers.shift();
        return answer ? Promise.reject(answer) : Promise.resolve({ username: 'shop_bot' });
      },
    },
  };
  const startInbox = () => {
    if ((unreadable -= 1) >= 0) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
    did.push('inbox');
  };
  const running = createLifecycle(
    fake({
      ...{ bot, webhook, stopping, noteBot: () => Promise.resolve(), setMenus: noteSoon('menus') },
      webhookRegistration: {
        begin: (given: unknown) => Promise.resolve(void did.push(given ? 'listens there' : 'listens')),
        stop: noteSoon('deaf'),
      },
      inbox: { start: startInbox, stop: () => stopInbox?.(stopping.signal) ?? noteSoon('inbox over')() },
      polling: { start: note('polls'), stop: noteSoon('polls no more') },
      background: [{ start: note('work'), stop: noteSoon('work over') }],
      connection: { hinder: (by: string, isSo: boolean) => void did.push(isSo ? by : `not ${by}`) },
      log: { info: note('told'), warn: note('warned'), error: note('error') },
    }),
  );
  return { running, did, stopping };
}

const STARTED = ['not failed', 'told'];
const ALL = ['asked', 'listens', 'menus', 'work', 'inbox', 'polls', ...STARTED];
const OVER = ['polls no more', 'deaf', 'inbox over', 'work over'];

test('it is reached, listens, and then works; its stop ends that in turn', async () => {
  const { running, did, stopping } = createWorld();
  await running.start();
  expect(did).toEqual(ALL);
  await running.stop();
  expect([did.slice(ALL.length), stopping.signal.aborted, vi.getTimerCount()]).toEqual([OVER, true, 0]);
});

test('with a webhook it does not fetch', async () => {
  const { running, did } = createWorld([], {});
  await running.start();
  expect(did).toEqual(['asked', 'listens there', 'menus', 'work', 'inbox', ...STARTED]);
});

test('it is tried again after pauses that double, up to half a minute', async () => {
  const away = Array.from({ length: 7 }, () => refusal(502));
  const { running, did } = createWorld([...away]);
  const started = running.start();
  const asked = () => did.filter((each) => each === 'asked').length;
  for (const [index, ms] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect([index, asked()]).toEqual([index, index + 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([index, asked()]).toEqual([index, index + 2]);
  }
  await started;
  expect(did.filter((each) => each === 'warned')).toHaveLength(7);
});

test('a token that Telegram does not know is tried again, without a word of it here', async () => {
  const { running, did } = createWorld([refusal(401), refusal(401)]);
  const started = running.start();
  await vi.advanceTimersByTimeAsync(3_000);
  await started;
  expect(did).toEqual(['asked', 'asked', ...ALL]);
  await running.stop();
});

test('a disk that fails at the start is known of the bot, and tried again from where it failed; nothing starts twice', async () => {
  const { running, did } = createWorld([], undefined, undefined, 2);
  const started = running.start();
  await vi.advanceTimersByTimeAsync(3_000);
  await started;
  const failed = ['error', 'failed'];
  expect(did).toEqual([
    ...['asked', 'listens', 'menus', 'work', ...failed],
    ...['menus', ...failed],
    ...['menus', 'inbox', 'polls', ...STARTED],
  ]);
  await running.stop();
});

test('stopped before it was reached, it never begins', async () => {
  const { running, did } = createWorld([refusal(502)]);
  const started = running.start();
  await vi.advanceTimersByTimeAsync(0);
  await Promise.all([running.stop(), started]);
  expect(did).toEqual(['asked', 'warned', ...OVER]);
});

test('what hangs at the stop is given up after five seconds', async () => {
  const { running, stopping } = createWorld([], undefined, (signal) => {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  });
  await running.start();
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(stopping.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(stopping.signal.aborted).toBe(true);
  await stopped;
});
