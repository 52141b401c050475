// A real store on a temporary file, with a clock that moves when told.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { createManualClock, type ManualClock, createCoreClock, type CoreClock } from '../../src/clock.ts';
import { randomIds, type Ids } from '../../src/ids.ts';
import { checkConservation } from '../../src/store/backup/conservation.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { layFreshDatabase } from './fresh-database.ts';

export interface TestStore {
  store: Store;
  clock: ManualClock & CoreClock;
  ids: Ids;
  /** Works on the file beside the store, by a connection of its own: for what no table reads or writes. */
  inspect<T>(work: (file: Database.Database) => T): T;
  /** For a test that makes rows by hand, without what belongs to them, or damages some. */
  allowDrift(): void;
  /** Closes the store and removes its folder. Rejects where a rule of conservation is broken in the file that is left. */
  close(): Promise<void>;
}

/** Where the clock of every test begins. */
export const TEST_START = Date.UTC(2026, 0, 13, 8, 27, 18, 520);

/** Opens an empty store in a folder of its own. */
export function openTestStore(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-'));
  layFreshDatabase(folder);
  const store = createStore({ path: join(folder, 'redemption.db'), exclusive: false });
  const clock = createManualClock(TEST_START);
  let isDriftAllowed = false;
  return {
    store,
    allowDrift: () => void (isDriftAllowed = true),
    clock: { ...clock, ...createCoreClock(clock) },
    ids: randomIds,
    inspect(work) {
      const file = new Database(store.path);
      try {
        return work(file);
      } finally {
        file.close();
        endSnapshot(store);
      }
    },
    async close() {
      await store.close();
      const rows = isDriftAllowed ? [] : findDrift(store);
      rmSync(folder, { recursive: true, force: true });
      if (rows.length > 0) throw new Error(`The books do not balance: ${JSON.stringify(rows)}`);
    },
  };
}

/** What breaks a rule of conservation in the file that a test leaves. */
function findDrift({ path }: Store): unknown[] {
  const file = new Database(path, { readonly: true });
  try {
    return checkConservation(file).rows;
  } finally {
    file.close();
  }
}

/** What the store has read in this turn it reads anew: a snapshot ends with a read that throws. */
function endSnapshot(store: Store): void {
  try {
    store.read(() => {
      throw new Error('Read anew.');
    });
  } catch {
    // That is all.
  }
}
