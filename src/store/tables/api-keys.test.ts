// API keys row by row: found by their digest, listed by account, touched when used, and revoked once by their own
// account.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const digest = (byte: number) => Buffer.alloc(32, byte);
let t: TestStore;
let made: number[];
beforeEach(async () => {
  t = openTestStore();
  made = await write(({ accounts, apiKeys }) => {
    accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: 900 });
    accounts.insert({ name: 'other', now: 0, subscriptionExpiresAt: null });
    return [
      apiKeys.insert({ accountId: 1, prefix: 'crs_a', digest: digest(1), createdBy: 'host', now: 5 }),
      apiKeys.insert({ accountId: 2, prefix: 'crs_b', digest: digest(2), createdBy: 'host', now: 6 }),
      apiKeys.insert({
        ...{ accountId: 1, prefix: 'crs_c', digest: digest(3), createdBy: 'member:1', now: 7 },
        name: 'till',
      }),
    ];
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (apiKeys: Tables['apiKeys']) => T) => t.store.read(({ apiKeys }) => work(apiKeys));

test('a key is found by its number with all that is kept, with the name it was given', () => {
  expect(made).toEqual([1, 2, 3]);
  const unused = { lastUsedAt: null, revokedAt: null };
  expect(read((apiKeys) => [apiKeys.find(1), apiKeys.find(3), apiKeys.find(4)])).toEqual([
    {
      ...{ id: 1, accountId: 1, prefix: 'crs_a', digest: digest(1), name: null, createdBy: 'host' },
      ...{ createdAt: 5, ...unused },
    },
    {
      ...{ id: 3, accountId: 1, prefix: 'crs_c', digest: digest(3), name: 'till', createdBy: 'member:1' },
      ...{ createdAt: 7, ...unused },
    },
    undefined,
  ]);
});

test('a key is found by its digest with the end of its account’s subscription', () => {
  const found = { revokedAt: null, lastUsedAt: null };
  expect(read((apiKeys) => [1, 2, 9].map((byte) => apiKeys.findByDigest(digest(byte))))).toEqual([
    { ...found, id: 1, accountId: 1, subscriptionExpiresAt: 900 },
    { ...found, id: 2, accountId: 2, subscriptionExpiresAt: null },
    undefined,
  ]);
});

test('an account’s keys are listed as they were made, and nobody else’s', () => {
  const list = (accountId: number) => read((apiKeys) => apiKeys.list(accountId).map(({ id }) => id));
  expect([list(1), list(2), list(3)]).toEqual([[1, 3], [2], []]);
});

test('a key notes when it was used last, and no other does', async () => {
  await write(({ apiKeys }) => {
    apiKeys.touch(1, 70);
    apiKeys.touch(1, 80);
  });
  expect(read((apiKeys) => [1, 2, 3].map((id) => apiKeys.find(id)?.lastUsedAt))).toEqual([80, null, null]);
  expect(read((apiKeys) => apiKeys.findByDigest(digest(1))?.lastUsedAt)).toBe(80);
});

test('a key ends once, by its own account, and stays to be named', async () => {
  const revoked = await write(({ apiKeys }) => [
    apiKeys.revoke(2, 1, 50),
    apiKeys.revoke(1, 9, 50),
    apiKeys.revoke(1, 1, 51),
    apiKeys.revoke(1, 1, 52),
  ]);
  expect(revoked).toEqual([false, false, true, false]);
  expect(read((apiKeys) => [1, 2, 3, 9].map((id) => apiKeys.isRevoked(id)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(read((apiKeys) => [1, 2, 3].map((id) => apiKeys.find(id)?.revokedAt))).toEqual([51, null, null]);
  expect(read((apiKeys) => apiKeys.findByDigest(digest(1))?.revokedAt)).toBe(51);
});

test('a key that was revoked at the very beginning of time is revoked', async () => {
  await write(({ apiKeys }) => apiKeys.revoke(1, 1, 0));
  expect(read((apiKeys) => apiKeys.isRevoked(1))).toBe(true);
});
