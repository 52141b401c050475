// The upstream's own record of an attempt, where it keeps one by an id: redeemed and refused end what is unknown,
// "under way" is no answer.
import type { PlatformReceipt, RedeemOutcome, Upstream } from '../../platform/port.ts';
import type { StoredRedemption, Tables } from '../../store/index.ts';

export type SentRow = ReturnType<Tables['attempts']['list']>[number];

/** A doubt with what was sent of it. */
export interface OpenDoubt {
  doubt: StoredRedemption & { code: string };
  ledger: readonly SentRow[];
}

export type OfRecord =
  | { status: 'redeemed'; n: number; receipt: PlatformReceipt; warning: boolean }
  /** Those of these numbers did not spend the code, with what was said of the last. */
  | { status: 'told'; notSpent: readonly { n: number; errorCode: string }[]; isUnderWay: boolean };

interface Asked {
  find(name: string): Upstream | undefined;
  /** Whether that upstream calls what another redemption sent by this id, too: its record is nobody's word. */
  isAnothers(told: { redemptionId: number; upstream: string; theirId: string }): boolean;
  ask(call: (signal: AbortSignal) => Promise<RedeemOutcome>): Promise<RedeemOutcome>;
  /** Whether the code came out of the stock, and nobody else had it in hand. */
  isOursAlone: boolean;
  /** There was a doubt of ours at this code before. */
  isAsked: boolean;
}

/** Asks for the records of all that are unknown. */
export async function readRecords({ doubt, ledger }: OpenDoubt, asked: Asked): Promise<OfRecord> {
  const notSpent: { n: number; errorCode: string }[] = [];
  let isUnderWay = false;
  for (const { n, upstream, theirId, reference } of ledger.filter(({ state }) => state === 'unknown')) {
    const platform = asked.find(upstream)?.platform;
    const { findRecord } = platform ?? {};
    if (!findRecord || theirId === null) continue;
    if (asked.isAnothers({ redemptionId: doubt.id, upstream, theirId })) continue;
    const { gameId, code, playerId, denomination, playerName } = doubt;
    const order = { reference, gameId, code, playerId, denomination, playerName };
    const told = await asked.ask((signal) => findRecord(order, theirId, { signal }));
    if (told.status === 'redeemed')
      return { status: 'redeemed', n, receipt: told.receipt, warning: told.fullReceipt !== true };
    if (told.status === 'unknown') isUnderWay = true;
    else if (isOwnRefusal(told, n, ledger, asked)) notSpent.push({ n, errorCode: told.errorCode });
  }
  return { status: 'told', notSpent, isUnderWay };
}

/**
 * Whether a refusal is of this attempt: what says that the code is spent may speak of an earlier one, or of one of
 * ours.
 */
function isOwnRefusal(
  { errorCode, usedByPlayer }: Extract<RedeemOutcome, { status: 'refused' }>,
  n: number,
  ledger: readonly SentRow[],
  { isOursAlone, isAsked }: Asked,
): boolean {
  if (errorCode !== 'CODE_USED' && errorCode !== 'INVALID_CODE') return true;
  const wereNeverSent = ledger.every((row) => row.n >= n || row.proof === 'never_sent');
  if (!wereNeverSent) return false;
  return errorCode === 'INVALID_CODE' || !(isAsked || (usedByPlayer === true && isOursAlone));
}
