// What the bot says in groups: public parts and numbers alone, and for everything else the way to the private chat.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Redemption } from '../../src/core/index.ts';
import type { ChatRef, SeenMessage, User } from '../telegram/types.ts';
import { openStage, type Stage } from '../world/play/stage.ts';
import { makeCode } from '../harness/core.ts';

const PLAYER = '5170925570';
const IN_PRIVATE = 'I do this in our private chat only.';
const KINDS = ['group', 'supergroup'] as const;

let t: Stage;
let receipt: Redemption;
let secrets: string[];
let stocked: string[];

beforeAll(async () => {
  t = await openStage();
  const { core } = t.app();
  stocked = [makeCode(), makeCode()];
  await core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes: stocked }]);
  const order = { gameId: 'game_id_2', playerId: PLAYER, code: makeCode() };
  const answer = await core.redeem(t.actors.owner, order);
  if (answer.status !== 'answered') throw new Error(answer.status);
  receipt = answer.redemption;
  const { email = '', password = '' } = receipt.credentials ?? {};
  secrets = [receipt.code ?? '', email, password].filter((each) => each !== '');
  expect(secrets).toHaveLength(3);
});
afterAll(() => t.stop());

describe.each(KINDS)('in a %s', (type) => {
  let group: ChatRef;
  beforeAll(() => {
    const { owner, operator } = t.people;
    group = t.api.createGroup({
      title: 'Shop',
      members: [owner, operator, t.stranger],
      type,
      hearsAll: true,
    });
  });

  test('a receipt is its public part and a link to the private chat', async () => {
    const shown = await ask(t.people.owner, group, `/receipt_${receipt.id}`);
    expect(shown.text).toMatch(/Redeemed · receipt/);
    expect(shown.text).toContain(PLAYER);
    const url = `https://t.me/${t.api.bot.username}?start=receipt_${receipt.id}`;
    expect(shown.buttons).toEqual([{ text: expect.any(String) as string, url }]);
    expectNothingSecret(group);
  });

  test('somebody else learns nothing, neither by the command nor by the link', async () => {
    const refusal = await ask(t.stranger, group, `/receipt_${receipt.id}`);
    expect(refusal.text).toMatch(/not a member/);
    const others = await ask(t.people.operator, group, `/receipt_${receipt.id}`);
    expect(others.text).toBe(`Receipt ${receipt.id} is not there, or not yours to see.`);
    const link = `https://t.me/${t.api.bot.username}?start=receipt_${receipt.id}`;
    for (const user of [t.stranger, t.people.operator]) {
      const count = ofBot(user).length;
      t.api.open(user, link);
      await t.api.waitFor(() => ofBot(user).length > count, 10_000, 'an answer to the link');
      expectNothingSecret(user);
    }
    expectNothingSecret(group);
  });

  test('what spends, stores or shows secrets is done in private only', async () => {
    const lines = [
      ...['/redeem', `/redeem ${PLAYER} 60`, '/add_codes', `/add_codes 60 ${makeCode()}`, '/api_key'],
      ...['/api_key new', '/extract_codes', '/extract_codes 60 1', '/export', '/export 7 full', '/history'],
      ...['/find', `/find ${PLAYER}`, '/members', '/invite operator', '/settings', '/buy_activations 1'],
      ...[`/receipt ${receipt.id}`, `/redeem@${t.api.bot.username} ${PLAYER} 60`],
    ];
    const stock = t.app().core.codes.countAvailable(t.actors.owner, 'game_id_1').get(60);
    for (const line of lines) expect((await ask(t.people.owner, group, line)).text, line).toBe(IN_PRIVATE);
    expect(t.app().core.codes.countAvailable(t.actors.owner, 'game_id_1').get(60)).toBe(stock);
    expect(t.app().core.receipts.list(t.actors.owner, {})).toHaveLength(1);
    expectNothingSecret(group);
  });

  test('stock and quota are numbers', async () => {
    const stock = await ask(t.people.owner, group, '/stock');
    expect(stock.text).toContain('Game 1');
    expect(stock.text).toMatch(/60 UC.*2/);
    expect(stock.buttons).toEqual([]);
    const quota = await ask(t.people.operator, group, '/quota');
    expect(quota.text).toContain('▱');
    expectNothingSecret(group);
  });

  test('whoever writes in the name of the group is told that nobody can tell who they are', async () => {
    const { owner } = t.people;
    for (const line of ['/stock', '/quota', `/receipt_${receipt.id}`]) {
      const sent = t.api.send(owner, group, line, { anonymous: true }).message.id;
      const said = await t.api.waitFor(() => ofBot(group).find(({ id }) => id > sent));
      expect(said.text, line).toBe(
        'You do not write as yourself here, so I cannot tell who you are. Ask me in our private chat.',
      );
    }
    const { id } = t.api.send(owner, group, '/help', { anonymous: true }).message;
    await t.api.waitFor(() => ofBot(group).find((said) => said.id > id && /in a group/.test(said.text)));
  });

  test('a private receipt that is forwarded there answers nothing, and its buttons only say: in private', async () => {
    const { owner } = t.people;
    const mine = await ask(owner, owner, `/receipt_${receipt.id}`);
    for (const secret of secrets) expect(mine.text).toContain(secret);
    const count = ofBot(group).length;
    const forward = t.api.send(owner, group, { forward: mine }).message;
    expect(forward.buttons).toEqual([]);

    const { id } = receipt;
    const own = mine.buttons.flatMap((button) => button.callback_data ?? []);
    const forged = [`receipt:file:${id}`, `redeem:again:${id}`, `redeem:change:${id}`, 'go:api_key new'];
    for (const data of [
      ...own,
      ...forged,
      `go:receipt ${id}`,
      'key:new',
      'export:7:full',
      'members:list:0',
    ]) {
      for (const user of [owner, t.stranger]) {
        const answer = await t.api.press(user, ofBot(group).at(-1)!, { data });
        expect(answer, data).toMatchObject({ text: IN_PRIVATE, alert: true });
      }
    }
    // A group is handled in order: what would have been said to any of this stands before the answer to the next
    // command.
    await ask(owner, group, '/help');
    expect(ofBot(group)).toHaveLength(count + 1);
    expectNothingSecret(group);
  });
});

function ofBot(chat: ChatRef): SeenMessage[] {
  return t.api.messages(chat).filter((message) => message.byBot);
}

/** The bot's first message in the chat after what was said. */
function ask(user: User, chat: ChatRef, text: string): Promise<SeenMessage> {
  const sent = t.api.send(user, chat, text).message.id;
  const first = () => ofBot(chat).find((message) => message.id > sent);
  return t.api.waitFor(first, 10_000, `an answer to ${text}`);
}

/** Looks at the chat as it stands and at every call that ever went into it, and at every pop-up. */
function expectNothingSecret(chat: ChatRef): void {
  const calls = t.api
    .calls()
    .filter(
      ({ method, payload }) =>
        method === 'answerCallbackQuery' || String(payload['chat_id']) === String(chat.id),
    );
  const everything = JSON.stringify([ofBot(chat), calls]);
  for (const secret of [...secrets, ...stocked]) expect(everything).not.toContain(secret);
}
