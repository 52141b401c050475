// What is exported of a receipt, column by column, alike in every surface. Times are those of the account's zone.
import type { CsvCell } from '../../csv.ts';
import { toIsoTime } from '../zones.ts';
import type { ExportedRedemption } from './receipt-list.ts';

export type ReceiptColumn = readonly [
  name: string,
  value: (redemption: ExportedRedemption, timeZone: string) => CsvCell,
];

/** Names as in the interface, so that programs and people speak of the same things. */
export const RECEIPT_COLUMNS: readonly ReceiptColumn[] = [
  ['receiptId', ({ id }) => id],
  ['createdAt', ({ createdAt }, timeZone) => toIsoTime(createdAt, timeZone)],
  [
    'settledAt',
    ({ settledAt }, timeZone) => (settledAt === undefined ? undefined : toIsoTime(settledAt, timeZone)),
  ],
  ['state', ({ state }) => state],
  ['gameId', ({ gameId }) => gameId],
  ['playerId', ({ playerId }) => playerId],
  ['playerName', ({ playerName }) => playerName],
  ['region', ({ region }) => region],
  ['productName', ({ productName }) => productName],
  ['mode', ({ mode }) => mode],
  ['denomination', ({ denomination }) => denomination],
  ['amount', ({ amount }) => amount],
  ['codeEnding', ({ codeTail }) => codeTail],
  ['errorCode', ({ errorCode }) => errorCode],
  ['codeReset', ({ codeReset }) => codeReset],
  ['warning', ({ warning }) => warning],
  ['by', ({ actor }) => actor],
];
/** With what a full export alone holds. */
export const FULL_RECEIPT_COLUMNS: readonly ReceiptColumn[] = [
  ...RECEIPT_COLUMNS,
  ['code', ({ code }) => code],
  ['uid', ({ credentials }) => credentials?.uid],
  ['email', ({ credentials }) => credentials?.email],
  ['password', ({ credentials }) => credentials?.password],
];
