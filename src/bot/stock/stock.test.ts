// /stock of more denominations than a message holds: pages, none of them cut.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { SeenMessage } from '../../../test/telegram/types.ts';

const denominations = (of: number) => Array.from({ length: 40 }, (_, index) => of * 1000 + index);
const GAMES = [1, 2].map((of) => ({
  id: `game_id_${of}${'_long'.repeat(8)}`,
  currency: 'UC',
  database: true,
  denominations: denominations(of),
  codePattern: '^[A-Za-z0-9]{12,32}$',
  receipts: 'account',
}));

let folder: string;
let t: Stage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  writeFileSync(gamesFile, JSON.stringify(GAMES));
  t = await openStage({ gamesFile });
  for (const { id, denominations: stockKeys } of GAMES)
    await t.app().core.codes.add(
      t.actors.admin,
      id,
      stockKeys.map((denomination) => ({ denomination, codes: [makeCode()] })),
    );
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true });
});

const stockKeysOf = ({ text }: SeenMessage) =>
  [...text.matchAll(/^(\d+) UC: 1 available/gm)].map(([, stockKey]) => Number(stockKey));
const addsOf = ({ buttons }: SeenMessage) => buttons.filter(({ text }) => text.includes('Add')).length;

async function turn(person: Person, label: string): Promise<SeenMessage> {
  const { text } = person.last();
  person.looksAway();
  await person.presses(label);
  return person.sees((message) => message.text !== text);
}

test('in private it has pages, each with Add codes; between them one goes back and forth', async () => {
  const admin = personOf(t.api, t.people.admin);
  admin.says('/stock');
  const pages = [structuredClone(await admin.sees('available'))];
  while (pages.at(-1)!.buttons.some(({ text }) => text === 'Next ›'))
    pages.push(structuredClone(await turn(admin, 'Next ›')));
  expect(pages.flatMap(stockKeysOf)).toEqual([...denominations(1), ...denominations(2)]);
  expect(pages.map(addsOf)).toEqual(pages.map(() => 1));
  for (const { text } of pages) expect(text).toMatch(/“Today” began at 00:00, UTC\.$/);
  for (const page of pages.toReversed().slice(1))
    expect((await turn(admin, '‹ Previous')).text).toBe(page.text);
});

test('whoever may only look turns pages, too', async () => {
  const support = personOf(t.api, t.people.support);
  support.says('/stock');
  const { buttons } = await support.sees('available');
  expect(buttons.map(({ text }) => text)).toEqual(['Next ›']);
});

test('in a group every page is a message, without buttons', async () => {
  const { admin } = t.people;
  const group = t.api.createGroup({ title: 'Shop', members: [admin] });
  const pages = () => t.api.messages(group).filter(({ byBot }) => byBot);
  t.api.send(admin, group, '/stock');
  const all = [...denominations(1), ...denominations(2)];
  await t.api.waitFor(() => pages().flatMap(stockKeysOf).length === all.length);
  expect(pages().flatMap(stockKeysOf)).toEqual(all);
  expect(pages().flatMap(({ buttons }) => buttons)).toEqual([]);
});
