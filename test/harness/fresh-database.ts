// A database as the first start makes it, made once in a process and copied for each test: its tables cost more than
// most tests.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

import { createStore } from '../../src/store/index.ts';

/** Made once in a process, by their keys; without one by a key of its own, which lies beside it. */
const templates = new Map<Buffer | undefined, string>();

/** Puts it into a folder that has none. All copies of a process have the same key, and nothing else in common. */
export function layFreshDatabase(folder: string): void {
  const [database, key] = [join(folder, 'redemption.db'), join(folder, 'encryption.key')];
  if (existsSync(database) || existsSync(key)) return;
  copyFreshDatabase(database);
  copyFileSync(join(findTemplate(), 'encryption.key'), key);
}

/** Of a key that lies nowhere. */
export const copyFreshDatabase = (path: string, encryptionKey?: Buffer): void =>
  copyFileSync(join(findTemplate(encryptionKey), 'fresh.db'), path);

function findTemplate(encryptionKey?: Buffer): string {
  const template = templates.get(encryptionKey) ?? makeTemplate(encryptionKey);
  templates.set(encryptionKey, template);
  return template;
}

function makeTemplate(encryptionKey?: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-fresh-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'redemption.db');
  const store = createStore({ path, ...(encryptionKey && { encryptionKey }), exclusive: false });
  const reader = new Database(path, { readonly: true });
  reader.prepare('vacuum into ?').run(join(folder, 'fresh.db'));
  reader.close();
  void store.close();
  return folder;
}
