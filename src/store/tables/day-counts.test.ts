// The counts of a day move with what settles; a file older than they are is counted in slices, while it is traded on.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS } from '../../clock.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { checkConservation } from '../backup/conservation.ts';

let t: TestStore;
let trader: Trader;
let file: Database.Database;
beforeEach(async () => {
  t = openTestStore();
  trader = await openTrader(
    () => t.store,
    () => t.clock.now(),
  );
  file = new Database(t.store.path);
});
afterEach(() => {
  file.close();
  return t.close();
});

const today = () => Math.floor(t.clock.now() / DAY_MS);
/** `outcome amount denomination spent: count` of today. */
function list(day = today(), accountId = trader.actor.accountId): string[] {
  const totals = new Map<string, number>();
  for (const row of t.store.read(({ dayCounts }) => dayCounts.list(accountId, day))) {
    const key = `${row.outcome} ${row.amount} ${row.denomination} ${row.spent}`;
    totals.set(key, (totals.get(key) ?? 0) + row.count);
  }
  return [...totals].map(([key, count]) => `${key}: ${count}`).sort();
}
const codes = (count: number) =>
  Array.from({ length: count }, (_, index) => `60SCODE${index}`.padEnd(16, 'X'));
const drift = () => checkConservation(file).rows;

test('a redemption is counted once, as what it is now', async () => {
  await trader.addCodes(codes(3));
  const begun = await trader.begin();
  expect(list()).toEqual(['pending 0 60 0: 1']);
  await trader.doubt(begun);
  expect(list()).toEqual(['in_doubt 0 60 0: 1']);
  await trader.redeem(begun);
  expect(list()).toEqual(['redeemed 60 60 60: 1']);
  await trader.fail(await trader.begin(), 'NETWORK_ERROR');
  const back = await trader.begin();
  await trader.doubt(back);
  await trader.giveBack(back);
  expect(list()).toEqual(['failed 0 60 0: 2', 'redeemed 60 60 60: 1']);
  expect(drift()).toEqual([]);
});

test('with the code in the request nothing of the database is spent, unless the code lay there', async () => {
  await trader.addCodes(codes(1));
  await trader.redeem(await trader.begin({ code: '60SELSEWHEREXXXX' }));
  await trader.redeem(await trader.begin({ code: codes(1)[0]! }));
  expect(list()).toEqual(['redeemed 60 0 0: 1', 'redeemed 60 0 60: 1']);
  expect(drift()).toEqual([]);
});

test('it counts for the day on which it began, and for its account alone', async () => {
  await trader.addCodes(codes(1));
  const begun = await trader.begin();
  t.clock.advance(DAY_MS);
  await trader.redeem(begun);
  expect(list()).toEqual([]);
  expect(list(today() - 1)).toEqual(['redeemed 60 60 60: 1']);
  expect(list(today() - 1, trader.actor.accountId + 1)).toEqual([]);
});
