// Cells of a line: of CSV, semicolons, tabs, pipes; what each says by itself, and which columns a header names.
import { WORDS, type Lexicon } from './lexicon.ts';
import { readHeading } from './heading.ts';
import { readNumbers } from './numbers.ts';
import { cutPieces } from './pieces.ts';

/** What stands in a cell; what is not so is left out. */
export interface Cell {
  text: string;
  /** How many codes, and what was meant as such. */
  slots?: number;
  /** Something else stands beside its codes. */
  isMixed?: true;
  /** As a cell of denominations is read: `325.00`, `1 800`, `60 UC`. */
  amount?: number;
  /** A whole number alone. */
  number?: number;
}

/** The senses of the columns that a header names. */
export interface Columns {
  delimiter: string;
  width: number;
  /** More than one where a header names a code and a PIN; none where each column is of one denomination. */
  codes: readonly number[];
  /** The denomination of each column, with the words of its header. */
  denominations: readonly ({ denomination: number; text: string } | undefined)[];
  amount: number | undefined;
  /** Read where there is no column of denominations: its cells may be headings. */
  product: number | undefined;
  /** They tell what became of a code, by the words of their headers. */
  status: readonly { column: number; name: string }[];
}

const DELIMITERS = ['\t', '|', ';', ','];
const LONGEST_ROW = 2_000;
const LONGEST_AMOUNT = 32;
const LONGEST_SHOWN = 32;
const LONGEST_NAME = 64;
const MOST_STATUS = 4;

/** The first of the delimiters that a line has; undefined where it is no row. */
export function findDelimiter(line: string): string | undefined {
  return line.length > LONGEST_ROW ? undefined : DELIMITERS.find((each) => line.includes(each));
}

export function readCell(text: string, lexicon: Lexicon): Cell {
  const slots = (text.match(/[\ue000\ue001]/g) ?? []).length;
  const cell: Cell = {
    text: text
      .slice(0, LONGEST_SHOWN)
      .replace(/[\ue000\ue001]/g, ' ')
      .trim(),
  };
  if (slots > 0) cell.slots = slots;
  if (slots > 0 && /[\p{L}\p{N}]/u.test(text.replace(/[\ue000\ue001]/g, ''))) cell.isMixed = true;
  const amount = slots === 0 && text !== '' ? readAmount(text, lexicon) : undefined;
  if (amount !== undefined) cell.amount = amount;
  if (/^[0-9]{1,9}$/.test(text)) cell.number = Number(text);
  return cell;
}

function readAmount(cell: string, lexicon: Lexicon): number | undefined {
  if (cell.length > LONGEST_AMOUNT || !/\p{N}/u.test(cell)) return undefined;
  if (/^[0-9][0-9\s.,'’]*$/.test(cell)) {
    const digits = cell
      .trim()
      .replace(/[.,]0{1,2}$/, '')
      .replace(/[^0-9]/g, '');
    return lexicon.isDenomination(Number(digits || NaN)) ? Number(digits) : undefined;
  }
  const cut = cutPieces(cell);
  return readHeading(cell, cut, readNumbers(cut.text, cut.pieces, lexicon), lexicon).denomination;
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
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  return isQuoted ? trimmed.slice(1, -1).replaceAll('""', '"').trim() : trimmed;
}

/**
 * The columns that a line without codes is the header of: it names a column of codes and either one of denominations or nothing but
 * columns we know, so that "Codes, please:" is no header; or it has two denominations or more, each in a cell of its own, and
 * nothing unknown beside them.
 */
export function findColumns(
  delimiter: string,
  cells: readonly Cell[],
  lexicon: Lexicon,
): Columns | undefined {
  if (cells.length < 2) return undefined;
  const kinds = cells.map(({ text }) => nameColumn(text, lexicon));
  const at = (kind: string) => kinds.flatMap((each, column) => (each === kind ? [column] : []));
  const codes = at('codes');
  const [amount] = at('amounts');
  const [product] = at('products');
  const status = at('status').map((column) => ({ column, name: cells[column]?.text ?? '' }));
  const common = { delimiter, width: cells.length, status };
  const isNamed = codes.length > 0 && !cells.some(({ amount: value }) => value !== undefined);
  const others = kinds.filter((kind) => kind !== 'codes' && kind !== 'empty');
  if (isNamed && (amount !== undefined || (others.length > 0 && !others.includes(undefined))))
    return {
      ...common,
      codes,
      denominations: [],
      amount,
      product: amount === undefined ? product : undefined,
    };
  const denominations = cells.map(({ amount: denomination, text }) =>
    denomination === undefined ? undefined : { denomination, text },
  );
  const different = new Set(denominations.flatMap((column) => column?.denomination ?? []));
  const isKnown = kinds.every((kind, column) => kind !== undefined || denominations[column] !== undefined);
  if (different.size < 2 || !isKnown || codes.length > 0) return undefined;
  return { ...common, codes: [], denominations, amount: undefined, product: undefined };
}

type ColumnKind = 'codes' | 'amounts' | 'products' | 'status' | 'others' | 'empty';

/** Every word is one that a column may have in its name. */
function nameColumn(text: string, lexicon: Lexicon): ColumnKind | undefined {
  if (text === '' || /^(?:№|#|[-:=]+)\.?$/.test(text)) return text === '' ? 'empty' : 'others';
  if (text.length > LONGEST_NAME || /[0-9]/.test(text)) return undefined;
  const words = cutPieces(text).pieces.filter(({ kind }) => kind === 'word');
  const has = (list: ReadonlySet<string>) => words.some(({ word }) => list.has(word));
  const isKnown = words.every(
    ({ word, text: written }) =>
      WORDS.side.has(word) || WORDS.others.has(word) || WORDS.status.has(word) || lexicon.isCurrency(written),
  );
  // `redeemed_at`, `sold to`: whatever else it says.
  if (!isKnown && words.length <= MOST_STATUS && has(WORDS.status)) return 'status';
  if (words.length === 0 || !isKnown) return undefined;
  const isStrong = words.some(
    ({ word }) => WORDS.others.has(word) && !WORDS.numbers.has(word) && !WORDS.side.has(word),
  );
  if (has(WORDS.codes) && !isStrong) return 'codes';
  if (has(WORDS.status)) return 'status';
  if (words.some(({ word, text: written }) => WORDS.amounts.has(word) || lexicon.isCurrency(written)))
    return 'amounts';
  if (has(WORDS.products)) return 'products';
  return has(WORDS.others) ? 'others' : undefined;
}
