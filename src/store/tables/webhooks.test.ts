// Addresses row by row: whose they are, what they are told of, when they are off, and how they go.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await write(({ accounts, webhooks }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    for (const [accountId, events] of [
      [1, ['stock.low']],
      [1, ['stock.low', 'quota.used']],
      [2, ['stock.low']],
    ] as const) {
      const reference = `r${accountId}${events.length}`;
      const address = {
        reference,
        accountId,
        url: `https://${reference}.example/`,
        secret: `whsec_${reference}`,
      };
      webhooks.insert({ ...address, events, createdBy: 'host', now: 5 });
    }
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (webhooks: Tables['webhooks']) => T) => t.store.read(({ webhooks }) => work(webhooks));
const list = (accountId = 1) => read((webhooks) => webhooks.list(accountId).map(({ id }) => id));
const told = (event: string, accountId = 1) => read((webhooks) => webhooks.listTold(accountId, event));

test('an address is found for its account, and by nobody else’s number', () => {
  const first = {
    ...{ id: 1, accountId: 1, url: 'https://r11.example/', secret: 'whsec_r11', events: ['stock.low'] },
    ...{ createdBy: 'host', createdAt: 5, failingSince: null, disabledAt: null },
  };
  expect(read((webhooks) => [webhooks.find(1), webhooks.find(1, 1)])).toEqual([first, first]);
  expect(read((webhooks) => [webhooks.find(1, 2), webhooks.find(9), webhooks.find(9, 1)])).toEqual(
    Array(3).fill(undefined),
  );
  expect([list(), list(2), list(9)]).toEqual([[1, 2], [3], []]);
});

test('it is told of what it asked for, while it is on', async () => {
  expect([told('stock.low'), told('quota.used'), told('redemption.settled'), told('stock.low', 2)]).toEqual([
    [1, 2],
    [2],
    [],
    [3],
  ]);
  const answers = await write(({ webhooks }) => [
    webhooks.noteFailing(1, 7),
    webhooks.disable(1, 8),
    webhooks.disable(1, 9),
    webhooks.disable(9, 9),
  ]);
  expect(answers).toEqual([true, true, false, false]);
  expect(read((webhooks) => webhooks.find(1))).toMatchObject({ failingSince: 7, disabledAt: 8 });
  expect([told('stock.low'), list()]).toEqual([[2], [1, 2]]);
  await write(({ webhooks }) => webhooks.enable(1));
  expect(read((webhooks) => webhooks.find(1))).toMatchObject({ failingSince: null, disabledAt: null });
  expect(told('stock.low')).toEqual([1, 2]);
});

test('one that was removed, once and by its account, is there no more; then it is forgotten', async () => {
  const removed = await write(({ webhooks }) => {
    webhooks.purge(1);
    return [webhooks.remove(2, 1, 9), webhooks.remove(1, 1, 9), webhooks.remove(1, 1, 10)];
  });
  expect(removed).toEqual([false, true, false]);
  expect([list(), told('stock.low'), read((webhooks) => webhooks.find(1))]).toEqual([[2], [2], undefined]);
  expect(await write(({ webhooks }) => [webhooks.noteFailing(1, 11), webhooks.disable(1, 11)])).toEqual([
    false,
    false,
  ]);
  const gone = (limit: number) => read((webhooks) => webhooks.listRemoved(limit));
  expect([gone(9), gone(0)]).toEqual([[1], []]);
  await write(({ webhooks }) => [1, 2].forEach((id) => webhooks.purge(id)));
  expect([gone(9), list()]).toEqual([[], [2]]);
});

test('one that does not open any more is not there, and costs no other', () => {
  t.inspect((file) => file.exec('update webhooks set url_secret = zeroblob(60) where id = 1'));
  expect([list(), read((webhooks) => webhooks.find(1))]).toEqual([[2], undefined]);
});
