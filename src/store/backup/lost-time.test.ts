// What a restore puts in question: how many unspent codes end a sweep, and how many at the tail may have been handed
// out.
import { expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { GAME, numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { questionStock } from './lost-time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

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

test('thirty unspent codes in a row are enough, or twice as many as came back so in thirty days', async () => {
  expect(await question(nothing)).toEqual({ needed: [30], inQuestion: [] });
  const past = async (trader: Trader) => {
    await returned(trader, 16);
    await trader.redeem(await trader.begin());
    await returned(trader, 2);
  };
  expect((await question(past)).needed).toEqual([32]);
  expect((await question(past, 31 * DAY_MS)).needed).toEqual([30]);
});

test('as many at the tail are in question as were handed out on the busiest of thirty days, for each day begun', async () => {
  const past = async (trader: Trader, { clock }: TestStore) => {
    await trader.extract(1);
    await trader.extract(1);
    clock.advance(DAY_MS);
    await trader.extract(1);
  };
  expect((await question(past)).inQuestion).toEqual([5, 6]);
  expect((await question(past, 0, DAY_MS)).inQuestion).toEqual([5, 6]);
  expect((await question(past, 0, DAY_MS + 1)).inQuestion).toEqual([3, 4, 5, 6]);
  expect((await question(past, 29.5 * DAY_MS)).inQuestion).toEqual([6]);
  expect((await question(past, 31 * DAY_MS)).inQuestion).toEqual([]);
});

test('what came back is taken out last, first of it what did so most often', async () => {
  const past = async (trader: Trader, { inspect }: TestStore) => {
    inspect((file) => file.exec('update codes set returns = iif(id = 3, 2, 1) where id in (3, 5, 7)'));
    await trader.extract(2);
  };
  expect((await question(past, 0, DAY_MS + 1)).inQuestion).toEqual([1, 2, 4, 6]);
  expect((await question(past, 0, 2 * DAY_MS + 1)).inQuestion).toEqual([1, 2, 3, 4, 6, 7]);
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
