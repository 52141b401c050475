// Before an extraction begins: who may, of what, and when; and the order in which its codes are told.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
const STOCK_KEY = { gameId: GAME, denomination: 60, amount: 1 };
let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const addCodes = (codes: string[]) => t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);

/** A few words of SQL beside the service, as years of use would leave it. */
function change(sql: string, ...values: unknown[]): void {
  const file = new Database(t.store.path);
  file.prepare(sql).run(...values);
  file.close();
}

test.each(['operator', 'support'] as const)(
  'a member who is %s may not, whatever is asked for',
  async (role) => {
    const asked = t.core.codes.extract(account.members[role], { ...STOCK_KEY, gameId: 'game_id_2' });
    await expect(asked).rejects.toMatchObject({ code: 'FORBIDDEN' });
  },
);

test.each([
  ['a game without a database', { gameId: 'game_id_2' }],
  ['a denomination that the game does not have', { denomination: 61 }],
])('of %s nothing is taken out', async (_, wrong) => {
  const asked = t.core.codes.extract(t.actor, { ...STOCK_KEY, ...wrong });
  await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('while too much waits to be written nothing is begun', async () => {
  const [code = ''] = makeCodes(1);
  await addCodes([code]);
  const isCrowded = vi.spyOn(t.store, 'isCrowded').mockImplementation((options) => options?.bulk === true);
  await expect(t.core.codes.extract(t.actor, STOCK_KEY)).rejects.toMatchObject({ code: 'OVERLOADED' });
  isCrowded.mockRestore();
  expect(await t.core.codes.extract(t.actor, STOCK_KEY)).toMatchObject({ codes: [code], replayed: false });
});

test('a key that stands for an extraction orders no redemption', async () => {
  const idempotencyKey = { scope: 'http', key: 'one' } as const;
  await addCodes(makeCodes(1));
  await t.core.codes.extract(t.actor, { ...STOCK_KEY, idempotencyKey });
  const ordered = t.core.redeem(t.actor, {
    gameId: GAME,
    playerId: '5170925570',
    denomination: 60,
    idempotencyKey,
  });
  await expect(ordered).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

test('where nothing can be taken nothing is kept, and the key is free for what comes', async () => {
  const idempotencyKey = { scope: 'http', key: 'one' } as const;
  const extract = () => t.core.codes.extract(t.actor, { ...STOCK_KEY, idempotencyKey });
  expect(await extract()).toEqual({ extractionId: 0, codes: [], replayed: false });
  const codes = makeCodes(1);
  await addCodes(codes);
  await t.store.write((tables) => tables.stockPauses.refuse({ accountId: t.actor.accountId, ...STOCK_KEY }));
  await t.store.write((tables) =>
    tables.stockPauses.pause({ accountId: t.actor.accountId, ...STOCK_KEY }, 1),
  );
  expect(await extract()).toMatchObject({ extractionId: 0 });
  await t.store.write((tables) => tables.stockPauses.goOn({ accountId: t.actor.accountId, ...STOCK_KEY }));
  expect(await extract()).toMatchObject({ extractionId: 1, codes, replayed: false });
  expect(await extract()).toMatchObject({ extractionId: 1, codes, replayed: true });
});

test.each([100, 101, 200, 201, 250])(
  '%i codes come whole, in their order, of slices and pages',
  async (count) => {
    const codes = makeCodes(count);
    await addCodes(codes);
    expect((await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 1_000 })).codes).toEqual(codes);
  },
);

test('what stepped back is told last, the one that did so most often at the end', async () => {
  const codes = makeCodes(4);
  await addCodes(codes);
  change('update codes set returns = 5 - id where id <= 2');
  const { codes: told } = await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 4 });
  expect(told).toEqual([codes[2], codes[3], codes[1], codes[0]]);
});

test('while another machine serves the same codes none are handed out, and what was is told all the same', async () => {
  const idempotencyKey = { scope: 'http', key: 'one' } as const;
  const codes = makeCodes(2);
  await addCodes(codes);
  const { owner } = account.members;
  const [code = ''] = makeCodes(1);
  const { batchId } = await t.core.codes.add(owner, GAME, [{ denomination: 60, codes: [code] }]);
  const extract = () => t.core.codes.extract(t.actor, { ...STOCK_KEY, idempotencyKey });
  const first = await extract();
  t.core.noteContest(true);
  await expect(t.core.codes.extract(t.actor, STOCK_KEY)).rejects.toMatchObject({ code: 'CONTESTED' });
  await expect(t.core.imports.undo(owner, batchId)).rejects.toMatchObject({ code: 'CONTESTED' });
  expect(await extract()).toEqual({ ...first, replayed: true });
  t.core.noteContest(false);
  expect((await t.core.codes.extract(t.actor, STOCK_KEY)).codes).toHaveLength(1);
});
