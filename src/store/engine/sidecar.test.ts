// What stands beside a database tells an older file from the newest, and when the service was alive last.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeUnreadable } from '../../../test/harness/damaged-file.ts';
import { backup } from '../backup/backup.ts';
import { restore } from '../backup/restore.ts';
import { createStore, type Store } from '../index.ts';
import { readState, stateFileOf, writeState } from './sidecar.ts';

const KEY = Buffer.alloc(32, 7);

let folder: string;
let path: string;
let store: Store | undefined;
let lines: string[];
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecar-'));
  path = join(folder, 'redemption.db');
  lines = [];
  now = 1_000;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  await stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function start(): Store {
  const say = (_fields: object, message: string) => void lines.push(message);
  const log = { info: say, warn: say, error: say };
  store = createStore({ path, encryptionKey: KEY, exclusive: true, log, now: () => now });
  return store;
}
async function stop(stoppedAt?: number): Promise<void> {
  await store?.close(stoppedAt);
  store = undefined;
}
const openAccount = (name: string) =>
  store?.write((tables) => tables.accounts.insert({ name, now: 0, subscriptionExpiresAt: null }));

test('what was numbered is known a second later, with the time, and at a stop at once', async () => {
  start();
  const { numbers } = readState(path)!;
  expect(readState(path)).toEqual({ numbers, aliveAt: 1_000 });
  await openAccount('A');
  now = 2_000;
  expect(readState(path)).toEqual({ numbers, aliveAt: 1_000 });
  vi.advanceTimersByTime(1_000);
  expect(readState(path)).toEqual({ numbers: numbers + 1, aliveAt: 2_000 });
  await openAccount('B');
  now = 2_500;
  await stop();
  expect(readState(path)).toEqual({ numbers: numbers + 2, aliveAt: 2_500 });
  expect(statSync(stateFileOf(path)).mode & 0o777).toBe(0o600);
});

test('an older file is refused with the time and what to type, and stays as it is', async () => {
  start();
  await openAccount('A');
  await stop();
  copyFileSync(path, join(folder, 'older.db'));
  start();
  await openAccount('B');
  now = Date.UTC(2026, 0, 13);
  await stop();
  copyFileSync(join(folder, 'older.db'), path);
  expect(start).toThrow(
    `${path} is older than it was: it lacks something that was in it at 2026-01-13T00:00:00.000Z (${path}.state). Codes that were used since would be used again. Put the newest one back; where there is none any more: \`mv ${path} ${path}.older\`, then \`redemption restore ${path}.older\`. Nothing was changed.`,
  );
  expect(readFileSync(path).equals(readFileSync(join(folder, 'older.db')))).toBe(true);
});

test.each(['', 'nonsense, and longer than any line that a service writes beside it'])(
  'where it is missing, or %j, that is told, and it is made anew',
  async (text) => {
    start();
    await openAccount('A');
    await stop(now);
    const before = readFileSync(stateFileOf(path), 'utf8');
    if (text === '') rmSync(stateFileOf(path));
    else writeFileSync(stateFileOf(path), text);
    expect(start().uncleanEnd).toBeUndefined();
    expect(lines).toEqual([expect.stringContaining('made anew')]);
    expect(readFileSync(stateFileOf(path), 'utf8')).toBe(before);
  },
);

test('taken away under the service it is there again in a second', () => {
  start();
  rmSync(stateFileOf(path));
  vi.advanceTimersByTime(1_000);
  expect(existsSync(stateFileOf(path))).toBe(true);
});

test('what may still be undone is not known', () => {
  const connection = new Database(':memory:');
  connection.exec(
    'create table t (id integer primary key autoincrement); begin; insert into t default values',
  );
  writeState(connection, path, 1);
  expect(readState(path)).toBeUndefined();
  connection.exec('commit');
  writeState(connection, path, 1);
  expect(readState(path)).toEqual({ numbers: 1, aliveAt: 1 });
});

test('an end without a stop is told with its time; a first start, and one after a stop, are none', async () => {
  expect(start().uncleanEnd).toBeUndefined();
  now = 3_000;
  await stop();
  expect(start().uncleanEnd).toEqual({ aliveAt: 3_000 });
  await stop(now);
  expect(start().uncleanEnd).toBeUndefined();
  await stop();
  rmSync(stateFileOf(path));
  expect(start().uncleanEnd).toEqual({ aliveAt: undefined });
});

test('a restore leaves none of the file that it replaces', async () => {
  const served = start();
  await openAccount('A');
  const file = join(folder, 'backup.db');
  await backup(path, file, { secrets: served.secrets, now });
  await stop();
  makeUnreadable(path);
  restore({ file, databasePath: path, key: KEY, now });
  expect(existsSync(stateFileOf(path))).toBe(false);
  expect(start().uncleanEnd).toBeUndefined();
  expect(lines).toEqual([]);
});
