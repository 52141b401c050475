// A preview of more denominations than a message has room for: what its buttons ask is read all the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const DENOMINATIONS = Array.from({ length: 80 }, (_, index) => 1000 + index);
const game = { id: 'game_id_1', currency: 'UC', database: true, denominations: DENOMINATIONS };

test('the question stands at its end, and so does what comes next', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  const form = { codePattern: '^[A-Za-z0-9]{12,32}$', receipts: 'account' };
  writeFileSync(gamesFile, JSON.stringify([{ ...game, ...form }]));
  const t = await openStage({ gamesFile, api: { flood: 'none' } });
  try {
    const admin = personOf(t.api, t.people.admin);
    const known = DENOMINATIONS.map((denomination) => ({ denomination, codes: [makeCode()] }));
    await t.app().core.codes.add(t.actors.admin, 'game_id_1', known);
    const stockKeys = known.flatMap(({ denomination, codes }) => [
      `${denomination} UC`,
      ...codes,
      makeCode(),
    ]);
    const paste = [...stockKeys, 'Blue box:', makeCode()].join('\n');
    admin.says('/add_codes');
    await admin.presses('It’s in the text');
    await admin.sees('Paste the codes now');
    admin.sendsFile('codes.txt', paste);
    const asked = await admin.sees('Preview');
    expect(asked.text).toMatch(/\n…\n\nWhich denomination is the 1 code under “.*Blue box.*”\?.*$/);
    admin.looksAway();
    await admin.presses('1000 UC');
    expect((await admin.sees('Preview')).text).toMatch(
      /\n…\n\nNothing is stored yet; what else you send comes in here\.$/,
    );
  } finally {
    await t.stop();
    rmSync(folder, { recursive: true });
  }
});
