// What of the stock is promised to whom, as a table of acts: what comes gives, the oldest first; what goes takes away,
// the youngest first; and nobody else gets what is promised.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { HOUR_MS } from '../clock.ts';
import { waitFor } from './orders/advance.ts';
import { promiseStock } from './promises.ts';

const GAME = 'game_id_1';
let t: TestCore;
let keys = 0;
/** In their order, and what was added. */
let orders: string[];
let codes: string[];
let batches: number[];

beforeEach(async () => {
  // Nothing carries orders out: they stay as they are placed.
  t = await openTestCore();
  [orders, codes, batches] = [[], [], []];
});
afterEach(() => t.close());

const stockKey = () => ({ accountId: t.actor.accountId, gameId: GAME, denomination: 60 });
const order = (count: number, onShortage: 'wait' | 'refuse', actor = t.actor, gameId = GAME) =>
  t.core.orders
    .place(actor, {
      ...{ gameId, playerId: '5170925570', items: [{ denomination: 60, count }] },
      ...{ onShortage, onBadCode: 'replace' },
      idempotencyKey: { scope: 'http', key: `key-${(keys += 1)}` },
    })
    .then((answer) => void orders.push(answer.status === 'placed' ? answer.order.id : answer.status));
const redeem = (more: { denomination: number } | { code: string }) =>
  t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925571', ...more });
const rowOf = (n: number) => {
  const row = t.store.read((tables) => tables.orders.findByName(orders[n - 1] ?? ''));
  if (!row) throw new Error(`There is no order ${n}.`);
  return row;
};

/** Each by one word, with a number. */
const ACTS: Record<string, (n: number) => unknown> = {
  async add(n) {
    const made = Array.from({ length: n }, () => makeCode());
    codes.push(...made);
    batches.push((await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: made }])).batchId);
  },
  /** Elsewhere: of another denomination, game and account. */
  async elsewhere(n) {
    const make = () => Array.from({ length: n }, () => makeCode());
    await t.core.codes.add(t.actor, GAME, [{ denomination: 325, codes: make() }]);
    await t.core.codes.add(t.actor, 'game_id_4', [{ denomination: 60, codes: make() }]);
    const other = await t.openAccount();
    await t.core.codes.add(other, GAME, [{ denomination: 60, codes: make() }]);
    await t.core.orders.place(other, {
      ...{ gameId: GAME, playerId: '5170925570', items: [{ denomination: 60, count: n }], onBadCode: 'stop' },
      ...{ onShortage: 'refuse', idempotencyKey: { scope: 'http', key: 'other' } },
    });
  },
  /** An order of another game, whose code is gone: it wants one of that game. */
  async fallen() {
    const [code, gameId] = [makeCode(), 'game_id_4'];
    await t.core.codes.add(t.actor, gameId, [{ denomination: 60, codes: [code] }]);
    await order(1, 'refuse', t.actor, gameId);
    await t.core.redeem(t.actor, { gameId, playerId: '5170925571', code });
  },
  /** Orders of n codes, one that waits and one that does not. */
  waits: (n) => order(n, 'wait'),
  now: (n) => order(n, 'refuse'),
  /** What another gets of it: a code told, or why not. */
  async redeem(n) {
    for (let nth = 0; nth < n; nth += 1) {
      const answer = await redeem({ denomination: 60 });
      orders.push(answer.status === 'answered' ? (answer.redemption.errorCode ?? 'redeemed') : answer.status);
    }
  },
  /** Given with its request: the nth that was added. */
  given: (n) => redeem({ code: codes[n - 1] ?? '' }),
  /** One of it fails, and comes back. */
  async fails() {
    t.platform.script.redeem = () => ({
      ...{ status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true },
    });
    await redeem({ denomination: 60 });
    delete t.platform.script.redeem;
  },
  extract: (n) =>
    t.core.codes
      .extract(t.actor, { gameId: GAME, denomination: 60, amount: n })
      .then((taken) => void orders.push(`${taken.codes.length} out`)),
  undo: (n) =>
    t.store.write((tables) =>
      tables.batches.takeBack(batches[n - 1] ?? 0, Buffer.alloc(0), 100, t.clock.now()),
    ),
  /** A restore has put all in question: nobody knows that they are unspent. */
  unverified: () =>
    t.inspect((file) => file.exec(`update codes set state = 'unverified' where state = 'available'`)),
  cancel: (n) => t.core.orders.cancel(t.actor, orders[n - 1] ?? ''),
  pause: () =>
    t.store.write(({ stockPauses }) => (stockPauses.refuse(stockKey()), stockPauses.pause(stockKey(), 1))),
  resume: () =>
    t.store.write((tables) => {
      tables.stockPauses.goOn(stockKey());
      promiseStock(tables, stockKey(), t.clock.now());
    }),
  /** The nth waits for quota, for an hour. */
  quota(n) {
    const row = rowOf(n);
    const now = t.clock.now();
    return t.store.write((tables) => [now, now + HOUR_MS].map((at) => waitFor(tables, row, 'quota', at)));
  },
};

/** Of each order what is promised to it, `-` none is to be; of what is no order, what came of it. */
const promised = () =>
  orders.map((id) =>
    id.startsWith('ord_')
      ? t.store.read((tables) =>
          tables.orderItems
            .list(tables.orders.findByName(id)?.id ?? 0)
            .map((item) => (item.promised < 0 ? '-' : item.promised))
            .join(''),
        )
      : id,
  );

test.each<[acts: string, promised: string, free: number]>([
  ['add 3, now 2', '11', 1],
  ['add 1, now 2', 'notEnoughStock', 1],
  ['elsewhere 5, waits 1, now 1', '0 notEnoughStock', 0],
  // To those that wait half of it, or the one.
  ['add 4, waits 3', '220', 2],
  ['add 3, waits 3', '220', 1],
  ['waits 1, add 1', '2', 0],
  ['waits 3, waits 1, add 4', '220 0', 2],
  ['waits 1, waits 2, add 6', '2 22', 3],
  ['waits 9, add 4, now 2, now 1', '220000000 11 notEnoughStock', 0],
  ['add 2, now 2, waits 2, add 2', '11 22', 0],
  ['fallen 1, waits 3, add 4', '0 220', 2],
  // What goes takes from the youngest, what comes gives to the oldest.
  ['add 3, now 2, now 1, given 1', '11 0', 0],
  ['add 3, now 2, now 1, given 1, given 2, given 3', '00 0', 0],
  ['add 3, now 2, now 1, given 1, given 2, given 3, add 1', '10 0', 0],
  ['add 3, now 2, now 1, given 1, given 2, given 3, add 3', '11 1', 0],
  ['waits 2, now 1, add 1', '20 notEnoughStock', 0],
  ['add 1, now 1, given 1, waits 2, add 1', '1 00', 0],
  ['add 2, add 2, now 3, undo 1', '110', 0],
  ['add 2, add 2, now 3, undo 1, add 2', '111', 1],
  ['add 2, now 1, waits 1, fails 1', '1 2', 0],
  ['add 1, fails 1, waits 1', '2', 0],
  // Nobody else gets it.
  ['add 3, now 2, redeem 2', '11 redeemed NO_CODES_AVAILABLE', 0],
  ['add 3, now 2, extract 5', '11 1 out', 0],
  ['add 2, now 2, extract 1', '11 0 out', 0],
  // What is no more wanted is for the next.
  ['add 2, now 2, waits 1, cancel 1', '00 2', 1],
  ['add 2, now 2, now 1, cancel 1, now 1', '00 notEnoughStock 1', 1],
  ['waits 1, waits 1, add 1, quota 1', '- 2', 0],
  ['add 2, now 2, quota 1', '--', 2],
  ['add 2, now 2, quota 1, add 1', '--', 3],
  // A denomination that is paused promises nothing, and all of it once it goes on.
  ['add 3, now 2, pause 1', '00', 3],
  ['add 3, now 2, pause 1, add 2, now 1', '00 notEnoughStock', 5],
  ['add 3, now 2, pause 1, redeem 1', '00 NO_CODES_AVAILABLE', 3],
  ['waits 2, now 1, pause 1, add 4', '00 notEnoughStock', 4],
  ['add 3, now 2, waits 1, pause 1, resume 1', '11 2', 0],
  // What is not known to be unspent is promised to nobody, and taken by whoever comes first.
  ['add 3, now 1, unverified 1', '0', 3],
  ['add 3, unverified 1, waits 2, redeem 1', '00 redeemed', 2],
  ['add 3, unverified 1, waits 2, add 2', '20', 4],
])('%s: %s, and %i are free', async (acts, expected, free) => {
  for (const act of acts.split(', ')) {
    const [name = '', n = 1] = act.split(' ');
    await ACTS[name]?.(Number(n));
  }
  expect([promised().join(' '), t.core.codes.countAvailable(t.actor, GAME).get(60)]).toEqual([
    expected,
    free,
  ]);
});

test('where there is nothing to give nobody is looked for', async () => {
  const { listWanting, listImpatient } = t.store.read(({ orderItems }) => ({
    listWanting: vi.spyOn(orderItems, 'listWanting'),
    listImpatient: vi.spyOn(orderItems, 'listImpatient'),
  }));
  await order(50, 'wait');
  await ACTS['add']?.(1);
  listWanting.mockClear();
  await order(50, 'wait');
  await t.store.write((tables) => promiseStock(tables, stockKey(), t.clock.now()));
  expect([listWanting.mock.calls, listImpatient.mock.calls]).toEqual([[], []]);
});
