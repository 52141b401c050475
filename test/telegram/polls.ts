// Long polling: one poll waits at a time, and whoever asks too often gets little, as with tdlib's Bot API server.
import type { Clock } from '../../src/clock.ts';
import type { Backlog } from './backlog.ts';
import type { Params } from './params.ts';
import type { Pause } from './pause.ts';
import { ApiRefusal, type Update } from './types.ts';

export interface Polls {
  getUpdates(params: Params, signal: AbortSignal): Promise<Update[]>;
  /** Something came. */
  wake(): void;
  /** Ends the poll that waits; with an error, or empty-handed. */
  end(error: Error | undefined): void;
  /** Refuses with a conflict, later when the last one was just before. Never resolves. */
  refuse(what: string): Promise<never>;
}

const OTHER_POLL = 'terminated by other getUpdates request; make sure that only one bot instance is running';
const LONGEST_POLL_MS = 50_000;
/** The same offset again within this gives one update. */
const HASTY_MS = 500;
/** The same offset again within this waits for as long, where it would have waited for less. */
const SHORT_MS = 3_000;
/** A conflict within this after the last one is told after as long. */
const CONFLICT_MS = 3_000;

export function createPolls(backlog: Backlog, clock: Pick<Clock, 'elapsed'>, pause: Pause): Polls {
  const poll = createPoll();
  const conflicts = createConflicts(clock, pause);
  let last: { offset: number; at: number } | undefined;

  return {
    async getUpdates(params, signal) {
      poll.end(undefined, () => conflicts.refuse(OTHER_POLL));
      backlog.allow(params);
      const offset = params.integer('offset') ?? 0;
      const at = clock.elapsed();
      const sinceMs = last?.offset === offset ? at - last.at : Infinity;
      last = { offset, at };
      backlog.confirm(offset);
      const asked = Math.min(Math.max(params.integer('limit') ?? 100, 1), 100);
      const timeoutMs = Math.min(Math.max(params.integer('timeout') ?? 0, 0) * 1000, LONGEST_POLL_MS);
      const waitMs = sinceMs < SHORT_MS ? Math.max(timeoutMs, SHORT_MS) : timeoutMs;
      if (backlog.entries().length === 0 && waitMs > 0) await poll.wait(waitMs, signal);
      // A client that hung up has got nothing: what it would have been given stays as it was.
      if (signal.aborted) return [];
      const given = backlog.entries().slice(0, sinceMs < HASTY_MS ? 1 : asked);
      for (const entry of given) entry.again = false;
      return given.map((entry) => entry.update);
    },
    wake: poll.wake,
    end: (error) => poll.end(error),
    refuse: conflicts.refuse,
  };
}

const never = new AbortController().signal;

function createConflicts(clock: Pick<Clock, 'elapsed'>, pause: Pause) {
  let nextAt = -Infinity;
  return {
    async refuse(what: string): Promise<never> {
      if (clock.elapsed() < nextAt) await pause(CONFLICT_MS, never);
      else nextAt = clock.elapsed() + CONFLICT_MS;
      throw new ApiRefusal(409, `Conflict: ${what}`);
    },
  };
}

interface Poll {
  /** Resolves when something came, the time is over or the client hung up. Rejects when it is ended with an error. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  wake(): void;
  /** `instead`: what the poll goes on with; its rejection is the poll's. */
  end(error: Error | undefined, instead?: () => Promise<void>): void;
}

/** The one long poll that may wait. */
function createPoll(): Poll {
  let settle: ((outcome?: Error | Promise<void>) => void) | undefined;
  return {
    wait: (timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const done = (outcome?: Error | Promise<void>) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          settle = undefined;
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        const onAbort = () => done();
        const timer = setTimeout(done, timeoutMs);
        timer.unref();
        signal.addEventListener('abort', onAbort);
        settle = done;
      }),
    wake: () => settle?.(),
    end: (error, instead) => settle?.(error ?? instead?.()),
  };
}
