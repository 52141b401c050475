// Thresholds where several games keep codes: of one, which is asked for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';

const GAMES = [1, 2].map((of) => ({
  id: `game_id_${of}`,
  name: { en: `Islands ${of}`, ru: `Острова ${of}` },
  currency: 'UC',
  database: true,
  denominations: [60],
  codePattern: '^[A-Za-z0-9]{12,32}$',
  receipts: 'account',
}));

let folder: string;
let t: Stage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  writeFileSync(gamesFile, JSON.stringify(GAMES));
  t = await openStage({ gamesFile, api: { flood: 'none' } });
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true });
});

test('the game is asked for, by its name in the language of whoever reads it', async () => {
  const owner = personOf(t.api, t.people.owner);
  owner.says('/settings 60 50');
  await owner.sees('Which game?');
  await owner.presses('Islands 1');
  await owner.sees('No code of 60 UC (Islands 1) is left');
  owner.says('/settings');
  owner.looksAway();
  await owner.presses('Low stock');
  await owner.sees('Which game?');
  await owner.presses('Islands 2');
  await owner.sees('60 UC (Islands 2): by itself');
  owner.says('60 5');
  await owner.sees('fewer than 5 codes of 60 UC (Islands 2) are left');
  owner.says('/settings ru');
  await owner.sees('по-русски');
  owner.looksAway();
  await owner.presses('Порог склада');
  await owner.sees('Какая игра?');
  await owner.presses('Острова 1');
  await owner.sees('60 UC (Острова 1): меньше 50');
});
