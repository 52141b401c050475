// Addresses that are told of events, after a restore: as they are now, and owed what stands.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openPasts, type Pasts } from '../../../test/harness/pasts.ts';

let pasts: Pasts;
let account: number;
let references = 0;

beforeEach(async () => {
  pasts = openPasts();
  account = await pasts.write((tables) =>
    tables.accounts.insert({ name: 'Shop', now: pasts.now(), subscriptionExpiresAt: null }),
  );
});
afterEach(() => pasts.close());

const add = (name: string) =>
  pasts.write((tables) =>
    tables.webhooks.insert({
      reference: `reference-${(references += 1)}`,
      accountId: account,
      url: `https://shop.example/${name}`,
      secret: `whsec_${name}`,
      events: ['stock.low'],
      createdBy: 'apiKey:1',
      now: pasts.now(),
    }),
  );
const remove = (id: number) => pasts.write((tables) => tables.webhooks.remove(account, id, pasts.now()));
const list = () =>
  pasts
    .store()
    .read((tables) => tables.webhooks.list(account))
    .map(({ url, secret, disabledAt }) => [
      url.replace('https://shop.example/', ''),
      secret,
      disabledAt !== null,
    ]);

test('over what became of the backup, those that are there now are there, in their present state', async () => {
  const [kept, removed] = [await add('kept'), await add('removed')];
  const file = await pasts.backUp();
  await pasts.write((tables) => tables.webhooks.disable(kept, pasts.now()));
  await remove(removed);
  await add('new');
  await pasts.goBack(file);
  expect(list()).toEqual([
    ['kept', 'whsec_kept', true],
    ['new', 'whsec_new', false],
  ]);
});

/** Has an address owe what happened so. */
const owe = (webhookId: number, type: string) =>
  pasts.write((tables) => {
    const message = { accountId: account, type, subject: '{}', now: pasts.now() };
    const messageId = tables.webhookDeliveries.keepMessage(message);
    tables.webhookDeliveries.owe({ webhookId, messageId, now: pasts.now() });
  });

test('how a redemption ended is owed again from the restore on, whatever was told since, and over whatever file', async () => {
  for (const over of ['what became of it', 'dead disk'] as const) {
    const webhookId = await add(over);
    await owe(webhookId, 'redemption.settled');
    const file = await pasts.backUp();
    const told = { at: pasts.now(), status: 200, problem: null };
    await pasts.write(({ webhookDeliveries }) => {
      for (const { id } of webhookDeliveries.list(webhookId, 10)) webhookDeliveries.settle(id, told);
    });
    await (over === 'dead disk' ? pasts.goBack(file, over) : pasts.goBack(file));
    pasts.store().read(({ webhookDeliveries }) => {
      const [owed] = webhookDeliveries.list(webhookId, 10);
      expect(owed).toMatchObject({ state: 'waiting', attempts: 0 });
      expect(owed?.nextAt).toBe(owed?.owedSince);
    });
  }
});

test('of all else what was owed is closed, and the address stays: it may not be so any more', async () => {
  const webhookId = await add('kept');
  await owe(webhookId, 'stock.low');
  const file = await pasts.backUp();
  await pasts.goBack(file);
  pasts.store().read(({ webhookDeliveries }) => {
    expect(webhookDeliveries.findOwing(0)).toBeUndefined();
    expect(webhookDeliveries.list(webhookId, 10)).toMatchObject([{ state: 'failed', nextAt: null }]);
  });
  expect(list()).toEqual([['kept', 'whsec_kept', false]]);
});

test('of two pasts that both went on, each one that was added is there, and none that either removed', async () => {
  const [one, other] = [await add('one'), await add('other')];
  await pasts.join(
    async () => {
      await remove(one);
      await add('tuesday');
    },
    async () => {
      await remove(other);
      await add('wednesday');
    },
  );
  expect(list().map(([name]) => name)).toEqual(expect.arrayContaining(['tuesday', 'wednesday']));
  expect(list()).toHaveLength(2);
});

test('a number that both pasts gave is no reason to carry nothing, whatever numbers follow it', async () => {
  await pasts.join(
    () => add('tuesday'),
    async () => {
      pasts.giveAgain('webhooks', 1);
      for (const name of ['wednesday', 'thursday', 'friday']) await add(name);
    },
  );
  expect(list().map(([name]) => name)).toEqual(['tuesday', 'thursday', 'friday', 'wednesday']);
});

test('over an unreadable file it is as the backup has it', async () => {
  await add('kept');
  const file = await pasts.backUp();
  await add('lost');
  await pasts.goBack(file, 'dead disk');
  expect(list().map(([name]) => name)).toEqual(['kept']);
});
