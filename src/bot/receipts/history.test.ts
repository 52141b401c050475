// /history and /find in the chat: pages, the three ways to ask, and what nobody may see.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { AccountActor, Role } from '../../core/index.ts';

const GAME = 'game_id_1';
let t: Stage;
let person: (role: Role) => Person;
beforeEach(async () => {
  t = await openStage();
  person = (role) => personOf(t.api, t.people[role]);
});
afterEach(() => t.stop());

/** Redeems so many codes for a player; their codes. */
async function redeem(
  count: number,
  playerId = '5170925570',
  actor: AccountActor = t.app().actor,
): Promise<string[]> {
  const codes = Array.from({ length: count }, () => makeCode());
  const { core } = t.app();
  await core.codes.add(actor, GAME, [{ denomination: 60, codes }]);
  for (let n = 0; n < count; n += 1) await core.redeem(actor, { gameId: GAME, playerId, denomination: 60 });
  return codes;
}
/** Written beside the running app: what this player got long ago. */
async function insertPast(count: number, playerName: string): Promise<void> {
  const store = t.beside();
  await store.write(({ redemptions }) => {
    for (let n = 0; n < count; n += 1) {
      const code = makeCode();
      redemptions.begin({
        ...{ accountId: t.accountId, actor: 'apiKey:1', gameId: GAME, mode: 'database' },
        ...{ playerId: '5188888888', playerName, denomination: 60, codeId: null, usageId: null, now: n },
        code: { text: code, ...store.seals.seal(GAME, code) },
      });
    }
  });
  await store.close();
}
/** Written beside the running app, as a change of role in another chat is. */
async function demote(role: Role, to: Role): Promise<void> {
  const store = t.beside();
  const change = { accountId: t.accountId, telegramId: t.people[role].id, from: role, role: to, now: 0 };
  await store.write((tables) => tables.members.setRole(change));
  await store.close();
}
const receiptsIn = (text: string) => [...text.matchAll(/\/receipt_(\d+)/g)].map((match) => Number(match[1]));

describe('/history', () => {
  test('pages through a day, ten lines at a time, each with its receipt and no whole code', async () => {
    const codes = await redeem(23);
    const support = person('support');
    support.says('/history');
    const first = await support.sees(/History, \d+ \w+ 20\d\d, page 1\. Times are UTC\./);
    expect(receiptsIn(first.text)).toEqual([23, 22, 21, 20, 19, 18, 17, 16, 15, 14]);
    await redeem(1);
    await support.presses(/Next/);
    expect(receiptsIn((await support.sees('page 2')).text)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
    await support.presses(/Next/);
    const last = await support.sees('page 3');
    expect(receiptsIn(last.text)).toEqual([3, 2, 1]);
    expect(last.buttons.map((button) => button.text)).toEqual([expect.stringMatching(/Previous/)]);
    await support.presses(/Previous/);
    await support.sees('page 2');
    for (const message of support.all()) for (const code of codes) expect(message.text).not.toContain(code);
    expect(support.all().filter((message) => message.text.includes('Times are'))).toHaveLength(1);
  });

  test('opens at the page that is asked for, and says what to do about one that is none', async () => {
    await redeem(11);
    const admin = person('admin');
    admin.says('/history 2');
    expect(receiptsIn((await admin.sees('page 2')).text)).toEqual([1]);
    for (const [asked, answer] of [
      ['/history 9', /no page 9/],
      ['/history 0', /number from 1/],
      ['/history x', /number from 1/],
      ['/history 24.12.2020', /Nothing was redeemed on 24 Dec 2020/],
      ['/history today', /History, \d+ \w+ 20\d\d, page 1/],
      ['/history 9999999999', /number from 1/],
    ] as const) {
      admin.says(asked);
      await admin.sees(answer);
    }
  });

  test('of an account without any says so', async () => {
    person('owner').says('/history');
    await person('owner').sees(/Nothing was redeemed yet/);
  });
});

describe('/find', () => {
  test('in one message, or asked step by step, or by its pages’ buttons', async () => {
    await redeem(2, '5555512345');
    const [code] = await redeem(1, '6666612345');
    const support = person('support');
    support.says(`/find ${code!.slice(-6)}`);
    await support.sees('Redeemed · receipt 3');
    support.looksAway();
    support.says('/find');
    await support.sees('What shall I look for?');
    support.says({ photo: Buffer.from('no text') });
    support.says('5555512345');
    expect(receiptsIn((await support.sees('Found 2 ')).text)).toEqual([2, 1]);
    support.doesNotSee('Found 3');
  });

  test('pages what it found, for whoever asked and for nobody else', async () => {
    await redeem(12, '5555512345');
    const support = person('support');
    support.says('/find 5555512345');
    const found = await support.sees('Found 12 ');
    await t.restart();
    await support.presses(/Next/);
    expect(receiptsIn((await support.sees('page 2 of 2')).text)).toEqual([2, 1]);
    const data = found.buttons[0]!.callback_data!;
    expect(data.length).toBeLessThanOrEqual(64);
    expect(data).not.toContain('5555512345');
  });

  test('whose role was narrowed meanwhile turns to nothing of what was found', async () => {
    await redeem(12, '5555512345');
    const support = person('support');
    support.says('/find 5555512345');
    await support.sees('Found 12 ');
    await demote('support', 'operator');
    await support.presses(/Next/);
    const { text } = await support.sees(/^Nothing found/);
    expect(receiptsIn(text)).toEqual([]);
  });

  test('says what it looked for, how much that is, and that there is more where it did not look through all', async () => {
    await redeem(2, '5555512345');
    const support = person('support');
    support.says('/find 5555512345');
    const { text, buttons } = await support.sees('Found 2 ');
    expect(text.split('\n\n')[0]).toBe(
      'Found 2 redemptions. Times are UTC.\nLooked for: \u20685555512345\u2069',
    );
    expect(buttons).toEqual([]);
    await insertPast(201, 'Somebody');
    support.says('/find somebody');
    const many = await support.sees('Found 200 ');
    expect(many.text.split('\n\n')[0]).toBe(
      'Found 200 redemptions, page 1 of 20. Times are UTC.\nLooked for: \u2068somebody\u2069\nI looked back to 1 Jan 1970. There may be older ones: a whole player ID, a code or a day finds them.',
    );
    // The codes of all of them begin alike.
    support.says('/find 60S000');
    await support.sees('Too many codes begin or end like this. Send more characters of the code.');
  });

  test('of nothing says what it looks for; the search leaves by its button', async () => {
    const support = person('support');
    support.says('/find nobody');
    await support.sees(/Nothing found/);
    support.says('/find');
    await support.sees('What shall I look for?');
    await support.presses('Cancel');
    await support.sees('Nothing was done');
    support.says('5555512345');
    await support.sees(/Nothing found/);
  });

  test('never finds what is another account’s', async () => {
    const { core } = t.app();
    const other = await core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Other', days: 30 });
    const actor = { kind: 'apiKey', accountId: other.accountId, apiKeyId: 2 } as const;
    const [code] = await redeem(1, '7777712345', actor);
    const owner = person('owner');
    for (const text of ['7777712345', code!, code!.slice(-6), '1']) {
      owner.looksAway();
      owner.says(`/find ${text}`);
      await owner.sees(/Nothing found/);
    }
  });
});

test('an operator sees his own, at commands and at buttons; a stranger is told that he is none', async () => {
  const { operator: actor } = t.actors;
  await redeem(11);
  await redeem(1, '5555512345', t.actors.owner);
  await t.app().core.redeem(actor, { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() });
  const operator = person('operator');
  operator.says('/history');
  expect(receiptsIn((await operator.sees(/Your redemptions, /)).text)).toEqual([13]);
  for (const text of ['5170925570', 'today 5170925570']) {
    operator.looksAway();
    operator.says(`/find ${text}`);
    expect(receiptsIn((await operator.sees('Redeemed · receipt 13')).text)).toEqual([13]);
  }
  operator.looksAway();
  operator.says('/find 5555512345');
  await operator.sees(/Nothing found/);
  // Whoever was support looks no further at what is others' once they are an operator.
  const support = person('support');
  support.says('/history');
  await support.sees('page 1');
  await demote('support', 'operator');
  await support.presses(/Next/);
  expect(receiptsIn((await support.sees(/You redeemed nothing on/)).text)).toEqual([]);
  const stranger = personOf(t.api, t.stranger);
  stranger.says('/find 5170925570');
  await stranger.sees(/not a member/);
  expect(stranger.all().some((message) => message.text.includes('/receipt_'))).toBe(false);
});

test('hostile names of players are one isolated line each, whatever the language', async () => {
  const names = [
    '<b>bold</b>&amp;',
    '\u202egnp.exe',
    '\u200b\u200b',
    'a\n/receipt_999\nb',
    'x'.repeat(4_000),
    '{ $id }',
  ];
  const store = t.beside();
  await store.write((tables) => {
    tables.preferences.save({ telegramId: t.people.admin.id, language: 'ru', mutedNotices: '', menu: '' });
    for (const [n, playerName] of names.entries()) {
      const text = `<i>${n}</i>"&=1+1`;
      const id = tables.redemptions.begin({
        ...{ accountId: t.accountId, actor: 'apiKey:1', gameId: GAME, playerId: '<u>5' },
        ...{ mode: 'direct', denomination: null, codeId: null, usageId: null, now: n },
        code: { text, ...store.seals.seal(GAME, text) },
      });
      const receipt = { openid: 'o', playerName, region: null, productName: null, amount: null };
      endRedeemed(tables, id, { ...receipt, warning: true, credentials: null }, n);
    }
  });
  await store.close();
  for (const [role, word] of [
    ['owner', 'History'],
    ['admin', 'История'],
  ] as const) {
    person(role).says('/history');
    const { text } = await person(role).sees(word);
    expect(receiptsIn(text).filter((id) => id !== 999)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(text.split('\n')).toHaveLength(6 + 4);
    expect(text).toContain('<b>bold</b>&amp;');
  }
});

test('in a group neither of them answers', async () => {
  await redeem(1);
  const group = t.api.createGroup({ title: 'Shop', members: [t.people.owner], type: 'supergroup' });
  const inGroup = person('owner').inChat(group);
  for (const command of ['/history', '/find 5170925570', '/export 7', '/stats']) {
    inGroup.looksAway();
    inGroup.says(command);
    await inGroup.sees(/private chat only/);
  }
});
