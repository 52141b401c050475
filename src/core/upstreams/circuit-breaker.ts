// Circuit breaker of one upstream: how it has served lately, whether it rests, and whether this order is the probe
// after it. In memory, in elapsed time; built anew from the ledger at a start.
import { HOUR_MS, MINUTE_MS } from '../../clock.ts';

/** What an attempt says of the upstream: it failed, it served, or it asks to be left alone for so long. */
export type Served = { is: 'fault' | 'served' } | { is: 'rest'; retryAfterMs: number | undefined };

interface ServedAttempt {
  /** In elapsed time, when it ended. */
  at: number;
  accountId: number;
  served: Served;
}

const KEPT = 10;
const IN_A_ROW = 3;
const OF_THE_LAST = 5;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 15 * MINUTE_MS;
/** An upstream may ask for anything. */
const LONGEST_ASKED_MS = HOUR_MS;
/** No answer takes longer: what was a probe is none any more. */
const PROBE_MS = MINUTE_MS;

interface Rest {
  since: number;
  until: number;
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

export function createCircuitBreaker() {
  let recent: ServedAttempt[] = [];
  let rest: Rest | undefined;
  let rests = 0;
  let probe: { reference: string; until: number } | undefined;

  const begin = (now: number, forMs: number) => {
    rest = { since: rest?.since ?? now, until: now + forMs };
    rests += 1;
    probe = undefined;
  };
  const restMs = () => Math.min(FIRST_REST_MS * 2 ** Math.min(rests, 10), LONGEST_REST_MS);

  return {
    /** The rest that lasts, until an order was served after it; undefined where there is none. */
    rest: () => rest,
    /** Whether an order may be sent: it does not rest, or nobody else tries whether it still must. */
    mayTake: (reference: string, now: number): boolean =>
      rest === undefined ||
      (now >= rest.until && (probe === undefined || probe.reference === reference || probe.until <= now)),
    /** It is sent this order. */
    take(reference: string, now: number): void {
      if (rest && now >= rest.until) probe = { reference, until: now + PROBE_MS };
    },
    /** What was sent ended without a word of the upstream. */
    release(reference: string): void {
      if (probe?.reference === reference) probe = undefined;
    },
    /** It is the only one left: it is used again at once. */
    wake(): void {
      rest = probe = undefined;
    },
    /**
     * `isOneEnough`: no other account is active, so that faults of one account say it all. `mayRest`: another can take
     * its orders. True: it begins to rest.
     */
    note(
      attempt: ServedAttempt,
      reference: string,
      { isOneEnough, mayRest }: { isOneEnough: boolean; mayRest: boolean },
    ): boolean {
      const { at, served } = attempt;
      const wasProbe = probe?.reference === reference;
      if (wasProbe) probe = undefined;
      recent = [...recent, attempt].slice(-KEPT);
      if (served.is === 'served') {
        // One that was sent before the rest says nothing of it.
        if (wasProbe || !rest) rest = undefined;
        if (wasProbe) rests = 0;
        if (wasProbe) recent = [attempt];
        return false;
      }
      const isResting = rest !== undefined && at < rest.until;
      const isBad =
        served.is === 'rest' || wasProbe || (rest === undefined && isFailing(recent, isOneEnough));
      if (isResting || !isBad || !mayRest) return false;
      const asked = served.is === 'rest' ? served.retryAfterMs : undefined;
      begin(at, asked === undefined ? restMs() : Math.min(asked, LONGEST_ASKED_MS));
      return true;
    },
    /** It serves nobody any more, though it does not rest: there is no other. */
    isFailing: (isOneEnough: boolean): boolean => isFailing(recent, isOneEnough),
  };
}

/** Three faults in a row, or five of the last ten; of two accounts at least, where two are active. */
function isFailing(recent: readonly ServedAttempt[], isOneEnough: boolean): boolean {
  const isFault = ({ served }: ServedAttempt) => served.is !== 'served';
  const last = recent.slice(-IN_A_ROW);
  const inARow = last.length === IN_A_ROW && last.every(isFault) ? last : [];
  const all = recent.filter(isFault);
  const faults = all.length >= OF_THE_LAST ? all : inARow;
  return faults.length > 0 && (isOneEnough || new Set(faults.map(({ accountId }) => accountId)).size > 1);
}
