// The host's menus, played: an account is found, looked at, opened, given something; a payment is given back in two
// taps.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';

const HOST = { kind: 'host', by: 'cli' } as const;
let t: Stage;
let host: Person;
let owner: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  host = personOf(t.api, t.host);
  owner = personOf(t.api, t.people.owner);
});
afterEach(() => t.stop());

const labels = (person: Person) => person.last().buttons.map(({ text }) => text);

async function pay(thousands = 1): Promise<string> {
  owner.looksAway();
  owner.says(`/buy_activations ${thousands}`);
  const paid = await t.api.pay(owner.user, await owner.sees((message) => message.invoice !== undefined));
  if (!paid.ok) throw new Error('not paid');
  await owner.sees('Thank you!');
  return paid.chargeId;
}

test.each(['@support_person', 'OWNER', '1'])(
  '/accounts %s shows the card: people, use, balance, what can be done',
  async (who) => {
    host.says(`/accounts ${who}`);
    const { text } = await host.sees('Account 1');
    expect(text).toMatch(
      /Subscription: until \d+ \w+ \d{4}\nUsed in 24 hours: 0 of 300 activations\nPurchased activations: 0 left of 0/,
    );
    expect(text).toMatch(/4 people:\n.*owner.* @owner_person \(\d+\), owner/);
    expect(labels(host)).toEqual([
      'Grant days',
      'Grant activations',
      'Payments',
      'Pause',
      'Close',
      'Accounts',
    ]);
  },
);

test('more than one that fits is a list with pages; none is said so, with the way to a new one', async () => {
  for (let n = 1; n <= 10; n += 1) await t.app().core.accounts.create(HOST, { name: `Falcon ${n}` });
  host.says('/accounts falcon');
  expect((await host.sees('10 accounts found')).text).toMatch(/page 1 of 2[\s\S]*Falcon 8/);
  await host.presses(/Next/);
  await host.sees(/page 2 of 2[\s\S]*Falcon 10/);
  await host.presses(/Falcon 10/);
  await host.sees('Nobody is in it yet');
  host.says('/accounts nobody <b>');
  await host.sees('No account matches “nobody <b>”');
  expect(labels(host)).toEqual(['New account']);
});

test('a new account is opened once for two presses, with the link that makes its owner', async () => {
  host.says('/accounts');
  await host.presses('New account');
  await host.sees('What shall the new account be called?');
  const again = 'A name has 1 to 64 characters. Please send another one.';
  for (const unfit of [{ photo: Buffer.from('a picture') }, 'x'.repeat(65)]) {
    host.looksAway();
    host.says(unfit);
    await host.sees(again);
  }
  host.says('x'.repeat(64));
  await host.sees(/Open an account called .*x{64}/);
  await host.presses('Cancel');
  host.says('/accounts');
  await host.presses('New account');
  await host.sees('What shall the new account be called?');
  host.says('  Corner   shop ');
  await host.sees(/Open an account called .*Corner shop/);
  await host.presses('30 days');
  await host.sees(/Corner shop.* with 30 days of subscription\?/);
  const question = host.last();
  await Promise.all([
    t.api.press(host.user, question, 'Open the account'),
    t.api.press(host.user, question, 'Open the account'),
  ]);
  const { text } = await host.sees('Its number is 2');
  expect(text).toContain(await host.copies('Copy the link'));
  expect(t.app().core.accounts.isSubscriptionActive(2)).toBe(true);
  const [, token = ''] = /start=(join_[\w-]+)/.exec(text) ?? [];
  const stranger = personOf(t.api, t.stranger);
  stranger.says(`/start ${token}`);
  await stranger.sees('you are the owner');
  await host.presses('Show the account');
  await host.sees(/Account 2[\s\S]*stranger/);
  expect(
    t
      .app()
      .core.accounts.list(HOST)
      .map(({ name }) => name),
  ).toEqual(['Shop', 'Corner shop']);
});

test('activations are given from the card, once; the owner is told', async () => {
  host.says('/accounts 1');
  await host.presses('Grant activations');
  await host.presses('500');
  await host.sees('Give this account 500 activations?');
  const question = host.last();
  await Promise.all([
    t.api.press(host.user, question, 'Give 500 activations'),
    t.api.press(host.user, question, 'Give 500 activations'),
  ]);
  await host.sees('has 500 activations more');
  await owner.sees('gave your account 500 activations');
  expect(t.app().core.quota(t.actors.owner).purchased).toBe(500);
  host.says('/payments');
  expect((await host.sees('gift · 500 activations')).text).toContain('Spent: 0 of 500');
  await host.presses(/^Take gift \d+ back$/);
  await host.sees(/Take this gift of .*Shop.* back\?\nNot spent, and taken back: 500 of 500/);
  await host.presses('Take it back');
  await host.sees('the gift is taken back');
  await owner.sees('took 500 activations back that were a gift');
  expect(t.app().core.quota(t.actors.owner).purchased).toBe(0);
});

test('a payment goes back in two taps after the command, which says what is spent', async () => {
  const charge = await pay();
  host.says('/payments');
  const { text } = await host.sees('770 ⭐ · 1000 activations');
  expect(text).toMatch(/Paid by .*owner.* @owner_person[\s\S]*Spent: 0 of 1000/);
  expect(text).toContain(charge);
  await host.presses(/^Refund \d+: 770 ⭐$/);
  await host.sees(
    /Send 770 ⭐ back to .*owner.* @owner_person \(\d+\), who paid[\s\S]*taken back: 1000 of 1000 activations/,
  );
  await host.presses('Send 770 ⭐ back');
  await host.sees('Taken back: 1000 activations');
  host.says('/payments @owner_person');
  await host.sees(/Payments of [\s\S]*Sent back on/);
  expect(labels(host)).toEqual(['‹ Back']);
});

test('payments are paged, of one account or of all', async () => {
  for (let n = 1; n <= 7; n += 1) {
    const order = { accountId: t.accountId, purchased: n, orderId: String(n) };
    await t.app().core.accounts.grant(HOST, order);
  }
  const shown = () =>
    [...host.last().text.matchAll(/(\d+) activations?\n/g)].map(([, count]) => Number(count));
  host.says('/payments 1');
  await host.sees('Payments of');
  expect(shown()).toEqual([7, 6, 5, 4, 3]);
  await host.presses(/Next/);
  await t.quiet();
  expect(shown()).toEqual([2, 1]);
  await host.presses(/Previous/);
  await t.quiet();
  expect(shown()).toEqual([7, 6, 5, 4, 3]);
});
