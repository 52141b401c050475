// Writes that hold only where nothing happened in between: each is tried where it may, twice, and beside its row. What
// stands above them looks first; these are what holds when two look at once.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { purchase } from '../../../test/harness/traded-store.ts';
import type { Tables } from '../index.ts';

const NOW = 1_000;
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await write(({ accounts }) => {
    for (const name of ['one', 'two']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (tables: Tables) => T) => t.store.read(work);

test('a link is used by one person, before its time is over, and no other with it', async () => {
  const [link, other, late] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
  const used = await write(({ invitations }) => {
    for (const tokenHash of [link, other, late]) {
      const expiresAt = tokenHash === late ? NOW : NOW + 1;
      invitations.insert({
        tokenHash,
        accountId: 1,
        role: 'support',
        createdBy: 'member:1',
        now: 0,
        expiresAt,
      });
    }
    return [link, link, late, Buffer.alloc(32, 9)].map((hash, index) =>
      invitations.use(hash, 7 + index, NOW),
    );
  });
  const opened = { accountId: 1, role: 'support', createdBy: 'member:1' };
  expect(used).toEqual([opened, undefined, undefined, undefined]);
  expect(
    [link, other, late].map((hash) => read(({ invitations }) => invitations.find(hash)?.usedBy)),
  ).toEqual([7, null, null]);
});

test('a member changes and goes in the role that was seen, in that account', async () => {
  const answers = await write(({ members }) => {
    for (const [telegramId, accountId] of [
      [5, 1],
      [6, 1],
      [7, 2],
    ] as const)
      members.insert({ telegramId, accountId, role: 'support', name: 'P', username: null, now: 0 });
    const change = { accountId: 1, telegramId: 5, from: 'support', role: 'operator', now: NOW };
    return [
      members.setRole({ ...change, accountId: 2 }),
      members.setRole({ ...change, from: 'admin' }),
      members.setRole(change),
      members.setRole(change),
      members.remove(2, 6, 'support'),
      members.remove(1, 6, 'admin'),
      members.remove(1, 6, 'support'),
      members.remove(1, 6, 'support'),
    ];
  });
  expect(answers).toEqual([false, false, true, false, false, false, true, false]);
  const rows = read(({ members }) => [1, 2].flatMap((accountId) => members.list(accountId)));
  expect(rows.map(({ telegramId, role, roleAt }) => [telegramId, role, roleAt])).toEqual([
    [5, 'operator', NOW],
    [7, 'support', 0],
  ]);
});

test('the owner and a name are found for what they are', async () => {
  await write(({ members }) => {
    for (const [telegramId, accountId, role] of [
      [5, 1, 'owner'],
      [6, 1, 'admin'],
      [7, 2, 'owner'],
    ] as const)
      members.insert({ telegramId, accountId, role, name: 'P', username: `Name_${telegramId}`, now: 0 });
  });
  expect(read(({ members }) => [1, 2, 3].map((id) => members.findOwner(id)?.telegramId))).toEqual([
    5,
    7,
    undefined,
  ]);
  expect(
    read(({ members }) =>
      ['name_6', 'NAME_7', 'name_'].map((name) => members.listByUsername(name)[0]?.telegramId),
    ),
  ).toEqual([6, 7, undefined]);
});

test('a key ends once, by its own account, and only it', async () => {
  const [answers, keys] = await write(({ apiKeys }) => {
    const [first] = [1, 2].map((byte) =>
      apiKeys.insert({
        accountId: 1,
        prefix: 'crs',
        digest: Buffer.alloc(32, byte),
        createdBy: 'host',
        now: 0,
      }),
    ) as [number];
    const revoked = [apiKeys.revoke(2, first, 5), apiKeys.revoke(1, first, NOW), apiKeys.revoke(1, first, 9)];
    apiKeys.touch(first, 77);
    return [revoked, apiKeys.list(1)] as const;
  });
  expect(answers).toEqual([false, true, false]);
  expect(keys.map(({ revokedAt, lastUsedAt }) => [revokedAt, lastUsedAt])).toEqual([
    [NOW, 77],
    [null, null],
  ]);
});

test('a payment is booked and paid back once, each by its charge', async () => {
  const answers = await write(({ purchases }) => [
    purchases.insert({ ...purchase(1, 'a'), at: 1 }),
    purchases.insert({ ...purchase(2, 'a'), at: 2 }),
    purchases.insert({ ...purchase(1, 'b'), at: 3 }),
    purchases.insert({ ...purchase(2, 'c'), at: 3 }),
    purchases.markRefunded('none', 1, NOW),
    purchases.markRefunded('a', 100, NOW),
    purchases.markRefunded('a', 300, 9),
  ]);
  expect(answers).toEqual([true, false, true, true, false, true, false]);
  expect(read(({ purchases }) => purchases.find('a'))).toMatchObject({
    accountId: 1,
    refundedAt: NOW,
    refundedQuarters: 100,
  });
  expect(read(({ purchases }) => purchases.find('b'))).toMatchObject({
    refundedAt: null,
    refundedQuarters: 0,
  });
  expect(read(({ purchases }) => [1, 2, 3].map((id) => purchases.sumBought(id)))).toEqual([700, 400, 0]);
  expect(read(({ purchases }) => purchases.list(1, 9).map(({ chargeId }) => chargeId))).toEqual(['b', 'a']);
});

test('an order keeps its first charge, and is forgotten when it is old, the oldest first', async () => {
  const terms = {
    accountId: 1,
    orderedBy: 7,
    kind: 'activations' as const,
    count: 1,
    currency: 'XTR',
    amount: 77,
  };
  await write(({ purchaseOrders }) => {
    for (const [id, at] of [
      ['b', 20],
      ['a', 10],
      ['c', 30],
    ] as const)
      purchaseOrders.save({ ...terms, id, at });
    purchaseOrders.save({ ...terms, id: 'a', at: 99 });
    purchaseOrders.markPaid('a', 'first');
    purchaseOrders.markPaid('a', 'second');
  });
  const charges = () =>
    read(({ purchaseOrders }) => ['a', 'b', 'c'].map((id) => purchaseOrders.find(id)?.chargeId));
  expect(charges()).toEqual(['first', null, null]);
  expect(await write(({ purchaseOrders }) => purchaseOrders.prune(20, 1))).toBe(1);
  expect(charges()).toEqual([undefined, null, null]);
  expect(await write(({ purchaseOrders }) => purchaseOrders.prune(20, 9))).toBe(1);
  expect(charges()).toEqual([undefined, undefined, null]);
});

test('a confirmation is taken by one update, before its time is over; the same one may take it again, later too', async () => {
  const confirmation = { chatId: 1, userId: 1, action: 'redeem-now', payload: '{}' };
  const taken = await write(({ confirmations }) => {
    confirmations.save({ ...confirmation, id: 'a', expiresAt: NOW + 1 });
    confirmations.save({ ...confirmation, id: 'a', expiresAt: 1, payload: '[]' });
    confirmations.save({ ...confirmation, id: 'late', expiresAt: NOW });
    confirmations.save({ ...confirmation, id: 'free', expiresAt: NOW + 1 });
    return [
      confirmations.take('late', 1, NOW),
      confirmations.take('a', 1, NOW),
      confirmations.take('a', 2, NOW),
      confirmations.take('a', 1, NOW + 9),
      confirmations.take('none', 1, NOW),
    ];
  });
  expect(taken).toEqual([false, true, false, true, false]);
  const takers = () =>
    read(({ confirmations }) => ['a', 'late', 'free'].map((id) => confirmations.find(id)?.takenBy));
  expect(takers()).toEqual([1, null, null]);
  expect(read(({ confirmations }) => confirmations.find('a')?.payload)).toBe('{}');
  expect(await write(({ confirmations }) => confirmations.prune(NOW, 9))).toBe(1);
  expect(takers()).toEqual([1, undefined, null]);
});

/** Two orders of a code each, two pending redemptions, two batches, and a usage of each account. */
async function putRows(): Promise<void> {
  const row = { accountId: 1, gameId: 'game_id_1' };
  const player = { playerId: '5170925570', playerName: null };
  const terms = { onShortage: 'wait', onBadCode: 'stop', deadline: null, reference: null, key: 'k' } as const;
  await write(({ orders, orderItems, redemptions, batches, quota }) => {
    for (const name of ['ord_1', 'ord_2']) {
      const orderId = orders.insert({ ...row, ...player, ...terms, name, actor: 'apiKey:1', now: 0 });
      orderItems.insert({ ...row, orderId, n: 1, denomination: 60, code: null, promised: 0 });
      redemptions.begin({
        ...{ ...row, playerId: player.playerId, actor: 'apiKey:1', mode: 'direct' },
        ...{ denomination: null, codeId: null, code: null, usageId: null, now: 0 },
      });
      batches.open({ ...row, actor: 'apiKey:1', now: 0 });
    }
    for (const accountId of [1, 2]) {
      quota.roll(accountId, 0);
      quota.credit(accountId, 100);
      quota.book({ accountId, at: 5, start: 0, daily: 4, purchased: 8, kind: 'redeem' });
    }
  });
}

const ORDER = { id: 1, name: 'ord_1' };
const KEY = { accountId: 1, gameId: 'game_id_1', denomination: 60 };
const doubt = ({ redemptions }: Tables, id = 1) =>
  redemptions.doubt(id, { errorCode: 'UNKNOWN', errorMessage: null }, 1);
const end = (state: 'stopped' | 'done', now = NOW) => ({
  state,
  reason: state === 'done' ? null : 'DOUBT',
  now,
});

test.each<[string, [act: (tables: Tables) => unknown, told: unknown][], string, unknown[]]>([
  [
    'an order is to end as what was said first',
    [
      [({ orders }) => orders.endSoon(ORDER, 'cancelled'), true],
      [({ orders }) => orders.endSoon(ORDER, 'DOUBT'), false],
      [({ orders }) => orders.find(1)?.ending, 'cancelled'],
    ],
    `select coalesce(ending, '-') from orders`,
    ['cancelled', '-'],
  ],
  [
    'an order ends once, and whatever is done to it then is not',
    [
      [({ orderItems }) => orderItems.miss(1), 1],
      [({ orders }) => orders.wait(ORDER, { waitsFor: 'platform', since: 1, failures: 3 }), true],
      [({ orders }) => orders.countReplaced(1), undefined],
      [({ orders }) => orders.end(ORDER, end('stopped')), true],
      [({ orders }) => orders.end(ORDER, end('done', 9)), false],
      [({ orders }) => orders.endSoon(ORDER, 'cancelled'), false],
      [({ orders }) => orders.run(ORDER), false],
      [({ orders }) => orders.wait(ORDER, { waitsFor: 'stock', since: 2, failures: 4 }), false],
      [({ orders }) => orders.countReplaced(1), undefined],
    ],
    `select state || coalesce(ended_at, '-') || coalesce(waits_since, '-') || failures || replaced from orders`,
    ['stopped1000-01', 'running--00'],
  ],
  [
    'an order is resumed where it has stopped, once, and begins anew',
    [
      [({ orders }) => orders.resume(ORDER, { actor: 'apiKey:2', deadline: 5 }), false],
      [({ orders }) => orders.countReplaced(1), undefined],
      [({ orderItems }) => orderItems.miss(1), 1],
      [({ orders }) => orders.end(ORDER, end('stopped')), true],
      [({ orders }) => orders.resume(ORDER, { actor: 'apiKey:3', deadline: null }), true],
      [({ orders }) => orders.resume(ORDER, { actor: 'apiKey:4', deadline: 5 }), false],
    ],
    `select state || run || replaced || actor || coalesce(deadline, '-') || coalesce(ended_at, '-') || coalesce(reason, '-') from orders`,
    ['running20apiKey:3---', 'running10apiKey:1---'],
  ],
  [
    'of waiting orders those of an actor, or of all, are listed, and of no other account',
    [
      [({ orders }) => orders.listWaiting(1, null), []],
      [({ orders }) => orders.wait(ORDER, { waitsFor: 'stock', since: 1, failures: 0 }), true],
      [({ orders }) => [orders.listWaiting(2, null), orders.listWaiting(1, 'apiKey:9')], [[], []]],
      [
        ({ orders }) => [orders.listWaiting(1, null), orders.listWaiting(1, 'apiKey:1')],
        [[{ id: 1 }], [{ id: 1 }]],
      ],
    ],
    'select state from orders',
    ['running', 'waiting'],
  ],
  [
    'a usage is returned once, and from the window that it is in',
    [
      [({ quota }) => quota.giveBack(1, NOW), true],
      [({ quota }) => quota.giveBack(1, 9), false],
      [({ quota }) => quota.giveBack(9, NOW), false],
      [({ quota }) => quota.roll(2, 6).used, 0],
      [({ quota }) => quota.giveBack(2, NOW), true],
    ],
    `select used || ' ' || purchased from quotas`,
    ['0 100', '0 100'],
  ],
  [
    'a denomination is paused once, goes on once, and counts anew then',
    [
      [
        ({ stockPauses }) => [
          stockPauses.refuse(KEY),
          stockPauses.refuse(KEY),
          stockPauses.refuse({ ...KEY, accountId: 2 }),
        ],
        [1, 2, 1],
      ],
      [({ stockPauses }) => stockPauses.goOn(KEY), false],
      [({ stockPauses }) => [stockPauses.pause(KEY, NOW), stockPauses.pause(KEY, 9)], [true, false]],
      [({ stockPauses }) => stockPauses.isPaused({ ...KEY, accountId: 2 }), false],
      [({ stockPauses }) => (stockPauses.forgive(KEY), stockPauses.isPaused(KEY)), true],
      [({ stockPauses }) => stockPauses.refuse(KEY), 1],
      [({ stockPauses }) => [stockPauses.goOn(KEY), stockPauses.goOn(KEY)], [true, false]],
      [({ stockPauses }) => stockPauses.refuse(KEY), 1],
    ],
    `select refused || coalesce(paused_at, '-') from stock_pauses`,
    ['1-', '1-'],
  ],
  [
    'a batch is taken back once',
    [
      [({ batches }) => batches.markUndone(1, 'member:1', NOW), true],
      [({ batches }) => batches.markUndone(1, 'member:2', 9), false],
      [({ batches }) => batches.markUndone(9, 'member:2', 9), false],
    ],
    `select coalesce(undone_by || undone_at, '-') from batches`,
    ['member:11000', '-'],
  ],
  [
    'what a look says is kept while it is in doubt, and so is why a person has to decide',
    [
      [({ redemptions }) => redemptions.noteLook(1, '[]', 'why'), false],
      [(tables) => doubt(tables), true],
      [
        ({ redemptions }) => [redemptions.noteLook(1, '[]', 'why'), redemptions.noteLook(2, '[]')],
        [true, false],
      ],
      [({ redemptions }) => redemptions.noteLook(1, '[1]'), true],
    ],
    `select state || coalesce(error_message, '-') || coalesce(looks_told, '-') || looks from redemptions`,
    ['in_doubtwhy[1]2', 'pending--0'],
  ],
  [
    'an attempt that is doubted again keeps its first word and end, and is quiet no sooner',
    [
      [
        ({ attempts }) =>
          attempts.begin({ redemptionId: 1, n: 1, kind: 'order', upstream: 'east', reference: 'r', now: 1 }),
        undefined,
      ],
      [
        ({ attempts }) => attempts.doubt(1, { n: 1, errorCode: 'UNKNOWN', message: 'first' }, 50, 2),
        undefined,
      ],
      [
        ({ attempts }) => attempts.doubt(1, { n: 1, errorCode: 'CODE_USED', message: 'again' }, 60, 3),
        undefined,
      ],
      [({ attempts }) => attempts.doubt(1, { n: 1, message: 'at last' }, 40, 4), undefined],
    ],
    `select state || ' ' || error_code || ' ' || message || ' ' || ended_at || ' ' || quiet_until from attempts`,
    ['unknown UNKNOWN first 2 60'],
  ],
])('%s', async (_, acts, left, rows) => {
  await putRows();
  const answers: unknown[] = [];
  for (const [act] of acts) answers.push(await write(act));
  expect(answers).toEqual(acts.map(([, told]) => told));
  expect(t.inspect((file) => file.prepare(left).pluck().all())).toEqual(rows);
});
