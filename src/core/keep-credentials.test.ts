// Logins and passwords are kept for as many days as the host says, and by nobody who asks after that; the receipt
// stays.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';

let t: TestCore;

beforeEach(async () => void (t = await openTestCore()));
afterEach(() => t.close());

async function redeem(): Promise<number> {
  const request = { gameId: 'game_id_1', playerId: '5170925570', code: makeCode() };
  const answer = await t.core.redeem(t.actor, request);
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

const read = (id: number) => t.core.receipts.find(t.actor, id);
const hasLogin = (id: number) => read(id)?.credentials !== null;

test('after that many days the login is gone, and nothing else of the receipt', async () => {
  const old = await redeem();
  const before = read(old);
  t.clock.advance(7 * DAY_MS);
  const young = await redeem();
  t.clock.advance(DAY_MS);
  const core = t.restart({ keepCredentialsMs: 8 * DAY_MS });
  await core.start();
  await t.until(() => !hasLogin(old));
  expect(before?.credentials).toHaveProperty('password');
  expect(read(old)).toEqual({ ...before, credentials: null });
  expect(hasLogin(young)).toBe(true);
  await core.stop(0);
});

test('more than a slice of them goes at once', async () => {
  const ids = await Promise.all(Array.from({ length: 250 }, redeem));
  t.clock.advance(2 * DAY_MS);
  const core = t.restart({ keepCredentialsMs: DAY_MS });
  await core.start();
  await t.until(() => !ids.some(hasLogin));
  await core.stop(0);
});

test('where nothing is said they are kept', async () => {
  const id = await redeem();
  t.clock.advance(3650 * DAY_MS);
  const core = t.restart();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await core.start();
  await vi.advanceTimersByTimeAsync(1_500);
  // What is done once a minute takes a turn or two each.
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  vi.useRealTimers();
  expect(hasLogin(id)).toBe(true);
  await core.stop(0);
});
