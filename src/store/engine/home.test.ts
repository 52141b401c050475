// A database knows the file that it is: a copy is refused until it is said what it is a copy of, and a planned move
// loses nothing.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { GAME, numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';
import { adopt } from '../backup/adopt.ts';
import { backup } from '../backup/backup.ts';
import { restore } from '../backup/restore.ts';
import { createStore, type Store } from '../index.ts';
import { createSecrets } from './secrets.ts';

const KEY = Buffer.alloc(32, 7);
const SECRETS = createSecrets(KEY);
const STOPPED_AT = Date.UTC(2026, 0, 13);

let folder: string;
let path: string;
let store: Store | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'home-'));
  path = join(folder, 'redemption.db');
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(at = path): Store {
  store = createStore({
    path: at,
    encryptionKey: KEY,
    exclusive: true,
    platform: { platform: 'sandbox', upstreams: new Map() },
  });
  return store;
}
async function stop(stoppedAt?: number): Promise<void> {
  await store?.close(stoppedAt);
  store = undefined;
}
/** Of an account of its own. */
async function addCodes(name: 'A' | 'B', count: number): Promise<void> {
  const served = store;
  if (!served) throw new Error('It is not served.');
  await (await openTrader(() => served, Date.now)).addCodes(numberedCodes(name, count));
}
/** As a machine that has died leaves it, or one that is served: the file with its log. */
function copy(from: string, to: string): string {
  for (const suffix of ['', '-wal']) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
  return to;
}
const countCodes = () =>
  store?.read((tables) => tables.stock.list(1, GAME.id).map(({ state, count }) => [state, count]));

describe('a copy', () => {
  test('under the name of the database is refused and stays as it is, and the file itself goes on', async () => {
    start();
    await addCodes('A', 3);
    await stop(STOPPED_AT);
    renameSync(path, `${path}.away`);
    copyFileSync(`${path}.away`, path);
    const before = readFileSync(path);
    expect(() => start()).toThrow(/is a copy of the database, not the file that was served.*adopt/);
    expect(readFileSync(path).equals(before)).toBe(true);
    renameSync(`${path}.away`, path);
    start();
  });

  test('of one that is served, or was killed, cannot be adopted', async () => {
    start();
    await addCodes('A', 3);
    await stop(STOPPED_AT);
    start();
    await addCodes('B', 2);
    const other = copy(path, join(folder, 'other.db'));
    expect(() => start(other)).toThrow(/was made of one that was not stopped.*mv .*-wal .*restore/);
    expect(() => adopt(other, SECRETS, 1_000)).toThrow(/does not say that it was stopped/);
    // Nor does the file without its log say so.
    const alone = join(folder, 'alone.db');
    copyFileSync(path, alone);
    expect(() => adopt(alone, SECRETS, 1_000)).toThrow(/does not say that it was stopped/);
  });

  test('that was stopped, beside the log of another time, cannot be adopted', async () => {
    start();
    await addCodes('A', 3);
    await stop(STOPPED_AT);
    const other = copy(path, join(folder, 'other.db'));
    start();
    await addCodes('B', 2);
    copyFileSync(`${path}-wal`, `${other}-wal`);
    expect(() => start(other)).toThrow(/was made of one that was not stopped.*mv .*-wal .*restore/);
    expect(() => adopt(other, SECRETS, 1_000)).toThrow(/does not say that it was stopped/);
  });

  test('is restored with its log, as of its newest entry', async () => {
    start();
    await addCodes('A', 3);
    const other = copy(path, join(folder, 'other.db'));
    await stop();
    rmSync(path);
    const { unverified, asOf } = restore({ file: other, databasePath: path, key: KEY, now: Date.now() });
    expect(unverified).toBe(3);
    expect(asOf).toBeGreaterThan(STOPPED_AT);
    start();
    expect(store?.lost?.asOf).toBe(asOf);
  });

  test('that is served still is not restored from', async () => {
    start();
    const elsewhere = join(folder, 'elsewhere.db');
    expect(() => restore({ file: path, databasePath: elsewhere, key: KEY, now: 1 })).toThrow(
      /Another process is using/,
    );
  });
});

describe('a move', () => {
  async function move(): Promise<string> {
    await stop(STOPPED_AT);
    const elsewhere = join(folder, 'elsewhere', 'redemption.db');
    mkdirSync(join(folder, 'elsewhere'), { recursive: true });
    copyFileSync(path, elsewhere);
    return elsewhere;
  }

  test('of a stopped database questions nothing', async () => {
    start();
    await addCodes('A', 3);
    const elsewhere = await move();
    expect(adopt(elsewhere, SECRETS, 1_000)).toEqual({ stoppedAt: STOPPED_AT });
    const entry = "select what || ' ' || actor || ' ' || before from audit_log order by id desc limit 1";
    const file = new Database(elsewhere, { readonly: true });
    expect(file.prepare(entry).pluck().get()).toBe(`databaseAdopted host:cli {"stoppedAt":${STOPPED_AT}}`);
    file.close();
    start(elsewhere);
    expect(store?.lost).toBeUndefined();
    expect(countCodes()).toEqual([['available', 3]]);
    expect(() => adopt(path, SECRETS, 1_000)).toThrow(/needs no adopting/);
  });

  test('keeps what a restore before it has lost', async () => {
    start();
    await addCodes('A', 3);
    const file = join(folder, 'backup.db');
    await backup(path, file, { secrets: SECRETS, now: Date.now() });
    await stop();
    rmSync(path);
    restore({ file, databasePath: path, key: KEY, now: Date.now() });
    const { lost } = start();
    expect(lost).toBeDefined();
    const elsewhere = await move();
    adopt(elsewhere, SECRETS, 1_000);
    expect(start(elsewhere).lost).toEqual(lost);
    expect(countCodes()).toEqual([['unverified', 3]]);
  });

  test('is adopted once', async () => {
    start();
    await addCodes('A', 3);
    const elsewhere = await move();
    adopt(elsewhere, SECRETS, 1_000);
    expect(() => adopt(elsewhere, SECRETS, 1_000)).toThrow(/needs no adopting/);
  });
});
