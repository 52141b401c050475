import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../test/harness/store.ts';
import type { Tables } from '../store/index.ts';
import type { Role } from './context.ts';
import {
  getCurrentActor,
  insertMember,
  permissionFor,
  requireAccount,
  requireGivenRole,
  toActor,
  toMember,
  trimName,
} from './members.ts';

let t: TestStore;
let accountId: number;
beforeAll(async () => {
  t = openTestStore();
  accountId = await t.store.write((tables) =>
    tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null }),
  );
});
afterAll(() => t.close());

const read = <T>(work: (tables: Tables) => T) => t.store.read(work);
const join = (telegramId: number, name: string) =>
  t.store.write((tables) =>
    insertMember(tables, { person: { telegramId, name }, accountId, role: 'operator', now: 7 }),
  );

test('an account is found by its number, and told where there is none', () => {
  expect(read((tables) => requireAccount(tables, accountId).name)).toBe('Shop');
  expect(() => read((tables) => requireAccount(tables, 99))).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', message: 'There is no account 99.' }),
  );
});

test('a row is a member as others see him, and an actor with what he may', () => {
  const row = {
    telegramId: 7,
    accountId: 3,
    role: 'support' as const,
    name: 'Ann',
    username: null,
    joinedAt: 5,
    roleAt: 9,
  };
  const seen = { telegramId: 7, name: 'Ann', role: 'support', joinedAt: 5 };
  expect(toMember(row)).toStrictEqual({ ...seen, username: undefined });
  expect(toMember({ ...row, username: 'ann' })).toStrictEqual({ ...seen, username: 'ann' });
  expect(toActor(row)).toStrictEqual({ kind: 'member', accountId: 3, telegramId: 7, role: 'support' });
});

test('a member is kept by his name, by his number where he has none that can be seen', async () => {
  expect(await join(11, '  Ann  ')).toEqual({ kind: 'member', accountId, telegramId: 11, role: 'operator' });
  await join(12, '   ');
  expect(read((tables) => [11, 12].map((id) => tables.members.find(id)?.name))).toEqual(['Ann', '12']);
});

test('who claims to be a member has the role of this moment, and none where he is in another account', async () => {
  await join(13, 'Bo');
  const claimed = { kind: 'member', accountId, telegramId: 13, role: 'owner' } as const;
  expect(read((tables) => getCurrentActor(tables, claimed))).toEqual({ ...claimed, role: 'operator' });
  for (const stranger of [
    { ...claimed, accountId: 99 },
    { ...claimed, telegramId: 14 },
  ])
    expect(() => read((tables) => getCurrentActor(tables, stranger))).toThrow('not a member');
  expect(read((tables) => getCurrentActor(tables, { kind: 'host', by: 'cli' }))).toEqual({
    kind: 'host',
    by: 'cli',
  });
});

test('names are cut between characters', () => {
  expect(trimName(` ${'🙂'.repeat(201)} `)).toBe('🙂'.repeat(200));
});

test('roles that are given, and who gives them', () => {
  expect((['admin', 'operator', 'support'] as const).map(permissionFor)).toEqual([
    'manageAdmins',
    'manageStaff',
    'manageStaff',
  ]);
  expect(requireGivenRole('support')).toBe('support');
  expect(() => requireGivenRole('owner' as Role as 'admin')).toThrow('one of admin, operator, support');
});
