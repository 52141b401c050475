// What people are told without being asked, written in the transaction of the fact. A surface delivers them.
import type { Tables } from '../store/index.ts';
import type { ErrorCode } from './outcomes.ts';

/** The closed list of notices. Without an account it is for the host. */
export type Notice =
  | { kind: 'stockLow'; accountId: number; gameId: string; denomination: number; threshold: number }
  | {
      kind: 'doubtSettled';
      accountId: number;
      redemptionId: number;
      /** Who redeemed: he is told, too. */
      actor: string;
      outcome: 'redeemed' | 'returned' | 'spentElsewhere';
      errorCode?: ErrorCode;
    }
  | { kind: 'quotaUsed'; accountId: number; percent: 80 | 100 }
  | { kind: 'platformTrouble'; accountId: null; sentence: string };

/** Writes a notice; it exists if the transaction does. */
export function writeNotice(tables: Tables, notice: Notice, now: number): void {
  const { kind, accountId, ...payload } = notice;
  tables.notices.insert({ accountId, kind, payload, now });
}

/** After stock of a denomination changed: tells once when it fell under its threshold, and arms again when refilled. */
export function watchStock(
  tables: Tables,
  lot: { accountId: number; gameId: string; denomination: number },
  now: number,
): void {
  const alert = tables.stock.findAlert(lot);
  if (!alert || alert.threshold < 1) return;
  const low = tables.stock.isBelow({ ...lot, threshold: alert.threshold });
  if (low === (alert.told === 1)) return;
  tables.stock.markTold(lot, low);
  if (low) writeNotice(tables, { kind: 'stockLow', ...lot, threshold: alert.threshold }, now);
}
