// Members row by row: found by who they are and what they are called, listed as they joined, changed in the role that
// was seen.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await t.store.write(({ accounts, members }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    for (const [telegramId, accountId, role, username, now] of [
      [71, 1, 'support', 'Ann_1', 30],
      [72, 1, 'owner', null, 10],
      [73, 1, 'support', 'ben', 20],
      [74, 2, 'owner', 'cat', 5],
    ] as const)
      members.insert({ telegramId, accountId, role, name: `P${telegramId}`, username, now });
  });
});
afterEach(() => t.close());

const write = <T>(work: (members: Tables['members']) => T) => t.store.write(({ members }) => work(members));
const read = <T>(work: (members: Tables['members']) => T) => t.store.read(({ members }) => work(members));
const list = (accountId: number) =>
  read((members) =>
    members.list(accountId).map(({ telegramId, role, roleAt }) => [telegramId, role, roleAt]),
  );

test('a member is found by the Telegram id, in the role since joining', () => {
  expect(read((members) => [members.find(71), members.find(75)])).toEqual([
    {
      ...{ telegramId: 71, accountId: 1, role: 'support', name: 'P71', username: 'Ann_1' },
      ...{ joinedAt: 30, roleAt: 30 },
    },
    undefined,
  ]);
});

test('a name is found in any case, whole, and nobody by a name they have not', () => {
  expect(
    read((members) =>
      ['ann_1', 'BEN', 'ann', 'annx1', ''].map((name) => members.listByUsername(name)[0]?.telegramId),
    ),
  ).toEqual([71, 73, undefined, undefined, undefined]);
});

test('each account has its owner', () => {
  expect(read((members) => [1, 2, 3].map((id) => members.findOwner(id)?.telegramId))).toEqual([
    72,
    74,
    undefined,
  ]);
});

test('the members of an account are listed as they joined', () => {
  expect([list(1), list(2), list(3)]).toEqual([
    [
      [72, 'owner', 10],
      [73, 'support', 20],
      [71, 'support', 30],
    ],
    [[74, 'owner', 5]],
    [],
  ]);
});

test('nobody joins twice, here or elsewhere, and no account has two owners', async () => {
  const member = { name: 'Q', username: null, now: 40 };
  await expect(
    write((members) => members.insert({ ...member, telegramId: 71, accountId: 2, role: 'support' })),
  ).rejects.toThrow('takes the place of no other');
  await expect(
    write((members) => members.insert({ ...member, telegramId: 75, accountId: 1, role: 'owner' })),
  ).rejects.toThrow('takes the place of no other');
  expect([list(1).length, list(2).length]).toEqual([3, 1]);
});

test('a role changes from the one that was seen, in that account, for that person', async () => {
  const change = { accountId: 1, telegramId: 71, from: 'support', role: 'admin', now: 50 };
  const changed = await write((members) => [
    members.setRole({ ...change, accountId: 2 }),
    members.setRole({ ...change, from: 'operator' }),
    members.setRole({ ...change, telegramId: 75 }),
    members.setRole(change),
    members.setRole({ ...change, now: 60 }),
  ]);
  expect(changed).toEqual([false, false, false, true, false]);
  expect(list(1)).toEqual([
    [72, 'owner', 10],
    [73, 'support', 20],
    [71, 'admin', 50],
  ]);
  expect(read((members) => members.find(71)?.joinedAt)).toBe(30);
});

test('a member is removed in the role that was seen, from that account, once', async () => {
  const removed = await write((members) => [
    members.remove(2, 71, 'support'),
    members.remove(1, 71, 'admin'),
    members.remove(1, 75, 'support'),
    members.remove(1, 71, 'support'),
    members.remove(1, 71, 'support'),
  ]);
  expect(removed).toEqual([false, false, false, true, false]);
  expect(list(1)).toEqual([
    [72, 'owner', 10],
    [73, 'support', 20],
  ]);
  expect([list(2).length, read((members) => members.find(71))]).toEqual([1, undefined]);
});
