import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { ROLES } from '../../core/index.ts';
import type { SeenMessage } from '../../../test/telegram/types.ts';

let t: Stage;
afterEach(() => t.stop());

async function begin(bot: StageOptions['bot'] = {}): Promise<Record<'owner' | 'admin' | 'operator', Person>> {
  t = await openStage({ bot });
  const { owner, admin, operator } = t.people;
  return {
    owner: personOf(t.api, owner),
    admin: personOf(t.api, admin),
    operator: personOf(t.api, operator),
  };
}

const isInvoice = (message: SeenMessage) => message.invoice !== undefined;
const purchased = () => t.app().core.quota(t.actors.owner).purchased;

async function order(person: Person, command = '/buy_activations 1'): Promise<SeenMessage> {
  person.looksAway();
  person.says(command);
  return person.sees(isInvoice);
}

/** A message about money as Telegram would deliver it, whatever it knows of it itself. */
let delivered = 0;
function deliverPayment(person: Person, note: object, kind = 'successful_payment', updateId = 0): void {
  delivered += 1;
  const update_id = updateId || 500_000 + delivered;
  const date = Math.floor(Date.now() / 1000);
  const chat = { id: person.user.id, type: 'private', first_name: 'x' };
  const message = { message_id: 900_000, date, chat, from: person.user, [kind]: note };
  t.api.deliver({ update_id, message });
}

test('a pack is ordered in one command, paid in Stars, and the new balance is shown', async () => {
  const { owner } = await begin();
  const invoice = await order(owner);
  expect(invoice.invoice).toMatchObject({ currency: 'XTR', totalAmount: 770, startParameter: 'buy_1' });
  expect((await t.api.pay(owner.user, invoice)).ok).toBe(true);
  await owner.sees(/Thank you! Paid for .*: 1000 activations\.\nPurchased activations now: 1000\./);
  expect(purchased()).toBe(1000);
});

test('bare it asks how many; the keyboard is good for one press', async () => {
  const { owner } = await begin();
  owner.says('/buy_activations');
  await owner.sees('How many?');
  const message = owner.last();
  const [first, second] = message.buttons;
  const answers = await Promise.all([
    t.api.press(owner.user, message, first!.text),
    t.api.press(owner.user, message, second!.text),
  ]);
  expect(answers.map((answer) => answer?.text).filter(Boolean)).toEqual([
    'This button was already used, and nothing is done twice. Its result is in this chat, or comes here.',
  ]);
  await owner.sees(isInvoice);
  const invoices = owner.all().filter(isInvoice);
  expect(invoices).toHaveLength(1);
  expect(message.buttons.map((button) => button.text)[0]).toBe('1000 · 770 ⭐');
});

test.each(['0', '101', '-1', '1.5', 'many', '1e2'])('%s thousand is no order', async (amount) => {
  const { owner } = await begin();
  owner.says(`/buy_activations ${amount}`);
  await owner.sees('whole number of thousands from 1 to 100');
  expect(owner.all().some(isInvoice)).toBe(false);
});

test('where a dollar is worth no Stars the invoice is in USD, through the provider', async () => {
  const { owner } = await begin({ paymentProviderToken: 'provider:token', starsPerUsd: 0 });
  const invoice = await order(owner, '/buy_activations 2');
  expect(invoice.invoice).toMatchObject({ currency: 'USD', totalAmount: 2000 });
  expect((await t.api.pay(owner.user, invoice)).ok).toBe(true);
  await owner.sees('Purchased activations now: 2000');
});

test('a payment delivered three times, with a restart between, is credited and told of once', async () => {
  const { owner } = await begin();
  const invoice = await order(owner);
  const paid = await t.api.pay(owner.user, invoice);
  if (!paid.ok) throw new Error('not paid');
  await owner.sees('Thank you!');
  t.api.redeliver(paid.updateId!);
  await t.restart();
  const note = { currency: 'XTR', total_amount: 770, invoice_payload: invoice.invoice!.payload };
  deliverPayment(owner, {
    ...note,
    telegram_payment_charge_id: paid.chargeId,
    provider_payment_charge_id: '',
  });
  const again = await t.api.pay(owner.user, invoice);
  expect(again.ok).toBe(true);
  await owner.sees('Purchased activations now: 2000');
  expect(purchased()).toBe(2000);
  expect(owner.all().filter((message) => message.text.startsWith('Thank you!'))).toHaveLength(2);
});

test('a checkout is refused with a sentence when amount, account, role or order no longer holds', async () => {
  const { owner, admin } = await begin();
  const invoice = await order(admin);
  const stranger = t.stranger;
  const neighbour = t.host;
  await t.app().core.accounts.openOwn({ telegramId: neighbour.id, name: 'Another shop' });
  expect(await t.api.pay(admin.user, invoice, { total_amount: 1 })).toMatchObject({
    error: /price has changed/,
  });
  expect(await t.api.pay(admin.user, invoice, { currency: 'USD' })).toMatchObject({
    error: /price has changed/,
  });
  expect(await t.api.pay(admin.user, invoice, { invoice_payload: 'forged' })).toMatchObject({
    error: /too old/,
  });
  expect(await t.api.pay(stranger, invoice)).toMatchObject({ error: /another account/ });
  expect(await t.api.pay(neighbour, invoice)).toMatchObject({ error: /another account/ });
  const { core } = t.app();
  await core.members.changeRole(t.actors.owner, admin.user.id, 'operator');
  expect(await t.api.pay(admin.user, invoice)).toMatchObject({ error: /role may not buy/ });
  expect((await t.api.pay(owner.user, invoice)).ok).toBe(true);
  await owner.sees('Thank you!');
  expect(purchased()).toBe(1000);
});

test('a forwarded invoice opens the bot, which offers a purchase for the own account', async () => {
  const { owner, admin } = await begin();
  const invoice = await order(owner, '/buy_activations 3');
  expect(await t.api.pay(admin.user, t.api.forwarded(invoice))).toMatchObject({ opened: true });
  await admin.sees('How many?');
  expect(admin.last().buttons.map((button) => button.text)).toEqual(['3000 · 2310 ⭐']);
});

test('money for no order, or of another amount, is credited to nobody: the host is shown it once, with Refund', async () => {
  const { owner } = await begin();
  const host = personOf(t.api, t.host);
  const { payload } = (await order(owner)).invoice!;
  const unknown = { currency: 'XTR', invoice_payload: 'gone', provider_payment_charge_id: '' };
  const pay = (of: object) => deliverPayment(owner, { ...unknown, ...of });
  pay({ total_amount: 1540, telegram_payment_charge_id: 'charge-a' });
  await host.sees(/belongs to no order of mine.*\n\n.*1540 ⭐.*\ncharge-a/);
  await owner.sees(/It is not lost.*\n.*charge-a/);
  pay({ total_amount: 1, telegram_payment_charge_id: 'charge-b', invoice_payload: payload });
  await owner.sees(/It is not lost.*\n.*charge-b/);
  pay({ total_amount: 1540, telegram_payment_charge_id: 'charge-a' });
  owner.says('/help');
  await owner.sees('Every day');
  expect(purchased()).toBe(0);
  const shown = host.all().filter(({ text }) => text.includes('belongs to no order'));
  expect(shown.map(({ text }) => /charge-\w/.exec(text)?.[0])).toEqual(['charge-a', 'charge-b']);
  t.api.faults.next('refundStarPayment', {
    kind: 'error',
    code: 400,
    description: 'Bad Request: CHARGE_ALREADY_REFUNDED',
  });
  await host.presses('Refund 1: 1 ⭐');
  await host.presses('Send 1 ⭐ back');
  await owner.sees('Your payment of 1 ⭐ was sent back');
});

test('a refund that comes before its payment is booked when the payment is', async () => {
  const { owner } = await begin();
  const note = {
    currency: 'XTR',
    total_amount: 770,
    invoice_payload: (await order(owner)).invoice!.payload,
    telegram_payment_charge_id: 'early',
  };
  deliverPayment(owner, note, 'refunded_payment');
  deliverPayment(owner, { ...note, provider_payment_charge_id: '' });
  await owner.sees('sent back. Taken back: 1000 activations');
  deliverPayment(owner, note, 'refunded_payment');
  deliverPayment(owner, { ...note, provider_payment_charge_id: '' });
  owner.says('/help');
  await owner.sees('Every day');
  expect(purchased()).toBe(0);
  expect(owner.all().filter((message) => message.text.includes('sent back'))).toHaveLength(1);
});

test('what came for no order after it had gone back is no question to the host', async () => {
  const { owner } = await begin();
  const note = { currency: 'XTR', total_amount: 770, invoice_payload: 'gone' };
  const charge = { ...note, telegram_payment_charge_id: 'early' };
  deliverPayment(owner, charge, 'refunded_payment');
  deliverPayment(owner, { ...charge, provider_payment_charge_id: '' });
  await owner.sees('Your payment of 770 ⭐ was sent back');
  personOf(t.api, t.host).doesNotSee('belongs to no order');
  expect(purchased()).toBe(0);
});

test('the subscription is extended by 30 days from what is left; without a price the host is named', async () => {
  const { owner } = await begin({ subscriptionPriceCents: 2500 });
  const end = () => t.app().core.accounts.find(t.accountId)!.subscriptionExpiresAt!;
  const before = end();
  const invoice = await order(owner, '/subscribe');
  expect(invoice.invoice).toMatchObject({ totalAmount: 1925, startParameter: 'subscribe' });
  expect((await t.api.pay(owner.user, invoice)).ok).toBe(true);
  await owner.sees('30 days of subscription');
  expect(end()).toBe(before + 30 * 24 * 60 * 60 * 1000);
  await t.stop();
  const { owner: other } = await begin();
  other.says('/subscribe');
  await other.sees(/not sold here.*extend it, ask the service administrator/);
});

test('only roles that may buy get an invoice, by command and by button', async () => {
  const { owner } = await begin();
  owner.says('/buy_activations');
  await owner.sees('How many?');
  const data = owner.last().buttons[0]!.callback_data!;
  for (const role of ROLES) {
    const person = personOf(t.api, t.people[role]);
    person.looksAway();
    person.says('/buy_activations 1');
    if (role === 'owner' || role === 'admin') await person.sees(isInvoice);
    else await person.sees('Your role may not do this');
  }
  expect(data).toBe('buy:packs:1');
  expect(purchased()).toBe(0);
});

test('an order at an older price is refused at the checkout; what was paid for it is credited as ordered', async () => {
  const { owner } = await begin();
  const old = {
    accountId: t.accountId,
    kind: 'activations',
    count: 1,
    currency: 'XTR',
    amount: 500,
  } as const;
  const store = t.beside();
  await store.write((tables) =>
    tables.purchaseOrders.save({ ...old, id: 'older-order', orderedBy: owner.user.id, at: Date.now() }),
  );
  await store.close();
  const invoice = await order(owner);
  const asked = { invoice_payload: 'older-order', total_amount: 500 };
  expect(await t.api.pay(owner.user, invoice, asked)).toMatchObject({ error: /price has changed/ });
  expect(purchased()).toBe(0);
  deliverPayment(owner, {
    ...asked,
    currency: 'XTR',
    telegram_payment_charge_id: 'paid-before',
    provider_payment_charge_id: '',
  });
  await owner.sees('Purchased activations now: 1000');
});

test('a payment that could not be booked is given back by the host, and is not booked when it is delivered again', async () => {
  await begin();
  const stranger = personOf(t.api, t.stranger);
  const host = personOf(t.api, t.host);
  const note = {
    currency: 'USD',
    total_amount: 1000,
    invoice_payload: 'gone',
    telegram_payment_charge_id: 'nobody',
    provider_payment_charge_id: '',
  };
  deliverPayment(stranger, note);
  await host.sees('belongs to no order');
  const { token } = await t.app().core.members.invite(t.actors.owner, 'support');
  await t.app().core.members.join({ telegramId: stranger.user.id, name: 'x' }, token);
  deliverPayment(stranger, note);
  host.says('/refund nobody');
  await host.presses('Book as sent back');
  await host.sees('It had never been booked');
  await stranger.sees('Your payment of $10.00 was sent back');
  expect(purchased()).toBe(0);
  host.says('/refund nobody');
  await host.sees('sent back before');
});

test('a checkout is answered while the chat waits for something else', async () => {
  const { owner } = await begin();
  const invoice = await order(owner);
  owner.looksAway();
  t.api.faults.next('sendMessage', { kind: 'flood', retryAfter: 2 });
  owner.says('/help');
  await t.api.waitFor(() => t.api.calls('sendMessage').length > 0);
  expect((await t.api.pay(owner.user, invoice)).ok).toBe(true);
  owner.doesNotSee('Every day');
  await owner.sees('Every day');
});
