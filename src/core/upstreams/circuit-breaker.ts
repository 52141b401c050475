// Circuit breaker of one upstream: three faults in a row and it rests, each time for twice as long; then one order is
// its probe. In memory, in elapsed time. And what the outcome of an attempt says of its upstream.
import { HOUR_MS, MINUTE_MS } from '../../clock.ts';
import type { RedeemOutcome } from '../../platform/port.ts';

/** What an attempt says of the upstream: it failed, it served, or it asks to be left alone for so long. */
export type Served = { is: 'fault' | 'served' } | { is: 'rest'; retryAfterMs: number | undefined };

const IN_A_ROW = 3;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 15 * MINUTE_MS;
/** An upstream may ask for anything. */
const LONGEST_ASKED_MS = HOUR_MS;
/** No answer takes longer: what was a probe is none any more. */
const PROBE_MS = MINUTE_MS;

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

export function createCircuitBreaker() {
  let [faults, rests] = [0, 0];
  let rest: { since: number; until: number } | undefined;
  let probe: { order: string; until: number } | undefined;
  const restMs = () => Math.min(FIRST_REST_MS * 2 ** Math.min(rests, 10), LONGEST_REST_MS);

  return {
    /** The rest that lasts, until an order was served after it; undefined where there is none. */
    rest: () => rest,
    /** It fails, whether it rests or is the last one that there is. */
    isFailing: () => faults >= IN_A_ROW,

    /** Whether an order may be sent: it does not rest, or nobody else tries whether it still must. */
    mayTake: (order: string, now: number): boolean =>
      rest === undefined ||
      (now >= rest.until && (probe === undefined || probe.order === order || probe.until <= now)),

    /** It is sent this order. */
    take(order: string, now: number): void {
      if (rest && now >= rest.until) probe = { order, until: now + PROBE_MS };
    },

    /** What was sent ended without a word of the upstream. */
    release(order: string): void {
      if (probe?.order === order) probe = undefined;
    },

    /** It is the only one left: it is used again at once. */
    wake(): void {
      rest = probe = undefined;
    },

    /** What an order came to. `mayRest`: another can take its orders. */
    note(served: Served, order: string, now: number, mayRest: boolean): void {
      const wasProbe = probe?.order === order;
      if (wasProbe) probe = undefined;
      faults = served.is === 'served' ? 0 : faults + 1;
      if (served.is === 'served') {
        // One that was sent before the rest says nothing of it.
        if (rest && !wasProbe) return;
        [rest, rests] = [undefined, 0];
        return;
      }
      const isBad = served.is === 'rest' || wasProbe || (!rest && faults >= IN_A_ROW);
      if (!isBad || !mayRest || (rest && now < rest.until)) return;
      const asked = served.is === 'rest' ? served.retryAfterMs : undefined;
      const forMs = asked === undefined ? restMs() : Math.min(asked, LONGEST_ASKED_MS);
      rest = { since: rest?.since ?? now, until: now + forMs };
      rests += 1;
      probe = undefined;
    },
  };
}

/** Refusals that are of the service, not of the code or the player: another may be able to. */
export const SERVICE_FAULTS: readonly string[] = ['NO_ACCOUNTS_AVAILABLE', 'LOGIN_FAILED', 'NETWORK_ERROR'];
/** Our key or balance there: nothing is sent until a person has looked. */
const PAUSING = [401, 402];

/** Whether its own answer pauses an upstream. */
export const isPausing = (outcome: RedeemOutcome): boolean =>
  outcome.status === 'refused' &&
  outcome.refusedUs === true &&
  PAUSING.includes(outcome.answer?.httpStatus ?? 0);

/** `wasGivenUp`: by us, for want of time. Undefined: it says nothing. */
export function servedBy(outcome: RedeemOutcome, wasGivenUp: boolean): Served | undefined {
  switch (outcome.status) {
    case 'redeemed':
      return { is: 'served' };
    case 'unknown':
      return outcome.underWay ? undefined : { is: 'fault' };
    case 'refused':
      if (outcome.neverSent && wasGivenUp) return undefined;
      if (outcome.refusedUs) return { is: 'rest', retryAfterMs: outcome.answer?.retryAfterMs };
      return { is: outcome.neverSent || SERVICE_FAULTS.includes(outcome.errorCode) ? 'fault' : 'served' };
  }
}
