// Whether the name of the database still leads to the file that is open: one that is deleted or moved away takes every
// write, and keeps none of it for whoever opens the name next.
import { statSync } from 'node:fs';
import Database from 'better-sqlite3';

import type { Logger } from '../../log.ts';
import type { ProcessLock } from './process-lock.ts';

export interface Place {
  /** Throws what the disk would be at fault for (SQLITE_READONLY_DBMOVED) where the name leads elsewhere, or nowhere. */
  assert(): void;
  /** False from when that was noticed until the file is back. */
  isHeld(): boolean;
  close(): void;
}

interface PlaceOptions {
  lock: ProcessLock;
  log: Pick<Logger, 'error' | 'info'> | undefined;
  /** At each look, as long as the file is where it should be. */
  onCheck: () => void;
}

const EVERY_MS = 1_000;
const MOVED =
  'the database was moved away or deleted under the running service: nothing begins until the same file is back';

/** Call it once the file is open. Looks every second by itself, and tells the log once. */
export function watchPlace(path: string, { lock, log, onCheck }: PlaceOptions): Place {
  const own = findFile(path);
  const isThere = () => own !== undefined && findFile(path) === own;
  let isHeld = true;

  function look(isNow: boolean): boolean {
    if (isNow && !isHeld) log?.info({ path }, 'the database is where it was again, and the service goes on');
    if (!isNow && isHeld) log?.error({ path }, MOVED);
    isHeld = isNow;
    return isNow;
  }

  const timer = setInterval(() => {
    // Another service that came up by the same name has the lock there.
    if (look(lock.retake() && isThere())) onCheck();
  }, EVERY_MS).unref();

  return {
    assert() {
      if (isThere()) return;
      look(false);
      throw new Database.SqliteError(MOVED, 'SQLITE_READONLY_DBMOVED');
    },
    isHeld: () => isHeld,
    close: () => clearInterval(timer),
  };
}

/** What cannot be looked at is as good as gone. */
function findFile(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
