// The thread that copies the log into the database, so that the event loop does not stand still for it. It loads hardly
// more than SQLite; what goes wrong it tells, and the service copies by itself again (checkpoints.ts).
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

import { reasonOf } from './refusal.ts';

/** One pass; or the end of the thread, by itself. */
export type CheckpointOrder = 'copy' | 'end';

/** What came of one pass: how many pages the log had as it began and how many of them are copied, or why it failed. */
export type CheckpointAnswer = { pages: number; copied: number } | { failed: string };

const { path } = workerData as { path: string };
const connection = new Database(path, { timeout: 0 });
connection.pragma('synchronous = FULL');

parentPort?.on('message', (asked: CheckpointOrder) => {
  if (asked === 'end') {
    connection.close();
    parentPort?.close();
    return;
  }
  let answer: CheckpointAnswer;
  try {
    const [row] = connection.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    answer = { pages: row?.log ?? 0, copied: row?.checkpointed ?? 0 };
  } catch (error) {
    answer = { failed: reasonOf(error) };
  }
  parentPort?.postMessage(answer);
});
