// A service that is backed up, loses its disk, is restored, goes on, and finds its later backup again: so that two pasts are
// to be joined. Time passes before every deed.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';

import { createStore, type Store, type Tables } from '../../src/store/index.ts';
import { backup } from '../../src/store/safekeeping/backup.ts';
import { restore } from '../../src/store/safekeeping/restore.ts';

const KEY = Buffer.alloc(32, 3);
const START = Date.UTC(2026, 0, 13);
const STEP_MS = 60_000;

export type Pasts = ReturnType<typeof openPasts>;

export function openPasts() {
  const folder = mkdtempSync(join(tmpdir(), 'pasts-'));
  const path = join(folder, 'redemption.db');
  const open = () => createStore({ path, encryptionKey: KEY, exclusive: false });
  let now = START;
  let store: Store = open();

  const pasts = {
    path,
    /** The one that is open at this moment. */
    store: () => store,
    now: () => now,
    /** Less than nothing for a calendar that goes back. */
    wait: (ms = STEP_MS) => void (now += ms),
    write<T>(work: (tables: Tables) => T): Promise<T> {
      now += STEP_MS;
      return store.write(work);
    },
    async backUp(): Promise<string> {
      now += STEP_MS;
      const file = join(folder, `backup-${now}`);
      await backup(path, file, { secrets: store.secrets, now });
      return file;
    },
    /** `over`: what became of the file that is replaced. */
    async goBack(file: string, over: 'readable' | 'dead disk' = 'readable'): Promise<void> {
      await store.close();
      if (over === 'dead disk') writeFileSync(path, 'no database any more '.repeat(400));
      now += STEP_MS;
      const { rows, since } = restore({ file, databasePath: path, key: KEY, now });
      store = open();
      expect({ rows, since }).toEqual({ rows: [], since: over === 'readable' ? 'carried' : 'nothing' });
    },
    /** As somebody in a hurry does it, instead of a restore. */
    async placeByHand(file: string): Promise<void> {
      await store.close();
      copyFileSync(file, path);
      store = open();
    },
    /** Tuesday is backed up and lost, Monday comes back, Wednesday goes on from it, and Tuesday's backup is restored then. */
    async join(tuesday: () => Promise<unknown>, wednesday: () => Promise<unknown>): Promise<void> {
      const monday = await pasts.backUp();
      await tuesday();
      const later = await pasts.backUp();
      await pasts.goBack(monday, 'dead disk');
      await wednesday();
      await pasts.goBack(later);
    },
    /** The next of these numbers is given again, as after a restore by an earlier version, which left no gap. */
    giveAgain(table: string, number: number): void {
      const connection = new Database(path);
      connection.prepare('update sqlite_sequence set seq = ? where name = ?').run(number - 1, table);
      connection.close();
    },
    query(sql: string): unknown[] {
      const connection = new Database(path, { readonly: true });
      try {
        return connection.prepare(sql).pluck().all();
      } finally {
        connection.close();
      }
    },
    async close(): Promise<void> {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
  return pasts;
}
