// Tables with a header line that names the column of the codes: CSV, semicolons, tabs, pipes.
// A row that does not fit its header is no row: the caller reads it as a plain line, so that nothing is lost.
import { readHeading } from './heading.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';
import { findWords, LONGEST_WORD } from './words.ts';

export interface Table {
  delimiter: string;
  width: number;
  /** More than one where a header names a code and a PIN. */
  codeColumns: readonly number[];
  denominationColumn: number | undefined;
  /** Read where there is no column of denominations: its cells may be headings. */
  productColumn: number | undefined;
}

export const DELIMITERS = ['\t', ';', ',', '|'];
const LONGEST_HEADER = 1_000;
const LONGEST_ROW = 2_000;
const LONGEST_AMOUNT = 32;

/**
 * The table this line is the header of. It names a column of codes and either a column of denominations or nothing but
 * columns we know, so that "Codes, please:" is no header.
 */
export function findTable(line: string, vocabulary: Vocabulary): Table | undefined {
  if (line.length > LONGEST_HEADER || /\d/.test(line)) return undefined;
  for (const delimiter of DELIMITERS) {
    if (!line.includes(delimiter)) continue;
    const cells = splitCells(line, delimiter);
    const codeColumns = cells.flatMap((cell, column) => (vocabulary.namesCodes(cell) ? [column] : []));
    if (cells.length < 2 || codeColumns.length === 0) continue;
    const others = cells.map((cell, column) => (codeColumns.includes(column) ? '' : cell));
    const found = others.findIndex((cell) => cell !== '' && vocabulary.namesDenominations(cell));
    const denominationColumn = found === -1 ? undefined : found;
    const known = others.every((cell) => cell === '' || vocabulary.namesOthers(cell));
    if (denominationColumn === undefined && (!known || others.every((cell) => cell === ''))) continue;
    const product = others.findIndex((cell) => vocabulary.namesProducts(cell));
    const productColumn = denominationColumn === undefined && product !== -1 ? product : undefined;
    return { delimiter, width: cells.length, codeColumns, denominationColumn, productColumn };
  }
  return undefined;
}

/**
 * The codes of a row, or undefined where the line is none. Whatever stands in a code column and holds no code is malformed;
 * an empty denomination leaves the heading in force, one the game does not have leaves the row without.
 */
export function readRow(
  line: string,
  table: Table,
  heading: number | undefined,
  vocabulary: Vocabulary,
): PasteToken[] | undefined {
  if (line.length > LONGEST_ROW || !line.includes(table.delimiter)) return undefined;
  const cells = splitCells(line, table.delimiter);
  if (cells.slice(table.width).some((cell) => cell !== '') || cells.length < table.width) return undefined;
  const amount = amountOf(cells, table);
  if (findWords(amount).some((word) => vocabulary.isCode(word.text))) return undefined;
  const told =
    amount === ''
      ? undefined
      : { denomination: readAmount(amount, vocabulary), own: amount.slice(0, LONGEST_AMOUNT) };
  const denomination = told ? told.denomination : heading;
  return table.codeColumns.flatMap((column) =>
    readCodeCell(cells[column] ?? '', { denomination, own: told?.own }, vocabulary),
  );
}

/** What a row says of its codes; a product without a number, `Gift card`, says nothing. */
function amountOf(cells: readonly string[], { denominationColumn, productColumn }: Table): string {
  if (denominationColumn !== undefined) return cells[denominationColumn] ?? '';
  const product = productColumn === undefined ? '' : (cells[productColumn] ?? '');
  return /\d/.test(product) ? product : '';
}

function readCodeCell(
  cell: string,
  { denomination, own }: { denomination: number | undefined; own: string | undefined },
  vocabulary: Vocabulary,
): PasteToken[] {
  const words = findWords(cell);
  const tokens = words.flatMap(({ text }): PasteToken[] => {
    const code = vocabulary.readCode(text);
    if (code !== undefined) return [{ kind: 'code', code, denomination, own }];
    return vocabulary.isMalformed(text)
      ? [{ kind: 'malformed', text: text.slice(0, LONGEST_WORD), denomination }]
      : [];
  });
  if (tokens.length > 0 || words.length === 0) return tokens;
  return [{ kind: 'malformed', text: cell.slice(0, LONGEST_WORD), denomination }];
}

/** A cell is read as a heading is; `325.00` and `1 800` are numbers there, too. */
export function readAmount(cell: string, vocabulary: Vocabulary): number | undefined {
  if (cell.length > LONGEST_AMOUNT) return undefined;
  const number = /^(\d[\d\s.,'’]*)$/.exec(cell)?.[1];
  if (number === undefined) {
    const heading = readHeading(cell, vocabulary, { fresh: true });
    return heading.kind === 'heading' ? heading.denomination : undefined;
  }
  const digits = number.trim().replace(/[.,]0{1,2}$/, '');
  const value = Number(digits.replace(/\D/g, '') || NaN);
  return vocabulary.isDenomination(value) ? value : undefined;
}

/** Cells without the blanks and quotes around them; a quote that is never closed is an ordinary character. */
export function splitCells(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let start = 0;
  while (start <= line.length) {
    const closing = findClosingQuote(line, start);
    const found = line.indexOf(delimiter, closing ?? start);
    const end = found === -1 ? line.length : found;
    cells.push(unquote(line.slice(start, end)));
    start = end + 1;
  }
  return cells;
}

function findClosingQuote(line: string, start: number): number | undefined {
  let open = start;
  while (line[open] === ' ' || line[open] === '\ufeff') open += 1;
  if (line[open] !== '"') return undefined;
  let close = line.indexOf('"', open + 1);
  while (close !== -1 && line[close + 1] === '"') close = line.indexOf('"', close + 2);
  return close === -1 ? undefined : close;
}

function unquote(cell: string): string {
  const trimmed = cell.trim();
  const inner = /^"(.*)"$/s.exec(trimmed)?.[1];
  return inner === undefined ? trimmed : inner.replaceAll('""', '"').trim();
}
