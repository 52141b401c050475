// Opening the file: what holds after every open, and every reason not to open it, each without changing a byte.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { openConnection, openReader } from './connection.ts';
import { loadKeyRing } from './keys.ts';
import { migrate } from './migrations.ts';
import { createStore, StoreRefusal, type Store, type StoreOptions } from '../index.ts';

let folder: string;
let path: string;
const open: Store[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'connection-'));
  path = join(folder, 'data', 'redemption.db');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(open.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

function start(options: Partial<StoreOptions> = {}): Store {
  const store = createStore({ path, exclusive: false, ...options });
  open.push(store);
  return store;
}
async function stop(): Promise<void> {
  await Promise.all(open.splice(0).map((store) => store.close()));
}
/** Every file of the folder, byte for byte. */
const fingerprint = () =>
  readdirSync(join(folder, 'data'))
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, 'data', name)))
        .digest('hex'),
    ]);

describe('the pragmas', () => {
  const read = (connection: Database.Database) =>
    ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map((pragma) =>
      connection.pragma(pragma, { simple: true }),
    );

  test('hold at the first open and at every later one, when the file says WAL already', () => {
    for (let times = 0; times < 3; times += 1) {
      const connection = openConnection(path);
      connection.exec('create table if not exists t (n integer) strict; insert into t values (1)');
      expect(read(connection)).toEqual(['wal', 2, 1, 250]);
      connection.close();
    }
  });

  test('a service never sleeps for a lock, which would hold its event loop; the command line may', async () => {
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    for (const [exclusive, waits] of [
      [true, 0],
      [false, 250],
    ] as const) {
      start({ exclusive });
      const connection = pragma.mock.contexts.at(-1) as Database.Database;
      expect(connection.pragma('busy_timeout', { simple: true })).toBe(waits);
      await stop();
    }
    pragma.mockRestore();
  });

  test('after many commits of a service a thread copies the log, and SQLite no more at a commit', async () => {
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    const store = start({ exclusive: true });
    for (let commit = 0; commit < 256; commit += 1) await store.write((tables) => tables.inbox.begin(commit));
    await expect.poll(() => pragma.mock.calls.map(([text]) => text)).toContain('wal_autocheckpoint = 0');
    pragma.mockRestore();
  });

  test('a database that cannot be in WAL is refused in words', () => {
    expect(() => openConnection(':memory:')).toThrow(StoreRefusal);
  });

  test('a file that is no database is not touched', () => {
    start();
    return stop().then(() => {
      const file = join(folder, 'data', 'other.db');
      writeFileSync(file, 'not a database, but long enough to look like one to somebody'.repeat(100));
      const before = readFileSync(file);
      expect(() => start({ path: file, encryptionKey: randomBytes(32) })).toThrow();
      expect(readFileSync(file).equals(before)).toBe(true);
    });
  });
});

describe('reading', () => {
  test('cannot write', async () => {
    const store = start();
    const write = () =>
      store.read((tables) => tables.accounts.insert({ name: 'A', now: 0, subscriptionExpiresAt: null }));
    expect(write).toThrow(/readonly/);
    expect(store.read((tables) => tables.accounts.list(0, 9))).toEqual([]);
    await store.write((tables) => tables.accounts.insert({ name: 'A', now: 0, subscriptionExpiresAt: null }));
    expect(store.read((tables) => tables.accounts.list(0, 9))).toHaveLength(1);
  });

  test('needs a file that is there', () => {
    expect(() => openReader(join(folder, 'none.db'))).toThrow();
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });
});

describe('migrations', () => {
  test('every table is STRICT', () => {
    start();
    const connection = new Database(path, { readonly: true });
    const tables = connection
      .prepare("select name, strict from pragma_table_list where schema = 'main'")
      .all() as {
      name: string;
      strict: number;
    }[];
    connection.close();
    const ours = tables.filter(({ name }) => !name.startsWith('sqlite_'));
    expect(ours.length).toBeGreaterThan(15);
    expect(ours.filter(({ strict }) => strict !== 1)).toEqual([]);
  });

  test('are applied once, however often the file is opened', async () => {
    start();
    await stop();
    start();
    const connection = new Database(path, { readonly: true });
    const tags = connection.prepare('select tag from migrations').pluck().all();
    connection.close();
    expect(tags).toEqual([...new Set(tags)]);
    expect(tags.length).toBeGreaterThan(0);
  });

  test('a file of a newer version is refused, and nothing of it is changed', async () => {
    start();
    await stop();
    const connection = new Database(path);
    connection.exec("insert into migrations values ('9999_from_the_future', 0)");
    connection.close();
    const before = fingerprint();
    expect(() => start()).toThrow(/newer version.*9999_from_the_future/);
    expect(fingerprint()).toEqual(before);
  });

  test('one that fails leaves nothing of itself', () => {
    const connection = openConnection(path);
    connection.exec('create table redemptions (id integer) strict');
    expect(() => migrate(connection)).toThrow('already exists');
    const tables = connection.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
    expect(tables).toEqual(['redemptions']);
    expect(connection.inTransaction).toBe(false);
    connection.close();
  });
});

describe('the encryption key', () => {
  const keyFile = () => join(folder, 'data', 'encryption.key');

  test('is made at the very first start, readable by its owner alone, and kept', async () => {
    start();
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    const made = readFileSync(keyFile());
    expect(Buffer.from(made.toString(), 'base64')).toHaveLength(32);
    await stop();
    start();
    expect(readFileSync(keyFile())).toEqual(made);
  });

  test('is never made anew beside a database that exists', async () => {
    start();
    await stop();
    rmSync(keyFile());
    const before = fingerprint();
    expect(() => start()).toThrow(/key file/);
    expect(existsSync(keyFile())).toBe(false);
    expect(fingerprint()).toEqual(before);
  });

  test('that is wrong is refused, and no byte of any file changes', async () => {
    const store = start();
    await store.write((tables) => tables.accounts.insert({ name: 'A', now: 0, subscriptionExpiresAt: null }));
    await stop();
    const before = fingerprint();
    expect(() => start({ encryptionKey: randomBytes(32) })).toThrow(/encryption key is not the one/);
    expect(fingerprint()).toEqual(before);
    expect(start().read((tables) => tables.accounts.list(0, 9))).toHaveLength(1);
  });

  test('from the settings wins, and no file is made', () => {
    const key = randomBytes(32);
    start({ encryptionKey: key });
    expect(existsSync(keyFile())).toBe(false);
    expect(loadKeyRing(path, key).current).toBe(key);
  });

  test('of another length is refused in words', () => {
    start();
    writeFileSync(keyFile(), Buffer.alloc(31).toString('base64'));
    expect(() => start()).toThrow(/^The key file .* does not hold 32 bytes in base64\.$/);
  });

  test('made by two first starts at once is one key', () => {
    const [first, second] = [loadKeyRing(path, undefined).current, loadKeyRing(path, undefined).current];
    expect(first.equals(second)).toBe(true);
  });
});

describe('the process lock', () => {
  const INDEX = new URL('../index.ts', import.meta.url).href;

  /** Another process that holds the store until it is killed. */
  async function hold(): Promise<ChildProcess> {
    const program = `import { createStore } from ${JSON.stringify(INDEX)};
      // What nobody can reach is collected, and its lock with it.
      globalThis.held = createStore({ path: ${JSON.stringify(path)}, exclusive: true });
      console.log('holding');
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  test('refuses a second service while the first lives, and is gone with a SIGKILL', async () => {
    const child = await hold();
    expect(() => start({ exclusive: true })).toThrow(/Another process is using/);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(() => start({ exclusive: true })).not.toThrow();
  });

  test('leaves the command line alone, which reads and writes beside the service', async () => {
    await hold();
    const store = start();
    await store.write((tables) => tables.accounts.insert({ name: 'A', now: 0, subscriptionExpiresAt: null }));
    expect(store.read((tables) => tables.accounts.list(0, 9))).toHaveLength(1);
  });

  test('is one for every name that the file has', async () => {
    start({ exclusive: true });
    await stop();
    const other = join(folder, 'data', 'other.db');
    symlinkSync(path, other);
    const child = await hold();
    expect(() => start({ exclusive: true, path: other })).toThrow(/Another process is using/);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(() => start({ exclusive: true, path: other })).not.toThrow();
  });

  test('is given back by close, and by a start that fails', async () => {
    start({ exclusive: true });
    expect(() => start({ exclusive: true })).toThrow(StoreRefusal);
    await stop();
    expect(() => start({ exclusive: true, encryptionKey: randomBytes(32) })).toThrow(/not the one/);
    expect(() => start({ exclusive: true })).not.toThrow();
  });
});
