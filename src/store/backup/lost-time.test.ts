// What a restore puts in question: how many unspent codes end a sweep, and how many at the tail may have been handed
// out.
import { expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { GAME, numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { createSeeded } from '../../../test/harness/seeded.ts';
import { countQuestioned, questionStock } from './lost-time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test.each([
  [[], 10, 0],
  [[[5, 3]], 0, 9],
  // Two fall in one stretch.
  [
    [
      [0, 2],
      [10, 3],
      [11, 1],
    ],
    10,
    13,
  ],
  [
    [
      [0, 2],
      [10, 3],
      [11, 1],
    ],
    9,
    11,
  ],
  [
    [
      [0, 9],
      [100, 1],
    ],
    5,
    27,
  ],
] as [[number, number][], number, number][])('of %j in %s ms: %s', (handedOut, lostMs, count) => {
  const handOuts = handedOut.map(([at, count]) => ({ at, count }));
  expect(countQuestioned(handOuts, { lostMs, knownMs: 1_000 })).toBe(count);
});

test('what is known for less than twice the lost time is taken for so much more', () => {
  const handOuts = [{ at: 0, count: 3 }];
  const count = (lostMs: number, knownMs: number) => countQuestioned(handOuts, { lostMs, knownMs });
  expect([count(5, 10), count(10, 10), count(25, 10)]).toEqual([9, 15, 33]);
  expect(count(10, 0)).toBe(123);
});

test.each([
  ['the busiest seconds of a young shop', 35_000, 8_000],
  ['seconds of one that has just begun', 5_000, 1_000],
  ['as much as all that is known', 20_000, 20_000],
])('no life loses more than is in question: %s', (_what, knownMs, lostMs) => {
  const seeded = createSeeded(1);
  const lives = Array.from({ length: 2_000 }, () => {
    const handOuts = [{ at: 0, count: 5 }];
    for (let at = 0; at < knownMs + lostMs; at += 50)
      if (seeded.chance(0.06)) handOuts.push({ at, count: 1 + seeded.below(3) });
    const known = handOuts.filter(({ at }) => at <= knownMs);
    const lost = handOuts.slice(known.length).reduce((sum, { count }) => sum + count, 0);
    return { lost, count: countQuestioned(known, { lostMs, knownMs }) };
  });
  expect(lives.filter(({ lost, count }) => lost > count)).toEqual([]);
});

/** The state of a store after some past, and what a restore makes of it `afterMs` later, with a loss of `lostMs`. */
async function question(past: (trader: Trader, t: TestStore) => Promise<void>, afterMs = 0, lostMs = 0) {
  const t = openTestStore();
  t.allowDrift();
  try {
    const trader = await openTrader(
      () => t.store,
      () => t.clock.now(),
    );
    await trader.addCodes(numberedCodes('A', 9));
    await past(trader, t);
    const asOf = t.clock.now() + afterMs;
    return t.inspect((file) => {
      questionStock(file, { asOf, now: asOf + lostMs, canProve: () => true });
      const of = (sql: string) => file.prepare(sql).pluck().all();
      return {
        needed: of('select needed from sweeps'),
        inQuestion: of("select id from codes where state = 'in_question' order by id"),
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
  expect((await question(past)).inQuestion).toEqual([2, 3, 4, 5, 6, 7]);
  expect((await question(past, 31 * DAY_MS)).inQuestion).toEqual([]);
  expect(
    (await question(async (trader) => trader.undo(await trader.addCodes(numberedCodes('B', 1))))).inQuestion,
  ).toEqual([7, 8, 9]);
});

test('what came back is taken out last, first of it what did so most often', async () => {
  const past = async (trader: Trader, { inspect }: TestStore) => {
    inspect((file) => file.exec('update codes set returns = iif(id = 3, 2, 1) where id in (3, 5, 7)'));
    await trader.extract(2);
  };
  expect((await question(past)).inQuestion).toEqual([1, 2, 3, 4, 6, 7]);
});

test('what was just being handed out, or taken back, was so', async () => {
  const handingOut = (trader: Trader, { store, clock }: TestStore) =>
    store.write(({ extractions }) => {
      const order = { accountId: trader.actor.accountId, gameId: GAME.id, denomination: 60 };
      extractions.open({ ...order, actor: 'apiKey:1', requested: 4, now: clock.now() });
    });
  expect((await question(handingOut)).inQuestion).toEqual([6, 7, 8, 9]);
  const takingBack = async (trader: Trader, { store, clock }: TestStore) => {
    await trader.addCodes(numberedCodes('B', 3));
    await store.write(({ jobs }) => {
      const job = { accountId: trader.actor.accountId, actor: 'apiKey:1', total: 9, now: clock.now() };
      jobs.open({ ...job, kind: 'undo', subjectId: 1 });
    });
  };
  expect((await question(takingBack)).inQuestion).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('what an earlier restore has put in question is measured anew', async () => {
  const t = openTestStore();
  t.allowDrift();
  const trader = await openTrader(
    () => t.store,
    () => t.clock.now(),
  );
  await trader.addCodes(numberedCodes('A', 3));
  t.inspect((file) => {
    const moment = { asOf: t.clock.now(), now: t.clock.now(), canProve: () => true };
    file.exec("update codes set state = 'unverified'");
    questionStock(file, moment);
    file.exec('update sweeps set ended_at = 5, unspent = 3');
    questionStock(file, moment);
    expect(file.prepare('select unspent, ended_at as endedAt from sweeps').all()).toEqual([
      { unspent: 0, endedAt: null },
    ]);
  });
  await t.close();
});
