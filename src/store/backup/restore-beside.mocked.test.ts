// Until the restored database has the name, nobody writes into the replaced one: what they were told is kept would be
// lost.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type * as Files from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

import { damagePage } from '../../../test/harness/damaged-file.ts';
import { createStore } from '../index.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

const names = vi.hoisted(() => ({ onRename: (_from: string): void => undefined }));
vi.mock('node:fs', async (load) => {
  const files = await load<typeof Files>();
  const renameSync: typeof files.renameSync = (from, to) => {
    names.onRename(String(from));
    files.renameSync(from, to);
  };
  return { ...files, renameSync };
});

const folder = mkdtempSync(join(tmpdir(), 'restore-beside-'));
afterEach(() => rmSync(folder, { recursive: true }));

/** Another process, as the command line is one: what it was told. */
function writeFromBeside(path: string): string {
  const program = `
    const Database = require('better-sqlite3');
    try {
      new Database(process.argv[1], { timeout: 0 }).exec("insert into meta (key, value) values ('beside', x'00')");
      console.log('written');
    } catch (error) {
      console.log(error.code);
    }`;
  return spawnSync(process.execPath, ['-e', program, path], { encoding: 'utf8' }).stdout.trim();
}

test('the command line that comes in the last moment is told to wait', async () => {
  const path = join(folder, 'redemption.db');
  const file = join(folder, 'backup.db');
  const encryptionKey = Buffer.alloc(32, 3);
  const store = createStore({ path, encryptionKey, exclusive: false });
  await backup(path, file, { secrets: store.secrets, now: 1 });
  await store.close();
  damagePage(path, 'codes_in_batch');
  const told: string[] = [];
  names.onRename = (from) => {
    if (from.endsWith('.restoring')) told.push(writeFromBeside(path));
  };
  restore({ file, databasePath: path, key: encryptionKey, now: 2 });
  expect(told).toEqual(['SQLITE_BUSY']);
});
