// What the user of the service may not write is refused at the start in a sentence: SQLite would open it for reading
// alone.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createStore, StoreRefusal } from '../index.ts';

/**
 * What of the folder may not be read or written, by the ends of its names; the tests may be run by root, who may do
 * everything.
 */
const closed = vi.hoisted(() => new Set<string>());
const refusedAs = vi.hoisted(() => ({ code: 'EACCES' }));
vi.mock('node:fs', async (load) => {
  const files = await load<typeof Files>();
  const refuse = (path: unknown) => {
    const name = String(path);
    if ([...closed].some((end) => name.endsWith(end)))
      throw Object.assign(new Error(`${refusedAs.code}: '${name}'`), refusedAs);
  };
  return {
    ...files,
    accessSync: (path: string, mode?: number) => (refuse(path), files.accessSync(path, mode)),
    readFileSync: (path: string, how: 'utf8') => (refuse(path), files.readFileSync(path, how)),
    writeFileSync(path: string, text: string, how: Files.WriteFileOptions) {
      files.writeFileSync(path, closed.has('full disk') ? '' : text, how);
      if (closed.has('full disk')) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
  };
});

let folder: string;
let path: string;
const start = () => createStore({ path, exclusive: true });
const startOnce = () => start().close();
const list = () => readdirSync(join(folder, 'data')).toSorted();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unwritable-'));
  path = join(folder, 'data', 'redemption.db');
});
afterEach(() => {
  closed.clear();
  refusedAs.code = 'EACCES';
  rmSync(folder, { recursive: true });
});

const FILES = [
  '/data',
  '/redemption.db',
  '/redemption.db-wal',
  '/redemption.db.lock',
  '/redemption.db.state',
];

test.each([...FILES, '/encryption.key'])(
  '%s that may not be used is named, with what to type',
  async (name) => {
    await startOnce();
    writeFileSync(`${path}-wal`, '', {});
    const before = list();
    closed.add(name);
    expect(start).toThrow(StoreRefusal);
    const file = name === '/data' ? join(folder, 'data') : join(folder, 'data', name);
    expect(start).toThrow(`may not use what the database needs: ${file} (EACCES, user `);
    expect(start).toThrow(new RegExp(`As root: \`chown \\S+ ${file} && chmod u\\+rwX ${file}\`\\.$`));
    expect(list()).toEqual(before);
    closed.clear();
    await startOnce();
  },
);

test('all that may not be used is named at once', async () => {
  await startOnce();
  for (const name of ['/redemption.db', '/encryption.key']) closed.add(name);
  expect(start).toThrow(
    /\/redemption\.db \(.*\/encryption\.key \(.*chown \S+ \S+redemption\.db \S+encryption\.key && /,
  );
});

test('what lies on a disk that may only be read is named, and that it is to be mounted otherwise', async () => {
  await startOnce();
  refusedAs.code = 'EROFS';
  closed.add('/redemption.db');
  expect(start).toThrow(
    /redemption\.db \(EROFS, .*As root: `mount -o remount,rw \$\(findmnt -no TARGET -T \S+\/data\)`\.$/,
  );
});

test('a file in place of the folder', () => {
  writeFileSync(join(folder, 'data'), '', {});
  expect(start).toThrow(StoreRefusal);
});

test('a file that is no database', async () => {
  await startOnce();
  writeFileSync(path, 'not a database, but long enough to look like one to somebody'.repeat(100), {});
  expect(start).toThrow(StoreRefusal);
  expect(start).toThrow(/The database .* cannot be opened: file is not a database\./);
});

test('a key that a full disk cut short is none: the next start makes another', async () => {
  closed.add('full disk');
  expect(start).toThrow('ENOSPC');
  expect(existsSync(join(folder, 'data', 'encryption.key'))).toBe(false);
  closed.clear();
  await startOnce();
});
