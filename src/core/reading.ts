// What of the core only reads: receipts, searches, statistics, exports.
import type { Clock } from '../clock.ts';
import type { Store } from '../store/index.ts';
import type { Games } from './games.ts';
import {
  createAuditLogList,
  type AuditLogList,
  createReadAuditLog,
  type ReadAuditLog,
} from './accounts/audit-log-list.ts';
import { createNotices } from './notices/notices.ts';
import { createDayStatistics } from './receipts/day-statistics.ts';
import {
  createFindNamed,
  createLastGame,
  createLastOrder,
  createLastPlayers,
} from './receipts/last-players.ts';
import { createRangeStatistics } from './receipts/range-statistics.ts';
import { createReceiptList, type ReceiptList } from './receipts/receipt-list.ts';
import { createReceiptStories, type ReceiptStories } from './receipts/receipt-story.ts';
import { createFindProof } from './receipts/proof.ts';
import { createReceiptDetails, createReceipts } from './receipts/receipts.ts';
import { createSearch } from './receipts/search.ts';
import { createFindRecentDuplicate } from './redemption/duplicates.ts';

/** Receipts, beside one by one. */
export interface ReceiptReading {
  /** Those of an account, filtered: pages, and all of them. */
  receiptList: ReceiptList;
  /** All that happened to one. */
  receiptStories: ReceiptStories;
}

export interface AuditReading {
  /** Who has done what in an account. */
  readAuditLog: ReadAuditLog;
  /** The same, filtered, in pages both ways. */
  auditLogList: AuditLogList;
}

export function createReading(deps: { store: Store; games: Games; clock: Clock }) {
  const receipts = createReceipts(deps);
  return {
    receipts,
    findProof: createFindProof({ ...deps, receipts }),
    receiptList: createReceiptList(deps),
    receiptStories: createReceiptStories(deps),
    receiptDetails: createReceiptDetails(deps),
    lastPlayers: createLastPlayers(deps),
    lastGame: createLastGame(deps),
    lastOrder: createLastOrder(deps),
    findNamed: createFindNamed(deps),
    findRecentDuplicate: createFindRecentDuplicate(deps),
    dayStatistics: createDayStatistics(deps),
    rangeStatistics: createRangeStatistics(deps),
    search: createSearch(deps),
    readAuditLog: createReadAuditLog(deps),
    auditLogList: createAuditLogList(deps),
    notices: createNotices(deps),
  };
}
