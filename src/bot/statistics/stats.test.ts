// The picture of /stats on its way: drawn anew where Telegram did not take it, left out where it is refused, and kept
// from whoever may not see it by then.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';

let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  admin = personOf(t.api, t.people.admin);
});
afterEach(() => t.stop());

const pictures = () => admin.all().flatMap(({ photo }) => photo ?? []);

test('comes in its turn, drawn again, where Telegram did not take it at first', async () => {
  const order = t.api.faults.next('sendPhoto', FAULTS.badGateway, 1);
  admin.looksAway();
  admin.says('/stats');
  admin.says('/help');
  await admin.sees('Every day');
  await t.quiet();
  expect(order.met()).toBe(1);
  const [picture, help] = admin.all().slice(-2);
  expect(
    Buffer.from(picture?.photo?.bytes ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(help?.text).toContain('Every day');
});

test('refused as a picture is the figures alone, with the buttons', async () => {
  t.api.faults.next('sendPhoto', FAULTS.refused, 1);
  admin.says('/stats 30');
  const shown = await admin.sees('The last 30 days', 20_000);
  expect(pictures()).toEqual([]);
  expect(shown.buttons.map(({ text }) => text)).toEqual(['7 days', '30 days', '90 days']);
});

test.each([
  ['is no member', 'delete from members where telegram_id = ?', 'You are not a member of an account yet'],
  [
    'may not see it',
    "update members set role = 'operator' where telegram_id = ?",
    'Your role may not do this',
  ],
])('is not for whoever %s when it is brought', async (_what, change, said) => {
  const order = t.api.faults.next('sendPhoto', FAULTS.badGateway, 2);
  admin.says('/stats');
  await t.until(() => order.met() > 0);
  const file = new Database(t.app().databasePath);
  file.prepare(change).run(admin.user.id);
  file.close();
  await admin.sees(said);
  await t.quiet();
  expect(pictures()).toEqual([]);
});
