// A key's own limits: its window under parallel requests, from where and until when it is taken, who sets them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import type { KeyLimitsChange } from './key-limits.ts';

const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' };
const DAY_MS = 86_400_000;

let t: TestCore;
let account: TestAccount;
let key: { id: number; key: string };
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
  await t.store.write(({ accounts }) =>
    accounts.extendSubscription(account.accountId, 9 * DAY_MS, t.clock.now()),
  );
  key = await t.core.apiKeys.issue(account.members.owner);
});
afterEach(() => t.close());

const limit = (change: KeyLimitsChange) => t.core.apiKeys.limit(account.members.owner, key.id, change);
const actorOf = (apiKeyId: number) => ({ kind: 'apiKey', accountId: account.accountId, apiKeyId }) as const;
const redeem = (apiKeyId = key.id) => t.core.redeem(actorOf(apiKeyId), { ...PLAYER, code: makeCode() });

describe('its own window', () => {
  test('holds under parallel requests, and is told by the key', async () => {
    await limit({ dayLimit: 3.25 });
    const told = await Promise.all(Array.from({ length: 10 }, () => redeem()));
    expect(told.filter(({ status }) => status === 'answered')).toHaveLength(3);
    expect(told.find(({ status }) => status !== 'answered')).toEqual({
      status: 'quotaExceeded',
      retryAfterSeconds: 86_400,
      keyLimit: 3.25,
    });
    const look = { ...PLAYER };
    expect(await t.core.findCharacter(actorOf(key.id), look)).toMatchObject({ status: 'found' });
    expect(await t.core.findCharacter(actorOf(key.id), look)).toMatchObject({ keyLimit: 3.25 });
    expect(t.core.findOwnKey(actorOf(key.id)).window).toMatchObject({ used: 3.25, remaining: 0 });
  });

  test('is its alone: another key and the chat go on, and 24 hours later it does', async () => {
    await limit({ dayLimit: 1 });
    const other = await t.core.apiKeys.issue(account.members.owner);
    await redeem();
    expect(await redeem()).toMatchObject({ status: 'quotaExceeded' });
    expect(await redeem(other.id)).toMatchObject({ status: 'answered' });
    t.clock.advance(DAY_MS);
    expect(await redeem()).toMatchObject({ status: 'answered' });
  });

  test('counts purchased activations as it counts the daily ones', async () => {
    // Booked without what it was for.
    t.allowDrift();
    await t.store.write(({ quota }) => quota.credit(account.accountId, 400));
    const other = await t.core.apiKeys.issue(account.members.owner);
    await t.store.write((tables) => {
      const start = t.clock.monotonicNow() - DAY_MS;
      tables.quota.roll(account.accountId, start);
      const at = t.clock.monotonicNow();
      const used = { accountId: account.accountId, at, start, daily: 1_200, purchased: 0, kind: 'redeem' };
      tables.quota.book(used);
    });
    await limit({ dayLimit: 2 });
    for (let n = 0; n < 2; n += 1) expect(await redeem()).toMatchObject({ status: 'answered' });
    expect(await redeem()).toMatchObject({ keyLimit: 2 });
    expect(await redeem(other.id)).toMatchObject({ status: 'answered' });
  });
});

test('from elsewhere and after its end it is refused, and the owner is told once a day of the former', async () => {
  const { apiKeys } = t.core;
  const refusedFrom = (address?: string) => apiKeys.authenticate(key.key, address)?.refused;
  await limit({ addresses: ['203.0.113.0/24', '2001:db8::1'] });
  expect(['203.0.113.9', '2001:db8::1', undefined].map(refusedFrom)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([refusedFrom('198.51.100.1'), refusedFrom('198.51.100.2')]).toEqual(['address', 'address']);
  await t.until(() => listNotices(t.store).length > 0);
  expect(listNotices(t.store).map(({ kind }) => kind)).toEqual(['addressRefused']);
  await limit({ addresses: null, expiresAt: t.clock.now() + 1 });
  expect(refusedFrom('198.51.100.1')).toBeUndefined();
  t.clock.advance(1);
  expect(refusedFrom('198.51.100.1')).toBe('expired');
});

test('what is not named stays, null takes away, and each change stands in the log', async () => {
  expect(await limit({ dayLimit: 5, addresses: [' 203.0.113.7 '] })).toEqual({
    dayLimit: 5,
    addresses: ['203.0.113.7'],
  });
  expect(await limit({ expiresAt: 9 })).toEqual({ dayLimit: 5, addresses: ['203.0.113.7'], expiresAt: 9 });
  expect(await limit({ dayLimit: null, addresses: [], expiresAt: null })).toEqual({});
  await limit({});
  const acts = t.core.readAuditLog(account.members.owner, { limit: 9 });
  expect(JSON.stringify(acts).match(/keyLimited/g)).toHaveLength(3);
});

test.each<KeyLimitsChange>([
  { dayLimit: 0 },
  { dayLimit: -1 },
  { dayLimit: 0.1 },
  { dayLimit: NaN },
  { dayLimit: 1e9 },
  { addresses: ['nowhere'] },
  { addresses: Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`) },
])('%j is refused', async (change) => {
  await expect(limit(change)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('of another account no key is limited', async () => {
  const { members } = await openTestAccount(t.store);
  await expect(t.core.apiKeys.limit(members.owner, key.id, { dayLimit: 1 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
