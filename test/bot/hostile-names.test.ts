// Names as the worst of people choose them, on persons, accounts, groups and players: everything that shows a name is
// asked for, and nothing of it may break a message, forge its markup, or become a formula in a spreadsheet.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { MemberActor } from '../../src/core/index.ts';
import { describePlayer } from '../../src/platform/sandbox/people.ts';
import type { SeenMessage } from '../telegram/types.ts';
import { openStage, type Stage } from '../world/play/stage.ts';
import { personOf, type Pattern, type Person } from '../harness/bot.ts';
import { makeCode } from '../harness/core.ts';

const GAME = 'game_id_1';
const PLAIN_PLAYER = /^(?:[A-Z][a-z]+){2}\d+$/;
/** What a client finds by itself in any text; everything else is markup that was sent. */
const FOUND_BY_CLIENTS = new Set([
  'url',
  'mention',
  'bot_command',
  'hashtag',
  'cashtag',
  'email',
  'phone_number',
]);
const OUR_MARKUP = new Set(['code', 'bold', 'spoiler']);

const HOSTILE = [
  ['markup', '<b>&"</b>'],
  ['a link', '<a href="http://example.invalid">x</a>'],
  ['marks of direction', '\u202eevil\u202d\u2067 name\u2069\u2069'],
  ['nothing that is seen', '\u200b\u2060\u200b'],
  ['4,000 characters', 'x'.repeat(4_000)],
  ['joined emoji', '👩‍👩‍👧‍👦'.repeat(20)],
  ['a variable', '{ $x } { $person }'],
  ['lines', 'one\n\n\ntwo\r\n/start'],
  ['a formula', '=1+1'],
] as const;

/** One sandbox player for every awkward name there is. */
const PLAYERS = findAwkwardPlayers();

let t: Stage;
let host: Person;
beforeAll(async () => {
  t = await openStage({ bot: { openSignup: true } });
  host = personOf(t.api, t.host);
});
afterAll(() => t.stop());

test('the sandbox has awkward players to try', () => {
  expect(PLAYERS.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^=HYPERLINK/));
  expect(PLAYERS.map(({ name }) => name)).toContainEqual(expect.stringMatching(/<b>/));
});

describe.each(HOSTILE)('a person, an account and a group called by %s', (_what, called) => {
  test('are shown everywhere without a mistake', async () => {
    const before = t.api.calls().length;
    const { owner, operator, actors } = await openShop(called);
    const receipts = await redeemForAll(actors);
    await lookEverywhere(owner, operator, receipts);
    await lookInGroup(owner, called, receipts[0]!);
    const csv = await exportOf(owner);

    const ids = receipts.map(String);
    expect(ids.filter((id) => !csv.some(([first]) => first === id))).toEqual([]);
    expect(csv.flat().filter((cell) => /^[\s\p{Cf}]*[=+\-@]/u.test(cell))).toEqual([]);
    expect(csv.flat()).toContainEqual(expect.stringMatching(/^'=HYPERLINK/));
    expectNoRefusals(before);
    const messages = [owner, operator, host].flatMap((person) => person.all());
    expectOwnMarkupOnly(messages);
    expectWithinLimits(messages);
  });
});

test('a name is shown as it was typed, tags and all', async () => {
  for (const called of ['<b>&"</b>', '{ $x } { $person }']) await openShop(called);
  const shown = t.api.calls('sendMessage').map(({ payload }) => String(payload.text));
  expect(shown).toContainEqual(expect.stringContaining('\u2068&lt;b&gt;&amp;&quot;&lt;/b&gt;\u2069'));
  expect(shown).toContainEqual(expect.stringContaining('{ $x } { $person }'));
});

async function openShop(called: string) {
  // Telegram lets letters, digits and underscores alone into a username: markup in one is more than can come.
  const makePerson = () => personOf(t.api, t.api.createUser({ first_name: called, username: '<i>&"</i>' }));
  const [owner, operator] = [makePerson(), makePerson()];
  await ask(owner, '/start', 'you are the owner');
  const { core } = t.app();
  const boss = core.members.findActor(owner.user.id)!;
  await core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: boss.accountId, days: 30 });
  const { token } = await core.members.invite(boss, 'operator');
  t.api.open(operator.user, `https://t.me/${t.api.bot.username}?start=join_${token}`);
  await operator.sees('Your role: operator');
  await owner.sees('used your invitation');
  return { owner, operator, actors: [boss, core.members.findActor(operator.user.id)!] };
}

/** The receipts, by the two members in turn; the last is one that only a program could ask for. */
async function redeemForAll(actors: readonly MemberActor[]): Promise<number[]> {
  const ids = [];
  const playerIds = [...PLAYERS.map(({ id }) => id), '=1+1<b>\u202e'];
  for (const [index, playerId] of playerIds.entries()) {
    const order = { gameId: GAME, playerId, code: makeCode() };
    const answer = await t.app().core.redeem(actors[index % actors.length]!, order);
    if (answer.status !== 'answered') throw new Error(answer.status);
    ids.push(answer.redemption.id);
  }
  return ids;
}

async function lookEverywhere(owner: Person, operator: Person, receipts: readonly number[]): Promise<void> {
  for (const id of receipts) await ask(owner, `/receipt_${id}`, `/receipt_${id}`);
  await ask(owner, '/start', 'you are');
  await ask(owner, '/history', `/receipt_${receipts.at(-1)}`);
  await ask(owner, '/find Bob', `/receipt_`);
  await ask(owner, `/find ${PLAYERS[0]!.id}`, `/receipt_`);
  await ask(owner, '/stats', (message) => message.photo !== undefined);
  await ask(owner, '/members', 'Members of');
  await ask(owner, `/members ${operator.user.id} remove`, 'Remove');
  await owner.presses('Cancel');
  await ask(owner, '/redeem', 'game');
  await owner.presses('Game 1');
  const known = await owner.sees((message) =>
    message.buttons.some(({ text }) => text.includes(PLAYERS.at(-1)!.id)),
  );
  await t.api.press(owner.user, known, known.buttons[0]!.text);
  await owner.presses('Cancel');
  await ask(host, '/accounts', 'Accounts');
}

async function lookInGroup(owner: Person, title: string, id: number): Promise<void> {
  const group = t.api.createGroup({ title, members: [owner.user], type: 'group' });
  const there = owner.inChat(group);
  const receipt = await ask(there, `/receipt_${id}@${t.api.bot.username}`, /receipt/);
  expectOwnMarkupOnly([receipt]);
}

/** The cells of the document, line by line. */
async function exportOf(owner: Person): Promise<string[][]> {
  const { document } = await ask(owner, '/export 1 csv', (message) => message.document !== undefined);
  const text = Buffer.from(document!.bytes)
    .toString()
    .replace(/^\ufeff/, '');
  return text
    .split('\r\n')
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
      ),
    );
}

function ask(person: Person, words: string, pattern: Pattern): Promise<SeenMessage> {
  person.looksAway();
  person.says(words);
  return person.sees(pattern);
}

function expectNoRefusals(since: number): void {
  const refused = t.api
    .calls()
    .slice(since)
    .filter(({ error }) => error && !error.description.includes('not modified'));
  expect(refused).toEqual([]);
}

function expectOwnMarkupOnly(messages: readonly SeenMessage[]): void {
  for (const { text, entities } of messages) {
    const markup = entities.filter(({ type }) => !FOUND_BY_CLIENTS.has(type));
    expect(markup.filter(({ type }) => !OUR_MARKUP.has(type))).toEqual([]);
    for (const { offset, length } of markup) {
      // A piece of markup holds a whole isolated name or none: an edge inside of one was typed by its owner.
      for (const edge of [offset, offset + length]) expect(countOpen(text.slice(0, edge))).toBe(0);
    }
    expect(countOpen(text), text).toBe(0);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066\u2067]/);
  }
}

function countOpen(text: string): number {
  return text.split('\u2068').length - text.split('\u2069').length;
}

function expectWithinLimits(messages: readonly SeenMessage[]): void {
  for (const { text, buttons } of messages) {
    expect(text.length).toBeLessThanOrEqual(4096);
    for (const button of buttons) {
      expect(Buffer.byteLength(button.callback_data ?? '')).toBeLessThanOrEqual(64);
      expect(button.text).not.toMatch(/[\n\u202a-\u202e\u2066\u2067]/);
    }
  }
}

function findAwkwardPlayers(): { id: string; name: string }[] {
  const found = new Map<string, { id: string; name: string }>();
  for (let number = 5_170_925_570; number < 5_170_925_770; number += 1) {
    const id = String(number);
    const { name } = describePlayer(GAME, id);
    if (!PLAIN_PLAYER.test(name) && !found.has(name)) found.set(name, { id, name });
  }
  return [...found.values()];
}
