// Whether there was a database where there is none now: a file that was deleted, or a disk that is not mounted, is no
// first start.
import { existsSync, statSync } from 'node:fs';

import { listBackups } from './backup-files.ts';
import { ConfigError, type Config } from './config.ts';
import { keyFileOf } from './store/engine/keys.ts';
import { reasonOf } from './store/engine/refusal.ts';
import { assertRights } from './store/engine/rights.ts';
import { stateFileOf } from './store/engine/sidecar.ts';
import { StoreRefusal } from './store/index.ts';

/** Throws StoreRefusal where something is left of a database that is gone, ConfigError where backups have no folder. */
export function assertFirstStart(config: Pick<Config, 'databasePath' | 'backups'>): void {
  assertRights(config.databasePath);
  const trace = findTrace(config);
  if (trace === undefined) return;
  throw new StoreRefusal(
    `There was a database here: ${config.databasePath} is gone, and ${trace} is left of it. Put it back, restore a backup (\`redemption restore FILE\`), or say \`redemption new\` for an empty one.`,
  );
}

/** What is left of a database that is gone; undefined where there is one, or never was. */
export function findTrace({
  databasePath,
  backups,
}: Pick<Config, 'databasePath' | 'backups'>): string | undefined {
  if (existsSync(databasePath)) return undefined;
  const beside = [keyFileOf(databasePath), stateFileOf(databasePath)].find((file) => existsSync(file));
  if (beside !== undefined || !backups) return beside;
  const { folder } = backups;
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false)
      return listBackups(folder).length === 0 ? undefined : folder;
  } catch (error) {
    throw new ConfigError([`BACKUP_FOLDER: ${reasonOf(error)}`]);
  }
  throw new ConfigError([`BACKUP_FOLDER: ${folder} is a file; name a folder, or one that is to be made`]);
}
