// A real store on a temporary file, with a clock that moves when told.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { createManualClock, type ManualClock, createCoreClock, type CoreClock } from '../../src/clock.ts';
import { randomIds, type Ids } from '../../src/ids.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { findDrift } from './drift.ts';
import { layFreshDatabase } from './fresh-database.ts';

export interface TestStore {
  store: Store;
  clock: ManualClock & CoreClock;
  ids: Ids;
  /** Works on the file beside the store, by a connection of its own: for what no table reads or writes. */
  inspect<T>(work: (file: Database.Database) => T): T;
  /** For a test that makes rows by hand, without what belongs to them, or damages some. */
  allowDrift(): void;
  /** Resolves once it holds, looked at after each commit of this store: what goes on by itself is waited for so. */
  until(holds: () => unknown): Promise<void>;
  /** Closes the store and removes its folder. Rejects where a rule of conservation is broken in the file that is left. */
  close(): Promise<void>;
}

/** As it is where a test has timers of its own. */
const nextTurn = setImmediate;

/** Where the clock of every test begins. */
export const TEST_START = Date.UTC(2026, 0, 13, 8, 27, 18, 520);

/** Opens an empty store in a folder of its own. */
export function openTestStore(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-'));
  layFreshDatabase(folder);
  const looking = new Set<() => void>();
  const onCommit = () => void nextTurn(() => looking.forEach((look) => look()));
  const store = createStore({ path: join(folder, 'redemption.db'), exclusive: false, onCommit });
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
    until: (holds) =>
      new Promise((resolve, reject) => {
        const look = () => {
          try {
            if (!holds()) return;
            resolve();
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
          looking.delete(look);
        };
        looking.add(look);
        look();
      }),
    async close() {
      await store.close();
      const rows = isDriftAllowed ? [] : findDrift(store.path);
      rmSync(folder, { recursive: true, force: true });
      if (rows.length > 0) throw new Error(`The books do not balance: ${JSON.stringify(rows)}`);
    },
  };
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
