// Checkpoints beside the event loop: copying 1,000 pages of the log holds it for some 30 ms, so a thread does that. Few commits
// need none; where the thread fails, SQLite copies at a commit again, as it does by itself.
import { Worker } from 'node:worker_threads';
import type { Database as Connection } from 'better-sqlite3';

import type { CheckpointAnswer } from './checkpoint-worker.ts';
import type { Held } from './writer.ts';

/** The thread begins after so many commits: an idle service does not pay for it. */
const COMMITS_BEFORE = 256;
/** Commits between two passes of the thread. */
const COMMITS_BETWEEN = 32;
/** A log of more pages is begun anew: only one that is copied to its end is, so the writer holds back for the last pass. 32 MB. */
const LONG_PAGES = 8_000;
/** The writer is not held back longer by a thread that does not answer. */
const HELD_MS = 250;
/** What SQLite copies at by itself, where there is no thread. */
export const AUTOMATIC_PAGES = 1_000;
const FAILURES = 3;
/** One pass while the writer works, one without bulk work, one while it waits. */
const AFTER: Record<Held, Held> = { nothing: 'bulk', bulk: 'everything', everything: 'nothing' };

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
  {
    hold,
    commitsBefore = COMMITS_BEFORE,
    longPages = LONG_PAGES,
    program = new URL('checkpoint-worker.ts', import.meta.url),
  }: CheckpointOptions,
): Checkpoints {
  let worker: Worker | undefined;
  let commits = 0;
  let isCopying = false;
  let failures = 0;
  // Once it has copied, SQLite does not by itself.
  let isTrusted = false;
  let held: Held = 'nothing';
  let letGo: NodeJS.Timeout | undefined;

  function holdBack(next: Held): void {
    held = next;
    clearTimeout(letGo);
    if (next !== 'nothing') letGo = setTimeout(() => holdBack('nothing'), HELD_MS);
    hold(next);
  }

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
    if (failures >= FAILURES) return giveUp();
    if ('failed' in answer) return holdBack('nothing');
    if (!isTrusted && worker) {
      isTrusted = true;
      connection.pragma('wal_autocheckpoint = 0');
    }
    beginAnew(answer);
  }

  /**
   * What is written while the thread copies it copies next: a pass without bulk work leaves little to the one that the writer
   * waits for. Where somebody still reads what the log had before, no pass gets to its end.
   */
  function beginAnew({ pages, copied }: { pages: number; copied: number }): void {
    const next = copied < pages || pages <= longPages ? 'nothing' : AFTER[held];
    if (next === held) return;
    holdBack(next);
    if (next !== 'nothing') ask();
  }

  function giveUp(): void {
    const failed = worker;
    worker = undefined;
    commits = -Infinity;
    if (connection.open) connection.pragma(`wal_autocheckpoint = ${AUTOMATIC_PAGES}`);
    void failed?.terminate();
    holdBack('nothing');
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
      holdBack('nothing');
      await last?.terminate();
    },
  };
}
