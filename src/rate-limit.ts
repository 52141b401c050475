// Rate limit: each key may be counted so often within any minute (sliding window). In memory: a restart forgets a
// minute.
import type { Clock } from './clock.ts';

export interface RateLimit {
  /** 0: it is counted. Otherwise nothing is, and the milliseconds are told after which one would be. */
  count(key: string): number;
}

const WINDOW_MS = 60_000;
/** Beyond this many keys the one that was counted longest ago is forgotten. */
const MOST_KEYS = 10_000;

/** Measured in elapsed time: a calendar that jumps frees nobody, and holds nobody. */
export function createRateLimit({ clock, perMinute }: { clock: Clock; perMinute: number }): RateLimit {
  // The times of each, at most as many as are counted; the one counted longest ago comes first.
  const counted = new Map<string, number[]>();

  return {
    count(key) {
      const now = clock.elapsed();
      const times = counted.get(key) ?? [];
      const [oldest = now] = times;
      const waitMs = oldest + WINDOW_MS - now;
      if (times.length >= perMinute && waitMs > 0) return waitMs;
      if (times.length >= perMinute) times.shift();
      times.push(now);
      counted.delete(key);
      counted.set(key, times);
      const [longestAgo] = counted.keys();
      if (counted.size > MOST_KEYS && longestAgo !== undefined) counted.delete(longestAgo);
      return 0;
    },
  };
}
