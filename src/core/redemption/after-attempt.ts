// What the outcome of an attempt means for its redemption, by the table of outcomes: it is spent, in doubt, failed, or
// sent to another upstream. Only what a row of the table calls not spent is sent on; what no row knows is in doubt.
import type { StoredAnswer } from '../../platform/port.ts';
import type { AnsweredAttempt, Tables } from '../../store/index.ts';
import { SERVICE_FAULTS } from '../upstreams/served.ts';
import type { ChosenUpstream } from '../upstreams/upstreams.ts';
import type { CheckedOutcome } from './attempt.ts';
import { noteSent, type Begun } from './begin.ts';

type Refused = Extract<CheckedOutcome, { status: 'refused' }>;

/**
 * What says that the code is spent, or was never one: after another upstream had it, an earlier "not spent" may have
 * been a lie.
 */
const OF_CODE: readonly Refused['errorCode'][] = ['CODE_USED', 'INVALID_CODE'];

/** Orders of one redemption, each to another upstream. */
const ORDERS_AT_MOST = 3;

/** What must be left of the time of a redemption for another order. */
const ANOTHER_NEEDS_MS = 12_000;

/** What was sent of a redemption before: nothing, nothing that left this machine, or something. */
export interface Earlier {
  upstreams: readonly string[];
  wereNeverSent: boolean;
}

export const NOTHING_EARLIER: Earlier = { upstreams: [], wereNeverSent: true };

/** Whether a refusal may be a word of an earlier attempt of this redemption, so that it decides nothing. */
export const isOfEarlier = ({ errorCode }: Refused, earlier: Earlier): boolean =>
  OF_CODE.includes(errorCode) && !earlier.wereNeverSent;

/** Whether another upstream may be tried, where there is one and `leftMs` of the answer's time. */
export const mayGoOn = (
  { errorCode, refusedUs, neverSent }: Refused,
  { upstreams }: Earlier,
  leftMs: number,
): boolean =>
  (neverSent === true || refusedUs === true || SERVICE_FAULTS.includes(errorCode)) &&
  upstreams.length + 1 < ORDERS_AT_MOST &&
  leftMs >= ANOTHER_NEEDS_MS;

/** Ends an attempt as not spent and begins the next, in one transaction; `begun`: as it is sent on. */
export function moveOn(
  tables: Tables,
  begun: Begun,
  refused: Refused,
  chosen: ChosenUpstream,
  now: number,
): Begun {
  const { errorCode, message, neverSent, answer } = refused;
  const answered = { errorCode, message, ...toStoredAnswer(answer) };
  const proof = neverSent ? 'never_sent' : 'answer';
  tables.attempts.pass(begun.id, begun.n, { proof, answered }, now);
  const next = { ...begun, n: begun.n + 1, ...chosen };
  noteSent(tables, next, now);
  return next;
}

/** As the ledger keeps it; of what was redeemed the receipt stands in the redemption. */
export const toStoredAnswer = (
  { httpStatus, text, theirId }: StoredAnswer = {},
  isText = true,
): AnsweredAttempt => ({
  httpStatus,
  theirId,
  ...(isText && { text }),
});
