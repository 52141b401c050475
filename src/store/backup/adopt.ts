// Going on with a copy of a database that was stopped where it was: the planned move to another place. Everything is
// known, so that nothing is in question.
import { openConnection, openReader } from '../engine/connection.ts';
import { isElsewhere, leaveHome } from '../engine/home.ts';
import { assertAlone, assertNewest, findStop } from '../engine/identity.ts';
import { assertCanary } from '../engine/keys.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import type { Secrets } from '../engine/secrets.ts';
import { recordByHost } from './restored.ts';
import { refuseUnreadable } from './snapshot-file.ts';

/**
 * Makes the file that is at `path` the database; returns when the service on it was stopped, in ms UTC. Throws
 * StoreRefusal, with everything as it was, while another process uses it, for a backup, an older file, one that was not
 * stopped, and one that is no copy. Safe to repeat.
 */
export function adopt(path: string, secrets: Secrets, now: number): { stoppedAt: number } {
  const lock = takeProcessLock(path);
  try {
    assertAlone(path);
    return refuseUnreadable(path, () => {
      const stoppedAt = judge(path, secrets);
      const connection = openConnection(path);
      connection.transaction(() => {
        leaveHome(connection);
        recordByHost(connection, { what: 'databaseAdopted', before: { stoppedAt }, at: now });
      })();
      connection.close();
      return { stoppedAt };
    });
  } finally {
    lock.release();
  }
}

/** When it was stopped. Only reads: what is refused stays as it is. */
function judge(path: string, secrets: Secrets): number {
  const connection = openReader(path);
  try {
    assertCanary(connection, secrets);
    assertNewest(connection, path);
    if (!isElsewhere(connection, path))
      throw new StoreRefusal(`${path} needs no adopting: it may be served here as it is. Start the service.`);
    const stoppedAt = findStop(connection, path);
    if (stoppedAt === undefined) throw new StoreRefusal(formatUnstopped(path));
    return stoppedAt;
  } finally {
    connection.close();
  }
}

const formatUnstopped = (path: string) =>
  `${path} does not say that it was stopped: it is of a service that still ran or was killed, and codes that were used since would be used again. Stop the service there and copy the file anew; where it is gone, restore this one (\`restore\`). Nothing was changed.`;
