// Backups by themselves: when one is due, what stays, what the host is told, and one made by the real command.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runCliHere } from '../test/harness/run-here.ts';
import { createApp } from './app.ts';
import { nameBackup, newestBackup } from './backup-files.ts';
import { createTick, type LastAttempt, type MakeBackup } from './backups.ts';
import { spawnBackup, spawnBackupNow } from './cli/spawn-backup.ts';
import { loadConfig } from './config.ts';
import { createLogger } from './log.ts';

const HOUR_MS = 60 * 60_000;
const START = Date.UTC(2026, 10, 22, 5, 0, 7);
let folder: string;
let now: number;
let elapsed: number;
let made: string[];
let last: LastAttempt;
let trouble: string | undefined;
let stopping: AbortController;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'backups-')), 'kept');
  [now, elapsed, made, last] = [START, 0, [], { failure: undefined, damagedRows: 0 }];
  [trouble, stopping] = [undefined, new AbortController()];
  [errors, damagedRows, wholeOnes] = [[], 0, []];
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const clock = { now: () => now, elapsed: () => elapsed };
let errors: string[];
const log = { info: () => undefined, error: (_: object, message: string) => void errors.push(message) };
let damagedRows: number;
let wholeOnes: boolean[];
const make: MakeBackup = (file, { isWhole }) => {
  if (trouble !== undefined) return Promise.reject(new Error(trouble));
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, '');
  made.push(file);
  wholeOnes.push(isWhole);
  return Promise.resolve(isWhole ? { proof: 'whole', damagedRows } : { proof: 'everyday', damagedRows: 0 });
};
const begin = (keep = 3) =>
  createTick(
    { folder, everyMs: 24 * HOUR_MS, keep },
    { clock, log, make },
    { signal: stopping.signal, last },
  );
const filesThere = () => readdirSync(folder).map((name) => join(folder, name));
const pass = (ms: number) => {
  now += ms;
  elapsed += ms;
};

test('one at once where there is none, the next after its hours, also over a restart', async () => {
  await begin()();
  expect(readdirSync(folder)).toEqual(['redemption-2026-11-22T05-00-07Z.db']);
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(newestBackup(folder, now)).toBe(START);
  const tick = begin();
  pass(24 * HOUR_MS - 1);
  await tick();
  expect(made).toHaveLength(1);
  pass(1);
  await tick();
  await tick();
  expect(made).toHaveLength(2);
});

test('the newest stay, what has another name is not touched, and what a killed one left is removed', async () => {
  mkdirSync(join(folder, 'redemption-2026-11-20T05-00-07Z.db.partial-abc'), { recursive: true });
  writeFileSync(join(folder, 'before-the-move.db'), '');
  const tick = begin(2);
  for (let day = 0; day < 5; day += 1) {
    await tick();
    pass(24 * HOUR_MS);
  }
  expect(readdirSync(folder).toSorted()).toEqual([
    'before-the-move.db',
    'redemption-2026-11-25T05-00-07Z.db',
    'redemption-2026-11-26T05-00-07Z.db',
  ]);
});

test('an old one that cannot be removed keeps none of the others, and is no failure of the new one', async () => {
  // Somebody unpacked one in its place.
  mkdirSync(join(folder, 'redemption-2026-01-01T00-00-00Z.db', 'inside'), { recursive: true });
  writeFileSync(join(folder, 'redemption-2026-01-02T00-00-00Z.db'), '');
  await begin(1)();
  expect([made.length, last.failure]).toEqual([1, null]);
  expect(readdirSync(folder).toSorted()).toEqual([
    'redemption-2026-01-01T00-00-00Z.db',
    'redemption-2026-11-22T05-00-07Z.db',
  ]);
});

test('a failure stands until one goes through, is tried again, and removes nothing', async () => {
  const tick = begin(1);
  await tick();
  trouble = 'The disk is full.';
  pass(24 * HOUR_MS);
  for (let tries = 0; tries < 3; tries += 1) {
    await tick();
    pass(15 * 60_000);
  }
  const failure = { sentence: 'The disk is full.' };
  expect([last, readdirSync(folder).length]).toEqual([
    { failure: { ...failure, reason: 'noRoom' }, damagedRows: 0 },
    1,
  ]);
  trouble = undefined;
  await tick();
  expect([newestBackup(folder, now), last.failure]).toEqual([now, null]);
  trouble = 'The disk is full.';
  pass(24 * HOUR_MS);
  await tick();
  expect(last.failure).toMatchObject(failure);
});

test('a folder that cannot be read is a failure, too, and looked at again', async () => {
  writeFileSync(folder, '');
  const tick = begin();
  await tick();
  await tick();
  expect(last.failure).toEqual({
    sentence: expect.stringContaining('ENOTDIR') as string,
    reason: 'notWritable',
  });
  rmSync(folder);
  pass(15 * 60_000);
  await tick();
  expect(made).toHaveLength(1);
});

test.each([
  ['redemption.db cannot be written there: ENOSPC: no space left on device.', 'noRoom'],
  ['database or disk is full', 'noRoom'],
  ["EACCES: permission denied, mkdir '/backups'", 'notWritable'],
  ['redemption.db cannot be written there: EROFS: read-only file system.', 'notWritable'],
  ['redemption.db is damaged: row 3 missing from index', 'damaged'],
  ['redemption.db cannot be read: database disk image is malformed.', 'damaged'],
  ['spawn /usr/bin/node ENOENT', undefined],
  ['The backup ended with SIGKILL.', undefined],
])('why there is none is told where it is known: %s', async (sentence, reason) => {
  trouble = sentence;
  await begin()();
  expect(last.failure).toEqual(reason === undefined ? { sentence } : { sentence, reason });
});

test('the first of a week, from Monday, proves every row, also where one was made before an upgrade; what is damaged goes to the log', async () => {
  const tick = begin(14);
  // On Sunday, and from Tuesday on.
  await tick();
  pass(24 * HOUR_MS);
  writeFileSync(join(folder, nameBackup(now - HOUR_MS, { isBeforeUpgrade: true })), '');
  pass(23 * HOUR_MS);
  damagedRows = 2;
  for (let day = 0; day < 8; day += 1) {
    await tick();
    pass(24 * HOUR_MS);
  }
  expect(wholeOnes).toEqual([true, true, ...Array<boolean>(5).fill(false), true, false]);
  expect(errors).toEqual(Array(2).fill(expect.stringContaining('values that do not open')));
});

test('what a whole one has found damaged stands until another finds none', async () => {
  const tick = begin(14);
  damagedRows = 2;
  pass(24 * HOUR_MS);
  await tick();
  damagedRows = 0;
  for (const expected of [2, 2, 2, 2, 2, 2, 0]) {
    pass(24 * HOUR_MS);
    await tick();
    expect(last.damagedRows).toBe(expected);
  }
});

test('where fewer are to be kept, the surplus goes before the new one needs its room', async () => {
  const tick = begin();
  for (let day = 0; day < 3; day += 1) {
    await tick();
    pass(24 * HOUR_MS);
  }
  trouble = 'ENOSPC: no space left on device';
  await begin(1)();
  expect([made.length, readdirSync(folder)]).toEqual([3, ['redemption-2026-11-24T05-00-07Z.db']]);
});

test('a calendar that was ahead neither stops backups nor makes one a minute', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'redemption-2031-01-01T00-00-00Z.db'), '');
  const tick = begin();
  await tick();
  pass(60_000);
  await tick();
  expect(made).toHaveLength(1);
});

test.each(['forward', 'back'])(
  'a calendar that went %s for two days costs no backup that was made before it',
  async (direction) => {
    const tick = begin(2);
    const turn = async () => {
      await tick();
      expect(newestBackup(folder, now)).toBe(now);
      pass(24 * HOUR_MS);
    };
    await turn();
    await turn();
    const right = now;
    const before = made.slice();
    now += (direction === 'forward' ? 1 : -1) * 5 * 365 * 24 * HOUR_MS;
    // Ahead, they take the place of older ones, as every newer one does.
    await turn();
    if (direction === 'back') {
      await turn();
      expect(filesThere()).toEqual(expect.arrayContaining(before));
    }
    now = right + 24 * HOUR_MS;
    await turn();
    expect(filesThere()).toEqual(expect.arrayContaining([before.at(-1), made.at(-1)]));
  },
);

test('a folder that is none yet holds no backup; one that cannot be read is no empty one', () => {
  expect(newestBackup(folder, now)).toBeUndefined();
  writeFileSync(folder, '');
  expect(() => newestBackup(folder, now)).toThrow('ENOTDIR');
});

test('one that ends with the service is no failure', async () => {
  trouble = 'The operation was aborted';
  stopping.abort();
  await begin()();
  expect(last.failure).toBeUndefined();
});

test('the service makes them, and keeps a notice for its host of one that fails', async () => {
  const home = join(folder, '..');
  const databasePath = join(home, 'redemption.db');
  const env = { DATABASE_PATH: databasePath, SANDBOX_PATH: join(home, 'sandbox.db'), PORT: '0' };
  const asked: string[] = [];
  const app = createApp(loadConfig({ ...env, BACKUP_FOLDER: folder }), {
    log: createLogger({ level: 'silent' }),
    makeBackup: (file) => {
      asked.push(dirname(file));
      return Promise.reject(new Error('The disk is full.'));
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await app.start();
  await vi.advanceTimersByTimeAsync(90_000);
  vi.useRealTimers();
  await app.stop();
  expect(asked).toEqual([folder]);
  const connection = new Database(databasePath, { readonly: true });
  expect(connection.prepare('select task from tasks').pluck().all()).toEqual(['announce']);
  connection.close();
});

test('a database of an earlier version is backed up before it is changed, and where that cannot be, nothing is', async () => {
  const home = join(folder, '..');
  const env = { DATABASE_PATH: join(home, 'redemption.db'), SANDBOX_PATH: join(home, 'sandbox.db') };
  const config = loadConfig({ ...env, BACKUP_FOLDER: folder });
  const silent = { log: createLogger({ level: 'silent' }) };
  await createApp(config, { ...silent, makeBackupNow: () => expect.unreachable() }).stop();
  const connection = new Database(config.databasePath);
  connection.exec('delete from migrations');
  writeFileSync(folder, '');
  const start = () => createApp(config, { ...silent, makeBackupNow: spawnBackupNow });
  vi.stubEnv('DATABASE_PATH', config.databasePath);
  expect(start).toThrow(/no backup could be made in BACKUP_FOLDER before the upgrade: .*ENOTDIR/s);
  rmSync(folder);
  // The upgrade itself ends at tables that are there: here only what is before it counts.
  expect(start).toThrow(/already exists/);
  vi.unstubAllEnvs();
  const [name, ...others] = readdirSync(folder);
  expect([name, others]).toEqual([expect.stringMatching(/Z\.before-upgrade\.db$/), []]);
  const copy = new Database(join(folder, name!), { readonly: true });
  expect(copy.prepare('select count(*) from migrations').pluck().get()).toBe(0);
  copy.close();
  connection.close();
});

test('the real service makes one that the real command puts in place', async () => {
  const home = join(folder, '..');
  const config = loadConfig({
    DATABASE_PATH: join(home, 'redemption.db'),
    SANDBOX_PATH: join(home, 'sandbox.db'),
    BACKUP_FOLDER: folder,
    PORT: '0',
  });
  vi.stubEnv('DATABASE_PATH', config.databasePath);
  const app = createApp(config, { log: createLogger({ level: 'silent' }) });
  const { port } = await app.start();
  const readMetrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  try {
    expect(await readMetrics()).toContain('\nbackup_last_timestamp_seconds 0\n');
    mkdirSync(folder);
    writeFileSync(join(folder, 'redemption-2026-11-22T05-00-07Z.db'), '');
    expect(await readMetrics()).toContain(`\nbackup_last_timestamp_seconds ${START / 1000}\n`);
    const file = join(home, 'by-the-service.db');
    const { signal } = new AbortController();
    const whole = await spawnBackup(file, { isWhole: true, signal });
    const everyday = await spawnBackup(join(home, 'the-next.db'), { isWhole: false, signal });
    expect([whole, everyday]).toEqual([
      { proof: 'whole', damagedRows: 0 },
      { proof: 'everyday', damagedRows: 0 },
    ]);
    await expect(spawnBackup(file, { isWhole: true, signal })).rejects.toThrow(/exists already/);
  } finally {
    await app.stop();
    vi.unstubAllEnvs();
  }
  const { lines } = await runCliHere(home, 'restore', join(home, 'by-the-service.db'), '--drill');
  expect(lines).toMatchObject([{ drilled: join(home, 'by-the-service.db'), drift: 0 }]);
});
