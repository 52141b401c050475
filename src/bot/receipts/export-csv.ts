// Receipts as CSV documents, made a slice at a time; in parts, since Telegram takes a document up to 50 MB, and an upload
// has twenty seconds.
import type { ExportedRedemption } from '../../core/index.ts';
import { CSV_MARK, toCsvLine, type Cell } from './csv.ts';

export interface CsvDocuments {
  parts: Buffer[];
  count: number;
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

/** Documents of every receipt; each part begins with the names of the columns. */
export async function makeReceiptsCsv(
  slices: AsyncIterable<ExportedRedemption[]>,
  { full, partBytes = PART_BYTES }: { full: boolean; partBytes?: number },
): Promise<CsvDocuments> {
  const columns = full ? FULL_COLUMNS : COLUMNS;
  const head = Buffer.from(CSV_MARK + toCsvLine(columns.map(([name]) => name)));
  const parts: Buffer[] = [];
  let part = [head];
  let bytes = head.length;
  let count = 0;
  for await (const slice of slices) {
    const lines = Buffer.from(
      slice.map((redemption) => toCsvLine(columns.map(([, value]) => value(redemption)))).join(''),
    );
    if (bytes + lines.length > partBytes && part.length > 1) {
      parts.push(Buffer.concat(part));
      part = [head];
      bytes = head.length;
    }
    part.push(lines);
    bytes += lines.length;
    count += slice.length;
  }
  return { parts: [...parts, Buffer.concat(part)], count };
}
