// What a surface keeps together with an action of the code database is kept in its transaction, or the action is not
// done either.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { InTransaction, MemberActor } from '../index.ts';

const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };

let t: TestCore;
let owner: MemberActor;
beforeEach(async () => {
  t = await openTestCore();
  owner = (await openTestAccount(t.store)).members.owner;
});
afterEach(() => t.close());

const fails = () => {
  throw new Error('no room');
};
const countAvailable = () => t.core.codes.countAvailable(owner, STOCK_KEY.gameId).get(STOCK_KEY.denomination);

async function collect(): Promise<number> {
  const importId = await t.core.imports.begin(owner, STOCK_KEY);
  const piece = { key: '1', position: 1, kind: 'message' as const, text: makeCode() };
  await t.core.imports.addPiece(owner, importId, piece);
  return importId;
}

/** An action done once; how often and with what something was kept. */
async function keptBy(
  order: (inTransaction: InTransaction<unknown>) => Promise<unknown>,
): Promise<unknown[]> {
  const kept: unknown[] = [];
  await order((_tables, action) => void kept.push(action));
  return kept;
}

test('cancelling an import', async () => {
  const { imports } = t.core;
  const importId = await collect();
  await expect(imports.cancel(owner, importId, fails)).rejects.toThrow('no room');
  expect(imports.describe(owner, importId)).toMatchObject({ state: 'collecting', messages: 1 });
  expect(await keptBy((keep) => imports.cancel(owner, importId, keep))).toEqual([['1']]);
  expect(imports.describe(owner, importId)).toMatchObject({ state: 'cancelled', messages: 0 });
  expect(await keptBy((keep) => imports.cancel(owner, importId, keep))).toEqual([]);
});

test('adding an import, also where it was added before, and taking it back', async () => {
  const { imports } = t.core;
  const importId = await collect();
  await expect(imports.commit(owner, importId, { inTransaction: fails })).rejects.toThrow('no room');
  expect([imports.describe(owner, importId).state, countAvailable()]).toEqual(['collecting', 0]);
  const commit = (inTransaction: InTransaction<unknown>) =>
    imports.commit(owner, importId, { inTransaction });
  const [begun, ...more] = await keptBy(commit);
  const { batchId } = (await imports.commit(owner, importId))!;
  const jobId = expect.any(Number) as unknown;
  expect([begun, more, countAvailable()]).toEqual([{ batchId, jobId, pieceKeys: ['1'] }, [], 1]);
  expect(await keptBy(commit)).toEqual([expect.objectContaining({ batchId })]);

  await expect(imports.undo(owner, batchId, fails)).rejects.toThrow('no room');
  expect(countAvailable()).toBe(1);
  const undone = await keptBy((keep) => imports.undo(owner, batchId, keep));
  expect(undone).toEqual([{ batchId, jobId: expect.any(Number) as unknown }]);
  expect(countAvailable()).toBe(0);
  expect(await keptBy((keep) => imports.undo(owner, batchId, keep))).toEqual([]);
});

test('what is kept with an import that was cancelled before is nothing', async () => {
  const importId = await collect();
  await t.core.imports.cancel(owner, importId);
  expect(await keptBy((inTransaction) => t.core.imports.commit(owner, importId, { inTransaction }))).toEqual(
    [],
  );
});

test('extracting', async () => {
  await t.core.codes.add(owner, STOCK_KEY.gameId, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  const request = { ...STOCK_KEY, amount: 1 };
  await expect(t.core.codes.extract(owner, { ...request, inTransaction: fails })).rejects.toThrow('no room');
  expect(countAvailable()).toBe(2);
  const kept = await keptBy((inTransaction) => t.core.codes.extract(owner, { ...request, inTransaction }));
  expect(kept).toEqual([
    { extractionId: expect.any(Number) as unknown, jobId: expect.any(Number) as unknown },
  ]);
  expect(countAvailable()).toBe(1);
});
