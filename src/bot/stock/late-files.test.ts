// Codes that left the database while Telegram was away for longer than their file can be had again: they are brought
// all the same.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { createForwardClock, type ForwardClock } from '../../../test/harness/forward-clock.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';

const OUTAGE_MS = 26 * 60 * 60 * 1000;
let t: Stage;
let clock: ForwardClock;
let admin: Person;
beforeEach(async () => {
  clock = createForwardClock();
  t = await openStage({ clock, floodClock: clock, api: { clock, floodClock: clock } });
  admin = personOf(t.api, t.people.admin);
});
afterEach(() => t.stop());

/** The press arrives, and nothing that is said of it does. */
async function pressUnheard(label: string, isDone: () => boolean): Promise<void> {
  const away = t.api.faults.next(({ method }) => /^(send|edit)/i.test(method), FAULTS.badGateway, Infinity);
  await admin.presses(label);
  await t.until(isDone);
  clock.advance(OUTAGE_MS);
  away.cancel();
}

const stock = () => t.app().core.codes.countAvailable(t.actors.admin, 'game_id_1').get(60);

test('an extraction', async () => {
  const codes = [makeCode(), makeCode()];
  await t.app().core.codes.add(t.actors.admin, 'game_id_1', [{ denomination: 60, codes }]);
  admin.says('/extract_codes 60 2');
  await admin.sees('Take out 2 codes');
  await pressUnheard('Take out 2', () => stock() === 0);
  const { document } = await admin.sees((message) => message.document !== undefined);
  expect(Buffer.from(document!.bytes).toString()).toBe(`60 UC:\n${codes.join('\n')}\n`);
});

test('a batch that was taken back', async () => {
  const codes = [makeCode(), makeCode()];
  admin.says(`/add_codes 60 ${codes.join(' ')}`);
  await admin.presses('Add 2 codes');
  await admin.sees('2 codes added');
  await pressUnheard('Undo', () => stock() === 0);
  const { document } = await admin.sees((message) => message.document?.name === 'batch-1-undone.txt');
  for (const code of codes) expect(Buffer.from(document!.bytes).toString()).toContain(code);
});
