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

describe('held back', () => {
  test('of bulk work, the others go on, and it follows when nothing is held any more', async () => {
    writer.hold('bulk');
    const bulk = write('bulk', 1, true);
    await write('w', 1);
    expect(commits).toEqual([['w']]);
    writer.hold('nothing');
    await bulk;
    expect(commits).toEqual([['w'], ['bulk']]);
  });

  test('of everything, nothing begins, and nothing is lost', async () => {
    writer.hold('everything');
    const both = [write('w', 1), write('bulk', 1, true)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(commits).toEqual([]);
    writer.hold('nothing');
    await Promise.all(both);
    expect(commits).toEqual([['w', 'bulk']]);
  });

  test('who waits for the end waits for what is held', async () => {
    writer.hold('everything');
    void write('w', 1);
    const drained = writer.drain().then(() => commits.length);
    writer.hold('nothing');
    expect(await drained).toBe(1);
  });
});

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
  test('is more than is written in about two seconds, and it refuses no write', async () => {
    await Promise.all(many(64, 'w', 8));
    expect(writer.isCrowded()).toBe(false);
    const waiting = many(200, 'w', 8);
    expect(writer.isCrowded()).toBe(false);
    waiting.push(...many(200, 'w', 8));
    expect(writer.isCrowded()).toBe(true);
    await Promise.all(waiting);
    expect(writer.isCrowded()).toBe(false);
  });

  test('a few are none, however slow the last commit was; very many always are one', async () => {
    await write('slow', 60_000);
    const waiting = many(127, 'w', 0);
    expect(writer.isCrowded()).toBe(false);
    await Promise.all(waiting);
    for (let commit = 0; commit < 200; commit += 1) await write('fast', 0);
    waiting.push(...many(9_000, 'w', 0));
    expect(writer.isCrowded()).toBe(false);
    waiting.push(...many(2_000, 'w', 0));
    expect(writer.isCrowded()).toBe(true);
    await Promise.all(waiting);
  });

  test('of bulk work is as much of it, and stops bulk work alone', async () => {
    await Promise.all(many(64, 'bulk', 8, true));
    const waiting = many(200, 'bulk', 8, true);
    expect(writer.isCrowded({ bulk: true })).toBe(false);
    waiting.push(...many(200, 'bulk', 8, true));
    expect([writer.isCrowded(), writer.isCrowded({ bulk: true })]).toEqual([false, true]);
    await Promise.all(waiting);
  });
});

describe('accounts', () => {
  test.each([false, true])('go in turn, of each kind (bulk: %s)', async (bulk) => {
    const written = [...many(4, 'a', 2, bulk, 1), write('b0', 2, bulk, 2)];
    await written.at(-1);
    expect(commits).toEqual([bulk ? ['a0', 'b0'] : ['a0', 'b0', 'a1']]);
    await Promise.all(written);
  });

  test('the crowd of one is a crowd to it alone, until there are more than memory holds', async () => {
    await Promise.all(many(64, 'w', 8));
    const waiting = many(400, 'w', 8, false, 1);
    expect([1, 2, undefined].map((whose) => writer.isCrowded({ whose }))).toEqual([true, false, true]);
    waiting.push(...many(70, 'w', 8, false, 2));
    expect([1, 2, 3].map((whose) => writer.isCrowded({ whose }))).toEqual([true, true, false]);
    await Promise.all(waiting);
    const all = many(10_001, 'w', 0, false, 1);
    expect(writer.isCrowded({ whose: 2 })).toBe(true);
    await Promise.all(all);
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
