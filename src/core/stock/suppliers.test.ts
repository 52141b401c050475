// Suppliers: named at an import, offered by their last batches, counted by what became of their codes.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

/** Adds codes that came from this supplier; the batch. */
async function add(supplier: string, count = 1): Promise<number> {
  const { admin } = account.members;
  const id = await t.core.imports.begin(admin, { gameId: GAME });
  const text = ['60 UC', ...Array.from({ length: count }, makeCode)].join('\n');
  await t.core.imports.addPiece(admin, id, { key: 'one', position: 0, kind: 'message', text });
  expect(await t.core.imports.setSupplier(admin, id, supplier)).toBe(true);
  const committed = await t.core.imports.commit(admin, id);
  expect(await t.core.imports.setSupplier(admin, id, 'too late')).toBe(false);
  return committed?.batchId ?? 0;
}

test('the last five are offered, newest first, each once however it is written', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', ' B ']) {
    await add(name);
    t.clock.advance(1);
  }
  expect(t.core.suppliers.listLast(account.members.admin).map(({ name }) => name)).toEqual([
    ...['B', 'f', 'e', 'd', 'c'],
  ]);
  const other = await openTestAccount(t.store);
  expect(t.core.suppliers.listLast(other.members.admin)).toEqual([]);
});

test('any batch of the account tells its supplier, also one that is not offered any more', async () => {
  const { admin, support } = account.members;
  const first = await add('Midas');
  await add('Midas');
  expect(t.core.suppliers.findName(admin, first)).toBe('Midas');
  expect(t.core.suppliers.findName(admin, 99)).toBeUndefined();
  expect(() => t.core.suppliers.findName(support, first)).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN' }),
  );
  const other = await openTestAccount(t.store);
  expect(t.core.suppliers.findName(other.members.admin, first)).toBeUndefined();
});

test('codes that were redeemed and codes that were bad are counted, of batches of these days', async () => {
  const { admin, operator } = account.members;
  await add('Old', 1);
  t.clock.advance(8 * DAY_MS);
  const batchId = await add('New', 3);
  await t.store.write(({ codes }) => {
    // The codes of the first batch stand before the others.
    for (const id of [2, 3]) codes.discardAsInvalid(id, 0);
  });
  expect(batchId).toBe(2);
  expect(await t.core.suppliers.count(admin, 7)).toEqual([{ name: 'New', redeemed: 0, bad: 2 }]);
  expect((await t.core.suppliers.count(admin, 9)).map(({ name }) => name)).toEqual(['New', 'Old']);
  await expect(t.core.suppliers.count(operator, 7)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test.each(['', '   ', 'x'.repeat(41)])('%j names nobody', async (name) => {
  const { admin } = account.members;
  const id = await t.core.imports.begin(admin, { gameId: GAME });
  await expect(t.core.imports.setSupplier(admin, id, name)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
