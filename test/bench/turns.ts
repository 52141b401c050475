// How long the event loop is held: the time between two immediates. Watching keeps the loop spinning, so that turns in
// which nothing happened are many and short: those are left out, or a loop that idles would have a fine 99.9th
// percentile.
import { quantile } from './rounds.ts';

/** Shorter ones did nothing. */
const WORK_MS = 0.1;

export interface Turns {
  longestMs: number;
  /** The most processor time that one turn took: the rest of a long one was waiting, for the disk or for a core. */
  mostWorkMs: number;
  p999Ms: number;
  /** Turns in which something happened. */
  count: number;
}

export function watchTurns(): { stop: () => Turns } {
  const worked: number[] = [];
  let lastAt = performance.now();
  let usedUntil = usedMs();
  let mostWorkMs = 0;
  let immediate = setImmediate(turn);
  function turn(): void {
    const now = performance.now();
    const used = usedMs();
    if (now - lastAt >= WORK_MS) worked.push(now - lastAt);
    mostWorkMs = Math.max(mostWorkMs, used - usedUntil);
    lastAt = now;
    usedUntil = used;
    immediate = setImmediate(turn);
  }
  return {
    stop() {
      clearImmediate(immediate);
      // What ends the watching has held the loop, too.
      worked.push(performance.now() - lastAt);
      worked.sort((a, b) => a - b);
      return {
        longestMs: worked.at(-1) ?? 0,
        mostWorkMs,
        p999Ms: quantile(worked, 0.999),
        count: worked.length,
      };
    },
  };
}

/** Of this thread. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
