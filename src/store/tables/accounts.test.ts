// Accounts row by row: listed to both sides, and their subscription extended and shortened and its end told. Which are
// empty: core/accounts/invitations.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 100 * DAY_MS;
let t: TestStore;
beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (accounts: Tables['accounts']) => T) => t.store.read(({ accounts }) => work(accounts));
/** One account for each end. */
const open = (...ends: (number | null)[]) =>
  write(({ accounts }) =>
    ends.map((subscriptionExpiresAt, index) =>
      accounts.insert({ name: `A${index + 1}`, now: 7, subscriptionExpiresAt }),
    ),
  );
const ends = () => read((accounts) => accounts.list(0, 99).map((account) => account.subscriptionExpiresAt));

test('an account is found as it was opened, and its time zone is set for it alone', async () => {
  expect(await open(null, 50)).toEqual([1, 2]);
  const told = {
    createdAt: 7,
    endNotifiedOf: 0,
    endNotifiedStage: 0,
    pausedAt: null,
    closedAt: null,
    closedMembers: null,
    contact: null,
  };
  const first = { ...told, id: 1, name: 'A1', subscriptionExpiresAt: null, timeZone: 'UTC' };
  expect(read((accounts) => [accounts.find(1), accounts.find(3)])).toEqual([first, undefined]);
  await write(({ accounts }) => accounts.setTimeZone(2, '+03:00'));
  expect(read((accounts) => [1, 2].map((id) => accounts.find(id)))).toEqual([
    first,
    { ...told, id: 2, name: 'A2', subscriptionExpiresAt: 50, timeZone: '+03:00' },
  ]);
});

test('accounts are listed by number from behind a place, or downwards before one, as many as were asked for', async () => {
  await open(null, null, null, null);
  const after = (id: number, limit: number) =>
    read((accounts) => accounts.list(id, limit).map((account) => account.id));
  const before = (id: number, limit: number) =>
    read((accounts) => accounts.listBefore(id, limit).map((account) => account.id));
  expect([after(0, 9), after(1, 9), after(1, 2), after(4, 9)]).toEqual([[1, 2, 3, 4], [2, 3, 4], [2, 3], []]);
  expect([before(9, 9), before(4, 9), before(4, 2), before(1, 9)]).toEqual([
    [4, 3, 2, 1],
    [3, 2, 1],
    [3, 2],
    [],
  ]);
});

test('a list tells what is left, who owns an account, and how many members it has', async () => {
  await open(null, 50);
  await write(({ members, quota }) => {
    for (const [telegramId, accountId, role] of [
      [71, 1, 'support'],
      [72, 1, 'owner'],
      [73, 1, 'admin'],
      [74, 2, 'admin'],
    ] as const)
      members.insert({ telegramId, accountId, role, name: `P${telegramId}`, username: 'name', now: 1 });
    quota.credit(1, 12);
  });
  const rows = [
    {
      ...{ id: 1, name: 'A1', createdAt: 7, subscriptionExpiresAt: null, purchasedQuarters: 12 },
      ...{
        owner: { telegramId: 72, name: 'P72', username: 'name' },
        memberCount: 3,
        pausedAt: null,
        closedAt: null,
      },
    },
    {
      ...{ id: 2, name: 'A2', createdAt: 7, subscriptionExpiresAt: 50, purchasedQuarters: 0 },
      ...{ owner: null, memberCount: 1, pausedAt: null, closedAt: null },
    },
  ];
  expect(read((accounts) => accounts.list(0, 9))).toEqual(rows);
  expect(read((accounts) => accounts.listBefore(9, 9))).toEqual(rows.toReversed());
});

test('a subscription is extended from its end, or from now where it is over or never was', async () => {
  await open(null, 50, 150, 100);
  const extended = await write(({ accounts }) =>
    [1, 2, 3, 9].map((id) => accounts.extendSubscription(id, 30, 100)),
  );
  expect([extended, ends()]).toEqual([
    [130, 130, 180, undefined],
    [130, 130, 180, 100],
  ]);
});

test('a subscription is shortened down to now, and one that is over is left as it is', async () => {
  await open(null, 50, 120, 150, 150);
  const shortened = await write(({ accounts }) =>
    [1, 2, 3, 4, 9].map((id) => accounts.shortenSubscription(id, 30, 100)),
  );
  expect([shortened, ends()]).toEqual([
    [undefined, 50, 100, 120, undefined],
    [null, 50, 100, 120, 150],
  ]);
});

test('an end is near at three days, nearer at one, and there when it came', async () => {
  await open(
    ...[null, NOW + 3 * DAY_MS + 1, NOW + 3 * DAY_MS, NOW + DAY_MS + 1, NOW + DAY_MS, NOW + 1, NOW, NOW - 1],
  );
  const list = (limit = 99) => read((accounts) => accounts.listEnding(NOW, limit));
  const stages = () => Object.fromEntries(list().map(({ id, stage }) => [id, stage]));
  expect(stages()).toEqual({ 3: 3, 4: 3, 5: 1, 6: 1, 7: 0, 8: 0 });
  expect(list().find(({ id }) => id === 5)).toEqual({ id: 5, endsAt: NOW + DAY_MS, stage: 1 });
  expect(list(2)).toHaveLength(2);
});

test('an end is told once a stage, and anew when it has moved', async () => {
  await open(NOW + 3 * DAY_MS, NOW + 3 * DAY_MS);
  const stages = (now: number) =>
    read((accounts) => Object.fromEntries(accounts.listEnding(now, 9).map(({ id, stage }) => [id, stage])));
  await write(({ accounts }) => accounts.markEndTold(1, NOW + 3 * DAY_MS, 3));
  expect([stages(NOW), stages(NOW + 2 * DAY_MS)]).toEqual([{ 2: 3 }, { 1: 1, 2: 1 }]);
  await write(({ accounts }) => accounts.markEndTold(1, NOW + 3 * DAY_MS, 0));
  expect(stages(NOW + 9 * DAY_MS)).toEqual({ 2: 0 });
  await write(({ accounts }) => accounts.extendSubscription(1, DAY_MS, NOW));
  expect(stages(NOW + 9 * DAY_MS)).toEqual({ 1: 0, 2: 0 });
});

test('an account is removed once, unless something refers to it', async () => {
  await open(null, null);
  await write(({ members }) =>
    members.insert({ telegramId: 71, accountId: 2, role: 'owner', name: 'P', username: null, now: 1 }),
  );
  expect(await write(({ accounts }) => [accounts.remove(1), accounts.remove(1)])).toEqual([true, false]);
  await expect(write(({ accounts }) => accounts.remove(2))).rejects.toThrow('FOREIGN KEY');
  expect(read((accounts) => accounts.list(0, 9).map(({ id }) => id))).toEqual([2]);
});
