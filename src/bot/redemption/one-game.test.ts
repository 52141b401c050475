// Where there is one game, it is never asked for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { startTestBot } from '../../../test/harness/bot-app.ts';
import { personOf } from '../../../test/harness/bot.ts';

test('/redeem begins with the player', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  const game = { id: 'game_id_1', currency: 'UC', database: true, denominations: [60], receipts: 'account' };
  writeFileSync(gamesFile, JSON.stringify([{ ...game, codePattern: '^[A-Za-z0-9]{12,32}$' }]));
  const t = await startTestBot({ gamesFile });
  try {
    const operator = personOf(t.api, t.people.operator);
    operator.looksAway();
    operator.says('/redeem');
    const asked = await operator.sees(({ byBot }) => byBot);
    expect(asked.text).toMatch(/^Send the player ID/);
  } finally {
    await t.stop();
    rmSync(folder, { recursive: true });
  }
});
