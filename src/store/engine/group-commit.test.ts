// Writes that share a commit without savepoints: where one fails, the others are kept, each once, and it alone is not.
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
/** How often each write ran. */
let runs: Map<number, number>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'group-commit-'));
  connection = openConnection(join(folder, 'test.db'));
  connection.exec('create table rows (n integer primary key, filling blob) strict');
  runs = new Map();
  // Time stands still, so that a commit takes as many as there are.
  writer = createWriter(connection, { elapsed: () => 0 });
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

function insert(n: number, bytes = 0): number {
  runs.set(n, (runs.get(n) ?? 0) + 1);
  connection.prepare('insert into rows (n, filling) values (?, zeroblob(?))').run(n, bytes);
  return n * 10 + (runs.get(n) ?? 0);
}

const listKept = () => connection.prepare('select n from rows order by n').pluck().all();
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const statuses = (told: readonly PromiseSettledResult<unknown>[]) => told.map(({ status }) => status);

test('where none fails each runs once', async () => {
  await Promise.all(range(64).map((n) => writer.write(() => insert(n))));
  expect(new Set(runs.values())).toEqual(new Set([1]));
});

test('one of 64 throws: the others are kept once, and told what they did when they were kept', async () => {
  const boom = new Error('boom');
  const told = await Promise.allSettled(
    range(64).map((n) =>
      writer.write(() => {
        const result = insert(n);
        if (n === 40) throw boom;
        return result;
      }),
    ),
  );
  expect(told[40]).toEqual({ status: 'rejected', reason: boom });
  expect(statuses(told).filter((status) => status === 'rejected')).toHaveLength(1);
  expect(listKept()).toEqual(range(64).filter((n) => n !== 40));
  // Those before it were undone and ran again; those after it ran once.
  expect(told[39]).toEqual({ status: 'fulfilled', value: 392 });
  expect(told[41]).toEqual({ status: 'fulfilled', value: 411 });
});

test('after a write that threw, no other runs twice for a while; then they share again', async () => {
  const failing = () =>
    writer.write(() => {
      throw new Error('boom');
    });
  const fail = (n: number) => Promise.allSettled([writer.write(() => insert(n)), failing()]);
  await fail(1);
  await fail(2);
  expect([runs.get(1), runs.get(2)]).toEqual([2, 1]);
  for (const n of range(20)) await writer.write(() => insert(100 + n));
  await fail(3);
  expect(runs.get(3)).toBe(2);
  expect(listKept()).toHaveLength(23);
});

test('one that returns a promise is refused alone', async () => {
  const told = await Promise.allSettled([
    writer.write(() => insert(1)),
    writer.write(async () => insert(2)),
    writer.write(() => insert(3)),
  ]);
  expect(statuses(told)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(listKept()).toEqual([1, 3]);
});

test('a full disk, after which the database has rolled everything back, fails its batch; the next ones go on', async () => {
  const pages = connection.pragma('page_count', { simple: true }) as number;
  connection.pragma(`max_page_count = ${pages + 8}`);
  const told = await Promise.allSettled([
    writer.write(() => insert(1)),
    writer.write(() => insert(2, 200_000)),
    writer.write(() => insert(3)),
  ]);
  expect(statuses(told)).toEqual(['rejected', 'rejected', 'rejected']);
  // Each of them: who would try again because of the disk tries again, whoever's write it was that did not fit.
  for (const each of told) expect(each).toMatchObject({ reason: { code: 'SQLITE_FULL' } });
  expect(listKept()).toEqual([]);
  await writer.write(() => insert(4));
  expect(listKept()).toEqual([4]);
});

test('another process takes the lock when all was undone: nobody fails, they run again when it lets go', async () => {
  const other = new Database(join(folder, 'test.db'));
  connection.pragma('busy_timeout = 0');
  let isFirst = true;
  const told = [
    writer.write(() => insert(1)),
    writer.write(() => {
      if (isFirst) {
        isFirst = false;
        connection.exec('ROLLBACK');
        other.exec('BEGIN IMMEDIATE');
        throw new Error('undone');
      }
      return insert(2);
    }),
    writer.write(() => insert(3)),
  ];
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(isFirst).toBe(false);
  other.exec('COMMIT');
  other.close();
  expect(await Promise.all(told)).toEqual([12, 21, 31]);
  expect(listKept()).toEqual([1, 2, 3]);
});
