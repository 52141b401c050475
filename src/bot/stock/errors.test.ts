// Actions that are shown to go on and then refused, since a role or the catalogue changed meanwhile: their message says
// so.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { CoreError } from '../../core/index.ts';

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const forbidden = () => new CoreError('FORBIDDEN', 'Your role may not do this.');
let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  admin = personOf(t.api, t.people.admin);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await t.stop();
});

/** The message whose button was pressed, once it says why nothing was done. */
async function pressRefused(label: string): Promise<string> {
  const pressed = admin.all().findLast(({ buttons }) => buttons.some(({ text }) => text === label))!;
  await admin.presses(label);
  const said = () => admin.all().find(({ id }) => id === pressed.id)!.text;
  await t.quiet();
  expect(said()).toMatch(/may not do this/);
  return said();
}

test('an extraction', async () => {
  const { codes } = t.app().core;
  await codes.add(t.actors.admin, 'game_id_1', [{ denomination: 60, codes: makeCodes(2) }]);
  admin.says('/extract_codes 60 2');
  await admin.sees('Take out 2 codes');
  vi.spyOn(codes, 'extract').mockRejectedValue(forbidden());
  await pressRefused('Take out 2');
});

test('adding, and taking back, what is more than a moment of work', async () => {
  const { imports } = t.app().core;
  const adding = async () => {
    admin.looksAway();
    admin.says('/add_codes 60');
    await admin.sees('Paste the codes now');
    admin.sendsFile('codes.txt', makeCodes(3_000).join('\n'));
    await admin.sees('60 UC: 3000 new');
  };
  await adding();
  const commit = vi.spyOn(imports, 'commit').mockRejectedValue(forbidden());
  await pressRefused('Add 3000 codes');
  commit.mockRestore();
  admin.says('/cancel');
  await admin.sees('what you pasted is dropped');
  await adding();
  await admin.presses('Add 3000 codes');
  await admin.sees('3000 codes added');
  vi.spyOn(imports, 'undo').mockRejectedValue(forbidden());
  await pressRefused('Undo');
});
