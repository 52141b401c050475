// A copy of a database that is being written: of one moment; and what becomes of one that cannot be read.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { StoreRefusal } from '../engine/refusal.ts';
import { copyRunning } from './snapshot-file.ts';

let folder: string;
let running: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  running = new Database(join(folder, 'running.db'));
  running.pragma('journal_mode = WAL');
  running.exec('create table t (id integer primary key, filling text, written integer)');
  const insert = running.prepare('insert into t (filling, written) values (?, 0)');
  for (let row = 0; row < 200; row += 1) insert.run('x'.repeat(1_000));
});
afterEach(() => {
  running.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a copy made page by page while everything is written anew is of one moment, and is begun once', async () => {
  const copy = join(folder, 'copy.db');
  let writes = 0;
  const write = (): void => {
    writes += 1;
    running.exec('update t set written = written + 1');
    running.pragma('wal_checkpoint(PASSIVE)');
    writing = setImmediate(write);
  };
  let writing = setImmediate(write);
  await copyRunning(join(folder, 'running.db'), copy, { pagesAStep: 1 });
  clearImmediate(writing);
  const opened = new Database(copy);
  const moments = opened.prepare('select distinct written from t').pluck().all() as number[];
  expect(opened.pragma('integrity_check', { simple: true })).toBe('ok');
  opened.close();
  expect(writes).toBeGreaterThan(40);
  expect(moments).toHaveLength(1);
  expect(moments[0]).toBeLessThan(3);
});

test('what SQLite cannot read is refused in a sentence, before anything of it is copied', async () => {
  running.close();
  const path = join(folder, 'running.db');
  // Only its head is sound: it opens, and cannot be read.
  writeFileSync(path, readFileSync(path).fill(0xff, 100, 4_096));
  const copying = copyRunning(path, join(folder, 'copy.db'));
  await expect(copying).rejects.toThrow(StoreRefusal);
  await expect(copying).rejects.toThrow(`${path} cannot be read: database disk image is malformed.`);
});

test('where there is nowhere to copy to, that is what is told', async () => {
  const copying = copyRunning(join(folder, 'running.db'), join(folder, 'gone', 'copy.db'));
  await expect(copying).rejects.toThrow('the directory does not exist');
});
