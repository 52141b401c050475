// What the time between two acts does to an order: for how long it waits for what, what it holds meanwhile, what its
// deadline ends, and when a doubt is too old to be tried again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { expectStory, openOrderStory, type OrderStory } from '../../../test/harness/order-story.ts';
import { MINUTE_MS } from '../../clock.ts';

let s: OrderStory;
beforeEach(async () => {
  s = await openOrderStory();
});
afterEach(() => s.close());

const OWN: Parameters<typeof expectStory>[2] = {
  /** Each redemption takes so long. */
  takes({ world }) {
    world.platform.script.redeem = (order) => {
      world.clock.advance(40 * MINUTE_MS);
      return world.platform.redeemNow(order);
    };
  },
  extract: (t) => t.core().codes.extract(t.actor(), { gameId: 'game_id_1', denomination: 60, amount: 2 }),
  async placeAsPerson(t) {
    const person = { kind: 'member', accountId: t.world.accountId, telegramId: 7, role: 'operator' } as const;
    await t.world
      .store()
      .write(({ members }) => members.insert({ ...person, name: 'P', username: null, now: 0 }));
    await t.place(1, person);
  },
};

const STORIES: Record<string, string> = {
  'stock is waited for a day': `
    place 1 -> waits stock; 23h -> waits stock; 1h -> stopped NOT_ENOUGH_STOCK, 60 x1`,
  'a day for stock, and another after the code that came': `
    place 2 -> waits stock; 23h -> waits stock; add 1 -> waits stock; 23h -> waits stock; add 1 -> done`,
  'a day for stock, and another for quota': `
    place 1 -> waits stock; 23h -> waits stock; useUp -> waits stock; add 1 -> waits quota;
    23h -> waits quota; 1h -> done`,
  'a day for quota, and another for a subscription': `
    useUp; add 1; place 1 -> waits quota; subscribe 0 -> waits quota; 23h -> waits subscription;
    23h -> waits subscription; subscribe 1 -> waits subscription; 1min -> done`,
  'the platform is tried for an hour': `
    down; add 1; place 1 -> waits platform; 5s -> waits platform; 15s -> waits platform;
    58min -> waits platform; 2min -> stopped NETWORK_ERROR, 60 x1`,
  'the last try is at the end of the hour, not after it': `
    down; add 1; place 1 -> waits platform; 5s; 15s; 60s; 300s -> waits platform; 49min -> waits platform;
    up -> waits platform; 280s -> done`,
  'hours for stock are none of the hour for the platform': `
    place 1 -> waits stock; 5h -> waits stock; down -> waits stock; add 1 -> waits platform;
    59min -> waits platform; up -> waits platform; 1min -> done`,
  'trouble after a code that came through is another, from 5 s on': `
    answers down good down good; add 2; place 2 -> waits platform; 5s -> waits platform;
    unseen 4999ms -> waits platform; 1ms -> done`,
  'nothing begins after the deadline, though it ran': `
    add 3; takes 40min; place 3 until 1h -> stopped DEADLINE, 60 x1`,
  'nor where it waited for stock': `
    place 1 until 2h -> waits stock; 7199999ms -> waits stock; unseen 1ms -> waits stock;
    add 1 -> stopped NOT_ENOUGH_STOCK, 60 x1`,
  'nor for quota': `useUp; add 1; place 1 until 2h -> waits quota; 2h -> stopped QUOTA_EXCEEDED, 60 x1`,
  'nor for a subscription': `
    place 1 until 40h -> waits stock; subscribe 0 -> waits stock; add 1 -> waits subscription;
    39h -> waits subscription; 1h -> stopped SUBSCRIPTION_EXPIRED, 60 x1`,
  'nor for the platform, which is tried until then': `
    down; add 1; place 1 until 3h -> waits platform; 179min -> waits platform;
    1min -> stopped DEADLINE, 60 x1`,
  'it ends at its deadline, whenever the next look at the stock would be': `
    place 1 until 25min -> waits stock; 20min -> waits stock; 299s -> waits stock;
    1s -> stopped NOT_ENOUGH_STOCK, 60 x1`,
  'or at the quota': `
    useUp; add 1; place 1 until 150s -> waits quota; 2min -> waits quota; 29s -> waits quota;
    1s -> stopped QUOTA_EXCEEDED, 60 x1`,
  'or at the subscription': `
    place 1 until 150s -> waits stock; subscribe 0; add 1 -> waits subscription; 2min -> waits subscription;
    29s -> waits subscription; 1s -> stopped SUBSCRIPTION_EXPIRED, 60 x1`,
  'or at the platform': `
    down; add 1; place 1 until 150s -> waits platform; 5s; 15s; 1min -> waits platform; 69s -> waits platform;
    1s -> stopped DEADLINE, 60 x1`,
  'a doubt that ends well after the deadline keeps its receipt': `
    add HIDES GOOD; place 2 until 1min -> waits doubt; 2min -> stopped DEADLINE, 60 x1`,
  'a doubt is tried again until an hour after the order': `
    add SWALLOWS GOOD; place 1 -> waits doubt; unseen 3599s -> waits doubt; 1000ms -> done`,
  'not later': `
    add SWALLOWS GOOD; place 1 -> waits doubt; unseen 3599s -> waits doubt;
    1001ms -> stopped DOUBT, 60 x1`,
  'nor where the hour was spent on waiting': `
    place 1 -> waits stock; 2h -> waits stock; add SWALLOWS GOOD -> waits doubt;
    1min -> stopped DOUBT, 60 x1`,
  'a quarter of an hour after what a person ordered': `
    add SWALLOWS GOOD; placeAsPerson -> waits doubt; unseen 899s -> waits doubt; 1000ms -> done`,
  'and not later': `
    add SWALLOWS GOOD; placeAsPerson -> waits doubt; unseen 899s -> waits doubt;
    1001ms -> stopped DOUBT, 60 x1`,
  'until its deadline, where it has one': `
    add SWALLOWS GOOD; place 1 until 3h -> waits doubt; 2h -> done`,
  'and not an hour, where that is sooner': `
    add SWALLOWS GOOD; place 1 until 1s -> waits doubt; 1s -> waits doubt;
    1min -> stopped DOUBT, 60 x1`,
  'of a resumed one since that code was begun': `
    add RISK; place 2 -> stopped RISK_CONTROL, 60 x2; unseen 5h; extract; add SWALLOWS GOOD;
    resume -> waits doubt; 1min -> done`,
};

test.each(Object.entries(STORIES))('%s', (_, story) => expectStory(s, story, OWN));

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
