// Receipts as CSV documents, made a slice at a time; in parts, since Telegram takes a document up to 50 MB, and an upload
// has twenty seconds. A part is made when it is sent, from where the one before it ended.
import type { ExportedRedemption } from '../../core/index.ts';
import { CSV_MARK, toCsvLine, type Cell } from './csv.ts';

export interface CsvPart {
  document: Buffer;
  count: number;
  /** The last receipt in it, where there are more. */
  last: { createdAt: number; id: number } | undefined;
}

const PART_BYTES = 20 * 1024 * 1024;

type Column = readonly [name: string, value: (redemption: ExportedRedemption) => Cell];

const toTime = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

/** Names as in the interface, so that programs and people speak of the same things. */
const COLUMNS: readonly Column[] = [
  ['receiptId', ({ id }) => id],
  ['createdAt', ({ createdAt }) => toTime(createdAt)],
  ['settledAt', ({ settledAt }) => toTime(settledAt)],
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
const FULL_COLUMNS: readonly Column[] = [
  ...COLUMNS,
  ['code', ({ code }) => code],
  ['uid', ({ credentials }) => credentials?.uid],
  ['email', ({ credentials }) => credentials?.email],
  ['password', ({ credentials }) => credentials?.password],
];

/** A document of as many receipts as it has room for; it begins with the names of the columns. */
export async function makeReceiptsCsv(
  slices: AsyncIterable<ExportedRedemption[]>,
  { full, partBytes = PART_BYTES }: { full: boolean; partBytes?: number | undefined },
): Promise<CsvPart> {
  const columns = full ? FULL_COLUMNS : COLUMNS;
  const part = [Buffer.from(CSV_MARK + toCsvLine(columns.map(([name]) => name)))];
  let bytes = 0;
  let count = 0;
  let last: ExportedRedemption | undefined;
  for await (const slice of slices) {
    const lines = Buffer.from(
      slice.map((redemption) => toCsvLine(columns.map(([, value]) => value(redemption)))).join(''),
    );
    if (last && bytes + lines.length > partBytes)
      return { document: Buffer.concat(part), count, last: { createdAt: last.createdAt, id: last.id } };
    part.push(lines);
    bytes += lines.length;
    count += slice.length;
    last = slice.at(-1);
  }
  return { document: Buffer.concat(part), count, last: undefined };
}
