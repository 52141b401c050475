// What the host is told of a refund in words that hold: an outage is no refusal, and a number can be copied.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';

let t: Stage;
let host: Person;
let owner: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  host = personOf(t.api, t.host);
  owner = personOf(t.api, t.people.owner);
});
afterEach(() => t.stop());

test.each([
  ['a proxy that gave up', FAULTS.gatewayTimeoutAfter],
  ['a restart of theirs', FAULTS.restart],
])('%s is no refusal: the Stars may be back, and are asked for again', async (_what, fault) => {
  owner.says('/buy_activations 1');
  const paid = await t.api.pay(owner.user, await owner.sees((message) => message.invoice !== undefined));
  if (!paid.ok) throw new Error('not paid');
  await owner.sees('Thank you!');
  host.says(`/refund ${paid.chargeId}`);
  await host.sees('Send 770 ⭐ back');
  t.api.faults.next('refundStarPayment', fault);
  await host.presses('Send 770 ⭐ back');
  await host.sees('Telegram did not answer, so I booked nothing');
  host.doesNotSee('did not send the Stars back');
  await host.presses('Send 770 ⭐ back');
  await host.sees('Taken back: 1000 activations');
  expect(t.app().core.quota(t.actors.owner).purchased).toBe(0);
});

test('Cancel after an outage does not say that nothing was done: the Stars may be back; booked since, it says so', async () => {
  owner.says('/buy_activations 1');
  const paid = await t.api.pay(owner.user, await owner.sees((message) => message.invoice !== undefined));
  if (!paid.ok) throw new Error('not paid');
  const ask = async () => {
    host.looksAway();
    host.says(`/refund ${paid.chargeId}`);
    return host.sees('Send 770 ⭐ back');
  };
  await ask();
  await host.presses('Cancel');
  await host.sees('Cancelled. Nothing was done.');
  const [first, second] = [await ask(), await ask()];
  t.api.faults.next('refundStarPayment', FAULTS.restart);
  await t.api.press(host.user, first, 'Send 770 ⭐ back');
  await host.sees('Telegram did not answer, so I booked nothing');
  for (const asked of [first, second]) {
    await t.api.press(host.user, asked, 'Cancel');
    await host.sees(({ id, text }) => id === asked.id && text.includes('the Stars may be back all the same'));
  }
  const late = await ask();
  await t.api.press(host.user, await ask(), 'Send 770 ⭐ back');
  await host.sees('Taken back: 1000 activations');
  await t.api.press(host.user, late, 'Cancel');
  await host.sees(({ id, text }) => id === late.id && text.includes('was sent back before'));
});

test('the number of a payment is shown as it is, whatever it is made of', async () => {
  const chargeId = 'a&b<c>"d"';
  const successful_payment = {
    currency: 'XTR',
    total_amount: 1,
    invoice_payload: 'gone',
    telegram_payment_charge_id: chargeId,
    provider_payment_charge_id: '',
  };
  const chat = { id: owner.user.id, type: 'private', first_name: 'x' };
  const date = Math.floor(Date.now() / 1000);
  const message = { message_id: 900_000, date, chat, from: owner.user, successful_payment };
  t.api.deliver({ update_id: 800_001, message });
  await host.presses('Refund 1: 1 ⭐');
  await host.sees(`Payment: ${chargeId}`);
});
