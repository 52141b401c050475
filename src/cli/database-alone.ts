// The database for a command that works while no service runs.
import type { Database as Connection } from 'better-sqlite3';

import { backUpBeforeUpgrade } from '../backups.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { openConnection } from '../store/engine/connection.ts';
import { assertOwn } from '../store/engine/identity.ts';
import { assertCanary } from '../store/engine/keys.ts';
import { isCurrent, migrate } from '../store/engine/migrations.ts';
import { takeProcessLock } from '../store/engine/process-lock.ts';
import type { Secrets } from '../store/engine/secrets.ts';
import { warn } from './command.ts';
import { spawnBackupNow } from './spawn-backup.ts';

/**
 * Runs `work` over the database itself, for what no service may see half done: alone, proven to be the newest file, and
 * brought to this version, which is backed up before. Throws StoreRefusal.
 */
export async function withDatabaseAlone<T>(
  { databasePath, backups }: Pick<Config, 'databasePath' | 'backups'>,
  secrets: Secrets,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const lock = takeProcessLock(databasePath);
  let connection: Connection | undefined;
  try {
    assertOwn(databasePath, undefined);
    connection = openConnection(databasePath);
    assertCanary(connection, secrets);
    const log = { info: () => undefined, error: (_facts: object, message: string) => warn(message) };
    if (backups && !isCurrent(connection))
      backUpBeforeUpgrade(backups, { clock: systemClock, log, make: spawnBackupNow });
    migrate(connection);
    return await work(connection);
  } finally {
    connection?.close();
    lock.release();
  }
}
