// The first steps of an owner, played: what cannot be used yet is said before it is sold, and the way to a subscription
// is no circle.
import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { SeenMessage } from '../../../test/telegram/types.ts';

let t: Stage;
let stranger: Person;
afterEach(() => t.stop());

async function begin(bot: StageOptions['bot'] = {}): Promise<void> {
  t = await openStage({ bot: { openSignup: true, ...bot }, api: { flood: 'none' } });
  stranger = personOf(t.api, t.stranger);
}

const isInvoice = (message: SeenMessage) => message.invoice !== undefined;

test('from /start to the first redemption without a wrong sentence; the host is told who came', async () => {
  await begin({ subscriptionPriceCents: 2500, supportContact: '@shop_support' });
  stranger.says('/start');
  const { text } = await stranger.sees('you are the owner');
  expect(text).toMatch(/Activations: 300 in 24 h once there is a subscription \+ 0 bought/);
  expect(text).toContain('There is no subscription yet');
  expect(text).toContain('It costs 1925 ⭐ for 30 days: /subscribe');
  const host = personOf(t.api, t.host);
  await host.sees(/A new account: 2 · .*stranger.*\nOpened by .*stranger.* \(\d+\)/);
  await host.presses('Show the account');
  await host.sees(/Account 2[\s\S]*Subscription: none yet/);

  stranger.says('5170925570 60');
  await stranger.sees('There is no subscription yet');
  stranger.says('/subscribe');
  const invoice = await stranger.sees(isInvoice);
  expect((await t.api.pay(stranger.user, invoice)).ok).toBe(true);
  await stranger.sees('30 days of subscription');
  await stranger.presses('Add codes');
  await stranger.sees(/./);
  stranger.says(`60 UC\n${makeCode()}`);
  await stranger.sees('60 UC: 1 new');
  stranger.looksAway();
  await stranger.presses('Add 1 code');
  await stranger.sees(/Undo|added/);
  stranger.says('5170925570 60');
  await stranger.sees('Redeem this?');
  await stranger.presses('Redeem');
  await stranger.sees(/✅/, 20_000);
  const said = stranger.all().map((message) => message.text);
  expect(said.filter((words) => /ended|renew/i.test(words))).toEqual([]);
});

test('activations are not sold to whom they are of no use, without saying so first', async () => {
  await begin({ subscriptionPriceCents: 2500 });
  stranger.says('/start');
  await stranger.sees('you are the owner');
  for (const words of ['/buy_activations 1', '/start buy_1']) {
    stranger.looksAway();
    stranger.says(words);
    await stranger.sees('Activations need a subscription');
    expect(stranger.last().buttons.map(({ text }) => text)).toEqual(['Get a subscription', '1000 · 770 ⭐']);
    expect(stranger.all().some(isInvoice)).toBe(false);
  }
  await stranger.presses('1000 · 770 ⭐');
  const { invoice } = await stranger.sees(isInvoice);
  expect(invoice?.description).toContain('They need a subscription, and there is none now.');
});

test('a button for activations that was shown while there was a subscription says so once there is none', async () => {
  await begin();
  const owner = personOf(t.api, t.people.owner);
  owner.says('/buy_activations 101');
  await owner.sees('How many?');
  const past = Date.now() - 1;
  const store = t.beside();
  await store.write((tables) => tables.accounts.shortenSubscription(t.accountId, 10_000 * 86_400_000, past));
  await store.close();
  await owner.presses(/^1000 · /);
  await owner.sees('Activations need a subscription');
  expect(owner.all().some(isInvoice)).toBe(false);
});

test('where nothing is sold, everything says whom to ask, and nothing leads back', async () => {
  await begin({ supportContact: '@shop_support' });
  for (const words of ['/start', '/quota', '/subscribe', '5170925570']) {
    stranger.looksAway();
    stranger.says(words);
    const { text } = await stranger.sees(/There is no subscription yet/);
    expect(text, words).toMatch(/To get one, write to @shop_support\./);
    expect(text, words).not.toContain('/subscribe');
  }
});

test.each([
  [{ supportContact: 'help@shop.example' }, /Write to help@shop.example/, /Questions: help@shop.example/],
  [{}, /ask the service administrator/, /answered by the service administrator/],
] as const)('/paysupport and /terms answer everybody: %j', async (settings, support, terms) => {
  await begin(settings);
  const owner = personOf(t.api, t.people.owner);
  for (const person of [stranger, owner, personOf(t.api, t.people.support)]) {
    person.says('/paysupport');
    await person.sees(support);
    person.says('/terms');
    await person.sees(terms);
  }
  owner.says('/buy_activations 1');
  const paid = await t.api.pay(owner.user, await owner.sees(isInvoice));
  if (!paid.ok) throw new Error('not paid');
  await owner.sees('Thank you!');
  owner.looksAway();
  owner.says('/paysupport');
  await owner.sees(/^1 · .* · 770 ⭐$/m);
});
