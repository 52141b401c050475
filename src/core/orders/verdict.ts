// What the end of a redemption means for its order, as a pure rule: the table of the interface document.
import type { OrderStopReason } from '../order-record.ts';
import { HOUR_MS, MINUTE_MS } from '../../clock.ts';

export type Verdict =
  | { kind: 'redeemed' }
  /** The same denomination once more; `pause`: the platform could not carry it out just now. */
  | { kind: 'again'; pause?: OrderStopReason }
  /** A bad code: the next of its denomination. */
  | { kind: 'replace' }
  /** It may be one: whoever has it is looked up first. */
  | { kind: 'ask' }
  /** A given code has failed, the others go on. */
  | { kind: 'failed' }
  | { kind: 'stop'; reason: OrderStopReason };

/** What of an ended redemption decides. */
export interface EndedRedemption {
  state: string;
  errorCode: string | null;
  settledAt: number;
  doubtedAt: number | null;
  /** How often its code was sent. */
  attempts: number;
}

export interface OrderTerms {
  onBadCode: 'replace' | 'stop';
  /** When a doubt has ended as not redeemed later than that, it is not tried again. */
  until: number;
  /** How many bad codes were replaced, of this place and in all. */
  replaced: { here: number; inAll: number };
  isGiven: boolean;
}

const MOST_REPLACED = { here: 3, inAll: 10 };
export const TROUBLE_WITHIN_MS = HOUR_MS;

const TROUBLE_PAUSES_MS = [5_000, 15_000, MINUTE_MS, 5 * MINUTE_MS];
const LONGEST_TROUBLE_PAUSE_MS = 10 * MINUTE_MS;

/** `failures`: how often in a row before this. */
export function troublePauseMs(failures: number): number {
  return TROUBLE_PAUSES_MS[failures] ?? LONGEST_TROUBLE_PAUSE_MS;
}

export function judge(ended: EndedRedemption, terms: OrderTerms): Verdict {
  if (ended.state === 'redeemed') return { kind: 'redeemed' };
  switch (ended.errorCode) {
    case 'CODE_USED':
    case 'INVALID_CODE':
      return judgeBadCode(ended, ended.errorCode, terms);
    case 'CHARACTER_NOT_FOUND':
    case 'RISK_CONTROL':
      return { kind: 'stop', reason: ended.errorCode };
    case 'NO_ACCOUNTS_AVAILABLE':
    case 'LOGIN_FAILED':
    case 'NETWORK_ERROR':
      return { kind: 'again', pause: ended.errorCode };
    case 'NO_CODES_AVAILABLE':
      return { kind: 'again' };
    default:
      // A doubt that turned out not to have spent the code.
      return ended.settledAt <= terms.until ? { kind: 'again' } : { kind: 'stop', reason: 'DOUBT' };
  }
}

function judgeBadCode(
  { doubtedAt, attempts }: EndedRedemption,
  errorCode: 'CODE_USED' | 'INVALID_CODE',
  { onBadCode, replaced, isGiven }: OrderTerms,
): Verdict {
  if (doubtedAt !== null) return { kind: 'stop', reason: 'DOUBT' };
  if (isGiven) return { kind: 'failed' };
  const isEnough = replaced.here >= MOST_REPLACED.here || replaced.inAll >= MOST_REPLACED.inAll;
  if (onBadCode === 'stop' || isEnough) return { kind: 'stop', reason: errorCode };
  if (errorCode === 'CODE_USED') return { kind: 'ask' };
  return attempts <= 1 ? { kind: 'replace' } : { kind: 'stop', reason: 'DOUBT' };
}
