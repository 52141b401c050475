// A redemption as a line of a list. It holds neither credentials nor the code; the receipt itself is receipts.ts.
import type { StoredRedemption } from '../../store/index.ts';
import type { ErrorCode } from '../error-policy.ts';

/** A line about one redemption. */
export interface HistoryLine {
  /** The receipt identifier. */
  id: number;
  createdAt: number;
  gameId: string;
  playerId: string;
  playerName?: string;
  /** Units of the game's currency; absent when they are not known. */
  amount?: number;
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed';
  errorCode?: ErrorCode;
  warning: boolean;
  /** The last characters of the code, never more than half of it. */
  codeTail?: string;
}

const SHOWN_OF_CODE = 6;

export function toLine(row: StoredRedemption): HistoryLine {
  const amount = row.amount ?? row.denomination;
  return {
    id: row.id,
    createdAt: row.createdAt,
    gameId: row.gameId,
    playerId: row.playerId,
    ...(row.playerName !== null && { playerName: row.playerName }),
    ...(amount !== null && { amount }),
    state: row.state,
    ...(row.errorCode !== null && { errorCode: row.errorCode as ErrorCode }),
    warning: row.warning,
    ...(row.code !== null && { codeTail: tailOf(row.code) }),
  };
}

/** The last characters of a code, for telling codes apart without showing one. */
export function tailOf(code: string): string {
  const shown = Math.min(SHOWN_OF_CODE, Math.floor(code.length / 2));
  return shown === 0 ? '' : code.slice(-shown);
}
