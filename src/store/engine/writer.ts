// The writer: writes that arrive together share one transaction and one fsync. A lone write commits at the next turn of
// the event loop; nothing ever waits for company. Bounded in time, what people wait for goes before bulk work, and
// accounts go in turn.
import type { Database } from 'better-sqlite3';

import { runTime } from '../../clock.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { createGroupCommit, isBusy, type Readers, type Write } from './group-commit.ts';

/** About the knee: more writes a commit hold the event loop longer than they save. */
const WRITES_PER_COMMIT = 64;
/**
 * A commit takes no further write after so much work: with its COMMIT that is about 8 ms, and as many redemptions a
 * second.
 */
const WORK_PER_COMMIT_MS = 5;
/** Nor a bulk one after so much: a slice is about 5 ms by itself, and redemptions wait behind it. */
const BULK_BEGINS_WITHIN_MS = 4;
/** A bulk write that waited so long gets into the next commit, however much goes before it. */
const BULK_WAITS_MS = 100;
/** A lock that another process (the command line) holds is tried again after so much, by a timer. */
const BUSY_PAUSE_MS = 10;
/** A write that found the lock taken for so long fails. */
const BUSY_MS = 4_000;
/** Past this the oldest write is no estimate any more: the writer is behind. */
const BEHIND_MS = 2_000;

export interface WriteOptions {
  /** Work that nobody waits for by the millisecond (a slice of an import): ordinary writes go before it. */
  bulk?: boolean;
  /** The account for which it is: it waits for one write of each other, however many those have. */
  whose?: number | undefined;
}

export interface Writer {
  /**
   * Runs `work` inside a transaction; resolves with its result after the common COMMIT is on disk. It may run twice,
   * the first time undone: it changes nothing but the database. Rejects with what `work` threw (it alone is rolled
   * back), or with the failure of the commit.
   */
  write<T>(work: () => T, options?: WriteOptions): Promise<T>;
  /**
   * Whether more waits than can be written in about 2 s, so that nothing new should begin: of ordinary writes, or, for
   * who would begin bulk work, of all; for an account (`whose`), before its own. It refuses nothing by itself: what has
   * begun is written, however much waits.
   */
  isCrowded(options?: WriteOptions): boolean;
  /** How many wait for their commit, bulk ones too. */
  countWaiting(): number;
  /** Begins nothing of that until it is told otherwise: what is handed in waits, and the event loop goes on. */
  hold(held: Held): void;
  /** Resolves when everything handed in so far is decided. */
  drain(): Promise<void>;
}

/** What the writer does not begin. */
export type Held = 'nothing' | 'bulk' | 'everything';

export interface WriterOptions {
  /** Told of each commit: how many writes it held, and how long the event loop was held for it. */
  onCommit?: ((writes: number, ms: number) => void) | undefined;
  /** Runs in each transaction before its COMMIT; what it throws fails all of its writes. */
  beforeCommit?: (() => void) | undefined;
  /** Who reads on the same connection. */
  readers?: Readers | undefined;
  /** Milliseconds since some moment, only growing. */
  elapsed?: (() => number) | undefined;
}

type Queued = Write & { at: number; whose: number | undefined };

/** What waits, by kind. */
type Queues = Record<'ordinary' | 'bulk', FairQueue<Queued>>;
const NONE = createFairQueue<Queued>();

/** Over a connection that nobody else writes through. */
export function createWriter(database: Database, options: WriterOptions = {}): Writer {
  const elapsed = options.elapsed ?? runTime;
  const commit = createGroupCommit<Queued>(database, options);
  const load = createLoad();
  const queues: Queues = { ordinary: createFairQueue(), bulk: createFairQueue() };
  const idle: (() => void)[] = [];
  let scheduledAt: number | undefined;
  let busySince: number | undefined;
  let held: Held = 'nothing';

  function schedule(): void {
    if (scheduledAt !== undefined || !isWaiting(without(held, queues))) return;
    scheduledAt = elapsed();
    setImmediate(commitNext);
  }

  function commitNext(): void {
    const began = scheduledAt ?? elapsed();
    scheduledAt = undefined;
    const ready = without(held, queues);
    if (isWaiting(ready) && tryBegin()) {
      const taken = takeAndRun(ready, (write) => commit.run(write), elapsed);
      const { isCommitted, undone } = commit.end();
      if (isCommitted) options.onCommit?.(taken.ordinary.writes + taken.bulk.writes, elapsed() - taken.began);
      queues.ordinary.putBack(undone);
      load.observe({ ...taken, restMs: elapsed() - began - taken.ordinary.ms - taken.bulk.ms });
    }
    if (scheduledAt !== undefined) return;
    if (isWaiting(queues)) schedule();
    else for (const resolve of idle.splice(0)) resolve();
  }

  /**
   * False where nothing could begin. A lock that another process holds is tried again without holding the event loop.
   */
  function tryBegin(): boolean {
    try {
      commit.begin();
      busySince = undefined;
      return true;
    } catch (error) {
      const now = elapsed();
      busySince ??= now;
      rejectHopeless(queues, error, { now, busySince });
      if (isWaiting(queues)) {
        scheduledAt = now;
        setTimeout(commitNext, BUSY_PAUSE_MS);
      } else busySince = undefined;
      return false;
    }
  }

  return {
    write: (work, options) => enqueue(queues, work, { ...options, at: elapsed() }, schedule),
    hold(next) {
      held = next;
      schedule();
    },
    isCrowded: (options = {}) => isCrowded(queues, load, options, { now: elapsed(), busySince }),
    countWaiting: () => queues.ordinary.size() + queues.bulk.size(),
    async drain() {
      const isAtWork = isWaiting(queues) || scheduledAt !== undefined;
      if (isAtWork) await new Promise<void>((resolve) => idle.push(resolve));
    },
  };
}

interface Taken {
  writes: number;
  ms: number;
}

/** Takes writes out of the queues and runs them, until the commit is full. */
function takeAndRun(
  queues: Queues,
  run: (write: Queued) => void,
  elapsed: () => number,
): { ordinary: Taken; bulk: Taken; began: number } {
  const start = elapsed();
  const overdue = sinceWhen(queues.bulk) <= start - BULK_WAITS_MS;
  let ms = 0;
  const take = (queue: FairQueue<Queued>, most: number, withinMs: number): Taken => {
    const before = ms;
    let writes = 0;
    for (; writes < most && ms < withinMs; writes += 1) {
      const write = queue.shift();
      if (!write) break;
      run(write);
      ms = elapsed() - start;
    }
    return { writes, ms: ms - before };
  };
  const ordinary = take(queues.ordinary, WRITES_PER_COMMIT, WORK_PER_COMMIT_MS);
  // One that is overdue goes in beside a full commit; the others only where room is left.
  const first = overdue ? take(queues.bulk, 1, Infinity) : { writes: 0, ms: 0 };
  const rest = take(queues.bulk, WRITES_PER_COMMIT - ordinary.writes - first.writes, BULK_BEGINS_WITHIN_MS);
  return { began: start, ordinary, bulk: { writes: first.writes + rest.writes, ms: first.ms + rest.ms } };
}

function without(held: Held, queues: Queues): Queues {
  return {
    ordinary: held === 'everything' ? NONE : queues.ordinary,
    bulk: held === 'nothing' ? queues.bulk : NONE,
  };
}

function enqueue<T>(
  queues: Queues,
  work: () => T,
  { bulk = false, whose, at }: WriteOptions & { at: number },
  schedule: () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const told = resolve as (value: unknown) => void;
    queues[bulk ? 'bulk' : 'ordinary'].push({ work, resolve: told, reject, at, whose });
    schedule();
  });
}

function isWaiting({ ordinary, bulk }: Queues): boolean {
  return ordinary.size() + bulk.size() > 0;
}

const sinceWhen = (queue: FairQueue<Queued>): number => Math.min(...queue.firsts().map(({ at }) => at));

/** All of it, where no lock was in the way; else who waited too long for it. */
function rejectHopeless(
  queues: Queues,
  reason: unknown,
  { now, busySince }: Record<'now' | 'busySince', number>,
): void {
  if (!isBusy(reason)) rejectUntil(queues, now, reason);
  // Whoever came later, or waited for other reasons, has their own time with the lock still.
  else if (now - busySince >= BUSY_MS) rejectUntil(queues, now - BUSY_MS, reason);
}

/** Fails what was handed in until then. */
function rejectUntil(queues: Queues, until: number, reason: unknown): void {
  for (const queue of [queues.ordinary, queues.bulk])
    for (const write of queue.removeWhile(({ at }) => at <= until)) write.reject(reason);
}

function isCrowded(
  { ordinary, bulk }: Queues,
  load: Load,
  { bulk: forBulk = false, whose }: WriteOptions,
  { now, busySince = now }: { now: number; busySince: number | undefined },
): boolean {
  // A lock that stays taken, or one commit after the other that hangs: no average knows of it.
  const oldest = Math.min(sinceWhen(ordinary), forBulk ? sinceWhen(bulk) : Infinity);
  if (oldest < now - BEHIND_MS && (whose === undefined || busySince < now - BEHIND_MS)) return true;
  if (ordinary.size() + (forBulk ? bulk.size() : 0) > CEILING) return true;
  const waiting = { ordinary: ordinary.countBefore(whose), bulk: forBulk ? bulk.countBefore(whose) : 0 };
  return load.isCrowd(waiting, { writes: WRITES_PER_COMMIT, ms: WORK_PER_COMMIT_MS });
}

/** More than this in waiting, and nothing new begins: whoever asks would get no answer in a time they wait for. */
const CROWDED_MS = 2_000;
/** Fewer never are a crowd: one slow commit would else turn people away from an idle service. */
const FLOOR = 128;
/** More always are one, however fast it goes: what waits is held in memory. */
const CEILING = 10_000;
/** How much the newest commit counts in the average. */
const NEWEST = 1 / 8;

/**
 * Of one commit: the writes in it by kind and the work they were, and all else (COMMIT, other work of the event loop).
 */
export interface CommitFigures {
  ordinary: { writes: number; ms: number };
  bulk: { writes: number; ms: number };
  restMs: number;
}

/** What waits, by kind. */
interface Waiting {
  ordinary: number;
  bulk: number;
}

export interface Load {
  observe(commit: CommitFigures): void;
  /** Whether more waits than is written in about 2 s, at most so many writes and so much work a commit. */
  isCrowd(waiting: Waiting, perCommit: { writes: number; ms: number }): boolean;
}

/** Moving averages of recent commits; before the first one only the number counts. */
export function createLoad(): Load {
  let ordinaryMs = 0;
  let bulkMs = 0;
  let restMs = 0;
  const average = (old: number, newest: number) => old + (newest - old) * NEWEST;

  return {
    observe({ ordinary, bulk, restMs: rest }) {
      if (ordinary.writes > 0) ordinaryMs = average(ordinaryMs, ordinary.ms / ordinary.writes);
      if (bulk.writes > 0) bulkMs = average(bulkMs, bulk.ms / bulk.writes);
      restMs = average(restMs, rest);
    },
    isCrowd({ ordinary, bulk }, perCommit) {
      const writes = ordinary + bulk;
      if (writes < FLOOR || writes > CEILING) return writes > CEILING;
      const workMs = ordinary * ordinaryMs + bulk * bulkMs;
      const commits = Math.max(writes / perCommit.writes, workMs / perCommit.ms);
      return workMs + commits * restMs > CROWDED_MS;
    },
  };
}
