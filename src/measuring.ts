// What the program knows of itself beside the core, for `/metrics`: what waits in the bot, in the store, how it stands with
// Telegram, room on the disk, the age of the last backup.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import { newestBackup } from './backup-files.ts';
import type { TelegramBot } from './bot/index.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Measured } from './http/gauges.ts';
import type { Store } from './store/index.ts';

interface Parts {
  store: Store;
  bot: Pick<TelegramBot, 'standing' | 'lastAnswerAt'> | undefined;
  clock: Pick<Clock, 'now'>;
}

export function createMeasured(config: Config, { store, bot, clock }: Parts): Measured {
  const folders = { database: dirname(config.databasePath), backups: config.backups?.folder };
  return {
    lastBackupAt: tellLastBackup(config, clock),
    countWritesWaiting: () => store.countWaiting(),
    freeBytes: () => measureRoom(folders),
    ...(bot && { telegram: bot, queues: () => measureQueues(store) }),
  };
}

/** When the last backup was made, by the names in their folder; undefined where the settings ask for none. */
export function tellLastBackup(
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
const NO_TASKS = { answer: NONE, result: NONE, notice: NONE };

/** In bytes, what the service may still use; a folder that is not there yet is left out. */
async function measureRoom(folders: Record<string, string | undefined>): Promise<Record<string, number>> {
  const room: Record<string, number> = {};
  for (const [name, folder] of Object.entries(folders)) {
    const found = folder === undefined ? undefined : await statfs(folder).catch(() => undefined);
    if (found) room[name] = found.bavail * found.bsize;
  }
  return room;
}
