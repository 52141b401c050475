// Checkpoints beside the event loop: copying 1,000 pages of the log holds it for some 30 ms, so a thread does that, by
// itself, 20 times a second. Few commits need none; where the thread fails, SQLite copies at a commit, as it does by
// itself.
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Database as Connection } from 'better-sqlite3';

import { program as programOf } from '../../files.ts';

/** The thread begins after so many commits: an idle service does not pay for it. */
const COMMITS_BEFORE = 256;
/** What SQLite copies at by itself, where there is no thread. */
export const AUTOMATIC_PAGES = 1_000;
/** A log that is longer is begun anew. */
const LONG_BYTES = 32 * 1024 * 1024;
/** Commits between two looks at how long it is. */
const COMMITS_BETWEEN = 64;
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
  longBytes?: number;
  /** For tests: another program in place of the thread's. */
  program?: string | URL;
}

export function createCheckpoints(
  connection: Connection,
  path: string,
  { commitsBefore = COMMITS_BEFORE, longBytes = LONG_BYTES, program = PROGRAM }: CheckpointOptions = {},
): Checkpoints {
  let thread: Worker | undefined;
  let exited: Promise<void> | undefined;
  let commits = 0;

  function begin(): void {
    const begun = new Worker(program, { workerData: { path } });
    thread = begun;
    begun.unref();
    // It has copied once: SQLite does not by itself from here on.
    begun.once('message', () => thread === begun && connection.pragma('wal_autocheckpoint = 0'));
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
      // Only a log that is copied to its end is begun anew, and while the thread copies, more is written: what it left
      // is little. Where it copies just now, or somebody still reads what was before, it is tried again.
      if (thread && commits % COMMITS_BETWEEN === 0 && lengthOf(`${path}-wal`) > longBytes)
        connection.pragma('wal_checkpoint(TRUNCATE)');
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

const lengthOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
