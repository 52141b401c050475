// Whose batches a person is shown, and whose codes taken back they are given.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

type Member = TestAccount['members']['admin'];

async function addAndTakeBack(actor: Member): Promise<number> {
  const id = await t.core.imports.begin(actor, { gameId: GAME });
  const text = `60 UC ${makeCode()}`;
  await t.core.imports.addPiece(actor, id, { key: 'one', position: 0, kind: 'message', text });
  const { batchId = 0 } = (await t.core.imports.commit(actor, id)) ?? {};
  expect(await t.core.imports.undo(actor, batchId)).toEqual({ status: 'undone', takenBack: 1 });
  return batchId;
}

/** Of the two, which are found, listed, and given with their codes. */
async function see(actor: Member, ids: readonly number[]) {
  const { batches } = await t.core.batches.list(actor, { limit: 9 });
  const given = await Promise.all(ids.map((id) => t.core.batches.findTakenBack(actor, id)));
  return [
    ids.filter((id) => t.core.batches.find(actor, id)?.id === id),
    batches.map(({ id }) => id).toSorted((a, b) => a - b),
    ids.filter((_, index) => given[index]?.[0]?.codes.length === 1),
  ];
}

test('an operator sees their own, an admin everybody’s, another account none', async () => {
  const { admin, operator } = account.members;
  const [theirs, own] = [await addAndTakeBack(admin), await addAndTakeBack(operator)];
  const both = [theirs, own];
  expect(await see(operator, both)).toEqual([[own], [own], [own]]);
  expect(await see(admin, both)).toEqual([both, both, both]);
  const other = await openTestAccount(t.store);
  expect(await see(other.members.admin, both)).toEqual([[], [], []]);
});

test.each([1, 2, 101])('a batch of %i counts as many', async (count) => {
  const codes = Array.from({ length: count }, makeCode);
  await t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes }]);
  const { batches } = await t.core.batches.list(account.members.admin, { limit: 9 });
  expect(batches).toMatchObject([{ added: count, fate: { available: count } }]);
});
