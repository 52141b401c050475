import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { ROLES } from '../../core/index.ts';

const PLAYER = '5170925570';
const ROLE_WORDS = {
  ...{ owner: 'you are the owner', admin: 'you are an admin' },
  ...{ operator: 'you are an operator', support: 'you are support' },
};
let t: Stage;
const begin = async (bot: StageOptions['bot'] = {}) => (t = await openStage({ bot }));
afterEach(() => t.stop());

test('every role is told in four lines who it is, and its buttons are commands that it may use', async () => {
  await begin();
  for (const role of ROLES) {
    const person = personOf(t.api, t.people[role]);
    person.says('/start');
    const { text } = await person.sees('you are');
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toContain(ROLE_WORDS[role]);
    expect(text).toMatch(/Activations left: 300 of 300 \(24 h\) \+ 0 bought/);
    for (const { text: label } of person.last().buttons) {
      person.looksAway();
      await person.presses(label);
      await person.sees(/./);
      person.doesNotSee('Your role may not do this');
      person.says('/cancel');
    }
    const menu = () => t.api.menu(person.user).map(({ command }) => command);
    await t.api.waitFor(() => menu().includes('redeem') || role === 'support');
    expect(menu().includes('invite')).toBe(role === 'owner' || role === 'admin');
  }
});

test('a stranger needs an invitation, or gets an account of their own where everybody is let in', async () => {
  await begin();
  const stranger = personOf(t.api, t.stranger);
  stranger.says('/start');
  await stranger.sees('you need an invitation');
  await t.stop();
  await begin({ openSignup: true });
  const other = personOf(t.api, t.stranger);
  other.says('/start');
  await other.sees('you are the owner');
  const account = t.app().core.members.findActor(other.user.id)!.accountId;
  other.says('/start buy_2');
  await other.sees('How many?');
  expect(t.app().core.members.findActor(other.user.id)!.accountId).toBe(account);
  const { token } = await t.app().core.members.invite(t.actors.owner, 'support');
  other.says(`/start join_${token}`);
  await other.sees('you are support');
  expect(t.app().core.members.findActor(other.user.id)!.accountId).toBe(t.accountId);
});

test('another bot gets no answer and no account, and who comes after it does', async () => {
  await begin({ openSignup: true });
  const bot = personOf(t.api, { ...t.api.createUser({ first_name: 'Spam' }), is_bot: true });
  for (const words of ['/start', 'hello', '/help', '/start buy_1']) bot.says(words);
  const person = personOf(t.api, t.stranger);
  person.says('/start');
  await person.sees('you are the owner');
  expect(bot.all().filter(({ byBot }) => byBot)).toEqual([]);
  expect(t.app().core.members.findActor(bot.user.id)).toBeUndefined();
});

test('in a group it says little, and takes no invitation there', async () => {
  await begin();
  const { token } = await t.app().core.members.invite(t.actors.owner, 'support');
  const group = t.api.createGroup({ title: 'Shop', members: [t.stranger, t.people.owner] });
  const there = personOf(t.api, t.stranger).inChat(group);
  there.says(`/start@${t.api.bot.username} join_${token}`);
  await there.sees('everything else in our private chat');
  expect(t.app().core.members.findActor(t.stranger.id)).toBeUndefined();
});

test.each([
  'join_',
  'join_forged',
  'buy_0',
  'buy_999',
  'receipt_999999999999999',
  'receipt_x',
  'x'.repeat(64),
])('a link %s that leads nowhere is no dead end', async (payload) => {
  await begin();
  const owner = personOf(t.api, t.people.owner);
  owner.looksAway();
  owner.says(`/start ${payload}`);
  await owner.sees(/you are|new link|How many|receipt/i);
  expect(t.api.calls().filter((call) => call.error)).toEqual([]);
});

test('without a subscription whoever may pay is led to /subscribe, everybody else to the owner', async () => {
  t = await openStage({ days: 0, bot: { subscriptionPriceCents: 2500 } });
  const asked = [
    ['/start', 'you are'],
    ['/quota', 'Daily quota'],
    [`/redeem ${PLAYER} 60`, 'subscription'],
  ] as const;
  for (const role of ROLES) {
    const person = personOf(t.api, t.people[role]);
    const mayPay = role === 'owner' || role === 'admin';
    for (const [words, answer] of role === 'support' ? asked.slice(0, 2) : asked) {
      person.looksAway();
      person.says(words);
      const { text } = await person.sees(answer);
      expect(text.includes('/subscribe'), `${role}: ${text}`).toBe(mayPay);
      expect(/Ask the owner of the account to (renew it|get one)\./.test(text), `${role}: ${text}`).toBe(
        !mayPay,
      );
    }
  }
});

test('whoever hosts the service is told that the platform is the sandbox, and nobody else', async () => {
  await begin();
  const host = personOf(t.api, t.host);
  host.says('/start');
  await host.sees(/sandbox[\s\S]*UPSTREAM_URL/);
  const owner = personOf(t.api, t.people.owner);
  owner.says('/start');
  expect((await owner.sees('you are')).text).not.toContain('sandbox');
});
