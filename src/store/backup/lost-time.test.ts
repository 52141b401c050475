// What a restore puts in question: how many unspent codes end a sweep, and how many at the tail may have been handed out.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';
import { numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { mostHandedOut, questionStock } from './lost-time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test.each([
  [[], 10, 0],
  [[[5, 3]], 0, 6],
  // Two fall in one stretch.
  [
    [
      [0, 2],
      [10, 3],
      [11, 1],
    ],
    10,
    8,
  ],
  [
    [
      [0, 2],
      [10, 3],
      [11, 1],
    ],
    9,
    7,
  ],
  [
    [
      [0, 9],
      [100, 1],
    ],
    5,
    18,
  ],
] as [[number, number][], number, number][])('of %j in %s ms: %s', (handedOut, stretchMs, most) => {
  const handOuts = handedOut.map(([at, count]) => ({ at, count }));
  expect(mostHandedOut(handOuts, stretchMs)).toBe(most);
});

/** The state of a store after some past, and what a restore makes of it `afterMs` later, with a loss of `lostMs`. */
async function question(past: (trader: Trader) => Promise<void>, afterMs = 0, lostMs = 0) {
  const t = openTestStore();
  try {
    const trader = await openTrader(
      () => t.store,
      () => t.clock.now(),
    );
    await trader.addCodes(numberedCodes('A', 9));
    await past(trader);
    const asOf = t.clock.now() + afterMs;
    return t.inspect((file) => {
      file.exec("update codes set state = 'unverified' where state = 'available'");
      questionStock(file, { asOf, now: asOf + lostMs });
      const of = (sql: string) => file.prepare(sql).pluck().all();
      return {
        needed: of('select needed from sweeps'),
        inQuestion: of("select id from codes where state = 'in_question'"),
      };
    });
  } finally {
    await t.close();
  }
}

const nothing = () => Promise.resolve();
const returned = async (trader: Trader, count: number) => {
  for (let each = 0; each < count; each += 1) await trader.fail(await trader.begin(), 'NETWORK_ERROR');
};

test('three unspent codes are enough where nothing was taken on the last day, else twenty', async () => {
  expect(await question(nothing)).toEqual({ needed: [3], inQuestion: [] });
  expect((await question((trader) => returned(trader, 1))).needed).toEqual([20]);
  expect((await question((trader) => returned(trader, 1), DAY_MS + 1)).needed).toEqual([3]);
});

test('twice as many as were ever given back in a row, for thirty days', async () => {
  const past = async (trader: Trader) => {
    await returned(trader, 11);
    await trader.redeem(await trader.begin());
    await returned(trader, 2);
  };
  expect((await question(past)).needed).toEqual([22]);
  expect((await question(past, 31 * DAY_MS)).needed).toEqual([3]);
});

test('as many at the tail are in question as may have been handed out', async () => {
  const past = async (trader: Trader) => void (await trader.extract(2));
  expect((await question(past)).inQuestion).toEqual([4, 5, 6, 7]);
  expect((await question(past, 31 * DAY_MS)).inQuestion).toEqual([]);
  expect(
    (await question(async (trader) => trader.undo(await trader.addCodes(numberedCodes('B', 1))))).inQuestion,
  ).toEqual([8, 9]);
});

test('what an earlier restore has put in question is measured anew', async () => {
  const t = openTestStore();
  const trader = await openTrader(
    () => t.store,
    () => t.clock.now(),
  );
  await trader.addCodes(numberedCodes('A', 3));
  t.inspect((file) => {
    file.exec("update codes set state = 'unverified'");
    questionStock(file, { asOf: t.clock.now(), now: t.clock.now() });
    file.exec('update sweeps set ended_at = 5, unspent = 3');
    questionStock(file, { asOf: t.clock.now(), now: t.clock.now() });
    expect(file.prepare('select unspent, ended_at as endedAt from sweeps').all()).toEqual([
      { unspent: 0, endedAt: null },
    ]);
  });
  await t.close();
});
