// The end of a subscription is told three days before, a day before and when it came, once each; and notices say whom
// they are for.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { createNotices, writeNotice, type Notice } from '../notices/notices.ts';
import { createWatchSubscriptions, type WatchSubscriptions } from './subscriptions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
let t: TestStore;
let shop: TestAccount;
let watch: WatchSubscriptions;
beforeEach(async () => {
  t = openTestStore();
  shop = await openTestAccount(t.store);
  watch = createWatchSubscriptions(t);
});
afterEach(() => t.close());

const extend = (days: number) =>
  t.store.write((tables) => tables.accounts.extendSubscription(shop.accountId, days * DAY_MS, t.clock.now()));
const waiting = () => listWithRecipients({ notices: createNotices(t) }, t.store);
const toldDays = () => waiting().map(({ notice }) => notice.kind === 'subscriptionEnds' && notice.daysLeft);
/** Lets time pass as it does: the watch looks again and again. */
async function pass(days: number): Promise<void> {
  for (let hour = 0; hour < days * 24; hour += 1) {
    t.clock.advance(HOUR_MS);
    await watch();
    await watch();
  }
}

describe('the end of a subscription', () => {
  test('is not told for a calendar that jumps forward, nor again when it is right', async () => {
    await extend(30);
    const before = t.clock.now();
    t.clock.set(before + 31 * DAY_MS);
    await watch();
    expect(toldDays()).toEqual([]);
    t.clock.set(before);
    await pass(40);
    expect(toldDays()).toEqual([3, 1, 0]);
  });

  test('is told three days before, one day before, and when it came', async () => {
    await extend(30);
    await pass(26);
    expect(toldDays()).toEqual([]);
    await pass(40);
    expect(toldDays()).toEqual([3, 1, 0]);
  });

  test('is told anew when it was extended', async () => {
    await extend(30);
    await pass(29.5);
    await extend(30);
    await pass(1);
    expect(toldDays()).toEqual([3, 1]);
    await pass(40);
    expect(toldDays()).toEqual([3, 1, 3, 1, 0]);
  });

  test('that nobody watched is told as what it is now, and long after it is no news', async () => {
    await extend(30);
    t.clock.advance(29.5 * DAY_MS);
    await watch();
    expect(toldDays()).toEqual([1]);
    await extend(30);
    t.clock.advance(300 * DAY_MS);
    await pass(1);
    expect(toldDays()).toEqual([1]);
  });

  test.each([
    [33 * DAY_MS - 1, [0]],
    [33 * DAY_MS, []],
  ])('is news for three days: %i ms after the beginning of thirty', async (after, told) => {
    await extend(30);
    t.clock.advance(after);
    await watch();
    expect(toldDays()).toEqual(told);
  });

  test('is nothing to tell where there never was a subscription', async () => {
    await pass(5);
    expect(waiting()).toEqual([]);
  });
});

describe('a notice', () => {
  const write = (notice: Notice) => t.store.write((tables) => writeNotice(tables, notice, t.clock.now()));

  test('is for those who may set alerts, and a settled doubt for whoever redeemed, too', async () => {
    const { accountId, members } = shop;
    await openTestAccount(t.store);
    const stockLow = {
      kind: 'stockLow',
      accountId,
      gameId: 'game_id_1',
      denomination: 60,
      threshold: 3,
    } as const;
    await write(stockLow);
    const actor = `member:${members.operator.telegramId}`;
    await write({ kind: 'doubtSettled', accountId, redemptionId: 7, actor, outcome: 'redeemed' });
    const [stock, doubt] = waiting();
    expect(stock?.notice).toEqual(stockLow);
    const admins = [members.owner, members.admin].map(({ telegramId }) => ({ telegramId, isOwn: false }));
    expect(stock?.recipients).toEqual(admins);
    expect(doubt?.recipients).toEqual([...admins, { telegramId: members.operator.telegramId, isOwn: true }]);
  });

  test('for the host is for no member', async () => {
    await write({ kind: 'doubtHeld', accountId: null, ofAccount: 1, redemptionId: 1 });
    expect(waiting()).toMatchObject([{ recipients: [], notice: { kind: 'doubtHeld', redemptionId: 1 } }]);
  });
});
