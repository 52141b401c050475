// What an attempt says of the upstream that it was sent to, by its outcome.
import type { RedeemOutcome } from '../../platform/port.ts';
import type { Served } from './circuit-breaker.ts';

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
