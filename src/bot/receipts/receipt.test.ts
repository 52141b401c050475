// Receipts in the chat: who sees which, what a group sees, and that nothing secret leaves the private chat.
import { afterEach, describe, expect, test, vi } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { AccountActor, Role } from '../../core/index.ts';

const PLAYER = '5170925570';

let t: Stage;
afterEach(() => t.stop());

async function redeem(actor: AccountActor = t.actors.owner, code = makeCode(), gameId = 'game_id_2') {
  const answer = await t.app().core.redeem(actor, { gameId, playerId: PLAYER, code });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

function person(role: Role) {
  const one = personOf(t.api, t.people[role]);
  one.looksAway();
  return one;
}

test('the receipt is shown by its command, with its number, and by asking for the number', async () => {
  t = await openStage();
  const { id } = await redeem();
  const support = person('support');
  for (const words of [`/receipt_${id}`, `/receipt ${id}`, `/receipt #${id}`]) {
    support.looksAway();
    support.says(words);
    const receipt = await support.sees(/Redeemed · receipt/);
    expect(receipt.text).toContain(`/receipt_${id}`);
    expect(receipt.buttons.map((button) => button.text)).toEqual([
      'Login',
      'Password',
      'Both',
      'Code',
      'For the customer',
    ]);
  }
  support.looksAway();
  support.says('/receipt');
  await support.sees(/Send the number/);
  support.says('the last one');
  await support.sees(/such as 1234/);
  support.says(String(id));
  await support.sees(/Redeemed · receipt/);
});

test('what is made for the customer is told of the receipt: once, whatever languages it is read in', async () => {
  t = await openStage();
  const { id } = await redeem();
  const support = person('support');
  support.says(`/receipt_${id}`);
  await support.sees(/Redeemed · receipt/);
  await support.presses('For the customer');
  await support.sees(/top-up is done/);
  await support.presses('Русский');
  await support.sees(/Пополнение/);
  const story = t.app().core.receiptStories.find(t.actors.owner, id)?.events ?? [];
  expect(story.filter(({ kind }) => kind === 'act')).toMatchObject([
    { what: 'customerReceiptMade', actorLabel: { telegramId: t.people.support.id } },
  ]);
});

test('a number that was asked for is never met by silence, also where the receipt cannot be read', async () => {
  t = await openStage();
  const support = person('support');
  support.says('/receipt');
  await support.sees('Send the number');
  const broken = vi.spyOn(t.app().core.receipts, 'find').mockImplementation(() => {
    throw new Error('It does not open.');
  });
  try {
    support.says('1');
    await support.sees('Something went wrong on my side');
  } finally {
    broken.mockRestore();
  }
});

test('secrets stand behind spoilers and never in monospace', async () => {
  t = await openStage();
  const { id, credentials, code } = await redeem();
  const owner = person('owner');
  owner.says(`/receipt_${id}`);
  const receipt = await owner.sees(/Redeemed · receipt/);
  for (const secret of [credentials?.email, credentials?.password, code]) {
    expect(receipt.text).toContain(secret);
    expect(receipt.visible).not.toContain(secret);
  }
  const monospace = receipt.entities.filter(({ type }) => type === 'code' || type === 'pre');
  expect(monospace.map(({ offset, length }) => receipt.text.slice(offset, offset + length))).toEqual([
    PLAYER,
  ]);
});

describe('who sees a receipt', () => {
  test('an operator sees his own; those of others are as unknown as none, and so are those of other accounts', async () => {
    t = await openStage();
    const { core } = t.app();
    const own = await redeem(t.actors.operator);
    const others = await redeem(t.actors.owner);
    const byKey = await redeem(t.app().actor);
    const { accountId } = await core.accounts.create(
      { kind: 'host', by: 'cli' },
      { name: 'Other', days: 30, purchased: 0 },
    );
    const foreign = await redeem({ kind: 'apiKey', accountId, apiKeyId: 99 });
    const seen: Record<string, boolean[]> = {};
    for (const role of ['owner', 'admin', 'operator', 'support'] as const) {
      const reader = person(role);
      seen[role] = [];
      for (const { id } of [own, others, byKey, foreign, { id: 4_000 }]) {
        reader.looksAway();
        reader.says(`/receipt_${id}`);
        const answer = await reader.sees(new RegExp(`receipt ${id}`, 'i'));
        seen[role].push(/Redeemed ·/.test(answer.text));
        if (!/Redeemed ·/.test(answer.text))
          expect(answer.text).toBe(`Receipt ${id} is not there, or not yours to see.`);
      }
    }
    const all = [true, true, true, false, false];
    expect(seen).toEqual({
      owner: all,
      admin: all,
      support: all,
      operator: [true, false, false, false, false],
    });
  });

  test('a stranger is told that he is not a member', async () => {
    t = await openStage();
    const { id } = await redeem();
    const stranger = personOf(t.api, t.stranger);
    stranger.says(`/receipt_${id}`);
    await stranger.sees(/not a member/);
    stranger.doesNotSee(/Redeemed/);
  });

  test('who redeemed is named: a member by name, a program by its key, a former member as such', async () => {
    t = await openStage();
    const byMember = await redeem(t.actors.operator);
    const byKey = await redeem(t.app().actor);
    const owner = person('owner');
    owner.says(`/receipt_${byKey.id}`);
    await owner.sees(/By: API key crs_[\w-]+…/);
    owner.says(`/receipt_${byMember.id}`);
    await owner.sees('By: \u2068operator\u2069');
    await t.app().core.members.remove(t.actors.owner, t.people.operator.id);
    owner.looksAway();
    owner.says(`/receipt_${byMember.id}`);
    await owner.sees(/By: a former member \(\d+\)/);
  });
});

test('a group sees the public part and a way to the private chat, never a secret', async () => {
  t = await openStage();
  const { id, credentials, code } = await redeem(t.actors.owner, makeCode(), 'game_id_3');
  const group = t.api.createGroup({ title: 'Shop', members: [t.people.owner, t.stranger], type: 'group' });
  const owner = personOf(t.api, t.people.owner).inChat(group);
  owner.says(`/receipt_${id}@${t.api.bot.username}`);
  const receipt = await owner.sees(/Redeemed · receipt/);
  for (const secret of [credentials?.email, credentials?.password, code]) {
    expect(JSON.stringify(receipt)).not.toContain(secret);
  }
  expect(receipt.buttons).toEqual([
    { text: 'Open in our private chat', url: `https://t.me/${t.api.bot.username}?start=receipt_${id}` },
  ]);
  owner.says('/receipt 1');
  await owner.sees(/private chat only/);
});

test('Russian is Russian, with the time in UTC', async () => {
  t = await openStage();
  const { id } = await redeem();
  t.api.send({ ...t.people.owner, language_code: 'ru' }, t.people.owner, `/receipt_${id}`);
  const receipt = await person('owner').sees(/Активировано · чек/);
  expect(receipt.text).toMatch(/Когда: \d+ [а-я]+ \d{4}, \d\d:\d\d UTC/);
});

describe('for the customer', () => {
  test('the receipt comes once more without anything that a customer must not see, as a message of its own', async () => {
    t = await openStage();
    const { id, credentials, code } = await redeem(t.actors.operator);
    const byKey = await redeem(t.app().actor);
    const support = person('support');
    for (const each of [id, byKey.id]) {
      support.looksAway();
      support.says(`/receipt_${each}`);
      await support.sees(/Redeemed · receipt/);
      await support.presses('For the customer');
      const sent = await support.sees('Your top-up is done');
      expect(sent.text).toContain(PLAYER);
      expect(sent.text).toContain(`Receipt: ${each}`);
      expect(sent.buttons.map(({ text }) => text)).toEqual(['Русский']);
      for (const secret of [
        credentials?.email,
        credentials?.password,
        credentials?.uid,
        code,
        code?.slice(-6),
        byKey.code,
      ]) {
        if (secret) expect(JSON.stringify(sent)).not.toContain(secret);
      }
      expect(sent.text).not.toMatch(/operator|support|owner|crs_|key|charged|stock|\/receipt|@/i);
      expect(sent.entities.filter(({ type }) => type === 'spoiler' || type === 'bot_command')).toEqual([]);
    }
  });

  test('what an operator may not see, and what is in a group, is not sent', async () => {
    t = await openStage();
    const { id } = await redeem(t.actors.operator);
    const operator = person('operator');
    operator.says(`/receipt_${id}`);
    const shown = await operator.sees(/Redeemed · receipt/);
    const others = await redeem(t.actors.owner);
    const data = `receipt:customer:${others.id}`;
    expect((await t.api.press(t.people.operator, shown, { data }))?.text).toMatch(/is not there/);
    operator.doesNotSee('Your top-up');
  });
});

test('a token that no message has room for comes as a file, where its button is pressed', async () => {
  t = await openStage();
  const { id, credentials } = await redeem(t.actors.owner, makeCode(), 'game_id_3');
  const owner = person('owner');
  owner.says(`/receipt_${id}`);
  const receipt = await owner.sees(/Redeemed · receipt/);
  // Those of the sandbox have room: as if this one had not.
  t.api.deliver({
    update_id: 700_001,
    callback_query: {
      id: 'tap',
      from: owner.user,
      chat_instance: '1',
      message: {
        message_id: receipt.id,
        date: 1,
        chat: { id: owner.user.id, type: 'private', first_name: 'x' },
      },
      data: `receipt:file:${id}`,
    },
  });
  const { document } = await owner.sees(({ document: file }) => file?.name === `receipt-${id}.txt`);
  expect(document?.bytes.toString()).toBe(credentials?.password);
});
