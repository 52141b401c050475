// A doubt that a person ends: what they have found out elsewhere, in place of what nobody tells.
import type { Tables } from '../../store/index.ts';
import type { ErrorCode } from '../error-policy.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { findSpender } from './conclude-doubt.ts';
import { judgeDoubt } from './doubt-rules.ts';
import { settleRedeemed, settleReturned, notifyDoubtSettled, toStoredReceipt } from './settle.ts';

/**
 * `none`: it is in doubt no more. `tooEarly`: what was sent may still be carried out, until then (ms UTC); undefined:
 * it is being sent.
 */
export type DecideAnswer =
  { status: 'decided' } | { status: 'none' } | { status: 'tooEarly'; until: number | undefined };

/**
 * Settles it as the person says. Its code comes back to be asked about before it is used, where it was not redeemed.
 */
export function decideDoubt(
  { games }: { games: Games },
  tables: Tables,
  { redemptionId, isRedeemed }: { redemptionId: number; isRedeemed: boolean },
  now: number,
): DecideAnswer {
  const doubt = tables.redemptions.find(redemptionId);
  if (doubt?.state !== 'in_doubt') return { status: 'none' };
  const attempts = tables.attempts.list(redemptionId);
  const until = quietAtOf(attempts);
  const known = { isOpen: until === undefined, isQuiet: (until ?? Infinity) <= now };
  const then = judgeDoubt('person', isRedeemed ? 'redeemed' : 'notRedeemed', known);
  if (then === undefined) return { status: 'tooEarly', until };
  if (then === 'spent') {
    const { playerId, playerName, gameId } = doubt;
    const told = { openid: `player:${playerId}`, name: playerName ?? playerId };
    const receipt = toStoredReceipt(told, true, receiptFamilyOf(games, gameId));
    const n = findSpender(tables, redemptionId, undefined)?.n;
    settleRedeemed(tables, doubt, receipt, 'person', now, n === undefined ? {} : { n });
  } else {
    if (doubt.codeId !== null) tables.codes.distrustClaim(doubt.codeId);
    const errorCode = (doubt.errorCode ?? 'UNKNOWN') as ErrorCode;
    settleReturned(tables, doubt, { errorCode, message: doubt.errorMessage }, now, { proof: 'person' });
  }
  notifyDoubtSettled(tables, doubt, isRedeemed ? 'redeemed' : 'returned', now);
  return { status: 'decided' };
}

/** When nothing that was sent can be carried out any more, ms UTC; undefined while something is being sent. */
export function quietAtOf(
  attempts: readonly { state: string; quietUntil: number | null }[],
): number | undefined {
  if (attempts.some(({ state }) => state === 'open')) return undefined;
  return Math.max(
    ...attempts.map(({ state, quietUntil }) => (state === 'unknown' ? (quietUntil ?? 0) : 0)),
    0,
  );
}
