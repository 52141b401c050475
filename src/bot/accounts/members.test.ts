import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import type { Role } from '../../core/index.ts';

let t: Stage;
let people: Record<Role, Person>;

beforeEach(async () => {
  t = await openStage();
  people = {
    owner: personOf(t.api, t.people.owner),
    admin: personOf(t.api, t.people.admin),
    operator: personOf(t.api, t.people.operator),
    support: personOf(t.api, t.people.support),
  };
});
afterEach(() => t.stop());

const roleOf = (person: Person) => t.app().core.members.findActor(person.user.id)?.role;

test('an owner promotes by buttons; the person is told and has another menu', async () => {
  const { owner, operator } = people;
  owner.says('/members');
  await owner.sees('Members of');
  await owner.presses(/operator/);
  await owner.presses('Make admin');
  await owner.sees('New role for');
  await owner.presses('Make admin');
  await owner.sees(/Done: .*operator.* is admin now/);
  await operator.sees(/changed your role in .*: you are admin now/);
  expect(roleOf(operator)).toBe('admin');
  await t.api.waitFor(() => t.api.menu(operator.user).some(({ command }) => command === 'invite'));
  expect(owner.last().buttons).toEqual([]);
});

test('with arguments it goes straight to the confirmation, which two presses confirm once', async () => {
  const { owner, support } = people;
  owner.says('/members @support_person remove');
  await owner.sees('Remove');
  const question = owner.last();
  const answers = await Promise.all([
    t.api.press(owner.user, question, 'Remove'),
    t.api.press(owner.user, question, 'Remove'),
  ]);
  expect(answers.map((answer) => answer?.text).filter(Boolean)).toEqual([
    'This button was already used, and nothing is done twice. Its result is in this chat, or comes here.',
  ]);
  await support.sees('removed you from');
  expect(roleOf(support)).toBeUndefined();
});

test('Cancel uses the confirmation up', async () => {
  const { owner, support } = people;
  owner.says(`/members ${support.user.id} operator`);
  await owner.sees('New role for');
  const question = owner.last();
  await owner.presses('Cancel');
  await owner.sees('Nothing was done');
  expect((await t.api.press(owner.user, question, 'Make operator'))?.text).toMatch(/already used/);
  expect(roleOf(support)).toBe('support');
});

test('ownership is handed over after two warnings', async () => {
  const { owner, admin } = people;
  owner.says('/members @admin_person');
  await owner.presses('Hand over the account');
  await owner.sees('Hand the whole account over');
  await owner.presses('I know what this means');
  await owner.sees('Last question');
  expect(roleOf(admin)).toBe('admin');
  await owner.presses('Hand over the account');
  await owner.sees('is the owner now, you are an admin');
  await admin.sees('you are its owner now');
  expect([roleOf(owner), roleOf(admin)]).toEqual(['admin', 'owner']);
});

test('an operator sees no members, and may leave; the owner is told', async () => {
  const { operator, owner } = people;
  operator.says('/members');
  await operator.sees(/Your role may not see/);
  operator.doesNotSee('support_person');
  await operator.presses('Leave the account');
  await operator.sees('You can come back only');
  await operator.presses('Leave the account');
  await operator.sees('You have left');
  await owner.sees(/operator.* has left/);
  expect(roleOf(operator)).toBeUndefined();
  operator.says('/members');
  await operator.sees('not a member of an account yet');
});

test('an admin touches neither admins nor the owner, and a role lost meanwhile decides nothing', async () => {
  const { admin, owner, support } = people;
  admin.says('/members @owner_person');
  await admin.sees('owner_person');
  expect(admin.last().buttons.map((button) => button.text)).toEqual(['‹ Back']);
  admin.looksAway();
  await t.api.press(admin.user, admin.last(), '‹ Back');
  await admin.sees('Members of');
  admin.says('/members @owner_person remove');
  await admin.sees(/Remove .*owner/);
  await admin.presses('Remove');
  await admin.sees('Your role may not do this');
  expect(roleOf(owner)).toBe('owner');
  admin.looksAway();
  admin.says('/members @support_person operator');
  await admin.sees(/New role for .*support.*: operator/);
  await t.app().core.members.changeRole(t.actors.owner, admin.user.id, 'operator');
  await admin.presses('Make operator');
  await admin.sees('Your role may not do this');
  expect(roleOf(support)).toBe('support');
});

test('a confirmation pressed by somebody else, or forged, does nothing', async () => {
  const { owner, admin, support } = people;
  owner.says('/members @support_person remove');
  await owner.sees('Remove');
  const question = owner.last();
  const forged = { ...question, chatId: admin.user.id };
  admin.says('/members');
  await admin.sees('Members of');
  const target = admin.last();
  t.api.deliver({
    update_id: 700_001,
    callback_query: {
      id: 'forged',
      from: admin.user,
      chat_instance: '1',
      message: {
        message_id: target.id,
        date: 1,
        chat: { id: admin.user.id, type: 'private', first_name: 'x' },
      },
      data: question.buttons[0]!.callback_data,
    },
  });
  await t.api.waitFor(() =>
    t.api.calls('answerCallbackQuery').find((call) => call.payload.callback_query_id === 'forged'),
  );
  expect(forged.chatId).not.toBe(question.chatId);
  expect(roleOf(support)).toBe('support');
});

test('an invitation is a link for one person, who is welcomed while the inviter is told', async () => {
  const { owner } = people;
  const stranger = personOf(t.api, t.stranger);
  owner.says('/invite');
  await owner.presses('Support');
  const { text } = await owner.sees('Invitation to');
  const link = /https:\/\/t\.me\/\S+/.exec(text)![0];
  expect(await owner.copies('Copy the link')).toBe(link);
  t.api.open(stranger.user, link);
  await stranger.sees(/Welcome! You are in .*support/);
  await owner.sees(/stranger.* used your invitation/);
  expect(roleOf(stranger)).toBe('support');
  await t.api.waitFor(() => t.api.menu(stranger.user).some(({ command }) => command === 'stock'));
  t.api.open(stranger.user, link);
  await stranger.sees('already');
  const late = personOf(t.api, t.host);
  t.api.open(late.user, link);
  await late.sees('used, or is older than 24 hours');
});

test('a member elsewhere is told what to do first', async () => {
  const { owner } = people;
  const { token } = await t.app().core.members.invite(t.actors.owner, 'support');
  t.api.open(people.operator.user, `https://t.me/${t.api.bot.username}?start=join_${token}`);
  await people.operator.sees('You are in');
  const { actor } = await t.app().core.accounts.openOwn({ telegramId: t.stranger.id, name: 'Other' });
  await t.app().core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: actor.accountId, days: 3 });
  const stranger = personOf(t.api, t.stranger);
  t.api.open(stranger.user, `https://t.me/${t.api.bot.username}?start=join_${token}`);
  await stranger.sees('First hand it over');
  expect(owner.user.id).not.toBe(stranger.user.id);
});

test('an admin invites no admins; an unknown role is asked for again', async () => {
  const { admin } = people;
  admin.says('/invite admin');
  await admin.sees('Only the owner invites admins. You can invite:');
  expect(admin.last().buttons.map((button) => button.text)).toEqual(['Operator', 'Support']);
  admin.says('/invite king');
  await admin.sees('I do not know this role');
  expect(admin.last().buttons.map((button) => button.text)).toEqual(['Operator', 'Support']);
});

test.each(['<b>&"</b>', '\u202eevil\u200b', '👩‍👩‍👧‍👦'.repeat(20)])(
  'Telegram refuses nothing for a member called %j',
  async (first_name) => {
    const { owner } = people;
    const person = personOf(t.api, t.api.createUser({ first_name }));
    person.says('/start');
    await person.sees('Hello!');
    const { token } = await t.app().core.members.invite(t.actors.owner, 'operator');
    t.api.open(person.user, `https://t.me/${t.api.bot.username}?start=join_${token}`);
    await person.sees('Welcome!');
    await owner.sees('used your invitation');
    owner.says(`/members ${person.user.id}`);
    await owner.presses('Remove');
    await owner.sees('stays in the history');
    await owner.presses('Remove');
    await person.sees('removed you');
    expect(t.api.calls().filter((call) => call.error)).toEqual([]);
  },
);

test('a confirmation of whoever belongs to another account by now does nothing in the old one', async () => {
  const { admin, support } = people;
  admin.says('/members @support_person remove');
  await admin.sees('Remove');
  const question = admin.last();
  const { accounts, members } = t.app().core;
  await members.remove(t.actors.owner, admin.user.id);
  const { accountId } = await accounts.create({ kind: 'host', by: 'cli' }, { name: 'Other' });
  const store = t.beside();
  await store.write((tables) => {
    const person = { telegramId: admin.user.id, name: 'admin', username: null };
    tables.members.insert({ ...person, accountId, role: 'owner', now: 1_000_000 });
  });
  await store.close();
  const answer = await t.api.press(admin.user, question, 'Remove');
  expect(answer?.text).toMatch(/You were in another account/);
  expect(roleOf(support)).toBe('support');
});

test('eight members are shown at a time, and the pages lead to each other', async () => {
  const { owner } = people;
  const store = t.beside();
  await store.write((tables) => {
    for (let n = 1; n <= 13; n += 1)
      tables.members.insert({
        telegramId: 900 + n,
        accountId: t.accountId,
        role: 'operator',
        name: `Person${n}.`,
        username: null,
        now: 1_000_000 + n,
      });
  });
  await store.close();
  const pageOf = ({ buttons }: { buttons: { text: string }[] }) => buttons.map(({ text }) => text).slice(-4);
  owner.says('/members');
  const first = await owner.sees(/17 people/);
  const shown = [first.text];
  expect(first.buttons).toHaveLength(8 + 2);
  expect(pageOf(first).slice(2)).toEqual(['Next ›', 'Invite somebody']);
  for (const turn of [
    ['‹ Previous', 'Next ›', 'Invite somebody'],
    ['‹ Previous', 'Invite somebody'],
  ]) {
    owner.looksAway();
    await owner.presses('Next ›');
    const next = await owner.sees(/17 people/);
    expect(pageOf(next).slice(-turn.length)).toEqual(turn);
    shown.push(next.text);
  }
  for (let n = 1; n <= 13; n += 1) expect(shown.join('\n').split(`Person${n}.`)).toHaveLength(2);
  owner.looksAway();
  await owner.presses('‹ Previous');
  expect((await owner.sees(/17 people/)).text).toBe(shown[1]);
});
