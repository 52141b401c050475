// Codes behind the command where several games keep some: the game is asked for first, and no answer to that is met by
// silence.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, vi } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const game = { currency: 'UC', database: true, denominations: [60], codePattern: '^[A-Za-z0-9]{12,32}$' };
const GAMES = [1, 2].map((of) => ({ ...game, id: `game_id_${of}`, receipts: 'account' }));

test('codes that cannot be kept once the game is known are said to have failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  writeFileSync(gamesFile, JSON.stringify(GAMES));
  const t = await openStage({ gamesFile, api: { flood: 'none' } });
  const broken = vi.spyOn(t.app().core.imports, 'addPiece').mockRejectedValue(new Error('The disk is full.'));
  try {
    const admin = personOf(t.api, t.people.admin);
    admin.says(`/add_codes 60 ${makeCode()} ${makeCode()}`);
    await admin.presses('game_id_2');
    await admin.sees('Something went wrong on my side');
  } finally {
    broken.mockRestore();
    await t.stop();
    rmSync(folder, { recursive: true });
  }
});
