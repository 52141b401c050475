import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let t: Stage;
let host: Person;
let owner: Person;
beforeEach(async () => {
  t = await openStage();
  host = personOf(t.api, t.host);
  owner = personOf(t.api, t.people.owner);
});
afterEach(() => t.stop());

const end = () => t.app().core.accounts.find(t.accountId)!.subscriptionExpiresAt!;
const purchased = () => t.app().core.quota(t.actors.owner).purchased;

async function buy(): Promise<string> {
  owner.looksAway();
  owner.says('/buy_activations 1');
  const paid = await t.api.pay(owner.user, await owner.sees((message) => message.invoice !== undefined));
  if (!paid.ok) throw new Error('not paid');
  await owner.sees('Thank you!');
  return paid.chargeId;
}

test('days are granted by name, once for two presses; the owner is told', async () => {
  const before = end();
  host.says('/grant @OWNER_person 30');
  await host.sees('Give this account 30 days');
  const question = host.last();
  await Promise.all([
    t.api.press(host.user, question, 'Give 30 days'),
    t.api.press(host.user, question, 'Give 30 days'),
  ]);
  await host.sees('30 days more');
  await owner.sees('gave your account 30 days');
  expect(end()).toBe(before + 30 * DAY_MS);
});

test('days that were given are taken back, down to now and no further; the owner is told', async () => {
  const before = end();
  host.says('/grant 1 7');
  await host.presses('Give 7 days');
  await host.sees('7 days more');
  host.says('/grant 1 -7');
  await host.sees('Take 7 days of subscription back?');
  await host.presses('Take 7 days back');
  await host.sees(/7 days taken back from .*Shop/);
  await owner.sees('took days of subscription back');
  expect(end()).toBe(before);
  host.says('/payments');
  await host.sees('taken back · Subscription, 7 days');
  host.says('/grant 1 -3650');
  await host.presses('Take 3650 days back');
  await host.sees('3650 days taken back');
  expect(end()).toBeLessThanOrEqual(Date.now());
  host.says('/grant 1 -1');
  await host.sees('has no days of subscription left');
});

test('the same order grants once', async () => {
  const before = end();
  const order = { accountId: t.accountId, days: 5, orderId: 'order' };
  await t.app().core.accounts.grant({ kind: 'host', by: 'cli' }, order);
  expect(await t.app().core.accounts.grant({ kind: 'host', by: 'cli' }, order)).toEqual({
    subscriptionExpiresAt: before + 5 * DAY_MS,
  });
});

test('bare /grant leads through the list of accounts', async () => {
  host.says('/grant');
  await host.sees('Which account gets the days?');
  await host.presses(/· /);
  await host.presses('Grant days');
  await host.presses('7 days');
  await host.sees('Give this account 7 days');
  await host.presses('Give 7 days');
  await host.sees('7 days more');
  host.says('/grant 1 many');
  await host.sees('The number of days must be whole');
  host.says('/grant nobody_here 5');
  await host.sees('There is no such account');
});

test('a payment goes back through Telegram and is taken off once; the payer is told once', async () => {
  const charge = await buy();
  expect(purchased()).toBe(1000);
  // One number for everybody: the shop reads it, too.
  await owner.sees(/^Payment 1$/m);
  owner.says('/paysupport');
  await owner.sees(/^1 · .* · 770 ⭐$/m);
  host.says('/refund #1');
  await host.sees(charge);
  const question = host.last();
  await Promise.all([
    t.api.press(host.user, question, 'Send 770 ⭐ back'),
    t.api.press(host.user, question, 'Send 770 ⭐ back'),
  ]);
  await host.sees('Taken back: 1000 activations');
  await owner.sees('Taken back: 1000 activations');
  expect(purchased()).toBe(0);
  expect(t.api.calls('refundStarPayment')).toHaveLength(1);
  host.says('/refund 1');
  await host.sees('was sent back before');
  owner.says('/help');
  await owner.sees('Every day');
  expect(owner.all().filter((message) => message.text.includes('was sent back'))).toHaveLength(1);
});

test('Stars that went back before a crash are booked by repeating', async () => {
  const charge = await buy();
  host.says(`/refund ${charge}`);
  await host.sees('Send 770 ⭐ back');
  t.api.faults.next('refundStarPayment', { kind: 'cut', after: true });
  await host.presses('Send 770 ⭐ back');
  await host.sees(/it cannot pay twice|is back/);
  await t.api.waitFor(() => purchased() === 0);
  host.looksAway();
  host.says(`/refund ${charge}`);
  await host.sees('was sent back before');
});

test('health and accounts are for hosts alone', async () => {
  host.says('/health');
  await host.sees(
    /Telegram: reachable since .* UTC\nPlatform: the sandbox \(.*\), reachable[\s\S]*set aside in two days: 0;[\s\S]*\nLast backup: not made by the service[\s\S]*Running for: less than a minute\nVersion: \d/,
  );
  const store = t.beside();
  await store.write((tables) => {
    tables.inbox.save(-1, '{}', Date.now());
    tables.inbox.finish(-1, 'set_aside');
  });
  await store.close();
  host.says('/health');
  await host.sees('set aside in two days: 1;');
  host.says('/accounts');
  await host.sees(/Owner: .*owner.*Members: 4/);
  for (const command of ['/health', '/accounts', '/payments', '/grant 1 5', '/refund x']) {
    owner.looksAway();
    owner.says(command);
    await owner.sees('Only the service administrator');
  }
});

test('accounts are paged by number, forth and back', async () => {
  const { accounts } = t.app().core;
  const ids = [t.accountId];
  while (ids.length < 18)
    ids.push((await accounts.create({ kind: 'host', by: 'cli' }, { name: 'More' })).accountId);
  const shown = () => [...host.last().text.matchAll(/^(\d+) · /gm)].map(([, id]) => Number(id));
  host.says('/accounts');
  await host.sees('Accounts');
  await t.quiet();
  expect(shown()).toEqual(ids.slice(0, 8));
  await host.presses(/Next/);
  await t.quiet();
  expect(shown()).toEqual(ids.slice(8, 16));
  await host.presses(/Next/);
  await t.quiet();
  expect(shown()).toEqual(ids.slice(16));
  await host.presses(/Previous/);
  await t.quiet();
  expect(shown()).toEqual(ids.slice(8, 16));
  await host.presses(/Previous/);
  await t.quiet();
  expect(shown()).toEqual(ids.slice(0, 8));
  expect(host.last().buttons.filter(({ text }) => /Previous/.test(text))).toEqual([]);
});

test('a charge that Telegram says is refunded already is success: it is booked', async () => {
  const charge = await buy();
  host.says(`/refund ${charge}`);
  await host.sees('Send 770 ⭐ back');
  const description = 'Bad Request: CHARGE_ALREADY_REFUNDED';
  t.api.faults.next('refundStarPayment', { kind: 'error', code: 400, description });
  await host.presses('Send 770 ⭐ back');
  await host.sees('Taken back: 1000 activations');
  expect(purchased()).toBe(0);
});

test('where Telegram refuses to send Stars back, nothing is booked', async () => {
  const charge = await buy();
  host.says(`/refund ${charge}`);
  await host.sees('Send 770 ⭐ back');
  const description = 'Bad Request: CHARGE_NOT_FOUND';
  t.api.faults.next('refundStarPayment', { kind: 'error', code: 400, description });
  await host.presses('Send 770 ⭐ back');
  await host.sees('nothing was booked');
  expect(purchased()).toBe(1000);
});
