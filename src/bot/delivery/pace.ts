// The pace of all messages together: Telegram allows about 30 a second.
import { setTimeout as sleep } from 'node:timers/promises';

/** What may go at once after a quiet moment. */
const BURST = 5;

/** Resolves when the next message may leave; in the order of asking. */
export function createPace(perSecond: number): (signal: AbortSignal) => Promise<void> {
  let tokens = BURST;
  let filledAt = performance.now();
  let queue = Promise.resolve();
  return (signal) => {
    queue = queue.then(async () => {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (tokens < 1)
        await sleep(((1 - tokens) / perSecond) * 1000, undefined, { signal }).catch(() => undefined);
      tokens -= 1;
    });
    return queue;
  };
}
