// Checkpoints beside the event loop: copying 1,000 pages of the log holds it for some 30 ms, so a thread does that. Few commits
// need none; where the thread fails, SQLite copies at a commit again, as it does by itself.
import { Worker } from 'node:worker_threads';
import type { Database as Connection } from 'better-sqlite3';

import type { CheckpointAnswer } from './checkpoint-worker.ts';
import { createHolding } from './holding.ts';
import type { Held } from './writer.ts';

/** The thread begins after so many commits: an idle service does not pay for it. */
const COMMITS_BEFORE = 256;
/** Commits between two passes of the thread. */
const COMMITS_BETWEEN = 32;
/** What SQLite copies at by itself, where there is no thread. */
export const AUTOMATIC_PAGES = 1_000;
const FAILURES = 3;
const PROGRAM = new URL('checkpoint-worker.ts', import.meta.url);

export interface Checkpoints {
  /** Call it after each commit, outside any transaction. Never throws. */
  afterCommit(): void;
  /** Whether the thread does the copying now. */
  isBeside(): boolean;
  /** Resolves when the thread has let go of the file. */
  close(): Promise<void>;
}

export interface CheckpointOptions {
  /** Asks the writer to begin nothing of that for now: the event loop goes on, what is handed in waits. */
  hold: (held: Held) => void;
  commitsBefore?: number;
  longPages?: number;
  /** For tests: another program in place of the thread's. */
  program?: URL;
}

export function createCheckpoints(
  connection: Connection,
  path: string,
  { hold, longPages, commitsBefore = COMMITS_BEFORE, program = PROGRAM }: CheckpointOptions,
): Checkpoints {
  let worker: Worker | undefined;
  let commits = 0;
  let isCopying = false;
  let failures = 0;
  // Once it has copied, SQLite does not by itself.
  let isTrusted = false;
  const holding = createHolding(hold, longPages);

  function begin(): void {
    worker = new Worker(program, { workerData: { path } });
    worker.unref();
    worker.on('message', (answer: CheckpointAnswer) => hear(answer));
    worker.on('error', giveUp);
    worker.on('exit', giveUp);
    ask();
  }

  function ask(): void {
    isCopying = true;
    commits = 0;
    worker?.postMessage('copy');
  }

  function hear(answer: CheckpointAnswer): void {
    isCopying = false;
    failures = 'failed' in answer ? failures + 1 : 0;
    if ('failed' in answer) return failures >= FAILURES ? giveUp() : holding.letGo();
    if (!isTrusted && worker) {
      isTrusted = true;
      connection.pragma('wal_autocheckpoint = 0');
    }
    if (holding.isAnotherPassDue(answer)) ask();
  }

  function giveUp(): void {
    const failed = worker;
    worker = undefined;
    commits = -Infinity;
    if (connection.open) connection.pragma(`wal_autocheckpoint = ${AUTOMATIC_PAGES}`);
    void failed?.terminate();
    holding.letGo();
  }

  return {
    afterCommit() {
      commits += 1;
      if (worker) {
        if (!isCopying && commits >= COMMITS_BETWEEN) ask();
      } else if (commits >= commitsBefore) begin();
    },
    isBeside: () => worker !== undefined,
    async close() {
      const last = worker;
      worker = undefined;
      commits = -Infinity;
      last?.removeAllListeners('exit');
      holding.letGo();
      await last?.terminate();
    },
  };
}
