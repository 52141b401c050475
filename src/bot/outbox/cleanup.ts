// Cleanup of what is over: handled updates, sent messages, confirmations, conversations that nobody went on with and
// redemptions that were shown to their end, all of the day before yesterday.
import { createSafeNow } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';

const EVERY_MS = 10 * 60 * 1000;
/** Longer than Telegram keeps an update for delivery (24 hours). */
const KEPT_MS = 48 * 60 * 60 * 1000;
const AT_ONCE = 200;

export function createCleanup({
  store,
  clock,
  log,
}: Pick<BotDeps, 'store' | 'clock' | 'log'>): BotBackground {
  const safeNow = createSafeNow(clock);
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function tidy(): Promise<void> {
    try {
      const until = safeNow() - KEPT_MS;
      while (await store.prune(until, AT_ONCE));
    } catch (error) {
      log.warn({ error: describeError(error) }, 'cleanup failed, it is tried again');
    }
  }

  return {
    start: () => void (timer = setInterval(() => void (current = tidy()), EVERY_MS)),
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
