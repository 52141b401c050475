// A paste whose update was interrupted before it was called done: handled again it goes on with the import that it
// began itself, and is not asked about as something older.
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: TestBot;
afterEach(() => t.stop());

test.each([
  ['behind its command', (codes: string) => `/add_codes 60 ${codes}`],
  ['without a command', (codes: string) => `60 UC\n${codes}`],
])('a paste %s', async (_how, write) => {
  t = await startTestBot();
  const person = personOf(t.api, t.people.admin);
  person.says(write(`${makeCode()} ${makeCode()}`));
  const first = await person.sees(/2 new/);
  await t.restart(() => inFile((file) => void file.exec(HANDLE_AGAIN)));
  await expect.poll(() => inFile((file) => file.prepare(WAITING).pluck().get())).toBe(0);
  const shown = person.all().filter(({ id }) => id >= first.id);
  expect(shown.flatMap(({ buttons }) => buttons.map(({ text }) => text))).not.toContain('Go on');
  expect(shown.at(-1)?.buttons.map(({ text }) => text)).toContain('Add 2 codes');
  expect(shown.map(({ text }) => text).join('\n')).not.toMatch(/sent before/i);
});

const NEWEST = 'update_id = (select max(update_id) from inbox)';
const HANDLE_AGAIN = `update inbox set state = 'waiting', attempts = 1 where ${NEWEST}`;
const WAITING = `select count(*) from inbox where state = 'waiting'`;

function inFile<T>(work: (file: Database.Database) => T): T {
  const file = new Database(t.app().databasePath);
  try {
    return work(file);
  } finally {
    file.close();
  }
}
