// What hosts are told past a database that takes nothing: each once, however often Telegram does not take it.
import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import type { HostAlert } from '../../core/index.ts';
import { createDirectAlerts } from './direct-alerts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MOVED: HostAlert = { name: 'database-moved', since: 1, facts: {} };

/** Hosts 1 and 2; `answers` of Telegram to the next messages, in order: what it refuses them with. */
function openHost(...answers: (Error | undefined)[]) {
  const world = { lasting: [] as HostAlert[], said: [] as string[], failures: 0, isReadable: true };
  const find = () => {
    if (!world.isReadable) throw new Error('disk I/O error');
  };
  const alerts = createDirectAlerts(
    fake({
      core: { hostAlerts: { listDirect: () => world.lasting } },
      store: { preferences: { find } },
      settings: { hostIds: [1, 2] },
      texts: { say: (language: string, key: string) => `${language} ${key}`, label: () => '' },
      log: { warn: () => void (world.failures += 1) },
    }),
    fake({
      sendMessage: (chatId: number, text: string) => {
        const failure = answers.shift();
        if (failure) return Promise.reject(failure);
        world.said.push(`${chatId}: ${text}`);
        return Promise.resolve({});
      },
    }),
  );
  alerts.start();
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
  return { world, pass, stop: () => alerts.stop() };
}

const wordsOf = (id: number, name: string) => `${id}: en alert-${name}\nen alert-section`;

test('each host is told once of each, and again when it begins again', async () => {
  const { world, pass, stop } = openHost();
  await pass(3);
  expect(world.said).toEqual([]);
  world.lasting = [MOVED, { ...MOVED, name: 'database-unwritable' }];
  await pass(5);
  expect(world.said.toSorted()).toEqual(
    [1, 2].flatMap((id) => [wordsOf(id, 'database-moved'), wordsOf(id, 'database-unwritable')]),
  );
  world.lasting = [];
  await pass(5);
  world.lasting = [{ ...MOVED, since: 2 }];
  await pass(5);
  expect(world.said.slice(4)).toEqual([1, 2].map((id) => wordsOf(id, 'database-moved')));
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
  world.lasting = [MOVED];
  await pass(5);
  expect([world.said, world.failures]).toEqual([[wordsOf(1, 'database-moved')], 1]);
  await stop();
});

test('a disk that cannot be read either keeps nobody from hearing of it', async () => {
  const { world, pass, stop } = openHost();
  world.isReadable = false;
  world.lasting = [{ ...MOVED, name: 'database-unwritable' }];
  await pass(3);
  expect(world.said).toEqual([1, 2].map((id) => wordsOf(id, 'database-unwritable')));
  await stop();
});
