// What hosts are told past a database that takes nothing: each once, however often Telegram does not take it.
import Database from 'better-sqlite3';
import { renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { personOf, type Person } from '../../../test/harness/bot.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';

/** Long enough to notice it, and to say it. */
const LOOKS_MS = 5_000;
const MOVED = /was moved away or deleted/;
let t: Stage;
let hosts: Person[];
beforeEach(async () => {
  t = await openStage({ bot: { hostIds: [900_001, 100_005] }, api: { flood: 'none' } });
  hosts = [personOf(t.api, t.host), personOf(t.api, t.stranger)];
});
afterEach(() => t.stop());

/** While the database lies elsewhere. */
async function elsewhere(work: () => Promise<void>): Promise<void> {
  const { databasePath } = t.app();
  renameSync(databasePath, `${databasePath}.moved`);
  await work();
  renameSync(`${databasePath}.moved`, databasePath);
  await t.pass(LOOKS_MS);
}
const count = () => hosts.map((host) => host.all().filter(({ text }) => MOVED.test(text)).length);

test('each host is told once, and again when it begins again', async () => {
  await elsewhere(async () => {
    await t.pass(LOOKS_MS);
    expect(count()).toEqual([1, 1]);
  });
  await elsewhere(() => t.pass(LOOKS_MS));
  expect(count()).toEqual([2, 2]);
});

test('they are told by a bot that starts meanwhile, too', async () => {
  await t.restart(() => void t.api.faults.next('getMe', { kind: 'error', code: 500 }));
  await elsewhere(() => t.pass(LOOKS_MS));
  expect(count()).toEqual([1, 1]);
});

test('what Telegram does not take is said again, to whom it was not said; who cannot be written to is left alone', async () => {
  const sends = () => t.api.calls('sendMessage').length;
  t.api.faults.next(({ params }) => params.text('chat_id') === String(t.host.id), FAULTS.cut);
  t.api.faults.next(({ params }) => params.text('chat_id') === String(t.stranger.id), FAULTS.blocked);
  const before = sends();
  await elsewhere(async () => {
    await t.pass(LOOKS_MS);
    expect(count()).toEqual([1, 0]);
    expect(sends() - before).toBe(1);
  });
});

test('a disk that cannot be read either keeps nobody from hearing of it', async () => {
  const file = new Database(t.app().databasePath);
  file.pragma('legacy_alter_table = on');
  file.exec('alter table preferences rename to hidden');
  await elsewhere(() => t.pass(LOOKS_MS));
  expect(count()).toEqual([1, 1]);
  file.exec('alter table hidden rename to preferences');
  file.close();
});
