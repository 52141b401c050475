// Going on with a copy of a database that was stopped where it was: the planned move to another place. Everything is
// known, so that nothing is in question; the file that stays behind is of another epoch from then on.
import { deleteCommitFile } from '../engine/commit-count.ts';
import { openConnection, openReader } from '../engine/connection.ts';
import { canTellCopies, isElsewhere, settleHome } from '../engine/home.ts';
import { assertAlone, assertNewest, markStopped, readStoppedAt } from '../engine/identity.ts';
import { assertCanary } from '../engine/keys.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import type { Secrets } from '../engine/secrets.ts';
import { beginMoved } from './epochs.ts';
import { refuseUnreadable } from './snapshot-file.ts';

/**
 * Makes the file that is at `databasePath` the database; returns when the service on it was stopped, in ms UTC. Throws
 * StoreRefusal, with everything as it was, while another process uses it, for a backup, an older file, one that was not
 * stopped, and one that is no copy. Safe to repeat.
 */
export function adopt(databasePath: string, secrets: Secrets, now: number): { stoppedAt: number } {
  const lock = takeProcessLock(databasePath);
  try {
    assertAlone(databasePath);
    return refuseUnreadable(databasePath, () => adoptHeld(databasePath, secrets, now));
  } finally {
    lock.release();
  }
}

function adoptHeld(path: string, secrets: Secrets, now: number): { stoppedAt: number } {
  const stoppedAt = judge(path, secrets);
  const connection = openConnection(path);
  try {
    deleteCommitFile(path);
    connection.transaction(() => {
      beginMoved(connection, { stoppedAt, now });
      settleHome(connection, path);
      markStopped(connection, stoppedAt);
    })();
    return { stoppedAt };
  } finally {
    connection.close();
  }
}

/** When it was stopped. Only reads: what is refused stays as it is. */
function judge(path: string, secrets: Secrets): number {
  const connection = openReader(path);
  try {
    assertCanary(connection, secrets);
    assertNewest(connection, path);
    if (canTellCopies(path) && !isElsewhere(connection, path))
      throw new StoreRefusal(
        `${path} is the file that was served, and needs no adopting: start the service.`,
      );
    const stoppedAt = readStoppedAt(connection);
    if (stoppedAt === undefined) throw new StoreRefusal(formatUnstopped(path));
    return stoppedAt;
  } finally {
    connection.close();
  }
}

const formatUnstopped = (path: string) =>
  `${path} does not say that it was stopped: it is of a service that still ran or was killed, and codes that were used since would be used again. Stop the service there and copy the file anew; where it is gone, restore this one (\`restore\`). Nothing was changed.`;
