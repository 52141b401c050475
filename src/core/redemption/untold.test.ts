// Unverified codes of which nobody tells: they step behind those that can be sold, rest, are asked about a few times
// and stop nobody.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { Redemption } from '../receipts/receipts.ts';

const GAME = 'game_id_1';
const STOCK_KEY = { gameId: GAME, denomination: 60 };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore({ platformTimeoutMs: 200 });
});
afterEach(() => t.close());

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const add = (codes: string[]) => t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
const extract = (amount: number) => t.core.codes.extract(t.actor, { ...STOCK_KEY, amount });
const stateOf = (code: string) =>
  t.store.read((tables) => tables.codes.findOwner(GAME, t.store.seals.hash(GAME, code))?.state);

async function redeem(): Promise<Redemption> {
  const answer = await t.core.redeem(t.actor, { ...STOCK_KEY, playerId: '5170925570' });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

/** The code of that number, or all. */
function unverify(id = 0): void {
  const connection = new Database(t.store.path);
  connection.exec(`update codes set state = 'unverified' where state = 'available' and ${id} in (0, id)`);
  connection.close();
}

test.each(['unreachable', 'underWay'] as const)(
  'one that nobody tells of (%s) steps behind those that can be sold, and is asked about later',
  async (status) => {
    const codes = makeCodes(9);
    await add(codes);
    unverify(1);
    let asked = 0;
    t.platform.script.findCode = () => {
      asked += 1;
      return status === 'underWay' ? { status } : { status, message: '' };
    };
    for (const code of codes.slice(1)) expect(await redeem()).toMatchObject({ state: 'redeemed', code });
    for (let orders = 0; orders < 3; orders += 1)
      expect(await redeem()).toMatchObject({ state: 'failed', errorCode: 'NETWORK_ERROR' });
    expect([asked, t.core.quota(t.actor).daily.used]).toEqual([1, 8]);
    delete t.platform.script.findCode;
    t.clock.advance(60_000);
    expect(await redeem()).toMatchObject({ state: 'redeemed', code: codes[0] });
  },
);

test('asked about ten times, one that nobody tells of lies with the refused until it is tried again', async () => {
  const [code = ''] = makeCodes(1);
  await add([code]);
  unverify();
  let asked = 0;
  t.platform.script.findCode = () => {
    asked += 1;
    return { status: 'unreachable', message: '' };
  };
  for (let hours = 0; hours < 24; hours += 1) {
    await redeem();
    t.clock.advance(60 * 60_000);
  }
  expect([asked, stateOf(code)]).toEqual([10, 'invalid']);
  expect(await redeem()).toMatchObject({ errorCode: 'NO_CODES_AVAILABLE' });
  const owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 7, role: 'owner' } as const;
  await t.store.write((tables) => tables.members.insert({ ...owner, name: 'Ann', username: null, now: 0 }));
  expect(await t.core.badCodes.tryAgain(owner, STOCK_KEY)).toBe(1);
  delete t.platform.script.findCode;
  expect(await redeem()).toMatchObject({ state: 'redeemed', code });
});

test('while nobody tells of any, an order asks about a few', async () => {
  await add(makeCodes(20));
  unverify();
  let asked = 0;
  t.platform.script.findCode = () => {
    asked += 1;
    return { status: 'unreachable', message: '' };
  };
  for (let orders = 0; orders < 20; orders += 1)
    expect(await redeem()).toMatchObject({ errorCode: 'NETWORK_ERROR' });
  expect(asked).toBe(20);
});

test('extraction goes past one that nobody tells of', async () => {
  const codes = makeCodes(3);
  await add(codes);
  unverify(3);
  t.platform.script.findCode = () => ({ status: 'underWay' });
  expect((await extract(1)).codes).toEqual([codes[1]]);
  expect((await extract(3)).codes).toEqual([codes[0]]);
});
