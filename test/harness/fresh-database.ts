// A database as the first start makes it, made once in a process and copied for each test: its tables cost more than
// most tests.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

import { createStore } from '../../src/store/index.ts';

let template: string | undefined;

/** Puts it into a folder that has none. All copies of a process have the same key, and nothing else in common. */
export function layFreshDatabase(folder: string): void {
  const [database, key] = [join(folder, 'redemption.db'), join(folder, 'encryption.key')];
  if (existsSync(database) || existsSync(key)) return;
  template ??= makeTemplate();
  copyFileSync(join(template, 'fresh.db'), database);
  copyFileSync(join(template, 'encryption.key'), key);
}

function makeTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-fresh-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'redemption.db');
  const store = createStore({ path, exclusive: false });
  const reader = new Database(path, { readonly: true });
  reader.prepare('vacuum into ?').run(join(folder, 'fresh.db'));
  reader.close();
  void store.close();
  return folder;
}
