// `/cancel` and Cancel while codes are collected, wherever the conversation stands by then: what it says is what is there
// afterwards.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { createForwardClock, type ForwardClock } from '../../../test/harness/forward-clock.ts';

const MINUTE_MS = 60_000;
const DROPPED = 'Cancelled. Nothing was added, and what you pasted is dropped: 1 message.';
const CANCELLED = 'Cancelled. Nothing was done.';
const NOTHING = 'There is nothing to cancel';
let t: Stage;
let clock: ForwardClock;
let admin: Person;
beforeEach(async () => {
  clock = createForwardClock();
  t = await openStage({ clock, api: { clock, flood: 'none' } });
  admin = personOf(t.api, t.people.admin);
  admin.says('/add_codes 60');
  await admin.sees('Paste the codes now');
  admin.says(`${makeCode()}\n${makeCode()}`);
  await admin.sees('60 UC: 2 new');
});
afterEach(() => t.stop());

const isCollecting = () => t.app().core.imports.findOpen(t.actors.admin) !== undefined;

async function says(command: string, answer: string): Promise<void> {
  admin.looksAway();
  admin.says(command);
  await admin.sees(answer);
}

test('half an hour later what was pasted is dropped', async () => {
  clock.advance(31 * MINUTE_MS);
  await says('/cancel', DROPPED);
  expect(isCollecting()).toBe(false);
  await says('/cancel', NOTHING);
});

test('after another command, too, and so is what a preview shows', async () => {
  await says('/stock', 'began at 00:00');
  await says('/cancel', DROPPED);
  expect(isCollecting()).toBe(false);
  await says(`/add_codes 60 ${makeCode()} ${makeCode()}`, 'Nothing is stored yet');
  await says('/cancel', DROPPED);
  expect(isCollecting()).toBe(false);
});

test('whoever leaves another conversation keeps it', async () => {
  await says('/find', 'What shall I look for');
  await says('/cancel', CANCELLED);
  expect(isCollecting()).toBe(true);
});

test('a day later, too: its Done and Cancel stand, though no paste would join it any more', async () => {
  await says('/stock', 'began at 00:00');
  clock.advance(24 * 60 * MINUTE_MS);
  await says('/cancel', DROPPED);
  expect(isCollecting()).toBe(false);
  await says('/cancel', NOTHING);
});

test('what was dropped is told once, and whoever is asked for a paste has nothing to lose', async () => {
  await says('/cancel', DROPPED);
  expect(admin.all().filter(({ text }) => text.startsWith(DROPPED))).toHaveLength(1);
  await says('/add_codes 60', 'Paste the codes now');
  await says('/cancel', CANCELLED);
  expect(isCollecting()).toBe(false);
});

test.each([
  ['Cancel', () => admin.presses('Cancel'), 'Cancelled. Nothing was added.'],
  ['/cancel', () => void admin.says('/cancel'), DROPPED.replace('1 message', '2 messages')],
])('a preview that was on its way stands nowhere after %s', async (_how, leave, words) => {
  const isPreview = ({ buttons }: { buttons: { text: string }[] }) =>
    buttons.some(({ text }) => text === 'Add 4 codes');
  let came = 0;
  t.api.watch(({ kind }) => void (came += kind === 'message' && admin.all().some(isPreview) ? 1 : 0));
  const failing = t.api.faults.next('sendMessage', FAULTS.badGateway, 2);
  admin.looksAway();
  admin.says(`${makeCode()}\n${makeCode()}`);
  await t.until(() => failing.met() === 1);
  void leave();
  await t.until(() => !isCollecting());
  await admin.sees(words);
  await t.until(() => came > 0);
  await t.until(() => !admin.all().some(isPreview));
  expect(admin.all().some(({ text }) => text.startsWith(words))).toBe(true);
});
