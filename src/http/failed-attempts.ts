// Counts failed authentications by whoever made them, in a minute's window and a bounded memory. It refuses nobody by
// itself: who asks has checked the key first, so a valid key is never counted.
import type { Clock } from '../clock.ts';

export interface FailedAttempts {
  /** Counts one failure of `who`. The whole seconds until another may be heard, or 0 when this one still may. */
  count(who: string): number;
}

export interface FailedAttemptsOptions {
  clock: Clock;
  /** Failures that are heard in one window. */
  limit: number;
  windowMs?: number;
  /** Beyond this many the oldest window is forgotten. */
  maxEntries?: number;
}

/** Fixed windows, one for each `who`, starting at its first failure. */
export function createFailedAttempts(options: FailedAttemptsOptions): FailedAttempts {
  const { clock, limit, windowMs = 60_000, maxEntries = 10_000 } = options;
  // In order of insertion, which is the order of `startedAt`: the first is the oldest.
  const windows = new Map<string, { startedAt: number; failures: number }>();

  return {
    count(who) {
      const now = clock.now();
      const window = windows.get(who);
      if (window !== undefined && now >= window.startedAt && now < window.startedAt + windowMs) {
        window.failures++;
        return window.failures > limit ? Math.ceil((window.startedAt + windowMs - now) / 1000) : 0;
      }
      windows.delete(who);
      const oldest = windows.size >= maxEntries ? windows.keys().next().value : undefined;
      if (oldest !== undefined) windows.delete(oldest);
      windows.set(who, { startedAt: now, failures: 1 });
      return 0;
    },
  };
}
