// The codes of orders as the database keeps them: their moves, and promises, counted by themselves. How these fall and
// rise with the stock: core/promises.test.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from './index.ts';

let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await write((tables) => {
    tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
  });
});
afterEach(() => t.close());

const KEY = { accountId: 1, gameId: 'game_id_1', denomination: 60 };
const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const counted = () => t.store.read(({ orderItems }) => orderItems.countPromised(KEY));
const promisedOf = (orderId: number) =>
  t.store.read(({ orderItems }) => orderItems.list(orderId).map(({ promised }) => promised));

/** So many codes of the stock. */
const add = (count: number) =>
  t.inspect((file) => {
    file.exec(
      `insert or ignore into batches (id, account_id, game_id, actor, at, added) values (1, 1, 'game_id_1', 'host', 0, 0)`,
    );
    const insert =
      file.prepare(`insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
      values (1, 'game_id_1', 60, 'available', randomblob(16), x'00', 1, 0)`);
    for (let n = 0; n < count; n += 1) insert.run();
    file.exec(`insert into stock_counts values (1, 'game_id_1', 60, 'available', ${count})`);
  });

let orders = 0;
const order = (promised: (0 | 1 | 2)[], onShortage: 'refuse' | 'wait' = 'refuse') =>
  write((tables) => {
    const terms = { onShortage, onBadCode: 'replace', reference: null, deadline: null } as const;
    const name = `ord_${(orders += 1)}`;
    const whose = {
      accountId: 1,
      actor: 'apiKey:1',
      gameId: 'game_id_1',
      playerId: '5170925570',
      playerName: null,
    };
    const orderId = tables.orders.insert({ ...whose, ...terms, name, key: 'k', now: orders });
    promised.forEach((each, index) =>
      tables.orderItems.insert({ ...KEY, orderId, n: index + 1, code: null, promised: each }),
    );
    return orderId;
  });

test('promises are counted as they are made and used up', async () => {
  add(10);
  const first = await order([1, 1, 0]);
  const second = await order([2], 'wait');
  expect(counted()).toEqual({ count: 3, patient: 1 });
  await write(({ orderItems }) => orderItems.promise({ orderId: first, n: 3 }));
  await write(({ orderItems }) => orderItems.takePromise({ orderId: first, n: 1 }));
  expect(counted()).toEqual({ count: 3, patient: 1 });
  expect(await write(({ orderItems }) => orderItems.forgo(second))).toBe(1);
  expect(counted()).toEqual({ count: 2, patient: 0 });
  // Nothing is promised to the one whose code is taken, promised before or not.
  expect(await write(({ orderItems }) => orderItems.listWanting(KEY, 9))).toEqual([]);
});

test('an order does not end while a code of it waits or is open', async () => {
  const id = await order([0]);
  const end = () =>
    write(({ orders: table }) =>
      table.end({ id, name: `ord_${orders}` }, { state: 'done', reason: null, now: 9 }),
    );
  await expect(end()).rejects.toThrow('nothing of it is open');
  await write(({ orderItems }) => orderItems.miss(id));
  expect(await end()).toBe(true);
});

describe('which move of a code is allowed from which state', () => {
  const STATES = ['waiting', 'open', 'redeemed', 'failed', 'missing'] as const;
  type Move = (items: Tables['orderItems'], orderId: number) => unknown;
  const place = (orderId: number) => ({ orderId, n: 1 });
  const begin =
    (tries: number): Move =>
    (items, orderId) =>
      items.begin({ ...place(orderId), tries, redemptionId: 100 + orderId });

  /** One code of each of two orders, the first tried once, with two bad ones before, and in this state. */
  async function put(state: string): Promise<number> {
    const [id] = [await order([0]), await order([0])];
    t.inspect((file) => {
      const redemption =
        file.prepare(`insert into redemptions (id, account_id, actor, game_id, player_id, mode, state, created_at)
        values (?, 1, 'host', 'game_id_1', '5170925570', 'direct', 'pending', 0)`);
      for (const each of [id, 100 + id]) redemption.run(each);
      file.exec(
        `update order_items set state = '${state}', tries = 1, replaced = 2, redemption_id = ${id} where order_id = ${id}`,
      );
    });
    return id;
  }
  const read = (id: number) =>
    t.inspect((file) =>
      file
        .prepare(`select state || ' ' || tries || ' ' || replaced from order_items where order_id = ?`)
        .pluck()
        .get(id),
    );

  test.each<[string, Move, readonly string[], string]>([
    ['begin', begin(1), ['waiting'], 'open 2 2'],
    ['begin what was tried meanwhile', begin(0), [], ''],
    ['redeem', (items, id) => items.redeem(place(id)), ['open'], 'redeemed 1 2'],
    ['fail', (items, id) => items.fail(place(id)), ['open'], 'failed 1 2'],
    ['repeat', (items, id) => items.repeat(place(id)), ['open'], 'waiting 1 2'],
    ['replace', (items, id) => items.replace(place(id)), ['open'], 'waiting 1 3'],
    ['miss', (items, id) => items.miss(id), ['waiting'], 'missing 1 2'],
    ['resume', (items, id) => items.resume(id), ['missing', 'failed'], 'waiting 1 0'],
  ])('%s', async (_, move, from, to) => {
    for (const state of STATES) {
      const id = await put(state);
      await write(({ orderItems }) => move(orderItems, id));
      expect([read(id), read(id + 1)]).toEqual([from.includes(state) ? to : `${state} 1 2`, 'waiting 0 0']);
    }
  });

  test.each([
    ['goes on', "state = 'running'", true],
    ['is cancelled', "ending = 'cancelled'", false],
    ['stops', "ending = 'DOUBT'", false],
    ['has ended', "state = 'cancelled', ended_at = 9", false],
  ])('begin where its order %s', async (_, set, isBegun) => {
    const id = await put('missing');
    t.inspect((file) => {
      file.exec('drop trigger orders_end_closed');
      file.exec(
        `update orders set ${set} where id = ${id}; update order_items set state = 'waiting' where order_id = ${id}`,
      );
    });
    expect(await write(({ orderItems }) => begin(1)(orderItems, id))).toBe(isBegun);
  });

  test('promises are made to what waits for one, used up once, given up, and wanted again', async () => {
    add(9);
    const acts: Record<string, Move> = {
      promise: (items, id) => items.promise(place(id)),
      takePromise: (items, id) => items.takePromise(place(id)),
      forgo: (items, id) => items.forgo(id),
      want: (items, id) => items.want(id),
      miss: (items, id) => items.miss(id),
    };
    const told: Record<string, unknown[]> = {};
    for (const [name, act] of Object.entries(acts))
      for (const promised of [-1, 0, 2]) {
        const id = await order([0], 'wait');
        t.inspect((file) =>
          file.exec(`update order_items set promised = ${promised} where order_id = ${id}`),
        );
        const changed = Number(await write(({ orderItems }) => act(orderItems, id)));
        (told[name] ??= []).push(`${changed}: ${promisedOf(id).join()}`);
      }
    expect(told).toEqual({
      promise: ['0: -1', '1: 2', '0: 2'],
      takePromise: ['0: -1', '0: -1', '1: -1'],
      forgo: ['0: -1', '1: -1', '1: -1'],
      want: ['1: 0', '0: 0', '0: 2'],
      miss: ['1: 0', '1: 0', '1: 0'],
    });
    const given = await order([0]);
    t.inspect((file) =>
      file.exec(`update order_items set denomination = null, code_secret = x'00' where order_id = ${given}`),
    );
    const some = ['promise', 'takePromise', 'forgo'];
    expect(
      await write(({ orderItems }) => some.map((name) => Number(acts[name]?.(orderItems, given)))),
    ).toEqual([0, 0, 0]);
  });
});
