// Handler of one update from its beginning to its end: how often it was begun, which a stop of our own gives back, and
// what becomes of it when something fails. Nothing here rejects: whoever calls must go on. What the disk refuses is
// written again after a pause, since the next update of the chat would find everything as it was before.
import type { Update } from 'grammy/types';

import type { ActionRows, BotStore, OutgoingRow } from '../../store/bot-store.ts';
import { backOff, retry, type RetryPolicy } from '../../waiting.ts';
import type { BotLog } from '../context.ts';
import { describeError, findPassingCause, isInterrupted, readRetryAfterMs } from '../errors.ts';
import type { Entry } from './chat-order.ts';

export interface UpdateHandlerDeps extends AttemptsDeps {
  /** Begins to handle an update. */
  open(update: Update): Handling;
  /** Whether calls are given up since the process ends: what fails now may have been interrupted. */
  isStopping(): boolean;
  /** What is said of an update that is set aside: kept together with its end. */
  renderDeadLetter(entry: Entry): readonly OutgoingRow[];
}

/** One update under way. */
export interface Handling {
  run(): Promise<void>;
  /** It has failed for good: nothing of it stays but what whoever waits is told. Never rejects. */
  fail(error: unknown): Promise<void>;
  /** What is written with its end. */
  end(): ActionRows;
}

/** `over`: nothing holds up its chat any more. Else again, after a pause. */
type Outcome = { over: true } | { over: false; pauseMs: number };

export interface UpdateHandler {
  handle(entry: Entry): Promise<Outcome>;
  /** What was counted by the write that kept it. */
  countBegun(updateIds: readonly number[]): Promise<void>;
  /** A stop of our own costs no attempt: those under way, and whatever begins from here on, are not counted. */
  giveBack(): Promise<void>;
}

interface Tools {
  deps: UpdateHandlerDeps;
  attempts: Attempts;
}

/** So often it may have been under way when a process ended. */
const MOST_ATTEMPTS = 3;
const OVER: Outcome = { over: true };

export function createUpdateHandler(deps: UpdateHandlerDeps): UpdateHandler {
  const tools: Tools = { deps, attempts: createAttempts(deps) };
  return {
    async handle(entry) {
      const updateId = entry.update.update_id;
      const began = await begin(tools, entry);
      if (began !== 'begun') return began;
      const handling = deps.open(entry.update);
      const failure = await handling.run().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      // Where calls are given up by a stop, it may have failed by that: it is handled again at the next start.
      if (deps.isStopping()) {
        await tools.attempts.takeBack(updateId);
        return OVER;
      }
      const isLeft = failure && (await leaveOrFail(tools, entry, handling, failure.error));
      if (isLeft) return isLeft;
      const flaw = await tools.attempts.finish(updateId, handling.end());
      if (flaw === undefined) return OVER;
      // Nothing of it was written, or ever will be.
      await handling.fail(flaw);
      await tools.attempts.finish(updateId, handling.end());
      return OVER;
    },
    countBegun: (updateIds) => tools.attempts.countBegun(updateIds),
    giveBack: () => tools.attempts.giveBack(),
  };
}

async function begin({ deps, attempts }: Tools, entry: Entry): Promise<'begun' | Outcome> {
  const updateId = entry.update.update_id;
  try {
    const count = await attempts.begin(updateId);
    if (count === 0) return OVER;
    if (count <= MOST_ATTEMPTS) return 'begun';
  } catch (error) {
    deps.log.error({ updateId, error: describeError(error) }, 'an update could not begin: tried again');
    return again(entry, growingPauseMs(entry.tries + 1));
  }
  deps.log.error({ updateId }, 'an update was interrupted three times: it is set aside');
  await attempts.setAside(updateId, deps.renderDeadLetter(entry));
  return OVER;
}

/** undefined where it has failed for good, and was told. */
async function leaveOrFail(
  { deps, attempts }: Tools,
  entry: Entry,
  handling: Handling,
  error: unknown,
): Promise<Outcome | undefined> {
  const updateId = entry.update.update_id;
  const pauseMs = whilePassing(entry.tries + 1, error);
  if (pauseMs === undefined && !isInterrupted(error)) {
    await handling.fail(error);
    return undefined;
  }
  await attempts.takeBack(updateId);
  if (pauseMs === undefined) return OVER;
  const cause = findPassingCause(error);
  if (cause !== 'overload')
    deps.log.warn({ updateId, cause, error: describeError(error) }, 'an update failed: tried again');
  return again(entry, pauseMs);
}

function again(entry: Entry, pauseMs: number): Outcome {
  entry.tries += 1;
  return { over: false, pauseMs };
}

interface AttemptsDeps {
  store: Pick<BotStore, 'inbox' | 'saveAction'>;
  log: BotLog;
}

type Attempts = ReturnType<typeof createAttempts>;

/** What of an update counts, and how that ends. All but `begin` never reject. */
function createAttempts({ store, log }: AttemptsDeps) {
  /** What of this process counts, and is not over. */
  const counted = new Set<number>();
  const stop = new AbortController();

  /** Nothing was begun, or a stop interrupted it: it does not count. */
  async function takeBack(updateId: number): Promise<void> {
    // Whoever else would give it back leaves it to this one.
    if (!counted.delete(updateId)) return;
    await store.inbox.takeBack(updateId).catch((error: unknown) => {
      log.warn({ updateId, error: describeError(error) }, 'an attempt could not be given back');
      counted.add(updateId);
    });
  }

  /** Writes an end until it is written, or a stop ends that; what it fails by where no time would heal that. */
  async function end(updateId: number, write: () => Promise<unknown>): Promise<unknown> {
    const note = (error: unknown) =>
      log.error({ updateId, error: describeError(error) }, 'what became of an update could not be kept');
    const onRetry = (error: unknown, failures: number) => void (failures === 1 && note(error));
    const pauseMs = (_: number, error: unknown) => (findPassingCause(error) ? OVERLOAD_PAUSE_MS : undefined);
    try {
      await retry(pauseMs, write, { signal: stop.signal, lastTry: true, onRetry });
      counted.delete(updateId);
      return undefined;
    } catch (error) {
      note(error);
      return findPassingCause(error) ? undefined : error;
    }
  }

  return {
    /** Counts one more, where the write that kept it has not; how many there were with it, 0 when there is nothing to do. */
    async begin(updateId: number): Promise<number> {
      // An attempt that the disk would not take back still counts: no second one beside it, while no process has ended.
      const attempts = counted.has(updateId) ? 1 : await store.inbox.begin(updateId);
      if (attempts === 0) return 0;
      counted.add(updateId);
      if (!stop.signal.aborted) return attempts;
      await takeBack(updateId);
      return 0;
    },
    /** The first attempt of these was counted by the write that kept them. */
    async countBegun(updateIds: readonly number[]): Promise<void> {
      for (const updateId of updateIds) counted.add(updateId);
      if (stop.signal.aborted) await Promise.all(updateIds.map(takeBack));
    },
    takeBack,
    finish: (updateId: number, rows: ActionRows) => end(updateId, () => store.saveAction(rows)),
    setAside: (updateId: number, messages: readonly OutgoingRow[]) =>
      end(updateId, () => store.inbox.setAside(updateId, messages)),
    /** A stop of our own costs no attempt: those under way, and whatever begins from here on, are not counted. */
    async giveBack(): Promise<void> {
      stop.abort();
      await Promise.all([...counted].map(takeBack));
    },
  };
}

/** How long what was not begun waits until it is tried again. */
export const OVERLOAD_PAUSE_MS = 2_000;
/** With pauses up to a minute some ten minutes: nothing that Telegram fails at for so long is waited for. */
const MOST_FAILURES_OF_TELEGRAM = 14;

/** Longer after each failure, up to a minute. */
const growingPauseMs = backOff(OVERLOAD_PAUSE_MS, 60_000);

/** What failed without being at fault (a full queue, the disk, Telegram) is done again after a pause: nobody is told. */
export const whilePassing: RetryPolicy = (failures, error) => {
  const cause = findPassingCause(error);
  if (cause === undefined || (cause === 'telegram' && failures > MOST_FAILURES_OF_TELEGRAM)) return undefined;
  const pauseMs = cause === 'overload' ? OVERLOAD_PAUSE_MS : growingPauseMs(failures);
  return Math.max(pauseMs, readRetryAfterMs(error));
};
