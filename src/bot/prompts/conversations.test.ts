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

/** A deployment, with another catalogue. */
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

test('a deployment in the middle of a paste: what comes after it goes on with it', async () => {
  const codes = makeCodes(30);
  await beginPaste(codes.slice(0, 10));
  await deploy();
  admin.says(codes.slice(10).join('\n'));
  await admin.sees(/60 UC: 30 new/);
  await deploy();
  admin.says('Done');
  await admin.presses('Add 30 codes');
  await t.api.waitFor(() => available() === 30);
});

test('a deployment leaves what is asked, and half an hour ends it with a sentence', async () => {
  admin.says('/receipt');
  await admin.sees(/number of the receipt/i);
  await deploy();
  admin.says('no number');
  await t.quiet();
  clock.advance(31 * MINUTE_MS);
  admin.says('7');
  await admin.sees(/took more than 30 minutes, .* Nothing was done/);
});

test('what another version of the plugin asked ends with a sentence', async () => {
  admin.says('/receipt');
  await admin.sees(/number of the receipt/i);
  await t.quiet();
  const store = t.beside();
  await store.write((tables) => {
    const { state } = tables.conversations.find(admin.user.id, admin.user.id)!;
    const older = { ...(JSON.parse(state) as object), version: [0, 0] };
    tables.conversations.save(admin.user.id, admin.user.id, JSON.stringify(older), clock.now());
  });
  await store.close();
  admin.says('7');
  await admin.sees(/I was updated meanwhile .* Nothing was done/);
});

test('a button means the game that it names, whatever stands before it by then', async () => {
  const second = { ...shipped[0]!, id: 'game_id_4', denominations: [70] };
  await deploy([...shipped, second]);
  admin.says('/add_codes');
  const asked = await admin.sees(/Which game/);
  const values = asked.buttons.map(({ callback_data: data = '' }) => data.split(':').at(-1));
  expect(values).toEqual(['game_id_1', 'game_id_4']);
  admin.says('/redeem');
  const games = await admin.sees((message) => message.id > asked.id && message.buttons.length > 0);
  expect(games.buttons.slice(0, -1).map(({ callback_data: data = '' }) => data.split(':').at(-1))).toEqual(
    [...shipped, second].map(({ id }) => `g${id}`),
  );
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
