// The writer: what shares a commit, what goes first, what fails alone, and that nothing is told before it is on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openConnection } from './connection.ts';
import { createWriter, type Writer } from './writer.ts';

let folder: string;
let connection: Connection;
let writer: Writer;
/** The writes of each commit. */
let committed: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writer-'));
  connection = openConnection(join(folder, 'test.db'));
  connection.exec(
    'create table rows (n integer primary key, parent integer references rows (n) deferrable initially deferred) strict',
  );
  committed = [];
  // Time stands still: how much of it a commit takes is writer-order.test.ts.
  writer = createWriter(connection, { elapsed: () => 0, onCommit: (writes) => committed.push(writes) });
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (n: number, parent: number | null = null) =>
  connection.prepare('insert into rows (n, parent) values (?, ?)').run(n, parent).changes;
/** What another connection sees: what is committed. */
function readCommitted(): number[] {
  const reader = new Database(join(folder, 'test.db'), { readonly: true });
  const rows = reader.prepare('select n from rows order by n').pluck().all() as number[];
  reader.close();
  return rows;
}

test('writes that arrive together share one commit, and each is told its own result', async () => {
  const results = await Promise.all([1, 2, 3].map((n) => writer.write(() => insert(n) + n)));
  expect(results).toEqual([2, 3, 4]);
  expect(committed).toEqual([3]);
});

test('a commit is told with all that it held, bulk work too', async () => {
  await Promise.all([writer.write(() => insert(1)), writer.write(() => insert(2), { bulk: true })]);
  expect(committed).toEqual([2]);
});

test('a lone write commits without waiting for company', async () => {
  await writer.write(() => insert(1));
  await writer.write(() => insert(2));
  expect(committed).toEqual([1, 1]);
});

test('a long queue is cut into commits, in order, and other work of the event loop comes in between', async () => {
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const order: number[] = [];
  await Promise.all(Array.from({ length: 200 }, (_, n) => writer.write(() => order.push(n) && insert(n))));
  running = false;
  expect(committed).toEqual([64, 64, 64, 8]);
  expect(order).toEqual(Array.from({ length: 200 }, (_, n) => n));
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('resolved means on disk: another connection sees it', async () => {
  const seen: number[][] = [];
  await Promise.all([1, 2].map((n) => writer.write(() => insert(n)).then(() => seen.push(readCommitted()))));
  expect(seen).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('a write that throws is rolled back alone, with its own error', async () => {
  const boom = new Error('boom');
  const told = await Promise.allSettled([
    writer.write(() => insert(1)),
    writer.write(() => {
      insert(2);
      throw boom;
    }),
    writer.write(() => insert(3)),
  ]);
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(told[1]).toMatchObject({ reason: boom });
  expect(readCommitted()).toEqual([1, 3]);
});

test('a constraint that a write breaks is its own failure', async () => {
  const told = await Promise.allSettled([1, 1, 2].map((n) => writer.write(() => insert(n))));
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(readCommitted()).toEqual([1, 2]);
});

test('a write that returns a promise is refused, and what it wrote is not kept', async () => {
  const lazy = writer.write(async () => insert(1));
  await expect(lazy).rejects.toThrow('synchronous');
  const failing = writer.write(() => {
    insert(2);
    return Promise.reject(new Error('late'));
  });
  await expect(failing).rejects.toThrow('synchronous');
  expect(readCommitted()).toEqual([]);
});

test('a commit that fails fails every write of it and keeps none; the next ones go on', async () => {
  const told = await Promise.allSettled([
    writer.write(() => insert(1)),
    writer.write(() => insert(2, 99)),
    writer.write(() => insert(3)),
  ]);
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(readCommitted()).toEqual([]);
  expect(committed).toEqual([]);
  await writer.write(() => insert(4));
  expect(readCommitted()).toEqual([4]);
});

test('a write after which the database has rolled everything back fails all of its batch', async () => {
  const told = await Promise.allSettled([
    writer.write(() => insert(1)),
    writer.write(() => connection.exec('ROLLBACK')),
    writer.write(() => insert(3)),
  ]);
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(readCommitted()).toEqual([]);
  await writer.write(() => insert(4));
  expect(readCommitted()).toEqual([4]);
});

test('another process that writes is waited out, and the event loop runs meanwhile', async () => {
  const other = new Database(join(folder, 'test.db'));
  other.exec('BEGIN IMMEDIATE');
  let settled = false;
  const writing = writer.write(() => insert(1)).finally(() => (settled = true));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(settled).toBe(false);
  const behind = writer.write(() => insert(2));
  other.exec('COMMIT');
  other.close();
  await Promise.all([writing, behind]);
  expect(readCommitted()).toEqual([1, 2]);
});

test('drain waits for all that was handed in, what it caused and what failed included', async () => {
  const ends: string[] = [];
  const writes = Array.from({ length: 130 }, (_, n) => writer.write(() => insert(n)));
  void writer
    .write(() => {
      throw new Error('boom');
    })
    .catch(() => ends.push('failed'));
  await writer.drain();
  expect(ends).toEqual(['failed']);
  expect(readCommitted()).toHaveLength(130);
  await Promise.all(writes);
  await writer.drain();
});

test('what cannot begin for another reason than a lock fails at once, whatever waits', async () => {
  connection.close();
  const told: string[] = [];
  for (const bulk of [false, true])
    writer.write(() => insert(1), { bulk }).catch((error: Error) => told.push(error.message));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual(Array(2).fill('The database connection is not open'));
  expect(writer.countWaiting()).toBe(0);
});
