// A disk for backups may have a file system without links.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createStore, type Store } from '../index.ts';
import { backup } from './backup.ts';

const links = vi.hoisted(() => ({ onLink: (): void => undefined }));
vi.mock('node:fs', async (load) => ({
  ...(await load<typeof Files>()),
  linkSync() {
    links.onLink();
    throw Object.assign(new Error('operation not permitted, link'), { code: 'EPERM' });
  },
}));

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  store = createStore({ path: join(folder, 'redemption.db'), exclusive: false });
});
afterEach(async () => {
  links.onLink = () => undefined;
  await store.close();
  rmSync(folder, { recursive: true });
});

const make = (file: string) => backup(store.path, file, { secrets: store.secrets, now: 1 });

test('it is made there all the same, and proven before it has its name', async () => {
  const file = join(folder, 'backup.db');
  links.onLink = () => expect(existsSync(file)).toBe(false);
  expect(await make(file)).toMatchObject({ unreadable: 0, drift: 0, rows: [] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  const connection = new Database(file, { readonly: true });
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  connection.close();
});

test('a file that came up since the beginning is not replaced', async () => {
  const file = join(folder, 'backup.db');
  links.onLink = () => writeFileSync(file, 'mine');
  await expect(make(file)).rejects.toThrow('exists already');
  expect(statSync(file).size).toBe(4);
});
