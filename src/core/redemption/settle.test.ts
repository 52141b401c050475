// Settling is a compare-and-set: of two that settle the same redemption the second changes nothing, whatever it says.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { StoredReceipt, StoredRedemption, Tables } from '../../store/index.ts';
import { fallInDoubt, settleFailed, settleRedeemed, settleReturned } from './settle.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const RECEIPT: StoredReceipt = {
  openid: 'openid',
  playerName: 'Player',
  region: null,
  productName: null,
  amount: 60,
  warning: false,
  credentials: { email: 'a@example.test', password: 'pw' },
};
const ANSWERED = { errorCode: 'UNKNOWN', message: null } as const;
const UNTIL = { nextLookAt: 1, quietUntil: 1 };

const SETTLEMENTS: [string, (tables: Tables, open: StoredRedemption) => boolean][] = [
  ['a receipt', (tables, open) => settleRedeemed(tables, open, RECEIPT, 'answer', 1)],
  [
    'a failure that returns the usage',
    (tables, open) => settleFailed(tables, open, { errorCode: 'LOGIN_FAILED', message: '', asked: true }, 1),
  ],
  [
    'a failure that keeps the code',
    (tables, open) => settleFailed(tables, open, { errorCode: 'CODE_USED', message: '', asked: true }, 1),
  ],
  ['a doubt resolved to nothing', (tables, open) => settleReturned(tables, open, ANSWERED, 1)],
];

/** A redemption under way, from the database or direct. */
async function open(mode: 'database' | 'direct'): Promise<StoredRedemption> {
  t.platform.script.redeem = () => new Promise<never>(() => undefined);
  const code = makeCode();
  const which = mode === 'direct' ? { code } : { denomination: 60 };
  if (mode === 'database') await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [code] }]);
  void t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', ...which }).catch(() => undefined);
  await t.platform.arrived(t.platform.orders.length + 1);
  const [pending] = t.store.read((tables) => tables.redemptions.listPending(0, 1));
  if (!pending) throw new Error('nothing is pending');
  return t.store.read((tables) => tables.redemptions.get(pending.id));
}

function readAttempts(): unknown[] {
  const file = new Database(t.store.path, { readonly: true });
  const rows = file.prepare('select * from attempts').all();
  file.close();
  return rows;
}

/** All that a settlement can change. */
const look = (row: StoredRedemption) => ({
  redemption: t.store.read((tables) => tables.redemptions.find(row.id)),
  code: t.store.read((tables) => tables.codes.findOwner(GAME, t.store.seals.hash(GAME, row.code ?? ''))),
  quota: t.core.quota(t.actor).daily,
  attempts: readAttempts(),
});

describe.each(['database', 'direct'] as const)('of a %s redemption', (mode) => {
  describe.each(SETTLEMENTS)('after %s', (_, first) => {
    test.each(SETTLEMENTS)('%s changes nothing', async (__, second) => {
      const row = await open(mode);
      expect(await t.store.write((tables) => first(tables, row))).toBe(true);
      const settled = look(row);
      expect(await t.store.write((tables) => second(tables, row))).toBe(false);
      expect(look(row)).toEqual(settled);
    });

    test('a doubt changes nothing', async () => {
      const row = await open(mode);
      await t.store.write((tables) => first(tables, row));
      const settled = look(row);
      expect(await t.store.write((tables) => fallInDoubt(tables, row, ANSWERED, UNTIL, 1))).toBe(false);
      expect(look(row)).toEqual(settled);
    });
  });

  test.each(SETTLEMENTS)('a doubt can still end as %s', async (_, settle) => {
    const row = await open(mode);
    expect(await t.store.write((tables) => fallInDoubt(tables, row, ANSWERED, UNTIL, 1))).toBe(true);
    expect(await t.store.write((tables) => settle(tables, row))).toBe(true);
  });
});

test('a settlement whose code is not in the state it must be in is rolled back whole', async () => {
  t.allowDrift();
  const row = await open('database');
  await t.store.write((tables) => tables.codes.markUsed(row.codeId ?? 0, 1));
  const before = look(row);
  await expect(t.store.write((tables) => settleRedeemed(tables, row, RECEIPT, 'answer', 1))).rejects.toThrow(
    'state',
  );
  expect(look(row)).toEqual(before);
});
