import { afterEach, expect, test } from 'vitest';

import { systemClock } from '../../src/clock.ts';
import { startTestBot, type TestBot } from '../harness/bot-app.ts';
import { holdRedemptions } from '../harness/held-redemptions.ts';

let t: TestBot | undefined;
afterEach(() => t?.stop());

test('a hundred people at once are all answered', async () => {
  // At the pace of all messages together, in its real time.
  t = await startTestBot({ bot: { openSignup: true }, api: { flood: 'none' }, floodClock: systemClock });
  const { api } = t;
  const crowd = Array.from({ length: 100 }, (_, index) => api.createUser({ first_name: `Person ${index}` }));
  for (const person of crowd) api.send(person, person, '/start');
  const isAnswered = (person: { id: number }) =>
    api.messages(person).some((message) => message.byBot && message.text.includes('you are the owner'));
  await expect
    .poll(() => crowd.filter((person) => !isAnswered(person)).length, { timeout: 60_000, interval: 500 })
    .toBe(0);
}, 90_000);

test('a chat whose redemption takes long still answers', async () => {
  const { through, letGo } = holdRedemptions();
  t = await startTestBot({ platformTimeoutMs: 20_000, through });
  const { api, people } = t;
  const owner = people.owner;
  const own = () => api.messages(owner).filter((message) => message.byBot);
  const press = async (label: string) => {
    const message = await api.waitFor(() =>
      own().findLast((each) => each.buttons.some(({ text }) => text === label)),
    );
    await api.press(owner, message, label);
  };
  api.send(owner, owner, '/redeem 5170925571 60SABCDEFGH1234567');
  await press('Redeem');
  api.send(owner, owner, '/stock');
  const stock = await api.waitFor(
    () => own().find((message) => message.text.includes('None yet: 60')),
    4_000,
  );
  expect(stock).toBeDefined();
  expect(own().some((message) => /Redeemed · receipt/.test(message.text))).toBe(false);
  letGo();
  await api.waitFor(() => own().find((message) => /Redeemed · receipt/.test(message.text)), 20_000);
}, 60_000);
