import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { startReceiver, type Receiver } from '../../../test/harness/receiver.ts';
import { WEBHOOK_EVENTS } from '../../core/index.ts';

let t: TestBot;
let owner: Person;
let receiver: Receiver;
beforeEach(async () => {
  [t, receiver] = await Promise.all([startTestBot({ webhooksAllowPrivate: true }), startReceiver()]);
  owner = personOf(t.api, t.people.owner);
});
afterEach(async () => {
  await t.stop();
  await receiver.close();
});

const list = () => t.app().core.webhooks.list(t.actors.owner);
async function register(): Promise<number> {
  const events = ['redemption.settled' as const];
  const answer = await t.app().core.webhooks.add(t.actors.owner, { url: receiver.url, events });
  if (answer.status !== 'added') throw new Error(answer.status);
  return answer.webhook.id;
}

test('an address is asked for, told of what was pressed, and registered once for two presses; its secret is shown once', async () => {
  owner.says('/webhooks');
  await owner.sees('There is no webhook yet');
  await owner.presses('Add an address');
  await owner.sees('Send me the address');
  owner.says('my program');
  await owner.sees('That is not an address');
  owner.says('ftp://shop.example');
  await owner.sees('begin with https://');
  owner.says(receiver.url);
  await owner.sees('Tell this address?');
  await owner.presses('✅ stock is low');
  await owner.sees(({ buttons }) => buttons.some(({ text }) => text === '⬜ stock is low'));
  const question = owner.last();
  await Promise.all([
    t.api.press(owner.user, question, 'Add this address'),
    t.api.press(owner.user, question, 'Add this address'),
  ]);
  const shown = await owner.sees('The signing secret');
  const secret = await owner.copies('Copy the secret');
  expect(shown.visible).not.toContain(secret);
  expect(list()).toMatchObject([
    { url: receiver.url, events: WEBHOOK_EVENTS.filter((event) => event !== 'stock.low') },
  ]);

  owner.says('/webhooks');
  await owner.sees('Webhooks');
  await owner.presses(/^1\. 127/);
  await owner.sees('Nothing has been sent');
  await owner.presses('Send a test');
  await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(1);
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
  });
});

test('the last deliveries are shown with what was wrong, and an address that is off is switched on again', async () => {
  receiver.answer = (_request, response) => response.writeHead(500).end();
  const id = await register();
  await t.app().core.webhooks.test(t.actors.owner, id);
  const delivery = () => t.app().core.webhooks.listDeliveries(t.actors.owner, id)[0];
  await expect.poll(() => delivery()?.attempts, { timeout: 15_000 }).toBe(1);
  owner.says('/webhooks');
  await owner.sees('failing');
  await owner.presses(/^1\. 127/);
  const card = await owner.sees('It answered 500.');
  expect(card.text).toContain('Nothing has gone through since');
  await owner.presses('Refresh');
  await owner.sees('It answered 500.');
});

test('the question for an address is left by its button', async () => {
  owner.says('/webhooks');
  await owner.presses('Add an address');
  await owner.sees('Send me the address');
  await owner.presses('Cancel');
  await owner.sees('Cancelled. Nothing was done.');
  owner.says('https://shop.example/hook');
  await owner.sees(/^Send a player ID and/);
});

test('an address is removed after a question, and hears nothing more', async () => {
  await register();
  owner.says('/webhooks');
  await owner.sees('Webhooks');
  await owner.presses(/^1\. 127/);
  await owner.sees('Nothing has been sent');
  await owner.presses('Remove');
  await owner.sees('Remove http');
  await owner.presses('Remove');
  await owner.sees('is removed');
  expect(list()).toEqual([]);
});

test('with an address the command leads straight to the last confirmation; a registered one is told so', async () => {
  await register();
  owner.says(`/webhooks ${receiver.url}`);
  await owner.sees('Tell this address?');
  await owner.presses('Add this address');
  await owner.sees('This address is registered already');
  expect(list()).toHaveLength(1);
});

test('an address that is told of nothing cannot be confirmed', async () => {
  owner.says(`/webhooks ${receiver.url}`);
  const labels = (message: { buttons: { text: string }[] }) => message.buttons.map(({ text }) => text);
  for (let left = WEBHOOK_EVENTS.length; left > 0; left -= 1) {
    const asked = await owner.sees(
      ({ buttons }) => buttons.filter(({ text }) => text.startsWith('✅')).length === left,
    );
    expect(labels(asked).slice(WEBHOOK_EVENTS.length)).toEqual(['Add this address', 'Cancel']);
    await owner.presses(/^✅/);
  }
  const nothing = await owner.sees(
    ({ buttons }) => buttons.filter(({ text }) => text.startsWith('⬜')).length === WEBHOOK_EVENTS.length,
  );
  expect(labels(nothing).slice(WEBHOOK_EVENTS.length)).toEqual(['Cancel']);
});

test('nobody but the owner', async () => {
  for (const role of ['admin', 'operator', 'support'] as const) {
    const person = personOf(t.api, t.people[role]);
    person.says('/webhooks');
    await person.sees('Your role may not do this');
  }
});
