// The thread that copies the log: when it begins, and when it is given up.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Database as Connection } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { AUTOMATIC_PAGES, createCheckpoints, type Checkpoints } from './checkpoints.ts';
import { openConnection } from './connection.ts';

let folder: string;
let connection: Connection;
let checkpoints: Checkpoints | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  connection = openConnection(join(folder, 'file.db'));
  connection.exec('create table t (id integer primary key, value blob)');
});
afterEach(async () => {
  await checkpoints?.close();
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = () => join(folder, 'file.db');
const logged = () => statSync(`${path()}-wal`).size;
const automatic = () => connection.pragma('wal_autocheckpoint', { simple: true });
const program = (source: string) => {
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, source);
  return pathToFileURL(file);
};
/** So many commits of so many pages each. */
function commit(times: number, pages = 1): void {
  const insert = connection.prepare('insert into t (value) values (zeroblob(4000))');
  const write = connection.transaction(() => {
    for (let page = 0; page < pages; page += 1) insert.run();
  });
  for (let done = 0; done < times; done += 1) {
    write();
    checkpoints?.afterCommit();
  }
}

test('few commits need no thread, and SQLite copies the log by itself', () => {
  checkpoints = createCheckpoints(connection, path());
  commit(255);
  expect(checkpoints.isBeside()).toBe(false);
  expect(automatic()).toBe(AUTOMATIC_PAGES);
});

test('the thread copies the log, and a log that is copied is begun anew: it does not grow with what was written', async () => {
  checkpoints = createCheckpoints(connection, path(), { commitsBefore: 1, longPages: 1_000 });
  const write = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      commit(34, 2);
      await nextTurn(20);
    }
  };
  commit(1);
  await expect.poll(automatic).toBe(0);
  await write(20);
  const before = logged();
  // 27 MB more, with an event loop that turns in between.
  await write(100);
  expect(logged() - before).toBeLessThan(12_000_000);
  expect(statSync(path()).size).toBeGreaterThan(15_000_000);
  expect(checkpoints.isBeside()).toBe(true);
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

test.each([
  ['dies', 'process.exit(1)'],
  ['throws', 'throw new Error("no")'],
])('where the thread %s, SQLite copies by itself again', async (_, source) => {
  checkpoints = createCheckpoints(connection, path(), { commitsBefore: 1, program: program(source) });
  commit(1);
  await expect
    .poll(() => {
      commit(40);
      return checkpoints?.isBeside();
    })
    .toBe(false);
  expect(automatic()).toBe(AUTOMATIC_PAGES);
  commit(20, 100);
  expect(connection.prepare('select count(*) from t').pluck().get()).toBeGreaterThan(2_000);
});

test('where somebody still reads what was before, a long log grows, and is begun anew when they have done', async () => {
  const reader = openConnection(path());
  reader.exec('begin');
  reader.prepare('select count(*) from t').get();
  checkpoints = createCheckpoints(connection, path(), {
    commitsBefore: 1,
    longPages: 40,
    fileBytes: 300_000,
  });
  commit(1, 200);
  await expect.poll(automatic).toBe(0);
  commit(63, 2);
  expect(logged()).toBeGreaterThan(1_000_000);
  reader.close();
  await expect
    .poll(
      () => {
        commit(16);
        return logged();
      },
      { timeout: 10_000 },
    )
    .toBeLessThan(400_000);
});

test('closing waits for the thread', async () => {
  checkpoints = createCheckpoints(connection, path(), { commitsBefore: 1 });
  commit(100);
  await checkpoints.close();
  expect(checkpoints.isBeside()).toBe(false);
  commit(10);
});

test('closing lets the thread end by itself, also one that is not heard of yet: cut off while it loads SQLite, it would take the process with it', async () => {
  const ended = join(folder, 'ended');
  const source = `import { writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    parentPort.on('message', (asked) => {
      if (asked !== 'end') return;
      writeFileSync(${JSON.stringify(ended)}, '');
      parentPort.close();
    });`;
  checkpoints = createCheckpoints(connection, path(), { commitsBefore: 1, program: program(source) });
  commit(1);
  await checkpoints.close();
  expect(existsSync(ended)).toBe(true);
});
