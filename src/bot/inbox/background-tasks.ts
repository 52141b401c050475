// Background tasks: work that goes on after its handler returned, so that the chat is free meanwhile. Its update stays
// in the inbox until it is over: after a crash the update is handled again, and with it the work, which must be
// idempotent.
import { retry } from '../../waiting.ts';
import type { BotContext, BotLog } from '../context.ts';
import { describeError, findPassingCause, keyOf } from '../errors.ts';
import { reply } from '../replies.ts';
import { whilePassing } from '../retries.ts';

export interface BackgroundTasks {
  /**
   * Begins the work of this update. What the disk, a full queue or Telegram caused is done again after a pause;
   * anything else that it throws is told to the person, and marks the update as failed.
   */
  begin(ctx: BotContext, work: () => Promise<void>): void;
  /** What goes on of an update; undefined when nothing does. */
  take(updateId: number): Promise<void> | undefined;
}

/** `stopping`: nothing is done again any more. */
export function createBackgroundTasks({
  log,
  stopping,
}: {
  log: BotLog;
  stopping: AbortSignal;
}): BackgroundTasks {
  const under = new Map<number, Promise<void>>();

  async function run(ctx: BotContext, work: () => Promise<void>): Promise<void> {
    const onRetry = (error: unknown) => {
      const cause = findPassingCause(error);
      const fields = { updateId: ctx.update.update_id, cause, error: describeError(error) };
      if (cause !== 'overload') log.warn(fields, 'work of an update failed: it is done again');
    };
    try {
      await retry(whilePassing, work, { signal: stopping, onRetry });
    } catch (error) {
      // A stop: its update is handled again at the next start.
      if (stopping.aborted) throw error;
      const key = keyOf(error);
      const reference = String(ctx.update.update_id);
      if (key === undefined)
        log.error(
          { updateId: ctx.update.update_id, error: describeError(error) },
          'work of an update failed',
        );
      await reply(ctx, ctx.say(key ?? 'error-ours', { reference })).catch(() => undefined);
      throw error;
    }
  }

  return {
    begin(ctx, work) {
      const running = run(ctx, work);
      running.catch(() => undefined);
      under.set(ctx.update.update_id, running);
    },
    take(updateId) {
      const running = under.get(updateId);
      under.delete(updateId);
      return running;
    },
  };
}
