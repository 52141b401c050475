// CSV (RFC 4180), never a formula: what people typed comes back into somebody's spreadsheet. A utility; it knows nothing
// of the product.

export type CsvCell = string | number | boolean | null | undefined;

/** What a file begins with, so that it is read as UTF-8. */
export const CSV_MARK = '\ufeff';
/**
 * A cell that begins so is a formula to one spreadsheet or another, also after blanks and marks that cannot be seen.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** One line with its end. */
export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(cell: CsvCell): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
