// Writes that share a commit: where one fails, the others are kept, and it alone is not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openConnection } from './connection.ts';
import { createWriter, type Writer } from './writer.ts';

let folder: string;
let connection: Connection;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'group-commit-'));
  connection = openConnection(join(folder, 'test.db'));
  connection.exec('create table rows (n integer primary key, filling blob) strict');
  // Time stands still, so that a commit takes as many as there are.
  writer = createWriter(connection, { elapsed: () => 0 });
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

function insert(n: number, bytes = 0): number {
  connection.prepare('insert into rows (n, filling) values (?, zeroblob(?))').run(n, bytes);
  return n;
}

const listKept = () => connection.prepare('select n from rows order by n').pluck().all();
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const statuses = (told: readonly PromiseSettledResult<unknown>[]) => told.map(({ status }) => status);

test('one of 64 throws: the others are kept, each once', async () => {
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
