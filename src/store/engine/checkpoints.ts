// Checkpoints beside the event loop: copying 1,000 pages of the log holds it for some 30 ms, so a thread does that. Few
// commits need none; where the thread fails, SQLite copies at a commit again, as it does by itself.
import { Worker } from 'node:worker_threads';
import type { Database as Connection } from 'better-sqlite3';

import type { CheckpointAnswer, CheckpointOrder } from './checkpoint-worker.ts';
import { createBackpressure } from './backpressure.ts';
import type { Held } from './writer.ts';

/** The thread begins after so many commits: an idle service does not pay for it. */
const COMMITS_BEFORE = 256;
/** Commits between two passes of the thread. */
const COMMITS_BETWEEN = 32;
/** What SQLite copies at by itself, where there is no thread. */
export const AUTOMATIC_PAGES = 1_000;
const FAILURES = 3;
/** Longer than a pass over any log; only a thread that hears nothing is cut off. */
const ENDS_WITHIN_MS = 60_000;
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
  let thread: Thread | undefined;
  let commits = 0;
  let isCopying = false;
  let failures = 0;
  // Once it has copied, SQLite does not by itself.
  let isTrusted = false;
  const backpressure = createBackpressure(hold, longPages);

  function begin(): void {
    const begun = beginThread(program, path, { hear, isGone: () => void (thread === begun && giveUp()) });
    thread = begun;
    ask();
  }

  function ask(): void {
    isCopying = true;
    commits = 0;
    thread?.order('copy');
  }

  function hear(answer: CheckpointAnswer): void {
    isCopying = false;
    failures = 'failed' in answer ? failures + 1 : 0;
    if ('failed' in answer) return failures >= FAILURES ? giveUp() : backpressure.letGo();
    if (!isTrusted && thread) {
      isTrusted = true;
      connection.pragma('wal_autocheckpoint = 0');
    }
    if (backpressure.isAnotherPassDue(answer)) ask();
  }

  function giveUp(): void {
    const failed = thread;
    thread = undefined;
    commits = -Infinity;
    if (connection.open) connection.pragma(`wal_autocheckpoint = ${AUTOMATIC_PAGES}`);
    failed?.letEnd();
    backpressure.letGo();
  }

  return {
    afterCommit() {
      commits += 1;
      if (thread) {
        if (!isCopying && commits >= COMMITS_BETWEEN) ask();
      } else if (commits >= commitsBefore) begin();
    },
    isBeside: () => thread !== undefined,
    async close() {
      const last = thread;
      thread = undefined;
      commits = -Infinity;
      backpressure.letGo();
      last?.letEnd();
      await last?.exited();
    },
  };
}

interface Thread {
  order(order: CheckpointOrder): void;
  /** By itself: a thread that is cut off while it loads SQLite, or waits for it, takes the whole process with it. */
  letEnd(): void;
  /** The process stays for it. */
  exited(): Promise<void>;
}

/** `isGone`: it failed, or is over. */
function beginThread(
  program: URL,
  path: string,
  { hear, isGone }: { hear: (answer: CheckpointAnswer) => void; isGone: () => void },
): Thread {
  const worker = new Worker(program, { workerData: { path } });
  worker.unref();
  worker.on('message', hear);
  worker.on('error', isGone);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  void exited.then(isGone);
  return {
    order: (order) => worker.postMessage(order),
    letEnd() {
      worker.postMessage('end' satisfies CheckpointOrder);
      const timer = setTimeout(() => void worker.terminate(), ENDS_WITHIN_MS).unref();
      void exited.then(() => clearTimeout(timer));
    },
    exited() {
      worker.ref();
      return exited;
    },
  };
}
