// Invitations row by row: known by the hash of their token, and used up by one person before they expire.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const [NOW, FIRST, SECOND] = [1_000, Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await t.store.write(({ accounts, invitations }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    const link = { role: 'support', createdBy: 'member:1', now: 3, expiresAt: NOW };
    invitations.insert({ ...link, tokenHash: FIRST, accountId: 1 });
    invitations.insert({ ...link, tokenHash: SECOND, accountId: 2, role: 'admin', createdBy: 'host' });
  });
});
afterEach(() => t.close());

const write = <T>(work: (invitations: Tables['invitations']) => T) =>
  t.store.write(({ invitations }) => work(invitations));
const find = (hash: Buffer) => t.store.read(({ invitations }) => invitations.find(hash));

test('an invitation is found by the hash of its token, with what it gives', () => {
  expect(find(FIRST)).toEqual({
    ...{ tokenHash: FIRST, accountId: 1, role: 'support', createdBy: 'member:1' },
    ...{ createdAt: 3, expiresAt: NOW, usedBy: null },
  });
  expect([find(SECOND)?.accountId, find(Buffer.alloc(32, 9))]).toEqual([2, undefined]);
});

test('it makes one person a member, before it expires, and no other is used with it', async () => {
  const used = await write((invitations) => [
    invitations.use(FIRST, 70, NOW),
    invitations.use(FIRST, 71, NOW - 1),
    invitations.use(FIRST, 72, NOW - 1),
    invitations.use(FIRST, 71, NOW - 1),
    invitations.use(Buffer.alloc(32, 9), 71, 0),
  ]);
  const opened = { accountId: 1, role: 'support', createdBy: 'member:1' };
  expect(used).toEqual([undefined, opened, undefined, undefined, undefined]);
  expect([find(FIRST)?.usedBy, find(SECOND)?.usedBy]).toEqual([71, null]);
  expect(await write((invitations) => invitations.use(SECOND, 73, 0))).toEqual({
    accountId: 2,
    role: 'admin',
    createdBy: 'host',
  });
});

test('a token is kept once', async () => {
  const again = { tokenHash: FIRST, accountId: 2, role: 'admin', createdBy: 'host', now: 4, expiresAt: 9 };
  await expect(write((invitations) => invitations.insert(again))).rejects.toThrow('UNIQUE');
  expect(find(FIRST)?.role).toBe('support');
});
