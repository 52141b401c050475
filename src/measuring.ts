// What the program knows of itself beside the core, for `/metrics`: what waits in the bot, in the store, how it stands
// with Telegram, room on the disk, the age of the last backup.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import { newestBackup } from './backup-files.ts';
import type { TelegramBot } from './bot/index.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { DiskRoom } from './core/index.ts';
import type { Measured } from './http/metrics.ts';
import type { Store } from './store/index.ts';

interface Parts {
  store: Store;
  bot: Pick<TelegramBot, 'telegramStatus' | 'lastAnswerAt'> | undefined;
  clock: Pick<Clock, 'now'>;
}

export function createMeasured(config: Config, { store, bot, clock }: Parts): Measured {
  return {
    lastBackupAt: readLastBackup(config, clock),
    countWritesWaiting: () => store.countWaiting(),
    freeBytes: async () =>
      Object.fromEntries((await measureRoom(foldersOf(config))).map(({ folder, free }) => [folder, free])),
    ...(bot && { telegram: bot, queues: () => measureQueues(store) }),
  };
}

/** When the last backup was made, by the names in their folder; undefined where the settings ask for none. */
export function readLastBackup(
  { backups }: Pick<Config, 'backups'>,
  clock: Pick<Clock, 'now'>,
): (() => number | undefined) | undefined {
  return backups && (() => newestBackup(backups.folder, clock.now()));
}

interface Queue {
  waiting: number;
  since: number | undefined;
}

function measureQueues(store: Store): Record<string, Queue> {
  return store.read(({ inbox, tasks }) => {
    const queues: Record<string, Queue> = { ...NO_TASKS };
    for (const { task, count, since } of tasks.countWaiting()) queues[task] = { waiting: count, since };
    return { inbox: { waiting: inbox.countWaiting(), since: inbox.waitsSince() }, ...queues };
  });
}

/** Told of also while none waits. */
const NONE: Queue = { waiting: 0, since: undefined };
const NO_TASKS = { answer: NONE, result: NONE, notice: NONE, announce: NONE };

/** Where the service writes. */
export const foldersOf = ({ databasePath, backups }: Pick<Config, 'databasePath' | 'backups'>) => ({
  database: dirname(databasePath),
  backups: backups?.folder,
});

/** A folder that is not there yet is left out. */
export async function measureRoom(folders: Record<string, string | undefined>): Promise<DiskRoom[]> {
  const rooms: DiskRoom[] = [];
  for (const [name, folder] of Object.entries(folders)) {
    const found = folder === undefined ? undefined : await statfs(folder).catch(() => undefined);
    if (found)
      rooms.push({ folder: name, free: found.bavail * found.bsize, total: found.blocks * found.bsize });
  }
  return rooms;
}
