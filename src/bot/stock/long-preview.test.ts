// A preview of more denominations than a message has room for: what its buttons ask is read all the same.
import { afterEach, expect, test } from 'vitest';

import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { withGames } from '../../../test/world/play/chat-file.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';

let t: Stage;
afterEach(() => t.stop());

test('the question stands at its end, and so does what comes next; of headings twenty are shown, of buttons sixty', async () => {
  t = await openStage({ ...withGames('eighty-denominations'), api: { flood: 'none' } });
  const admin = personOf(t.api, t.people.admin);
  const known = Array.from({ length: 80 }, (_, n) => ({ denomination: 1_000 + n, codes: [makeCode()] }));
  await t.app().core.codes.add(t.actors.admin, 'game_id_1', known);
  const lines = known.flatMap(({ denomination, codes }) => [`${denomination} UC`, ...codes, makeCode()]);
  admin.says('/add_codes');
  const rows = (await admin.sees('Which denomination')).markup?.inline_keyboard?.map((row) => row.length);
  expect(rows).toEqual([...Array<number>(20).fill(3), 1]);
  await admin.presses('It’s in the text');
  await admin.sees('Paste the codes now');
  admin.sendsFile('codes.txt', [...lines, 'Blue box:', makeCode()].join('\n'));
  const asked = await admin.sees('Preview');
  expect(asked.text.match(/ UC: 2 codes$/gm)).toHaveLength(20);
  expect(asked.text).toContain('… and 60 more headings');
  expect(asked.text).toMatch(/\n…\n\nWhich denomination is the 1 code under “.*Blue box.*”\?.*$/);
  expect(asked.buttons).toHaveLength(62);
  admin.looksAway();
  await admin.presses('1000 UC');
  expect((await admin.sees('Preview')).text).toMatch(
    /\n…\n\nNothing is stored yet; what else you send comes in here\.$/,
  );
});
