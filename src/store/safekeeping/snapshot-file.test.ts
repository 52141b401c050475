import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

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
