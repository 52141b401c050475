// Buttons of owners, admins and hosts in the hands of others, and presses whose effect a crash left half told.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import type { User } from '../../../test/telegram/types.ts';
import type { Tables } from '../../store/index.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

let updates = 800_000;
/** A press as Telegram would deliver it; what the bot answered to it. */
async function press(user: User, data: string, updateId = (updates += 1)): Promise<string> {
  const message = t.api.messages(user).findLast((each) => each.byBot)!;
  const chat = { id: user.id, type: 'private', first_name: 'x' };
  const id = `press-${updateId}`;
  const callback_query = {
    id,
    from: user,
    chat_instance: '1',
    message: { message_id: message.id, date: 1, chat },
    data,
  };
  t.api.deliver({ update_id: updateId, callback_query });
  const call = await t.api.waitFor(() =>
    t.api.calls('answerCallbackQuery').find((each) => each.payload.callback_query_id === id),
  );
  const { text } = call.payload;
  return typeof text === 'string' ? text : '';
}

const state = () => {
  const { core } = t.app();
  const { owner } = t.actors;
  return JSON.stringify([
    core.members.list(owner),
    core.apiKeys.list(owner),
    core.stockAlerts.list(owner),
    core.accounts.list({ kind: 'host', by: 'cli' }),
    core.purchases.list(owner),
  ]);
};

test('a button of a role above is refused to every role below, and changes nothing', async () => {
  const { operator, support, owner, admin } = t.people;
  const before = state();
  const [key] = t.app().core.apiKeys.list(t.actors.owner);
  const staff = [
    'members:list:0',
    `members:one:${support.id}`,
    `members:role:${support.id}:admin`,
    `members:remove:${support.id}`,
    'settings:stock',
    'buy:packs:1',
  ];
  const owners = [`members:own:${admin.id}`, `members:sure:${admin.id}`, 'key:new', `key:revoke:${key!.id}`];
  const hosts = ['host:accounts:after:0', 'host:account:1', `host:days:${t.accountId}:30`];
  const cases: [User, string[], RegExp][] = [
    [operator, [...staff, ...owners], /role may not/],
    [support, [...staff, ...owners], /role may not/],
    [admin, owners, /role may not/],
    [owner, hosts, /Only the service administrator/],
    [t.stranger, [...staff, ...owners], /not a member/],
  ];
  for (const [user, buttons, refusal] of cases) {
    for (const data of buttons) expect(await press(user, data), data).toMatch(refusal);
  }
  expect(state()).toBe(before);
});

test.each(['members-do', 'key-issue', 'key-revoke', 'host-grant', 'host-refund', 'no:members-do'])(
  'a forged, foreign or old %s does nothing and says so',
  async (action) => {
    const { owner, admin } = t.people;
    const person = personOf(t.api, owner);
    person.says('/members @support_person remove');
    await person.sees('Remove');
    const foreign = person.last().buttons[0]!.callback_data!.split(':')[1]!;
    const before = state();
    for (const user of [admin, t.host]) {
      for (const id of ['forged', foreign, `${'x'.repeat(16)}`]) {
        expect(await press(user, `${action}:${id}`)).toMatch(
          /Nothing was done|too old|may not|not a member|Only the service/,
        );
      }
    }
    expect(state()).toBe(before);
  },
);

/** The store as the process that crashed left it. */
async function beside(work: (tables: Tables) => void): Promise<void> {
  const store = t.beside();
  await store.write(work);
  await store.close();
}

test.each([
  {
    name: 'handing over',
    who: 'owner',
    ask: '/members @admin_person',
    buttons: ['Hand over the account', 'I know what this means'],
  },
  { name: 'leaving', who: 'operator', ask: '/members', buttons: ['Leave the account'] },
  { name: 'removing', who: 'owner', ask: '/members @support_person remove', buttons: [] },
  { name: 'changing a role', who: 'owner', ask: '/members @support_person operator', buttons: [] },
] as const)(
  '$name that a crash interrupted after its transaction is told, and nothing else, when it is handled again',
  async (each) => {
    const person = personOf(t.api, t.people[each.who]);
    person.says(each.ask);
    for (const label of each.buttons) await person.presses(label);
    const question = await person.sees((message) => message.buttons.some(({ text }) => text === 'Cancel'));
    const data = question.buttons[0]!.callback_data!;
    const confirmationId = data.split(':')[1]!;
    const updateId = (updates += 1);
    const { core } = t.app();
    const actor = t.actors[each.who];
    // What the process had written before it ended.
    await beside((tables) => {
      const now = Date.now();
      const content = JSON.stringify({ html: 'It is done.', messageId: question.id });
      tables.confirmations.take(confirmationId, updateId, now);
      const place = { task: 'result', queue: `chat:${person.user.id}` };
      tables.tasks.add({ ...place, key: `result:${confirmationId}`, payload: content, now });
    });
    if (each.name === 'handing over') await core.members.handOver(actor, t.people.admin.id);
    else if (each.name === 'leaving') await core.members.remove(actor, actor.telegramId);
    else if (each.name === 'removing') await core.members.remove(actor, t.people.support.id);
    else await core.members.changeRole(actor, t.people.support.id, 'operator');
    await press(person.user, data, updateId);
    expect((await person.sees('It is done.')).id).toBe(question.id);
    expect(person.last().text).toBe('It is done.');
  },
);
