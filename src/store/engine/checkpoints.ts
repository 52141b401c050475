// Checkpoints beside the event loop: copying 1,000 pages of the log holds it for some 30 ms, so a thread does that, by
// itself, 20 times a second, and tells how long the log is. Few commits need none; where the thread fails, SQLite copies
// at a commit, as it does by itself.
import { Worker } from 'node:worker_threads';
import type { Database as Connection } from 'better-sqlite3';

import { program as programOf } from '../../files.ts';

/** The thread begins after so many commits: an idle service does not pay for it. */
const COMMITS_BEFORE = 256;
/** What SQLite copies at by itself, where there is no thread. */
export const AUTOMATIC_PAGES = 1_000;
/** A log that is longer is begun anew: its file stays, since to overwrite it costs half of what growing it costs. */
const LONG_PAGES = 2_000;
/** What is left of the file where a reader kept it growing. */
const FILE_BYTES = 32 * 1024 * 1024;
/** Longer than a pass over any log; only a thread that hears nothing is cut off. */
const ENDS_WITHIN_MS = 60_000;
const PROGRAM = programOf('src/store/engine/checkpoint-worker.ts');

export interface Checkpoints {
  /** Call it after each commit, outside any transaction. Never throws. */
  afterCommit(): void;
  /** Whether the thread does the copying now. */
  isBeside(): boolean;
  /** Resolves when the thread has let go of the file. */
  close(): Promise<void>;
}

export interface CheckpointOptions {
  commitsBefore?: number;
  longPages?: number;
  fileBytes?: number;
  /** For tests: another program in place of the thread's. */
  program?: string | URL;
}

export function createCheckpoints(
  connection: Connection,
  path: string,
  options: CheckpointOptions = {},
): Checkpoints {
  const { commitsBefore = COMMITS_BEFORE, longPages = LONG_PAGES, fileBytes = FILE_BYTES } = options;
  let thread: Worker | undefined;
  let exited: Promise<void> | undefined;
  let commits = 0;

  function begin(): void {
    const begun = new Worker(options.program ?? PROGRAM, { workerData: { path } });
    thread = begun;
    begun.unref();
    // It has copied once: SQLite does not by itself from here on.
    begun.once('message', () => {
      if (thread !== begun) return;
      connection.pragma('wal_autocheckpoint = 0');
      connection.pragma(`journal_size_limit = ${fileBytes}`);
    });
    // Only a log that is copied to its end is begun anew, and while the thread copies, more is written: what it left is
    // little. Where somebody still reads what was before, it is tried again when as much was written once more.
    let due = longPages;
    begun.on('message', (pages: number) => {
      if (thread === begun && pages > due) due = longPages + (beginAnew(connection) ? 0 : pages);
    });
    begun.on('error', () => undefined);
    exited = new Promise((resolve) => begun.once('exit', () => resolve()));
    void exited.then(() => thread === begun && giveUp());
  }

  function giveUp(): void {
    thread = undefined;
    commits = -Infinity;
    if (connection.open) connection.pragma(`wal_autocheckpoint = ${AUTOMATIC_PAGES}`);
  }

  return {
    afterCommit() {
      commits += 1;
      if (!thread && commits >= commitsBefore) begin();
    },
    isBeside: () => thread !== undefined,
    async close() {
      const last = thread;
      thread = undefined;
      commits = -Infinity;
      // By itself: a thread that is cut off while it loads SQLite, or waits for it, takes the whole process with it.
      last?.postMessage('end');
      const timer = setTimeout(() => void last?.terminate(), ENDS_WITHIN_MS);
      last?.ref();
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Whether it was. What the disk refuses here it refuses the thread's next pass, too, which gives up for it. */
function beginAnew(connection: Connection): boolean {
  try {
    return connection.pragma('wal_checkpoint(RESTART)', { simple: true }) === 0;
  } catch {
    return false;
  }
}
