// The writer: writes that arrive together share one transaction and one fsync. A lone write commits at the next turn of
// the event loop; nothing ever waits for company. Bounded in time, what people wait for goes before bulk work, and
// accounts go in turn.
import type { Database } from 'better-sqlite3';

import { runTime } from '../../clock.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { createGroupCommit, isBusy, type Write } from './group-commit.ts';

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
/** Nothing new begins where the oldest waits so long, or more than so many wait. */
const CROWDED_MS = 2_000;
const CROWD = 1_000;
/** More are a crowd to all: what waits is held in memory. */
const MOST = 10_000;

export interface WriteOptions {
  /** Work that nobody waits for by the millisecond (a slice of an import): ordinary writes go before it. */
  bulk?: boolean;
  /** The account for which it is: it waits for one write of each other, however many those have. */
  whose?: number | undefined;
}

export interface Writer {
  /**
   * Runs `work` inside a transaction; resolves with its result after the common COMMIT is on disk. Rejects with what
   * `work` threw (it alone is rolled back), or with the failure of the commit.
   */
  write<T>(work: () => T, options?: WriteOptions): Promise<T>;
  /**
   * Whether more than 1,000 writes wait, or one for 2 s, so that nothing new should begin: of ordinary writes, or, for
   * who would begin bulk work, of all; for an account (`whose`), before its own. It refuses nothing by itself: what has
   * begun is written, however much waits.
   */
  isCrowded(options?: WriteOptions): boolean;
  /** How many wait for their commit, bulk ones too. */
  countWaiting(): number;
  /** Resolves when everything handed in so far is decided. */
  drain(): Promise<void>;
}

export interface WriterOptions {
  /** Told of each commit: how many writes it held, and how long the event loop was held for it. */
  onCommit?: ((writes: number, ms: number) => void) | undefined;
  /** Runs in each transaction before its COMMIT; what it throws fails all of its writes. */
  beforeCommit?: (() => void) | undefined;
  /** Milliseconds since some moment, only growing. */
  elapsed?: (() => number) | undefined;
}

type Queued = Write & { at: number; whose: number | undefined };

/** What waits, by kind. */
type Queues = Record<'ordinary' | 'bulk', FairQueue<Queued>>;

/** Over a connection that nobody else writes through. */
export function createWriter(database: Database, options: WriterOptions = {}): Writer {
  const elapsed = options.elapsed ?? runTime;
  const commit = createGroupCommit(database, options);
  const queues: Queues = { ordinary: createFairQueue(), bulk: createFairQueue() };
  const idle: (() => void)[] = [];
  let scheduledAt: number | undefined;
  let busySince: number | undefined;

  function schedule(): void {
    if (scheduledAt !== undefined) return;
    scheduledAt = elapsed();
    setImmediate(commitNext);
  }

  function commitNext(): void {
    scheduledAt = undefined;
    if (isWaiting(queues) && tryBegin()) {
      const began = elapsed();
      const writes = takeAndRun(queues, (write) => commit.run(write), elapsed);
      if (commit.end()) options.onCommit?.(writes, elapsed() - began);
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
    isCrowded: (options = {}) => isCrowded(queues, options, { now: elapsed(), busySince }),
    countWaiting: () => queues.ordinary.size() + queues.bulk.size(),
    async drain() {
      const isAtWork = isWaiting(queues) || scheduledAt !== undefined;
      if (isAtWork) await new Promise<void>((resolve) => idle.push(resolve));
    },
  };
}

/** Takes writes out of the queues and runs them, until the commit is full. How many. */
function takeAndRun(queues: Queues, run: (write: Queued) => void, elapsed: () => number): number {
  const start = elapsed();
  const overdue = sinceWhen(queues.bulk) <= start - BULK_WAITS_MS;
  const take = (queue: FairQueue<Queued>, most: number, withinMs: number): number => {
    let writes = 0;
    for (; writes < most && elapsed() - start < withinMs; writes += 1) {
      const write = queue.shift();
      if (!write) break;
      run(write);
    }
    return writes;
  };
  const ordinary = take(queues.ordinary, WRITES_PER_COMMIT, WORK_PER_COMMIT_MS);
  // One that is overdue goes in beside a full commit; the others only where room is left.
  const first = overdue ? take(queues.bulk, 1, Infinity) : 0;
  return ordinary + first + take(queues.bulk, WRITES_PER_COMMIT - ordinary - first, BULK_BEGINS_WITHIN_MS);
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
  { bulk: forBulk = false, whose }: WriteOptions,
  { now, busySince = now }: { now: number; busySince: number | undefined },
): boolean {
  const oldest = Math.min(sinceWhen(ordinary), forBulk ? sinceWhen(bulk) : Infinity);
  // The crowd of one account is none to the others, but a lock that stays taken is there for all.
  if (oldest < now - CROWDED_MS && (whose === undefined || busySince < now - CROWDED_MS)) return true;
  if (ordinary.size() + (forBulk ? bulk.size() : 0) > MOST) return true;
  return ordinary.countBefore(whose) + (forBulk ? bulk.countBefore(whose) : 0) > CROWD;
}
