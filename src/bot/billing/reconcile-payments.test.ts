// Payments found later: what Telegram's own list knows and no update told.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { createForwardClock, type ForwardClock } from '../../../test/harness/forward-clock.ts';
import type { SeenMessage } from '../../../test/telegram/types.ts';

const HOUR_MS = 60 * 60 * 1000;
let clock: ForwardClock;
let t: TestBot;
let owner: Person;
let host: Person;

beforeEach(async () => {
  clock = createForwardClock();
  t = await startTestBot({ clock, api: { clock } });
  owner = personOf(t.api, t.people.owner);
  host = personOf(t.api, t.host);
});
afterEach(() => t.stop());

const purchased = () => t.app().core.quota(t.actors.owner).purchased;
const thanks = () => owner.all().filter(({ text }) => text.startsWith('Thank you! Paid')).length;

async function order(command = '/buy_activations 1'): Promise<SeenMessage> {
  owner.looksAway();
  owner.says(command);
  return owner.sees((message) => message.invoice !== undefined);
}

/** Paid while the service is away, as right after it answered the checkout; Telegram's message about it waits. */
async function payUnheard(invoice: SeenMessage, overrides: object = {}): Promise<string> {
  const paying = t.api.pay(owner.user, invoice, overrides);
  const update = await t.api.waitFor(() => t.api.unconfirmed().find((one) => 'pre_checkout_query' in one));
  const { id } = (update as { pre_checkout_query?: { id: string } }).pre_checkout_query ?? { id: '' };
  const body = JSON.stringify({ pre_checkout_query_id: id, ok: true });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${t.methodsUrl}/answerPreCheckoutQuery`, { method: 'POST', headers, body });
  const paid = await paying;
  if (!('chargeId' in paid)) throw new Error(JSON.stringify(paid));
  return paid.chargeId;
}

/** Longer than Telegram keeps what it could not deliver. */
const waitLong = (hours = 26) => clock.advance(hours * HOUR_MS);

test('what was paid in an outage of 26 hours is credited once and told; at the next start nothing happens', async () => {
  const invoice = await order();
  let charge = '';
  await t.restart(async () => {
    charge = await payUnheard(invoice);
    waitLong();
  });
  await owner.sees(/Thank you! Paid for .*: 1000 activations\./);
  expect(purchased()).toBe(1000);
  // Two days later even the message about it is forgotten.
  await t.restart(() => waitLong(72));
  owner.looksAway();
  owner.says('/quota');
  await owner.sees(/1000/);
  expect([purchased(), thanks()]).toEqual([1000, 1]);
  expect(t.app().core.purchases.find({ kind: 'host', by: 'cli' }, charge)?.amount).toBe(770);
  host.doesNotSee(/belongs? to no order/);
});

test('what an order of ten months ago was paid with is credited, as ordered', async () => {
  const invoice = await order('/buy_activations 2');
  const orderId = invoice.invoice!.payload;
  let charge = '';
  await t.restart(async () => {
    waitLong(24 * 300);
    charge = await payUnheard(invoice);
    waitLong();
  });
  await owner.sees(/Thank you! Paid for .*: 2000 activations\./);
  const file = new Database(t.app().databasePath, { readonly: true });
  expect(file.prepare('select id, ordered_by, count, charge_id from purchase_orders').raw().all()).toEqual([
    [orderId, owner.user.id, 2, charge],
  ]);
  file.close();
  expect(purchased()).toBe(2000);
});

test('told by the list and by its message at the same time, it is credited once', async () => {
  const invoice = await order();
  await t.restart(async () => void (await payUnheard(invoice)));
  t.api.redeliver(t.api.updates().at(-1)!.update_id);
  await owner.sees(/Thank you! Paid/);
  owner.says('/help');
  await owner.sees('Every day');
  expect([purchased(), thanks()]).toEqual([1000, 1]);
});

test('a refund in the outage, of a payment before it and of one within it, is booked once', async () => {
  const before = await t.api.pay(owner.user, await order());
  await owner.sees(/Thank you! Paid/);
  const invoice = await order('/buy_activations 2');
  await t.restart(async () => {
    const within = await payUnheard(invoice);
    t.api.refund((before as { chargeId: string }).chargeId);
    t.api.refund(within);
    waitLong();
  });
  const refunds = () => owner.all().filter(({ text }) => /was sent back/.test(text));
  await t.api.waitFor(() => refunds().length === 2, 10_000);
  await t.restart();
  owner.says('/help');
  await owner.sees('Every day');
  expect([purchased(), refunds().length]).toEqual([0, 2]);
});

test('what belongs to no order is shown to the host once, is never credited, and goes back by its button', async () => {
  const invoice = await order();
  let charge = '';
  await t.restart(async () => {
    charge = await payUnheard(invoice, { invoice_payload: 'of-another-database' });
    waitLong();
  });
  const shown = await host.sees(/a payment that belongs to no order of mine/);
  expect(shown.text).toContain(charge);
  expect(purchased()).toBe(0);
  await t.restart();
  host.looksAway();
  await host.presses('Refund 1: 770 ⭐');
  await host.sees(/Send 770 ⭐ back/);
  await host.presses('Send 770 ⭐ back');
  await host.sees(/Done: 770 ⭐ is back/);
  expect(host.all().filter(({ text }) => text.includes('belongs to no order'))).toHaveLength(1);
});
