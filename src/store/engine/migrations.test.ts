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

/** Until 1.0.0 the first may be made anew; what a published version has applied is never changed. */
const PUBLISHED = {
  '0000_baseline.sql': '05d0e63a4f27a3dab0223c24a5f355be9bddb2f7716ec78e500d65cb4a34199f',
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
