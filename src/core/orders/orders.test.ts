// An order as it is read and listed, what a cancel gives back, and who is told: over the real core.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openOrderStory, type OrderStory } from '../../../test/harness/order-story.ts';
import { HOUR_MS } from '../../clock.ts';

let s: OrderStory;
beforeEach(async () => {
  s = await openOrderStory();
});
afterEach(() => s.close());

const GAME = 'game_id_1';
const alertOf = () => ({ accountId: s.world.accountId, gameId: GAME, denomination: 60 });
const setAlert = (threshold: number) =>
  s.world.store().write(({ stock }) => stock.setAlert({ ...alertOf(), threshold }));
const notified = () => s.world.store().read(({ stock }) => stock.readLevel(alertOf()).notified);

test('it tells how far it has come, by the names and amounts that the platform tells', async () => {
  await s.add(['GOOD', 'SWALLOWS']);
  await s.add(1, 325);
  const items = [325, 60, 60].map((denomination) => ({ denomination, count: 1 }));
  await s.place({ items, reference: 'INV-1', playerName: 'As it was confirmed', deadline: s.later(HOUR_MS) });
  expect(s.find()).toMatchObject({
    ...{ state: 'waiting', waitsFor: 'doubt', reference: 'INV-1', playerName: 'Player 5170925570', run: 1 },
    ...{ wanted: { codes: 3, amount: 445 }, redeemed: { codes: 2, amount: 120 }, open: 1, failed: 0 },
    items: [
      { n: 1, denomination: 325, state: 'redeemed', amount: 60 },
      { n: 2, denomination: 60, state: 'redeemed', amount: 60 },
      { n: 3, denomination: 60, state: 'inDoubt' },
    ],
  });
  expect(s.find()).not.toHaveProperty('missing');
  await s.cancel();
  await s.after(10_000);
  await s.after(10_000);
  expect(s.find()).toMatchObject({ state: 'cancelled', open: 0, missing: [{ denomination: 60, count: 1 }] });
  const redemptions = s.find().items.map(({ redemptionId }) => redemptionId);
  expect(new Set(redemptions).size).toBe(3);
});

test('what was confirmed is told until the platform tells a name', async () => {
  await s.place({ items: [{ denomination: 60, count: 1 }], playerName: 'Nick' });
  expect(s.find().playerName).toBe('Nick');
});

test('a cancel gives back its promise, and arms the threshold of its stock again', async () => {
  await s.add(6);
  await setAlert(5);
  s.world.platform.isDown = true;
  await s.place({ items: [{ denomination: 60, count: 3 }], onShortage: 'refuse' });
  expect([s.tell(), s.available(), notified()]).toEqual(['waits platform', 3, 1]);
  await s.cancel();
  expect([s.tell(), s.available(), notified()]).toEqual(['cancelled, 60 x3', 6, 0]);
});

test('while a code is in doubt a cancel gives back all others', async () => {
  await s.add(['SWALLOWS', 'GOOD', 'GOOD']);
  await s.place({ items: [{ denomination: 60, count: 3 }], onShortage: 'refuse' });
  expect([s.tell(), s.available()]).toEqual(['waits doubt', 0]);
  await s.cancel();
  expect([s.tell(), s.available()]).toEqual(['waits doubt', 2]);
});

test('nobody is told that none is left while it is taken and there is one', async () => {
  await s.add(3);
  await s.place({ items: [{ denomination: 60, count: 2 }], onShortage: 'refuse' });
  expect([s.tell(), s.available()]).toEqual(['done', 1]);
  expect(s.find()).not.toHaveProperty('missing');
  const waiting = { queue: 'notices', task: 'announce', priority: 0 };
  expect(s.world.store().read(({ tasks }) => tasks.listLike(waiting, 9))).toEqual([]);
});

test('programs are told each time that it begins to wait for stock, quota or a subscription, and once of each end', async () => {
  const { accountId } = s.world;
  await s.world.store().write(({ webhooks }) =>
    webhooks.insert({
      ...{ reference: 'wh_1', accountId, url: 'https://shop.example', secret: 'whsec_1', now: 0 },
      ...{ events: ['order.waiting', 'order.settled'], createdBy: 'host' },
    }),
  );
  const told = () =>
    s
      .core()
      .webhookDeliveries.listDue(1, 100, new Set())
      .map(({ fact }) =>
        fact.type === 'order.waiting' || fact.type === 'order.settled'
          ? `${fact.type} ${fact.order.waitsFor ?? fact.order.state} ${fact.order.run}`
          : '',
      );
  await s.place(2);
  await s.after(HOUR_MS / 6);
  await s.add(1);
  await s.after(HOUR_MS / 6);
  await s.useUp();
  await s.add(1);
  await s.subscribe(0);
  await s.after(HOUR_MS / 6);
  await s.after(HOUR_MS / 6);
  await s.after(24 * HOUR_MS);
  await s.resume();
  await s.subscribe(1);
  await s.after(HOUR_MS);
  expect(s.tell()).toBe('done');
  await s.place(1);
  await s.cancel();
  expect(told()).toEqual([
    ...[
      'order.waiting stock 1',
      'order.waiting stock 1',
      'order.waiting quota 1',
      'order.waiting subscription 1',
    ],
    ...[
      'order.settled stopped 1',
      'order.waiting subscription 2',
      'order.settled done 2',
      'order.waiting stock 1',
      'order.settled cancelled 1',
    ],
  ]);
});

test.each<[string, () => unknown, string]>([
  ['a code comes', () => s.add(1), 'done'],
  ['a code is redeemed', () => s.add(1), 'done'],
  ['it is cancelled', () => s.cancel(), 'cancelled, 60 x1'],
])('whoever reads it is answered as soon as %s', async (_, change, told) => {
  await s.place(1);
  let isAnswered = false;
  const reading = s
    .orders()
    .waitForChange(s.actor(), s.id(), 50_000)
    .then(() => (isAnswered = true));
  await s.world.rest();
  expect(isAnswered).toBe(false);
  await change();
  await reading;
  expect(s.tell()).toBe(told);
});

test('of a doubt whoever reads it is answered when it ends', async () => {
  await s.add(['HIDES']);
  await s.place(1);
  const reading = s.orders().waitForChange(s.actor(), s.id(), 50_000);
  s.world.clock.advance(10_000);
  await s.core().settleDoubts();
  // The code is redeemed before the order has made its next step.
  expect(await reading).toMatchObject({ state: 'waiting', redeemed: { codes: 1 } });
});

test('they are listed newest first by state, reference and person, a full page with all of its last millisecond', async () => {
  const { accountId, clock } = s.world;
  const person = { kind: 'member', accountId, telegramId: 7, role: 'operator' } as const;
  await s.world
    .store()
    .write(({ members }) => members.insert({ ...person, name: 'P', username: null, now: 0 }));
  const row = { accountId, gameId: GAME, playerId: '5170925570', playerName: null, deadline: null } as const;
  await s.world.store().write(({ orders, orderItems }) => {
    for (let n = 1; n <= 208; n += 1) {
      const [reference, actor] = [n % 2 ? 'odd' : 'even', n % 4 < 2 ? 'member:7' : 'apiKey:1'];
      const name = `ord_${n}`;
      const terms = {
        onShortage: 'wait',
        onBadCode: 'stop',
        key: name,
        now: clock.now() - (n > 4 ? 0 : 1),
      } as const;
      const orderId = orders.insert({ ...row, ...terms, name, reference, actor });
      orderItems.insert({ ...row, orderId, n: 1, denomination: 60, code: null, promised: 0 });
      if (n % 8 === 0 || n === 1) {
        orderItems.miss(orderId);
        orders.end({ id: orderId, name }, { state: 'cancelled', reason: null, now: 1 });
      }
    }
  });
  const count = (range: Parameters<ReturnType<OrderStory['orders']>['list']>[1], by = s.actor()) => {
    const found = s.orders().list(by, range);
    expect(found.map(({ createdAt }) => createdAt)).toEqual(
      found.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
    );
    return found.length;
  };
  expect([count({}), count({ reference: 'odd' }), count({ state: 'cancelled' })]).toEqual([204, 102, 27]);
  // Older than a page of that reference.
  expect(count({ reference: 'odd', state: 'cancelled' })).toBe(1);
  expect([count({}, person), count({ reference: 'odd' }, person)]).toEqual([102, 52]);
  expect([count({ before: clock.now() }), count({ before: clock.now() - 1 })]).toEqual([4, 0]);
});
