// What may happen to each of many only so often within any minute. In memory: a restart forgets a minute.
import type { Clock } from '../clock.ts';

export interface MinuteLimit {
  /** 0: it is counted. Otherwise nothing is, and the milliseconds are told after which one would be. */
  count(id: number): number;
}

const WINDOW_MS = 60_000;
/** Beyond this many the one that was counted longest ago is forgotten. */
const MOST = 10_000;

/** Measured in elapsed time: a calendar that jumps frees nobody, and holds nobody. */
export function createMinuteLimit({ clock, most }: { clock: Clock; most: number }): MinuteLimit {
  // The times of each, at most as many as are counted; the one counted longest ago comes first.
  const counted = new Map<number, number[]>();

  return {
    count(id) {
      const now = clock.elapsed();
      const times = counted.get(id) ?? [];
      const [oldest = now] = times;
      const waitMs = oldest + WINDOW_MS - now;
      if (times.length >= most && waitMs > 0) return waitMs;
      if (times.length >= most) times.shift();
      times.push(now);
      counted.delete(id);
      counted.set(id, times);
      const [longestAgo] = counted.keys();
      if (counted.size > MOST && longestAgo !== undefined) counted.delete(longestAgo);
      return 0;
    },
  };
}
