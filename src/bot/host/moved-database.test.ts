import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createMovedDatabaseAlert } from './moved-database.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Hosts 1 and 2; `answers` of Telegram to the next messages, in order: what it refuses them with. */
function openHost(...answers: (Error | undefined)[]) {
  const world = { isInPlace: true, said: [] as string[], failures: 0 };
  const alert = createMovedDatabaseAlert(
    {
      core: { health: { isInPlace: () => world.isInPlace } },
      store: { preferences: { find: () => undefined } },
      settings: { hostIds: [1, 2] },
      texts: { say: (language: string, key: string) => `${language} ${key}` },
      log: { warn: () => void (world.failures += 1) },
    } as never,
    {
      sendMessage: (chatId: number, text: string) => {
        const failure = answers.shift();
        if (failure) return Promise.reject(failure);
        world.said.push(`${chatId}: ${text}`);
        return Promise.resolve({});
      },
    } as never,
  );
  alert.start();
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
  return { world, pass, stop: () => alert.stop() };
}

test('each host is told once that the database is gone, and once that it is back', async () => {
  const { world, pass, stop } = openHost();
  await pass(3);
  expect(world.said).toEqual([]);
  world.isInPlace = false;
  await pass(5);
  expect(world.said).toEqual(['1: en host-database-moved', '2: en host-database-moved']);
  world.isInPlace = true;
  await pass(5);
  expect(world.said.slice(2)).toEqual(['1: en host-database-back', '2: en host-database-back']);
  await stop();
});

test('what Telegram does not take is said again, to whom it was not said; who cannot be written to is left alone', async () => {
  const refused = new GrammyError(
    'no',
    { ok: false, error_code: 403, description: 'blocked' },
    'sendMessage',
    {},
  );
  const { world, pass, stop } = openHost(new Error('cut'), refused);
  world.isInPlace = false;
  await pass(5);
  expect([world.said, world.failures]).toEqual([['1: en host-database-moved'], 1]);
  await stop();
});
