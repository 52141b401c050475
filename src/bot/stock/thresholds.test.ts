// Thresholds where several games keep codes: each is told from the others by its name, as everywhere.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
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
let t: TestBot;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  writeFileSync(gamesFile, JSON.stringify(GAMES));
  t = await startTestBot({ gamesFile, api: { flood: 'none' } });
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true });
});

test('a game is shown by its name, in the language of whoever reads it', async () => {
  const owner = personOf(t.api, t.people.owner);
  owner.says('/settings 60 50');
  await owner.sees('No code of 60 UC (Islands 1) is left');
  owner.says('/settings');
  await owner.presses('Low stock');
  await owner.presses('60 UC (Islands 2): by itself');
  await owner.sees('codes of 60 UC (Islands 2) are left than');
  await owner.presses('< 5');
  const list = await owner.sees(({ buttons }) => buttons.some(({ text }) => text.endsWith('under 5')));
  expect(list.buttons.map(({ text }) => text)).toEqual([
    '60 UC (Islands 1): under 50',
    '60 UC (Islands 2): under 5',
    '‹ Back',
  ]);
  owner.says('/settings ru');
  await owner.presses('Порог склада');
  await owner.sees(({ buttons }) => buttons.some(({ text }) => text.startsWith('60 UC (Острова 2)')));
});
