// What is paid and charged, after a restore that joins two pasts: days of subscription, and look-ups.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openPasts, type Pasts } from '../../../test/harness/pasts.ts';
import { purchase } from '../../../test/harness/traded-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let pasts: Pasts;
let shop: number;

beforeEach(async () => {
  pasts = openPasts();
  shop = await pasts.write((tables) =>
    tables.accounts.insert({
      name: 'Shop',
      now: pasts.now(),
      subscriptionExpiresAt: pasts.now() + 30 * DAY_MS,
    }),
  );
});

afterEach(() => pasts.close());

describe('a subscription that two pasts moved', () => {
  const endOf = (id = shop) =>
    pasts.store().read((tables) => tables.accounts.find(id)!.subscriptionExpiresAt!);
  const pay = (chargeId: string, days = 30, id = shop) =>
    pasts.write((tables) => {
      const bought = { activationsQuarters: 0, subscriptionDays: days, at: pasts.now() };
      tables.purchases.insert({ ...purchase(id, chargeId), kind: 'subscription', ...bought });
      tables.accounts.extendSubscription(id, days * DAY_MS, pasts.now());
    });
  const payBack = (chargeId: string, days = 30) =>
    pasts.write((tables) => {
      tables.purchases.markRefunded(chargeId, 0, pasts.now());
      tables.accounts.shortenSubscription(shop, days * DAY_MS, pasts.now());
    });

  test('has the days that were paid in either, each once', async () => {
    await pay('before');
    const end = endOf();
    await pasts.join(
      () => pay('tuesday', 30),
      () => pay('wednesday', 60),
    );
    expect(endOf()).toBe(end + 90 * DAY_MS);
  });

  test('does not have those that the host took back in either', async () => {
    await pay('before', 60);
    const end = endOf();
    const take = (chargeId: string, days: number) =>
      pasts.write((tables) => {
        const taken = { activationsQuarters: 0, subscriptionDays: -days, at: pasts.now() };
        tables.purchases.insert({ ...purchase(shop, chargeId), kind: 'subscription', ...taken });
        tables.accounts.shortenSubscription(shop, days * DAY_MS, pasts.now());
      });
    await pasts.join(
      () => take('host:tuesday', 7),
      () => take('host:wednesday', 3),
    );
    expect(endOf()).toBe(end - 10 * DAY_MS);
  });

  test('does not have those that were paid back in either', async () => {
    await pay('one');
    await pay('two');
    const end = endOf();
    await pasts.join(
      () => payBack('one'),
      () => payBack('two'),
    );
    expect(endOf()).toBe(end - 60 * DAY_MS);
  });

  test('whose days were used before they were paid back in both ended when they were paid back first', async () => {
    await pay('one');
    await pay('two');
    let paidBackAt = 0;
    await pasts.join(
      async () => {
        pasts.wait(70 * DAY_MS);
        await payBack('one');
        paidBackAt = pasts.now();
        expect(endOf()).toBe(paidBackAt);
      },
      async () => {
        pasts.wait(5 * DAY_MS);
        await payBack('two');
        expect(endOf()).toBe(pasts.now());
      },
    );
    expect(endOf()).toBe(paidBackAt);
  });

  test('counts from a payment that came after its end, with the day that was paid for and lost', async () => {
    let paidAt = 0;
    await pasts.join(
      () => pay('tuesday', 1),
      async () => {
        pasts.wait(100 * DAY_MS);
        await pay('wednesday', 60);
        paidAt = pasts.now();
      },
    );
    expect(endOf()).toBe(paidAt + 61 * DAY_MS);
  });

  test('has them also where another restore gave its account another number', async () => {
    const numberOf = (name: string) => {
      const [id] = pasts.query(`select id from accounts where name = '${name}'`);
      return id as number;
    };
    const open = (name: string, telegramId: number) => {
      pasts.giveAgain('accounts', shop + 1);
      const subscriptionExpiresAt = pasts.now() + 30 * DAY_MS;
      return pasts.write((tables) => {
        const now = pasts.now();
        const accountId = tables.accounts.insert({ name, now, subscriptionExpiresAt });
        tables.members.insert({ telegramId, accountId, role: 'owner', name, username: null, now });
      });
    };
    const monday = await pasts.backUp();
    await open('Tuesday', 1);
    const tuesday = await pasts.backUp();
    await pasts.goBack(monday, 'dead disk');
    await open('Wednesday', 2);
    const number = numberOf('Wednesday');
    const wednesday = await pasts.backUp();
    await pasts.goBack(tuesday);
    expect([numberOf('Tuesday'), numberOf('Wednesday') === number]).toEqual([number, false]);
    await pay('under the other number', 30, numberOf('Wednesday'));
    const thursday = await pasts.backUp();
    await pasts.goBack(wednesday, 'dead disk');
    pasts.wait(100 * DAY_MS);
    await pay('under the first', 60, number);
    const paidAt = pasts.now();
    const friday = await pasts.backUp();
    await pasts.goBack(thursday, 'dead disk');
    await pasts.goBack(friday);
    expect(endOf(numberOf('Wednesday'))).toBe(paidAt + 90 * DAY_MS);
  });

  test('that neither knows is none, and has not ended', async () => {
    const other = await pasts.write((tables) =>
      tables.accounts.insert({ name: 'Other', now: pasts.now(), subscriptionExpiresAt: null }),
    );
    await pasts.join(
      () => pay('tuesday'),
      () => pay('wednesday'),
    );
    expect(pasts.store().read((tables) => tables.accounts.find(other))).toMatchObject({
      name: 'Other',
      subscriptionExpiresAt: null,
    });
  });
});

test('a payment that went back in either past has, whole where nothing of it is spent, and no other', async () => {
  const buy = (chargeId: string) =>
    pasts.write((tables) => {
      tables.purchases.insert({ ...purchase(shop, chargeId), at: pasts.now() });
      tables.quota.credit(shop, 400);
    });
  const payBack = (chargeId: string, quarters: number) =>
    pasts.write((tables) => {
      tables.purchases.markRefunded(chargeId, quarters, pasts.now());
      tables.quota.credit(shop, -quarters);
    });
  for (const chargeId of ['one', 'two', 'three']) await buy(chargeId);
  await pasts.join(
    () => payBack('one', 400),
    () => payBack('two', 100),
  );
  expect(pasts.query("select charge_id || ' ' || refunded_quarters from purchases order by id")).toEqual([
    'one 400',
    'two 400',
    'three 0',
  ]);
  expect(pasts.query('select count(distinct refunded_at) from purchases')).toEqual([2]);
  expect(pasts.query('select purchased from quotas')).toEqual([400]);
});

test('what a payment that went back is still owed by what was held is owed after a restore, too', async () => {
  const charge = (purchased: number) =>
    pasts.write((tables) => {
      const at = pasts.now();
      tables.quota.roll(shop, at - DAY_MS);
      return tables.quota.charge({
        accountId: shop,
        at,
        start: at - DAY_MS,
        daily: 0,
        purchased,
        kind: 'character',
      });
    });
  await pasts.write((tables) => {
    tables.purchases.insert({ ...purchase(shop, 'one'), at: pasts.now() });
    tables.quota.credit(shop, 400);
  });
  const earlier = await charge(4);
  const file = await pasts.backUp();
  const held = [await charge(100), await charge(40)];
  await pasts.write((tables) => {
    tables.purchases.markRefunded('one', 256, pasts.now());
    tables.quota.credit(shop, -256);
    tables.quota.giveBack(held[1]!, pasts.now());
  });
  await charge(0);
  await pasts.goBack(file);
  const owed = () => pasts.query("select refunded_quarters || ' of ' || activations_quarters from purchases");
  expect(owed()).toEqual(['296 of 400']);
  for (const id of [earlier, held[0]!]) await pasts.write((tables) => tables.quota.giveBack(id, pasts.now()));
  expect([owed(), pasts.query('select purchased from quotas')]).toEqual([['400 of 400'], [0]]);
});

test('what was told of the quota in either past is told', async () => {
  const tell = (noticed80At: number, noticed100At: number) => () =>
    pasts.write(({ quota }) => quota.markNoticed(shop, { noticed80At, noticed100At }));
  await pasts.write(({ quota }) => quota.credit(shop, 0));
  await pasts.join(tell(10, 40), tell(20, 30));
  expect(pasts.query("select noticed_80_at || ' ' || noticed_100_at from quotas")).toEqual(['20 40']);
});

describe('orders', () => {
  const order = (id: string) => {
    const terms = { currency: 'XTR', amount: 77 };
    return { id, accountId: shop, orderedBy: 7, kind: 'activations' as const, count: 1, ...terms };
  };
  const orderNow = (id: string) =>
    pasts.write((tables) => tables.purchaseOrders.keep({ ...order(id), at: pasts.now() }));
  const payFor = (id: string, chargeId: string) =>
    pasts.write((tables) => {
      tables.purchases.insert({ ...purchase(shop, chargeId), at: pasts.now() });
      tables.quota.credit(shop, 400);
      tables.purchaseOrders.markPaid(id, chargeId);
    });
  const find = (id: string) => pasts.store().read((tables) => tables.purchaseOrders.find(id));

  test('that were made since the backup can be paid, and those that were paid since are known to be', async () => {
    await orderNow('old');
    const file = await pasts.backUp();
    await orderNow('new');
    await payFor('old', 'charge');
    await pasts.goBack(file);
    expect(find('old')).toMatchObject({ ...order('old'), chargeId: 'charge' });
    expect(find('new')).toMatchObject({ ...order('new'), chargeId: null });
  });

  test('of the backup can be paid after a disk that died', async () => {
    await orderNow('old');
    const file = await pasts.backUp();
    await pasts.goBack(file, 'dead disk');
    expect(find('old')).toMatchObject(order('old'));
  });

  test('of two pasts are there, each for its own account, where an earlier version gave both one number', async () => {
    const open = (name: string) => async () => {
      pasts.giveAgain('accounts', shop + 1);
      await pasts.write((tables) => {
        const at = pasts.now();
        const accountId = tables.accounts.insert({ name, now: at, subscriptionExpiresAt: null });
        tables.purchaseOrders.keep({ ...order(name), accountId, at });
      });
    };
    await pasts.join(open('tuesday'), open('wednesday'));
    const names = ['tuesday', 'wednesday'].map((id) =>
      pasts.store().read((tables) => tables.accounts.find(find(id)!.accountId)?.name),
    );
    expect(names).toEqual(['tuesday', 'wednesday']);
  });
});

test('what was told since the backup of charges that are not booked is known, once', async () => {
  const told = { chargeId: 'charge', payerId: 7, currency: 'XTR', amount: 77 };
  const note = (kind: 'unbooked' | 'refunded') =>
    pasts.write((tables) => tables.chargeNotes.keep({ ...told, kind, at: pasts.now() }));
  const find = (kind: 'unbooked' | 'refunded') =>
    pasts.store().read((tables) => tables.chargeNotes.find('charge', kind));
  await note('unbooked');
  const file = await pasts.backUp();
  await note('unbooked');
  await note('refunded');
  await pasts.goBack(file);
  expect(find('unbooked')).toMatchObject(told);
  expect(find('refunded')).toMatchObject(told);
  await pasts.goBack(file, 'dead disk');
  expect(find('unbooked')).toMatchObject(told);
});

test('look-ups of two pasts are charged each, also where an earlier version gave both one number', async () => {
  const lookUp = (number: number) => async () => {
    pasts.giveAgain('charges', number);
    await pasts.write((tables) => {
      const at = pasts.now();
      tables.quota.roll(shop, at - DAY_MS);
      tables.quota.charge({
        accountId: shop,
        at,
        start: at - DAY_MS,
        daily: 1,
        purchased: 0,
        kind: 'character',
      });
    });
  };
  await lookUp(5)();
  await pasts.join(lookUp(6), lookUp(6));
  expect(pasts.query('select count(distinct at) from charges')).toEqual([3]);
  expect(pasts.query('select used from quotas')).toEqual([3]);
});
