// Receipts as CSV documents, made a slice at a time; in parts, since Telegram takes a document up to 50 MB, and an upload
// has twenty seconds. A part is made when it is sent, from where the one before it ended.
import { formatOffset, offsetAt, type ExportedRedemption } from '../../core/index.ts';
import { CSV_MARK, toCsvLine, type Cell } from './csv.ts';

export interface CsvPart {
  document: Buffer;
  count: number;
  /** The last receipt in it, where there are more. */
  last: { createdAt: number; id: number } | undefined;
}

const MINUTE_MS = 60 * 1000;
const PART_BYTES = 20 * 1024 * 1024;

type Column = readonly [name: string, value: (redemption: ExportedRedemption, timeZone: string) => Cell];

/** ISO 8601 with the offset of the zone: `2026-01-13T11:27:18.520+03:00`; `Z` where there is none. */
function toTime(at: number | undefined, timeZone: string): string | undefined {
  if (at === undefined) return undefined;
  const offset = offsetAt(timeZone, at);
  const local = new Date(at + offset).toISOString();
  if (offset === 0) return local;
  return `${local.slice(0, -1)}${formatOffset(Math.round(offset / MINUTE_MS))}`;
}

/** Names as in the interface, so that programs and people speak of the same things. */
const COLUMNS: readonly Column[] = [
  ['receiptId', ({ id }) => id],
  ['createdAt', ({ createdAt }, timeZone) => toTime(createdAt, timeZone)],
  ['settledAt', ({ settledAt }, timeZone) => toTime(settledAt, timeZone)],
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

/** A document of as many receipts as it has room for; it begins with the names of the columns. Its times are those of the zone. */
export async function makeReceiptsCsv(
  slices: AsyncIterable<ExportedRedemption[]>,
  {
    full,
    timeZone,
    partBytes = PART_BYTES,
  }: { full: boolean; timeZone: string; partBytes?: number | undefined },
): Promise<CsvPart> {
  const columns = full ? FULL_COLUMNS : COLUMNS;
  const part = [Buffer.from(CSV_MARK + toCsvLine(columns.map(([name]) => name)))];
  let bytes = 0;
  let count = 0;
  let last: ExportedRedemption | undefined;
  for await (const slice of slices) {
    const lines = Buffer.from(
      slice.map((redemption) => toCsvLine(columns.map(([, value]) => value(redemption, timeZone)))).join(''),
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
