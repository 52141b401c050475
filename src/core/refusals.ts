// What is refused costs an account nothing, but each refusal is a row: counted per account, so that it is bounded. In memory:
// a restart forgets a minute.
import type { Clock } from '../clock.ts';

/** Refusals of one account that are heard in a minute; from the wire document. */
export const REFUSALS_PER_MINUTE = 120;

/** Answered in place of a refusal: nothing was recorded. */
export interface TooManyRefusals {
  status: 'tooManyRefusals';
  retryAfterSeconds: number;
}

export interface Refusals {
  /**
   * Counts a request of this account that is refused without a charge (malformed, no stock, a bad body), whatever door it came
   * by. undefined: it is told as what it is; else what to answer instead. Requests that can be carried out are never counted.
   */
  count(accountId: number): TooManyRefusals | undefined;
}

const WINDOW_MS = 60_000;
/** Beyond this many the account that was refused longest ago is forgotten. */
const MOST_ACCOUNTS = 10_000;

export function createRefusals({ clock }: { clock: Clock }): Refusals {
  // The times of an account's refusals, at most as many as are heard; the account refused longest ago comes first.
  const heard = new Map<number, number[]>();

  return {
    count(accountId) {
      const now = clock.elapsed();
      const times = heard.get(accountId) ?? [];
      const [oldest = now] = times;
      const waitMs = oldest + WINDOW_MS - now;
      if (times.length >= REFUSALS_PER_MINUTE && waitMs > 0)
        return { status: 'tooManyRefusals', retryAfterSeconds: Math.ceil(waitMs / 1000) };
      if (times.length >= REFUSALS_PER_MINUTE) times.shift();
      times.push(now);
      heard.delete(accountId);
      heard.set(accountId, times);
      const [longestAgo] = heard.keys();
      if (heard.size > MOST_ACCOUNTS && longestAgo !== undefined) heard.delete(longestAgo);
      return undefined;
    },
  };
}
