// /stock of more denominations than a message holds, and of longer ones: pages, none of them cut; and what is under way
// while it is looked at.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { SeenMessage } from '../../../test/telegram/types.ts';

const PLAYER = '5170925570';
const gameOf = (of: number, count: number, currency: string) => ({
  id: `game_id_${of}${'_long'.repeat(8)}`,
  ...{ currency, database: true, codePattern: '^[A-Za-z0-9]{12,32}$', receipts: 'account' },
  denominations: Array.from({ length: count }, (_, index) => of * 1000 + index),
});
const [ONE, TWO] = [gameOf(1, 33, 'UC'), gameOf(2, 61, 'diamonds'.repeat(20))];
/** Two never were in stock. */
const STOCKED = ONE.denominations.slice(0, -2);
const [LATER = 0] = ONE.denominations.slice(-2);
const ALL = [...STOCKED, ...TWO.denominations];

let folder: string;
let t: Stage;
let admin: Person;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  writeFileSync(gamesFile, JSON.stringify([ONE, TWO]));
  t = await openStage({ gamesFile, api: { flood: 'none' } });
  admin = personOf(t.api, t.people.admin);
  await stock(ONE.id, STOCKED);
  await stock(TWO.id, TWO.denominations);
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true });
});

const stock = (gameId: string, denominations: readonly number[], code?: string) =>
  t.app().core.codes.add(
    t.actors.admin,
    gameId,
    denominations.map((denomination) => ({ denomination, codes: [code ?? makeCode()] })),
  );
const stockKeysOf = ({ text }: SeenMessage) =>
  [...text.matchAll(/^(\d+) \w+: 1 available, 0 spent today$/gm)].map(([, stockKey]) => Number(stockKey));
const labelsOf = ({ buttons }: SeenMessage) => buttons.map(({ text }) => text);

async function turn(person: Person, label: string): Promise<SeenMessage> {
  const { text } = person.last();
  await person.presses(label);
  return structuredClone(await person.sees((message) => message === person.last() && message.text !== text));
}

test('in private it has pages, each with Add codes; between them one goes back and forth', async () => {
  admin.says('/stock');
  const pages = [structuredClone(await admin.sees('available'))];
  while (labelsOf(pages.at(-1)!).includes('Next ›')) pages.push(await turn(admin, 'Next ›'));
  expect(pages.flatMap(stockKeysOf)).toEqual(ALL);
  expect(stockKeysOf(pages[0]!)).toHaveLength(30);
  // Of each game on a page stands its heading, once.
  expect(pages.map(({ text }) => text.match(/^game_id_\d/gm)?.join())).toEqual([
    'game_id_1',
    'game_id_1,game_id_2',
    ...pages.slice(2).map(() => 'game_id_2'),
  ]);
  expect(pages.map((page) => labelsOf(page).join())).toEqual([
    'Add codes,Next ›',
    ...pages.slice(2).map(() => 'Add codes,‹ Previous,Next ›'),
    'Add codes,‹ Previous',
  ]);
  for (const { text } of pages) expect(text).toMatch(/“Today” began at 00:00, UTC\.$/);
  for (const page of pages.toReversed().slice(1))
    expect((await turn(admin, '‹ Previous')).text).toBe(page.text);
  await turn(admin, 'Next ›');
  await stock(ONE.id, [LATER]);
  expect(stockKeysOf(await turn(admin, 'Next ›'))).toContain(stockKeysOf(pages[2]!)[0]);
  await t.api.press(admin.user, admin.last(), { data: 'stock:1000:game_id_3' });
  await admin.sees(({ text }) => text === pages[0]!.text);
});

test('whoever may only look turns pages, too', async () => {
  const support = personOf(t.api, t.people.support);
  support.says('/stock');
  expect(labelsOf(await support.sees('available'))).toEqual(['Next ›']);
});

test('in a group every page is a message, without buttons', async () => {
  const group = t.api.createGroup({ title: 'Shop', members: [admin.user] });
  t.api.send(admin.user, group, '/stock');
  await t.quiet();
  const pages = t.api.messages(group).filter(({ byBot }) => byBot);
  expect(pages.flatMap(stockKeysOf)).toEqual(ALL);
  expect(pages.flatMap(labelsOf)).toEqual([]);
});

test('of sixty denominations there is a button to take some out, and of others by their words', async () => {
  admin.says('/extract_codes');
  await admin.presses(/game_id_2/);
  const which = await admin.sees('Which denomination');
  expect(labelsOf(which)).toHaveLength(60);
  admin.says(String(ALL.at(-1)));
  await admin.sees(`How many codes of ${ALL.at(-1)} `);
});

test('a code that is being redeemed is reserved, and comes back to nobody whose batch is taken back', async () => {
  const [denomination = 0] = ALL;
  const { codes, redeem } = t.app().core;
  await codes.extract(t.actors.owner, { gameId: ONE.id, denomination, amount: 1 });
  const { batchId } = await stock(ONE.id, [denomination], 'SLOW12345678');
  const redeeming = redeem(t.actors.owner, { gameId: ONE.id, playerId: PLAYER, denomination });
  admin.says('/stock');
  await admin.sees(`${denomination} UC: 0 available, 1 reserved, 0 spent today`);
  admin.says('/batches');
  await admin.sees('1 being redeemed');
  await admin.presses(`Undo batch ${batchId}`);
  await admin.presses('Undo');
  await admin.sees('0 codes were taken back. 1 is being redeemed: if it comes back, it is taken back, too');
  expect(await redeeming).toMatchObject({ redemption: { state: 'redeemed' } });
});
