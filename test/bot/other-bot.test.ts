// The token of another bot: its updates are other updates, whatever their numbers, hosts are told once, and what only the
// old bot could do is said.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createBotApi, type BotApi } from '../telegram/telegram.ts';
import type { User } from '../telegram/types.ts';
import { startTestBot, type TestBot } from '../harness/bot-app.ts';
import { personOf } from '../harness/bot.ts';

const OTHER = '654321:another-token-that-must-never-be-logged';
let t: TestBot;
let other: BotApi;
let url: string;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  t = await startTestBot({ api: { flood: 'none' }, log: log });
  other = createBotApi({ token: OTHER, username: 'new_test_bot', flood: 'none' });
  ({ url } = await other.listen());
  for (const { id, first_name, username } of [...Object.values(t.people), t.host, t.stranger])
    other.createUser({ id, first_name, ...(username && { username }), language_code: 'en' });
});
afterEach(async () => {
  await t.stop();
  await other.close();
});

/** The same person with the other bot. */
const there = (user: User) => personOf(other, user);
const become = (meanwhile?: () => void) => t.restart(meanwhile, { token: OTHER, apiRoot: url });

test('an equal number is another update, hosts are told once, and nobody else is thought to fetch', async () => {
  const owner = personOf(t.api, t.people.owner);
  const hasMenu = (api: BotApi) => api.menu(owner.user).some(({ command }) => command === 'members');
  owner.says('/start');
  await t.api.waitFor(() => hasMenu(t.api));
  const { updateId = 0 } = owner.says('/stock');
  await owner.sees('None yet');
  await become(() => other.countFrom(updateId));
  there(t.people.owner).says('/stock');
  await there(t.people.owner).sees('None yet');
  const host = there(t.host);
  host.says('/start');
  await host.sees('I am @new_test_bot now; until now this service was @redemption_test_bot');
  other.countFrom(updateId + 50);
  there(t.people.admin).says('/stock');
  await there(t.people.admin).sees('None yet');
  await t.restart();
  there(t.people.admin).says('/quota');
  await there(t.people.admin).sees('activations');
  expect(host.all().filter(({ text }) => text.includes('I am @'))).toHaveLength(1);
  expect(logged.filter((each) => each.includes('another process'))).toEqual([]);
  await other.waitFor(() => hasMenu(other));
});

test('a file that was not fetched is asked for again, and the import goes on with the new bot', async () => {
  const owner = personOf(t.api, t.people.owner);
  owner.says('60 UC\n60S0000000000001\n60S0000000000002');
  await owner.sees('2 new');
  t.api.faults.next('getFile', { kind: 'hang' });
  owner.sendsFile('more.txt', '60S0000000000004');
  await t.api.waitFor(() => t.api.calls('sendChatAction').length > 0);
  await become();
  there(t.people.owner).says('60S0000000000003');
  await there(t.people.owner).sees('Please send it again');
  await there(t.people.owner).sees('3 new');
  await there(t.people.owner).presses('Add 3 codes');
  await there(t.people.owner).sees('3 codes added');
});

test('a payment that the old bot got is sent back by it alone, and one that the new bot got by the new', async () => {
  const pay = async (api: BotApi, user: User) => {
    const payer = personOf(api, user);
    payer.says('/buy_activations 1');
    const invoice = await payer.sees(({ invoice: found }) => found !== undefined);
    await api.pay(user, invoice);
    await payer.sees('Thank you! Paid');
  };
  await pay(t.api, t.people.owner);
  await become();
  await pay(other, t.people.admin);
  const host = there(t.host);
  host.says('/refund 1');
  await host.presses(/Send .* back/);
  await host.sees('This was paid to @redemption_test_bot');
  other.faults.next('refundStarPayment', { kind: 'error', code: 400, description: 'Bad Request: no' });
  host.says('/refund 2');
  await host.sees('Payment: 2');
  await host.presses(/Send .* back/);
  await host.sees('Telegram did not send the Stars back');
});
