// What the time between two acts does to an order: for how long it waits for what, what it holds meanwhile, what its
// deadline ends, and when a doubt is too old to be tried again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  ACTS,
  openOrderStory,
  playActs,
  type Act,
  type OrderStory,
} from '../../../test/harness/order-story.ts';
import { HOUR_MS, MINUTE_MS } from '../../clock.ts';

let s: OrderStory;
beforeEach(async () => {
  s = await openOrderStory();
});
afterEach(() => s.close());

const { place, placeUntil: until, add, after, hours, minutes, unseen, useUp, down, up } = ACTS;

async function placeAsPerson(t: OrderStory) {
  const person = { kind: 'member', accountId: t.world.accountId, telegramId: 7, role: 'operator' } as const;
  await t.world
    .store()
    .write(({ members }) => members.insert({ ...person, name: 'P', username: null, now: 0 }));
  await t.place(1, person);
}

const STORIES: Record<string, readonly Act[]> = {
  'stock is waited for a day': [
    [place(1), 'waits stock'],
    [hours(23), 'waits stock'],
    [hours(1), 'stopped NOT_ENOUGH_STOCK, 60 x1'],
  ],
  'a day for stock, and another after the code that came': [
    [place(2), 'waits stock'],
    [hours(23), 'waits stock'],
    [add(1), 'waits stock'],
    [hours(23), 'waits stock'],
    [add(1), 'done'],
  ],
  'a day for stock, and another for quota': [
    [place(1), 'waits stock'],
    [hours(23), 'waits stock'],
    [useUp, 'waits stock'],
    [add(1), 'waits quota'],
    [hours(23), 'waits quota'],
    [hours(1), 'done'],
  ],
  'a day for quota, and another for a subscription': [
    [useUp, ''],
    [add(1), ''],
    [place(1), 'waits quota'],
    [(t) => t.subscribe(0), 'waits quota'],
    [hours(23), 'waits subscription'],
    [hours(23), 'waits subscription'],
    [(t) => t.subscribe(1), 'waits subscription'],
    [minutes(1), 'done'],
  ],
  'the platform is tried for an hour': [
    [down, ''],
    [add(1), ''],
    [place(1), 'waits platform'],
    [after(5_000), 'waits platform'],
    [after(15_000), 'waits platform'],
    [minutes(58), 'waits platform'],
    [minutes(2), 'stopped NETWORK_ERROR, 60 x1'],
  ],
  'the last try is at the end of the hour, not after it': [
    [down, ''],
    [add(1), ''],
    [place(1), 'waits platform'],
    ...[5, 15, 60, 300].map((seconds): Act => [after(seconds * 1_000), 'waits platform']),
    [minutes(49), 'waits platform'],
    [up, 'waits platform'],
    [after(HOUR_MS - 49 * MINUTE_MS - 380_000), 'done'],
  ],
  'hours for stock are none of the hour for the platform': [
    [place(1), 'waits stock'],
    [hours(5), 'waits stock'],
    [down, 'waits stock'],
    [add(1), 'waits platform'],
    [minutes(59), 'waits platform'],
    [up, 'waits platform'],
    [minutes(1), 'done'],
  ],
  'trouble after a code that came through is another, from 5 s on': [
    [(t) => t.answers('down', 'good', 'down', 'good'), ''],
    [add(2), ''],
    [place(2), 'waits platform'],
    [after(5_000), 'waits platform'],
    [unseen(4_999), 'waits platform'],
    [after(1), 'done'],
  ],
  'nothing begins after the deadline, though it ran': [
    [add(3), ''],
    [
      (t) => {
        const { script } = t.world.platform;
        script.redeem = (order) => {
          t.world.clock.advance(40 * MINUTE_MS);
          return t.world.platform.redeemNow(order);
        };
      },
      '',
    ],
    [until(HOUR_MS, 3), 'stopped DEADLINE, 60 x1'],
  ],
  'nor where it waited for stock': [
    [until(2 * HOUR_MS), 'waits stock'],
    [after(2 * HOUR_MS - 1), 'waits stock'],
    [unseen(1), 'waits stock'],
    [add(1), 'stopped NOT_ENOUGH_STOCK, 60 x1'],
  ],
  'nor for quota': [
    [useUp, ''],
    [add(1), ''],
    [until(2 * HOUR_MS), 'waits quota'],
    [hours(2), 'stopped QUOTA_EXCEEDED, 60 x1'],
  ],
  'nor for a subscription': [
    [until(40 * HOUR_MS), 'waits stock'],
    [(t) => t.subscribe(0), 'waits stock'],
    [add(1), 'waits subscription'],
    [hours(39), 'waits subscription'],
    [hours(1), 'stopped SUBSCRIPTION_EXPIRED, 60 x1'],
  ],
  'nor for the platform, which is tried until then': [
    [down, ''],
    [add(1), ''],
    [until(3 * HOUR_MS), 'waits platform'],
    [after(179 * MINUTE_MS), 'waits platform'],
    [minutes(1), 'stopped DEADLINE, 60 x1'],
  ],
  'a doubt that ends well after the deadline keeps its receipt': [
    [add(['HIDES', 'GOOD']), ''],
    [until(MINUTE_MS, 2), 'waits doubt'],
    [minutes(2), 'stopped DEADLINE, 60 x1'],
  ],
  'a doubt is tried again until an hour after the order': [
    [add(['SWALLOWS', 'GOOD']), ''],
    [place(1), 'waits doubt'],
    [unseen(HOUR_MS - 10_000), 'waits doubt'],
    [after(1), 'waits doubt'],
    [after(9_999), 'done'],
  ],
  'not later': [
    [add(['SWALLOWS', 'GOOD']), ''],
    [place(1), 'waits doubt'],
    [unseen(HOUR_MS - 10_000), 'waits doubt'],
    [after(1), 'waits doubt'],
    [after(10_000), 'stopped DOUBT, 60 x1'],
  ],
  'nor where the hour was spent on waiting': [
    [place(1), 'waits stock'],
    [hours(2), 'waits stock'],
    [add(['SWALLOWS', 'GOOD']), 'waits doubt'],
    [minutes(1), 'waits doubt'],
    [minutes(1), 'stopped DOUBT, 60 x1'],
  ],
  'a quarter of an hour after what a person ordered': [
    [add(['SWALLOWS', 'GOOD']), ''],
    [placeAsPerson, 'waits doubt'],
    [unseen(15 * MINUTE_MS - 10_000), 'waits doubt'],
    [after(1), 'waits doubt'],
    [after(9_999), 'done'],
  ],
  'and not later': [
    [add(['SWALLOWS', 'GOOD']), ''],
    [placeAsPerson, 'waits doubt'],
    [unseen(15 * MINUTE_MS - 10_000), 'waits doubt'],
    [after(1), 'waits doubt'],
    [after(10_000), 'stopped DOUBT, 60 x1'],
  ],
  'until its deadline, where it has one': [
    [add(['SWALLOWS', 'GOOD']), ''],
    [until(3 * HOUR_MS), 'waits doubt'],
    [hours(2), 'waits doubt'],
    [minutes(1), 'done'],
  ],
  'and not an hour, where that is sooner': [
    [add(['SWALLOWS', 'GOOD']), ''],
    [until(10 * MINUTE_MS), 'waits doubt'],
    [minutes(10), 'waits doubt'],
    [minutes(1), 'stopped DOUBT, 60 x1'],
  ],
  'of a resumed one since that code was begun': [
    [add(['RISK', 'GOOD']), ''],
    [place(2), 'stopped RISK_CONTROL, 60 x2'],
    [unseen(5 * HOUR_MS), 'stopped RISK_CONTROL, 60 x2'],
    [
      (t) => t.core().codes.extract(t.actor(), { gameId: 'game_id_1', denomination: 60, amount: 2 }),
      'stopped RISK_CONTROL, 60 x2',
    ],
    [add(['SWALLOWS', 'GOOD']), 'stopped RISK_CONTROL, 60 x2'],
    [(t) => t.resume(), 'waits doubt'],
    [minutes(1), 'waits doubt'],
    [minutes(1), 'done'],
  ],
};

test.each(Object.entries(STORIES))('%s', async (_, acts) => {
  const { told, expected } = await playActs(s, acts);
  expect(told).toEqual(expected);
});

describe('what is promised to it', () => {
  /** It waits for the first, and the other is promised to it. */
  const WAITS: Record<string, { begin: (t: OrderStory) => Promise<unknown>; keeps: boolean }> = {
    stock: { begin: () => Promise.resolve(), keeps: true },
    quota: { begin: (t) => t.useUp(), keeps: false },
    subscription: { begin: (t) => t.subscribe(0), keeps: false },
  };

  test.each(Object.entries(WAITS))('while it waits for %s', async (what, { begin, keeps }) => {
    await s.add(1, 325);
    await s.place({
      items: [
        { denomination: 60, count: 1 },
        { denomination: 325, count: 1 },
      ],
    });
    await begin(s);
    if (what !== 'stock') await s.add(1, 60);
    const mine = s.id();
    await s.after(59 * MINUTE_MS);
    expect([s.tell(mine), s.available(325)]).toEqual([`waits ${what}`, 0]);
    await s.after(2 * MINUTE_MS);
    expect([s.tell(mine), s.available(325)]).toEqual([`waits ${what}`, keeps ? 0 : 1]);
  });

  test('goes to the next after an hour, and is its own again once it goes on', async () => {
    await s.add(4);
    await s.useUp();
    const first = await s.place(3);
    s.world.clock.advance(30 * MINUTE_MS);
    const next = await s.place(1);
    const promised = () => [first, next].map((name) => s.promisedTo(name).join(' '));
    expect([...promised(), s.available()]).toEqual(['2 2 0', '0', 2]);
    await s.after(31 * MINUTE_MS);
    expect([...promised(), s.available()]).toEqual(['-1 -1 -1', '2', 3]);
    await s.cancel();
    await s.world.store().write(({ quota }) => quota.credit(s.world.accountId, 4));
    await s.after(MINUTE_MS);
    expect([s.tell(first), ...promised()]).toEqual(['waits quota', '0 2 2', '0']);
  });
});
