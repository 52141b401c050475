// The writer under load, on a time that moves when told: how much a commit takes, what goes before what, when it is a
// crowd, and a lock that somebody else holds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openConnection, stopWaiting } from './connection.ts';
import { createWriter, type Writer } from './writer.ts';

let folder: string;
let connection: Connection;
let writer: Writer;
let now: number;
/** What each commit held, by name. */
let commits: string[][];
let open: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writer-order-'));
  connection = openConnection(join(folder, 'test.db'));
  stopWaiting(connection);
  now = 0;
  commits = [];
  open = [];
  const onCommit = () => void commits.push(open.splice(0));
  writer = createWriter(connection, { elapsed: () => now, onCommit });
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A write of this much work. */
function write(name: string, ms: number, bulk = false, whose?: number): Promise<unknown> {
  const work = () => {
    open.push(name);
    now += ms;
  };
  return writer.write(work, { bulk, whose });
}
const many = (count: number, name: string, ms: number, bulk = false, whose?: number) =>
  Array.from({ length: count }, (_, index) => write(`${name}${index}`, ms, bulk, whose));

describe('one commit', () => {
  test('takes no further write after 5 ms of work', async () => {
    await Promise.all(many(10, 'w', 2));
    expect(commits.map((each) => each.length)).toEqual([3, 3, 3, 1]);
  });

  test('takes one that is longer than that alone', async () => {
    await Promise.all([write('long', 30), write('next', 1)]);
    expect(commits).toEqual([['long'], ['next']]);
  });

  test('is told with how long it held the event loop, whenever it was', async () => {
    const told: number[] = [];
    const timed = createWriter(connection, { elapsed: () => now, onCommit: (_, ms) => told.push(ms) });
    for (const ms of [3, 4]) {
      now += 1_000;
      await timed.write(() => void (now += ms));
    }
    expect(told).toEqual([3, 4]);
  });

  test('takes 64 writes at most, both kinds together', async () => {
    await Promise.all([...many(40, 'bulk', 0, true), ...many(40, 'w', 0)]);
    expect(commits.map((each) => each.length)).toEqual([64, 16]);
  });
});

describe('bulk work', () => {
  test('goes behind what came later and is waited for', async () => {
    await Promise.all([write('bulk', 1, true), write('first', 1), write('second', 1)]);
    expect(commits).toEqual([['first', 'second', 'bulk']]);
  });

  test('begins only where time is left of a commit', async () => {
    await Promise.all([...many(2, 'bulk', 5, true), ...many(5, 'w', 1.5)]);
    expect(commits).toEqual([['w0', 'w1', 'w2', 'w3'], ['w4', 'bulk0'], ['bulk1']]);
  });

  test('begins within 4 ms, and not when they are over', async () => {
    await Promise.all([write('bulk', 1, true), write('w', 3.9)]);
    await Promise.all([write('bulk', 1, true), write('w', 4)]);
    expect(commits).toEqual([['w', 'bulk'], ['w'], ['bulk']]);
  });

  test('is never starved: one that waited 100 ms gets into the next commit', async () => {
    const rest: Promise<unknown>[] = [];
    // Each write brings the next ones, so that there is never a commit with time left.
    const crowd = (left: number) => {
      if (left > 0)
        rest.push(
          ...many(4, `${left}-`, 4),
          writer.write(() => crowd(left - 1)),
        );
    };
    crowd(30);
    await Promise.all(many(3, 'bulk', 1, true));
    const held = commits.filter((each) => each.some((name) => name.startsWith('bulk')));
    expect(held.map((each) => each.filter((name) => name.startsWith('bulk')))).toEqual([
      ['bulk0'],
      ['bulk1'],
      ['bulk2'],
    ]);
    expect(held.every((each) => each.length === 3)).toBe(true);
    await writer.drain();
    await Promise.all(rest);
  });
});

describe('a crowd', () => {
  test('is more than a thousand writes, and it refuses none', async () => {
    const waiting = many(1_000, 'w', 0);
    expect(writer.isCrowded()).toBe(false);
    waiting.push(write('w', 0));
    expect(writer.isCrowded()).toBe(true);
    await Promise.all(waiting);
    expect(writer.isCrowded()).toBe(false);
  });

  test('is one that waits for more than two seconds', async () => {
    const waiting = write('w', 0);
    now += 2_000;
    expect(writer.isCrowded()).toBe(false);
    now += 1;
    expect(writer.isCrowded()).toBe(true);
    await waiting;
    expect(writer.isCrowded()).toBe(false);
  });

  test('of bulk work stops bulk work alone', async () => {
    const waiting = many(1_001, 'b', 0, true);
    expect([writer.isCrowded(), writer.isCrowded({ bulk: true })]).toEqual([false, true]);
    now += 2_001;
    expect([writer.isCrowded(), writer.isCrowded({ bulk: true })]).toEqual([false, true]);
    await Promise.all(waiting);
  });

  test('of one is a crowd to it alone, until there are more than memory holds', async () => {
    const waiting = many(1_001, 'w', 0, false, 1);
    expect([1, 2, undefined].map((whose) => writer.isCrowded({ whose }))).toEqual([true, false, true]);
    waiting.push(...many(600, 'w', 0, false, 2));
    expect([1, 2, 3].map((whose) => writer.isCrowded({ whose }))).toEqual([true, true, false]);
    waiting.push(...many(8_400, 'w', 0, false, 1));
    expect(writer.isCrowded({ whose: 3 })).toBe(true);
    await Promise.all(waiting);
  });

  test('all wait for a lock that stays taken', async () => {
    const other = new Database(join(folder, 'test.db'));
    other.exec('BEGIN IMMEDIATE');
    const waiting = write('w', 1, false, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now += 2_500;
    expect([1, 2].map((whose) => writer.isCrowded({ whose }))).toEqual([true, true]);
    other.exec('COMMIT');
    await waiting;
    other.close();
  });
});

describe('a lock that another process holds', () => {
  let other: Connection;
  beforeEach(() => {
    other = new Database(join(folder, 'test.db'));
    other.exec('BEGIN IMMEDIATE');
  });
  afterEach(() => void other.close());

  /** Lets the writer try again; timers and other work of the event loop run. */
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  test('is told at once: nothing sleeps on the event loop', () => {
    expect(connection.pragma('busy_timeout', { simple: true })).toBe(0);
    expect(() => connection.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
  });

  test('is waited for beside the event loop, ordinary writes before bulk when it is free', async () => {
    const written = [write('bulk', 1, true), write('first', 1)];
    await turns(3);
    expect(commits).toEqual([]);
    written.push(write('second', 1));
    other.exec('COMMIT');
    await Promise.all(written);
    expect(commits).toEqual([['first', 'second', 'bulk']]);
  });

  test('for two seconds is a crowd, and after four what waited so long fails, and nothing else', async () => {
    const early = write('early', 1);
    const failed = early.catch((error: unknown) => error);
    await turns(2);
    expect(writer.isCrowded()).toBe(false);
    now += 2_500;
    expect(writer.isCrowded()).toBe(true);
    const late = write('late', 1);
    now += 1_600;
    expect(await failed).toMatchObject({ code: 'SQLITE_BUSY' });
    other.exec('COMMIT');
    await late;
    expect(commits).toEqual([['late']]);
  });
});
