// Undo under an import that still runs: it stops it, and what was added until then is taken back.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const COUNT = 8_000;
let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

test('the message that counts along has Undo: the rest is not added, and what was is taken back', async () => {
  const admin = personOf(t.api, t.people.admin);
  const codes = Array.from({ length: COUNT }, () => makeCode());
  admin.says('/add_codes');
  await admin.presses('60 UC');
  await admin.sees('Paste the codes now');
  admin.sendsFile('codes.txt', codes.join('\n'));
  await admin.sees('60 UC: 8000 new');
  await admin.presses(`Add ${COUNT} codes`);
  const running = await admin.sees(
    ({ text, buttons }) => text.startsWith('Adding…') && buttons.some((button) => button.text === 'Undo'),
  );
  await t.api.press(admin.user, running, 'Undo');
  const undone = await admin.sees(/Batch 1 is undone/);
  const { core } = t.app();
  const { added = COUNT, undoneAt } = core.batches.find(t.actors.admin, 1) ?? {};
  expect(undoneAt).toBeDefined();
  expect(added).toBeLessThan(COUNT);
  expect(core.codes.countAvailable(t.actors.admin, 'game_id_1').get(60)).toBe(0);
  // Where codes were taken back, their file comes in the stead of the message that counted.
  expect(undone.document?.name).toBe(added > 0 ? 'batch-1-undone.txt' : undefined);
  const ofRunning = () => t.api.messages(t.people.admin).find(({ id }) => id === running.id);
  if (added > 0) await t.until(() => ofRunning()?.deleted);
  else expect(ofRunning()?.text).toBe(undone.text);
  expect(admin.all().some((message) => /codes added/.test(message.text))).toBe(false);
  expect(core.imports.findOpen(t.actors.admin)).toBeUndefined();
});
