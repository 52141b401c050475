// Retry policies of the bot: what failed without being at fault (a full queue, the disk, Telegram) is done again after
// a pause, and nobody is told.
import { backOff, type RetryPolicy } from '../waiting.ts';
import { findPassingCause, readRetryAfterMs } from './errors.ts';

/** How long what was not begun waits until it is tried again. */
export const OVERLOAD_PAUSE_MS = 2_000;
/** With pauses up to a minute some ten minutes: nothing that Telegram fails at for so long is waited for. */
const MOST_FAILURES_OF_TELEGRAM = 14;

/** Longer after each failure, up to a minute. */
export const growingPauseMs = backOff(OVERLOAD_PAUSE_MS, 60_000);

/** What has a cause that passes. */
export const whilePassing: RetryPolicy = (failures, error) => {
  const cause = findPassingCause(error);
  if (cause === undefined || (cause === 'telegram' && failures > MOST_FAILURES_OF_TELEGRAM)) return undefined;
  const pauseMs = cause === 'overload' ? OVERLOAD_PAUSE_MS : growingPauseMs(failures);
  return Math.max(pauseMs, readRetryAfterMs(error));
};
