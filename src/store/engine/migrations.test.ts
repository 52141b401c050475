// The runner of migrations: each is applied once, in order, all or none.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { isCurrent, migrate } from './migrations.ts';

const OURS = new URL('../../../drizzle/', import.meta.url);

let folder: string;
let file: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  cpSync(OURS, folder, { recursive: true });
  file = new Database(':memory:');
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A migration that the next version brings. */
function addMigration(tag: string, sql: string): void {
  const path = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: object[] };
  const entries = [
    ...journal.entries,
    { idx: journal.entries.length, version: '6', when: 1, tag, breakpoints: true },
  ];
  writeFileSync(path, JSON.stringify({ ...journal, entries }));
  writeFileSync(join(folder, `${tag}.sql`), sql);
}

const tags = () => file.prepare('select tag from migrations order by rowid').pluck().all();

/** Of each file that a published version has applied; the next one adds its own. */
const PUBLISHED = {
  '0000_baseline.sql': '9c7328ff2061db3f2fd5e63ffd87e588458ad1824cc39805636b89c74683c008',
  '0001_replacing.sql': '82f06adbf44c5739bb2b1fe50c73b9ca33401565bf4977ca73d1d59a109f6a4c',
  '0002_attempts_witnessed.sql': '10a74efccb399c92d9621f49abda4c6aa1b1d295b89933c9acfdb393591e09f3',
  '0003_questions.sql': '2c5b6c080ee00204401efcfe8e386adb76e645613971a627ca20d2ebb6f108bd',
  '0004_attempts_their_id.sql': 'b824487d133e114ab94b267e3274ecd5dbe422ca4acb9ed5deb5cbb2031fe228',
  '0005_day_counts_gone.sql': 'bd4e7bba86b901fadd54c1762333ca7de312cb5a27e00ef5ff6147919f4a6664',
  '0006_refunded_after_gone.sql': 'aa4e0cbd3dfdc0212cf4d1f2293614d1fc3abe4a4d3e3d6404dcb2205cb70884',
  '0007_first_id.sql': '71f3a1cd14872a34e53f33eaf6c729489413a4ec36586f481b108c75439e603e',
};

test('what was published is never changed, and what is added is written down here', () => {
  const files = readdirSync(OURS).filter((name) => name.endsWith('.sql'));
  const digestOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(new URL(name, OURS)))
      .digest('hex');
  expect(Object.fromEntries(files.map((name) => [name, digestOf(name)]))).toEqual(PUBLISHED);
});

test('a file is brought to the next version once, with what is in it', () => {
  migrate(file);
  file.exec("insert into accounts (id, name, created_at) values (1, 'Shop', 0)");
  addMigration(
    '9998_next',
    "alter table accounts add colour text default 'red';--> statement-breakpoint\nupdate accounts set colour = 'blue'",
  );
  expect([isCurrent(file), isCurrent(file, folder)]).toEqual([true, false]);
  migrate(file, folder);
  migrate(file, folder);
  expect(file.prepare('select name, colour from accounts').all()).toEqual([{ name: 'Shop', colour: 'blue' }]);
  expect(tags().at(-1)).toBe('9998_next');
  expect(() => migrate(file)).toThrow(/newer version.*9998_next/);
});

test('one that fails leaves the file as it was, with those before it', () => {
  migrate(file);
  addMigration('9998_next', 'create table next (id integer) strict');
  addMigration('9999_broken', 'create table next (id integer) strict');
  expect(() => migrate(file, folder)).toThrow(/already exists/);
  expect(tags()).not.toContain('9998_next');
  expect(file.prepare("select 1 from sqlite_schema where name = 'next'").get()).toBeUndefined();
});

test('a file of before the first release is refused with a sentence', () => {
  file.exec(
    "create table migrations (tag text primary key, written integer) strict; insert into migrations values ('0000_initial', 1)",
  );
  expect(() => migrate(file)).toThrow(/before version 1\.0\.0/);
  expect(tags()).toEqual(['0000_initial']);
});
