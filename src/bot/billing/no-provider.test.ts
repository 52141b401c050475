// A button for paying by card that outlived the provider of payments.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
import { personOf } from '../../../test/harness/bot.ts';

let t: TestBot;
beforeEach(async () => {
  t = await startTestBot({ bot: { paymentProviderToken: 'provider:token' } });
});
afterEach(() => t.stop());

test('says that there is none any more, and nothing else; the order in Stars stays good', async () => {
  const owner = personOf(t.api, t.people.owner);
  owner.says('/buy_activations 1');
  await owner.sees((message) => message.invoice?.currency === 'USD');
  owner.looksAway();
  await owner.presses(/⭐ instead/);
  const inStars = await owner.sees((message) => message.invoice?.currency === 'XTR');
  await t.restart(undefined, { paymentProviderToken: undefined });
  owner.looksAway();
  await owner.presses(/\$10.00 instead/);
  await owner.sees('Payment by card is not offered here. /buy_activations shows what is.');
  await t.api.pay(owner.user, inStars);
  await owner.sees(/Thank you! Paid/);
  expect(
    owner
      .all()
      .map(({ text, invoice }) => invoice?.currency ?? text.slice(0, 20))
      .slice(-4),
  ).toEqual(['USD', 'XTR', 'Payment by card is n', 'Thank you! Paid for ']);
});
