// Receipts as CSV, for programs (RFC 4180, UTF-8 with a mark at its beginning), and never a formula: what people typed
// comes back into somebody's spreadsheet. What people open is export-sheet.ts.
import { MINUTE_MS } from '../../clock.ts';
import { formatOffset, offsetAt, type ExportedRedemption } from '../../core/index.ts';
import type { ReceiptsDocument } from './export-part.ts';

type Column = readonly [name: string, value: (redemption: ExportedRedemption, timeZone: string) => CsvCell];

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

/** Begins with the names of the columns; its times are those of the zone. */
export function createCsvDocument({ full, timeZone }: { full: boolean; timeZone: string }): ReceiptsDocument {
  const columns = full ? FULL_COLUMNS : COLUMNS;
  const written = [Buffer.from(CSV_MARK + toCsvLine(columns.map(([name]) => name)))];
  let bytes = 0;
  return {
    add(receipts) {
      const lines = receipts.map((receipt) =>
        toCsvLine(columns.map(([, value]) => value(receipt, timeZone))),
      );
      const added = Buffer.from(lines.join(''));
      written.push(added);
      bytes += added.length;
    },
    bytes: () => bytes,
    end: () => Buffer.concat(written),
  };
}

type CsvCell = string | number | boolean | undefined;

const CSV_MARK = '\ufeff';
/**
 * A cell that begins so is a formula to one spreadsheet or another, also after blanks and marks that cannot be seen.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** One line with its end. */
export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(cell: CsvCell): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
