// A paste whose update was interrupted before it was called done: handled again it goes on with the import that it
// began itself, and is not asked about as something older.
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
afterEach(() => t.stop());

const WAYS: readonly [string, (codes: string) => string][] = [
  ['behind its command', (codes) => `/add_codes 60 ${codes}`],
  ['without a command', (codes) => `60 UC\n${codes}`],
];

test.each(WAYS)('a paste %s', async (_how, write) => {
  t = await openStage();
  const person = personOf(t.api, t.people.admin);
  person.says(write(`${makeCode()} ${makeCode()}`));
  const first = await person.sees(/2 new/);
  await t.restart(() => inFile((file) => void file.exec(NOT_OVER)));
  await t.quiet();
  expect(countWaiting()).toBe(0);
  const shown = person.all().filter(({ id }) => id >= first.id);
  expect(shown.flatMap(({ buttons }) => buttons.map(({ text }) => text))).not.toContain('Go on');
  expect(shown.at(-1)?.buttons.map(({ text }) => text)).toContain('Add 2 codes');
  expect(shown.map(({ text }) => text).join('\n')).not.toMatch(/sent before|Read: 2 messages/i);
});

test('what was added, and taken back, is not shown to go on when its press is handled again', async () => {
  t = await openStage();
  const person = personOf(t.api, t.people.admin);
  person.sendsFile('codes.txt', Array.from({ length: 3_000 }, () => makeCode()).join('\n'), '60');
  for (const [button, end] of [
    ['Add 3000 codes', /3000 codes added/],
    ['Undo', /is undone/],
  ] as const) {
    await person.presses(button);
    await person.sees(end);
    await t.quiet();
    const before = t.api.calls().length;
    await t.restart(() => inFile((file) => void file.exec(NOT_OVER)));
    await t.quiet();
    expect(countWaiting()).toBe(0);
    const said = t.api.calls().slice(before);
    expect(said.map(({ payload }) => payload['text']).join('\n')).not.toMatch(
      /Adding…|Taking the batch back…/,
    );
  }
});

/** As if the process had ended before it was called done, and its conversation written with that. */
const NOT_OVER = `update inbox set state = 'waiting', attempts = 1 where update_id = (select max(update_id) from inbox);
  delete from conversations`;
const WAITING = `select count(*) from inbox where state = 'waiting'`;

const countWaiting = () => inFile((file) => file.prepare(WAITING).pluck().get());

function inFile<T>(work: (file: Database.Database) => T): T {
  const file = new Database(t.app().databasePath);
  try {
    return work(file);
  } finally {
    file.close();
  }
}
