// Buttons of a game that the catalogue has no more: whoever presses one is told, and nothing is looked up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const form = { currency: 'UC', codePattern: '^[A-Za-z0-9]{12,32}$', receipts: 'account' };
const GAMES = [1, 2].map((of) => ({ ...form, id: `game_id_${of}`, database: true, denominations: [60] }));
const GONE = 'That is not there any more. Please begin again.';
let folder: string;
let t: Stage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'games-'));
  writeFileSync(join(folder, 'games.json'), JSON.stringify(GAMES));
  t = await openStage({ gamesFile: join(folder, 'games.json'), api: { flood: 'none' } });
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true });
});

const withoutGame = (id: string) =>
  t.restart(() => {
    writeFileSync(join(folder, 'games.json'), JSON.stringify(GAMES.filter((game) => game.id !== id)));
  });

test.each([
  ['a denomination', 'game_id_1', '60 UC · 1 left'],
  ['another game', 'game_id_2', 'game_id_2 instead'],
])('the card of a player: %s', async (_what, gone, label) => {
  const operator = personOf(t.api, t.people.operator);
  const codes = [makeCode()];
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes }]);
  operator.says('5170925570');
  const card = await operator.sees('What shall I redeem?');
  await withoutGame(gone);
  await operator.presses(label);
  await operator.sees(GONE);
  expect(operator.all().find(({ id }) => id === card.id)).toMatchObject({ text: GONE, buttons: [] });
});

test('one code alone', async () => {
  const operator = personOf(t.api, t.people.operator);
  operator.says(makeCode());
  await operator.sees('What shall I do with the code');
  await withoutGame('game_id_2');
  await operator.presses('Redeem now · game_id_2');
  await operator.sees(GONE);
});
