// Talks that survive a deployment, idle hours, a catalogue that changed, and people who answer anything but what was
// asked.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { createForwardClock } from '../../../test/harness/forward-clock.ts';

interface Entry {
  id: string;
  database: boolean;
  denominations: number[];
}

const GAMES = new URL('../../../data/games.json', import.meta.url);
const MINUTE_MS = 60_000;
const shipped = JSON.parse(readFileSync(GAMES, 'utf8')) as Entry[];

let folder: string;
let t: Stage;
let admin: Person;
const clock = createForwardClock();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redemption-talk-'));
  writeGames(shipped);
  t = await openStage({ gamesFile: join(folder, 'games.json'), clock });
  admin = personOf(t.api, t.people.admin);
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true, force: true });
});

function writeGames(games: readonly Entry[]): void {
  writeFileSync(join(folder, 'games.json'), JSON.stringify(games));
}

/** A deployment: what a replay runs is another one, whatever else it changed. */
async function deploy(games = [...shipped, { ...shipped[1]!, id: 'game_id_9' }]): Promise<void> {
  writeGames(games);
  await t.restart();
}

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const available = () => t.app().core.codes.countAvailable(t.actors.admin, 'game_id_1').get(60);

async function beginPaste(codes: readonly string[]): Promise<void> {
  admin.says('/add_codes 60');
  await admin.sees(/Paste the codes now/);
  admin.says(codes.join('\n'));
  await admin.sees(`60 UC: ${codes.length} new`);
  admin.looksAway();
}

test.each([
  ['a deployment', () => deploy()],
  ['half an hour', () => t.restart().then(() => clock.advance(31 * MINUTE_MS))],
])('%s in the middle of a paste keeps the pieces, and their preview says so', async (_what, interrupt) => {
  const codes = makeCodes(30);
  await beginPaste(codes.slice(0, 10));
  await interrupt();
  admin.says(codes.slice(10, 20).join('\n'));
  await admin.sees(/I go on: what you pasted before is kept/);
  admin.says(codes.slice(20).join('\n'));
  await admin.sees(/60 UC: 30 new/);
  await admin.presses('Add 30 codes');
  await t.api.waitFor(() => available() === 30);
  expect(admin.all().filter(({ text }) => /Nothing was done/.test(text))).toEqual([]);
});

test('Done after an interruption reads what is there; anything else shows that it is kept', async () => {
  await beginPaste(makeCodes(10));
  await deploy();
  admin.says('hello?');
  const kept = await admin.sees(/What you pasted is kept: 1 message/);
  expect(kept.buttons.map(({ text }) => text)).toEqual(['Done', 'Cancel']);
  admin.says('Done');
  await admin.sees(/60 UC: 10 new/);
});

test('where nothing was pasted yet, an interrupted conversation ends with a sentence', async () => {
  admin.says('/redeem');
  await admin.sees(/Which game/);
  await deploy();
  admin.says('5170925570');
  await admin.sees(/I was updated meanwhile .* Nothing was done/);
});

test('a button means the game that it names, whatever stands before it by then', async () => {
  const second = { ...shipped[0]!, id: 'game_id_4', denominations: [70] };
  await deploy([...shipped, second]);
  admin.says('/add_codes');
  const asked = await admin.sees(/Which game/);
  const values = asked.buttons.map(({ callback_data: data = '' }) => data.split(':').slice(2).join(':'));
  expect(values).toEqual(['game-game_id_1', 'game-game_id_4']);
  admin.says('/redeem');
  const games = await admin.sees((message) => message.id > asked.id && message.buttons.length > 0);
  expect(games.buttons.slice(0, -1).map(({ callback_data: data = '' }) => data.split(':').at(-1))).toEqual(
    [...shipped, second].map(({ id }) => `g${id}`),
  );
});

test('a conversation that does not come to its point is left with a sentence', async () => {
  admin.says('/receipt');
  await admin.sees(/number of the receipt/i);
  for (let times = 1; times <= 26; times += 1) {
    const before = admin.last().id;
    admin.says('no number');
    const { text } = await admin.sees(({ id }) => id > before);
    expect([times, /took too many answers/.test(text)]).toEqual([times, times === 26]);
  }
  admin.says('no number');
  await admin.sees(/^Send a player ID and/);
});

/** As another process would: they left one account, and joined another. */
async function moveTo(accountId: number): Promise<void> {
  const store = t.beside();
  const { id: telegramId, first_name: name } = t.people.admin;
  await store.write(({ members }) => {
    members.remove(t.accountId, telegramId, 'admin');
    members.insert({ telegramId, accountId, role: 'admin', name, username: null, now: clock.now() });
  });
  await store.close();
}

test('an order is for the account that it was made in', async () => {
  const { core } = t.app();
  await core.codes.add(t.actors.admin, 'game_id_1', [{ denomination: 60, codes: makeCodes(3) }]);
  admin.says('/extract_codes 60 2');
  await admin.sees(/2 codes/);
  const other = await core.accounts.create(
    { kind: 'host', by: 'cli' },
    { name: 'Other', days: 30, purchased: 0 },
  );
  await moveTo(other.accountId);
  const answer = await admin.presses('Take out 2');
  expect(answer?.text).toMatch(/another account/);
  expect(available()).toBe(3);
});
