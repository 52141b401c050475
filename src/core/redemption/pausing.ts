// A denomination whose codes are refused one after another is paused for its account, before a platform that is wrong for a while
// has turned a whole stock into used and invalid codes. Somebody looks at it and lets it go on (stock/bad-codes.ts).
import type { Tables } from '../../store/index.ts';
import { writeNotice } from '../notices/notices.ts';
import type { CodeLot } from './take-code.ts';

/** So many refusals as INVALID_CODE or CODE_USED in a row, with nothing redeemed between them; from the bot's document. */
export const PAUSED_AFTER = 5;

/** A code of the stock was refused. */
export function noteRefused(tables: Tables, lot: CodeLot, now: number): void {
  if (tables.stockPauses.refuse(lot) < PAUSED_AFTER) return;
  if (tables.stockPauses.pause(lot, now)) writeNotice(tables, { kind: 'stockPaused', ...lot }, now);
}

/** A code of the stock was redeemed. */
export function noteRedeemed(tables: Tables, lot: CodeLot): void {
  tables.stockPauses.forgive(lot);
}
