// The host's search: what they have in their hand finds the account, whatever its case and alphabet.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { HostActor } from '../context.ts';
import { createAccounts } from './accounts.ts';
import { createAccountSearch } from './search.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
let opened: TestStore;
let search: ReturnType<typeof createAccountSearch>;
let ids: Record<'corner' | 'falcon' | 'zoya', number>;

beforeEach(async () => {
  opened = openTestStore();
  search = createAccountSearch(opened);
  const accounts = createAccounts(opened);
  const open = async (telegramId: number, name: string, username: string) =>
    (await accounts.openOwn({ telegramId, name, username })).actor.accountId;
  ids = {
    corner: (await accounts.create(host, { name: 'Corner shop' })).accountId,
    falcon: await open(5_170_925_570, 'Falcon Games', 'falcon_owner'),
    zoya: await open(77, 'Магазин Зои', 'zoya_shop'),
  };
});
afterEach(() => opened.close());

test.each([
  ['1', 'corner'],
  ['#1', 'corner'],
  ['5170925570', 'falcon'],
  [' 5170925570\n', 'falcon'],
  ['@FALCON_owner', 'falcon'],
  ['falcon_owner', 'falcon'],
  ['games fal', 'falcon'],
  ['зои', 'zoya'],
  ['МАГАЗИН', 'zoya'],
] as const)('%s finds %s', async (text, who) => {
  expect(await search.search(host, text)).toEqual({ ids: [ids[who]], isComplete: true });
});

test('parts of names find all that have them, by number; nothing finds nothing', async () => {
  expect((await search.search(host, 'shop')).ids).toEqual([ids.corner, ids.zoya]);
  expect((await search.search(host, 'nobody')).ids).toEqual([]);
  expect((await search.search(host, ' @ ')).ids).toEqual([]);
  const listed = search.listByIds(host, [ids.zoya, 999, ids.corner]);
  expect(listed.map(({ name }) => name)).toEqual(['Магазин Зои', 'Corner shop']);
});

test('a hundred are all that there are', async () => {
  await opened.store.write((tables) => {
    for (let n = 0; n < 100; n += 1)
      tables.accounts.insert({ name: `Hundred ${n}`, now: 1, subscriptionExpiresAt: null });
  });
  const { ids: found, isComplete } = await search.search(host, 'hundred');
  expect([found.length, isComplete]).toEqual([100, true]);
});

test('more than are told are said to be more, and none behind the first slice is passed over', async () => {
  await opened.store.write((tables) => {
    for (let n = 0; n < 450; n += 1)
      tables.accounts.insert({
        name: n % 4 === 0 ? `Many ${n}` : `Other ${n}`,
        now: 1,
        subscriptionExpiresAt: null,
      });
  });
  const found = await search.search(host, 'many');
  expect(found.isComplete).toBe(false);
  expect(found.ids).toHaveLength(100);
  expect((await search.search(host, 'other 449')).ids).toEqual([ids.zoya + 450]);
});
