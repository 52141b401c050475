// What the user of the service may not write is refused at the start in a sentence: SQLite would open it for reading
// alone.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
vi.mock('node:fs', async (load) => {
  const files = await load<typeof Files>();
  const refuse = (path: unknown) => {
    const name = String(path);
    if ([...closed].some((end) => name.endsWith(end)))
      throw Object.assign(new Error(`EACCES: permission denied, '${name}'`), { code: 'EACCES' });
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

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unwritable-'));
  path = join(folder, 'data', 'redemption.db');
});
afterEach(() => {
  closed.clear();
  rmSync(folder, { recursive: true });
});

test.each(['/data', '/redemption.db', '/redemption.db.lock'])('%s that may not be written', async (name) => {
  await startOnce();
  closed.add(name);
  expect(start).toThrow(StoreRefusal);
  expect(start).toThrow(/cannot be written \(EACCES: .*\)\. The user of the service must be able to write/);
  closed.clear();
  await startOnce();
});

test('a file in place of the folder', () => {
  writeFileSync(join(folder, 'data'), '', {});
  expect(start).toThrow(StoreRefusal);
});

test('a key file that may not be read', async () => {
  await startOnce();
  closed.add('/encryption.key');
  expect(start).toThrow(StoreRefusal);
  expect(start).toThrow(/The key file .* cannot be read \(EACCES/);
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
