// Limit of bad requests: a refusal costs an account nothing, but is a row: counted per account, so that it is bounded.
import type { Clock } from '../clock.ts';
import { createRateLimit } from '../rate-limit.ts';

/** Refusals of one account that are heard in a minute; from the wire document. */
export const BAD_REQUESTS_PER_MINUTE = 120;

/** Answered in place of a refusal: nothing was recorded. */
export interface TooManyBadRequests {
  status: 'tooManyBadRequests';
  retryAfterSeconds: number;
}

export interface BadRequestLimit {
  /**
   * Counts a request of this account that is refused without a usage (malformed, no stock, a bad body), whatever door
   * it came by. undefined: it is told as what it is; else what to answer instead. Requests that can be carried out are
   * never counted.
   */
  count(accountId: number): TooManyBadRequests | undefined;
}

export function createBadRequestLimit({ clock }: { clock: Clock }): BadRequestLimit {
  const heard = createRateLimit({ clock, perMinute: BAD_REQUESTS_PER_MINUTE });
  return {
    count(accountId) {
      const waitMs = heard.count(String(accountId));
      return waitMs > 0
        ? { status: 'tooManyBadRequests', retryAfterSeconds: Math.ceil(waitMs / 1000) }
        : undefined;
    },
  };
}
