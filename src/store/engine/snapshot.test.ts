// Reads of one turn share a snapshot, which is never stale, never in the way of a write, and never written through.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createSnapshot } from './snapshot.ts';
import { createWriter, type Writer } from './writer.ts';

let folder: string;
let connection: Database.Database;
let other: Database.Database;
let snapshot: ReturnType<typeof createSnapshot>;
let writer: Writer;
let told: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  connection = new Database(join(folder, 'test.db'), { timeout: 0 });
  connection.pragma('journal_mode = WAL');
  connection.exec('create table t (v integer)');
  other = new Database(join(folder, 'test.db'), { timeout: 0 });
  snapshot = createSnapshot(connection);
  told = [];
  writer = createWriter(connection, { readers: snapshot, onCommit: () => told.push(count()) });
});
afterEach(() => {
  for (const each of [connection, other]) each.close();
  rmSync(folder, { recursive: true });
});

const countRows = () => connection.prepare<[], number>('select count(*) from t').pluck().get() ?? 0;
const count = () => snapshot.take(countRows);
const insert = () => connection.prepare('insert into t values (1)').run();
const insertElsewhere = () => other.prepare('insert into t values (2)').run();
const fail = () => {
  throw new RangeError('its own');
};

test('what another process commits is seen by all reads of a turn, or by none', async () => {
  expect(count()).toBe(0);
  insertElsewhere();
  expect([count(), connection.inTransaction]).toEqual([0, true]);
  await turn();
  expect([connection.inTransaction, count()]).toEqual([false, 1]);
});

test('what this process commits is seen at once, by whoever is told and whoever reads in the same turn', async () => {
  for (let written = 1; written <= 3; written += 1) {
    setImmediate(count);
    const committed = writer.write(insert).then(count);
    setImmediate(count);
    expect(count()).toBe(written - 1);
    expect([await committed, told.at(-1)]).toEqual([written, written]);
  }
  await turn();
  expect(connection.inTransaction).toBe(false);
});

test('a read that throws leaves nothing open', () => {
  expect(count()).toBe(0);
  expect(() => snapshot.take(fail)).toThrow(RangeError);
  expect(connection.inTransaction).toBe(false);
  insertElsewhere();
  expect(count()).toBe(1);
});

test('a beginning that fails half way leaves nothing open', () => {
  const { prepare } = connection;
  let left = 1;
  connection.prepare = ((source: string) => {
    const statement = prepare.call(connection, source);
    if (source.includes('total_changes'))
      statement.pluck = () => Object.assign(statement, { get: () => (left-- > 0 ? fail() : 0) });
    return statement;
  }) as typeof prepare;
  const failing = createSnapshot(connection);
  connection.prepare = prepare;
  expect(() => failing.take(countRows)).toThrow(RangeError);
  expect(connection.inTransaction).toBe(false);
  expect(failing.take(countRows)).toBe(0);
});

test('what a read writes is undone, and throws, whatever becomes of it and whatever was read before', async () => {
  expect(count()).toBe(0);
  expect(() => snapshot.take(insert)).toThrow('readonly');
  expect(() => snapshot.take(() => [insert(), fail()])).toThrow(RangeError);
  const inAnother = () => {
    expect(() => snapshot.take(() => [insert(), fail()])).toThrow(RangeError);
  };
  expect(() => snapshot.take(inAnother)).toThrow('readonly');
  expect(count()).toBe(0);
  await turn();
  expect(count()).toBe(0);
});

test('what throws inside another read, and is caught there, harms neither', () => {
  const caught = () => {
    expect(() => snapshot.take(fail)).toThrow(RangeError);
    return countRows();
  };
  expect(snapshot.take(caught)).toBe(0);
});

test('a read inside a write is refused, even where the database has ended its transaction', async () => {
  expect(count()).toBe(0);
  await expect(writer.write(() => [insert(), count()])).rejects.toThrow('inside a write');
  const lost = () => {
    insert();
    connection.exec('rollback');
    expect(count).toThrow('inside a write');
  };
  await expect(writer.write(lost)).rejects.toThrow();
  expect(count()).toBe(0);
});

test('where another process holds the lock, reads go on, and none of them holds up the write', async () => {
  other.exec('begin immediate');
  const written = writer.write(insert);
  for (let turns = 0; turns < 20; turns += 1) {
    await turn();
    expect(count()).toBe(0);
  }
  other.exec('rollback');
  await written;
  expect(count()).toBe(1);
});
