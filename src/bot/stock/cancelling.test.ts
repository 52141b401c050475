// A preview that is on its way while its import is cancelled.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';

let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  admin = personOf(t.api, t.people.admin);
  admin.says('/add_codes 60');
  await admin.sees('Paste the codes now');
  admin.says(`${makeCode()}\n${makeCode()}`);
  await admin.sees('60 UC: 2 new');
});
afterEach(() => t.stop());

const isCollecting = () => t.app().core.imports.findOpen(t.actors.admin) !== undefined;

test.each([
  ['Cancel', () => admin.presses('Cancel'), 'Cancelled. Nothing was added.'],
  [
    '/cancel',
    () => void admin.says('/cancel'),
    'Cancelled. Nothing was added, and what you pasted is dropped: 2 messages.',
  ],
])('a preview that was on its way stands nowhere after %s', async (_how, leave, words) => {
  const isPreview = ({ buttons }: { buttons: { text: string }[] }) =>
    buttons.some(({ text }) => text === 'Add 4 codes');
  const failing = t.api.faults.next('sendMessage', FAULTS.badGateway);
  admin.looksAway();
  admin.says(`${makeCode()}\n${makeCode()}`);
  await t.until(() => failing.met() === 1);
  void leave();
  await t.until(() => !isCollecting());
  await admin.sees(words);
  await t.quiet();
  expect(admin.all().some(isPreview)).toBe(false);
  expect(admin.all().some(({ text }) => text.startsWith(words))).toBe(true);
});
