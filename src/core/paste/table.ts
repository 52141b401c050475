// Tables: the cells of a line, of CSV, semicolons, tabs or pipes; the columns that a header names; the codes of a row.
// A row that does not fit its header is no row: the caller reads it as a plain line, so that nothing is lost.
import { readHeading } from './heading.ts';
import { slotTokens, type Filled } from './items.ts';
import { lexLine, SLOTS, type Lexeme } from './lexer.ts';
import { findSpent, WORDS, type Lexicon } from './lexicon.ts';
import { readNumbers } from './numbers.ts';
import type { RowToken } from './token.ts';

/** What stands in a cell; what is not so is left out. */
interface Cell {
  text: string;
  /** How many codes, and what was meant as such. */
  slots?: number;
  /** Something else stands beside its codes. */
  isMixed?: true;
  /** As a cell of denominations is read: `325.00`, `1 800`, `60 UC`. */
  amount?: number | undefined;
}

export interface Cells {
  delimiter?: string;
  cells?: Cell[];
  /** Of a header. */
  columns?: Columns | undefined;
}

/** The senses of the columns that a header names, by their places. */
interface Columns {
  width: number;
  /**
   * More than one where a header names a code and a PIN, or where each column is of one denomination, which it is
   * `told` with.
   */
  codes: readonly { at: number; told?: { denomination: number | undefined; text: string } }[];
  /** Of denominations, or of products where there is none. */
  amount: number | undefined;
  /** Its cells may be headings. */
  isProduct: boolean;
  /** Of which nobody knows what they tell of a code, by the words of their headers. */
  status: readonly { at: number; name: string }[];
  /** Until when a code is good. */
  dates: readonly { at: number; name: string }[];
}

const DELIMITERS = ['\t', '|', ';', ','];
const LONGEST_ROW = 2_000;
const LONGEST_AMOUNT = 32;
const LONGEST_SHOWN = 32;

export function readCells(line: string, hasSlots: boolean, lexicon: Lexicon): Cells {
  const delimiter = line.length > LONGEST_ROW ? undefined : DELIMITERS.find((each) => line.includes(each));
  if (delimiter === undefined) return {};
  const cells = splitCells(line, delimiter).map((cell) => readCell(cell, lexicon));
  return { delimiter, cells, columns: hasSlots ? undefined : findColumns(cells, lexicon) };
}

function readCell(text: string, lexicon: Lexicon): Cell {
  const slots = text.match(SLOTS)?.length ?? 0;
  const rest = text.replace(SLOTS, ' ');
  const cell: Cell = { text: rest.slice(0, LONGEST_SHOWN).trim() };
  if (slots > 0) Object.assign(cell, { slots }, /[\p{L}\p{N}]/u.test(rest) && { isMixed: true });
  else if (text.length <= LONGEST_AMOUNT) {
    const lexed = lexLine(text);
    cell.amount = readHeading(text, lexed, readNumbers(lexed, lexicon), lexicon).denomination;
  }
  return cell;
}

/** Cells without the blanks and quotes around them; a quote that is never closed is an ordinary character. */
function splitCells(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let start = 0; start <= line.length;) {
    const quoted = QUOTED.exec(line.slice(start))?.[0].length ?? 0;
    const found = line.indexOf(delimiter, start + quoted);
    const end = found === -1 ? line.length : found;
    const cell = line.slice(start, end).trim();
    cells.push(quoted > 0 && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell);
    start = end + 1;
  }
  return cells;
}
const QUOTED = /^[ \ufeff]*"(?:[^"]|"")*"/;

/**
 * The columns that a line without codes is the header of: it names a column of codes and either one of denominations or
 * nothing but columns we know, so that "Codes, please:" is no header; or it has two denominations or more, each in a
 * cell of its own, and nothing unknown beside them.
 */
function findColumns(cells: readonly Cell[], lexicon: Lexicon): Columns | undefined {
  const kinds = cells.map((cell) => nameColumn(cell, lexicon));
  const places = (kind: ColumnKind | undefined) => kinds.flatMap((each, at) => (each === kind ? [at] : []));
  const [codes, told, [amount], [product]] = [
    places('codes'),
    places('denomination'),
    places('amounts'),
    places('products'),
  ];
  const isKnown = !kinds.includes(undefined);
  const isNamed =
    amount !== undefined || (isKnown && kinds.some((kind) => kind !== 'codes' && kind !== 'empty'));
  const named = (at: number) => ({ at, name: cells[at]?.text ?? '' });
  const columns = {
    width: cells.length,
    amount: amount ?? product,
    isProduct: amount === undefined,
    status: places(undefined).map(named),
    dates: places('dates').map(named),
  };
  if (codes.length > 0)
    return told.length === 0 && isNamed ? { ...columns, codes: codes.map((at) => ({ at })) } : undefined;
  if (!isKnown || new Set(told.map((at) => cells[at]?.amount)).size < 2) return undefined;
  const ofEach = told.map((at) => ({
    at,
    told: { denomination: cells[at]?.amount, text: cells[at]?.text ?? '' },
  }));
  return { ...columns, codes: ofEach };
}

type ColumnKind = 'denomination' | 'codes' | 'amounts' | 'products' | 'dates' | 'others' | 'empty';

/** Every word is one that a column may have in its name. */
function nameColumn({ text, amount }: Cell, lexicon: Lexicon): ColumnKind | undefined {
  if (amount !== undefined) return 'denomination';
  if (text === '') return 'empty';
  if (/^(?:№|#|[-:=]+)\.?$/.test(text)) return 'others';
  if (/[0-9]/.test(text)) return undefined;
  const words = lexLine(text).lexemes.filter(({ kind }) => kind === 'word');
  const has = (list: ReadonlySet<string>) => words.some(({ word }) => list.has(word));
  const isCurrency = words.some(({ text: written }) => lexicon.isCurrency(written));
  const isSide = ({ word }: Lexeme) => WORDS.side.has(word) || WORDS.others.has(word);
  if (has(WORDS.dates) && words.every((each) => WORDS.dates.has(each.word) || isSide(each))) return 'dates';
  const isNamed = words.every((each) => isSide(each) || lexicon.isCurrency(each.text));
  if (!isNamed || findSpent(words.map(({ word }) => word)) !== undefined) return undefined;
  const isOther = words.some(({ word }) => WORDS.others.has(word) && !WORDS.side.has(word));
  if (has(WORDS.codes) && !isOther) return 'codes';
  if (isCurrency) return 'amounts';
  return (['amounts', 'products', 'others'] as const).find((kind) => has(WORDS[kind]));
}

/**
 * The codes of a row, or undefined where the line is none. `spent`: what it says outside its columns of codes; `above`:
 * the heading in force; `statuses`: the values in each column of a status.
 */
export function readRow(
  line: Filled & { frame: Cells & { spent?: { word: string } | undefined } },
  { columns: table, delimiter: separator }: Cells,
  above: number | undefined,
  statuses: ReadonlyMap<number, ReadonlySet<string>>,
  lexicon: Lexicon,
): { tokens: RowToken[]; spent: string | undefined } | undefined {
  const { cells = [], delimiter, spent } = line.frame;
  if (!table) return undefined;
  const isNamed = table.codes.some(({ told }) => told === undefined);
  const isEmpty = ({ text, slots }: Cell) => text === '' && slots === undefined;
  if (delimiter !== separator || !cells.slice(table.width).every(isEmpty)) return undefined;
  if (cells.length < table.width && (delimiter !== '\t' || isNamed)) return undefined;
  const slots = slotTokens(line);
  const filled = cells.map((cell) => ({ ...cell, found: slots.splice(0, cell.slots ?? 0) }));
  const amount = table.amount === undefined ? undefined : filled[table.amount];
  if (amount?.found.some(({ kind }) => kind === 'code')) return undefined;
  // A product that has no number says nothing.
  const isSaid =
    amount !== undefined && amount.text !== '' && (!table.isProduct || /\p{N}/u.test(amount.text));
  const denomination = isSaid ? amount.amount : above;
  const status = readStatus(filled, table, statuses, lexicon);
  const said = {
    denomination: status === undefined ? denomination : undefined,
    own: status ?? (isSaid ? amount.text : undefined),
    ...(status !== undefined && { good: denomination }),
  };
  const tokens: RowToken[] = [];
  for (const { at, told } of table.codes) {
    const { text = '', found = [], isMixed } = filled[at] ?? {};
    if (told && found.length === 0 && text !== '') return undefined;
    // Whatever stands in a column of codes and holds none is not understood.
    if (found.length === 0 && /[\p{L}\p{N}]/u.test(text)) tokens.push({ kind: 'unknown', text });
    const of = told ? { denomination: isMixed ? undefined : told.denomination, own: told.text } : said;
    tokens.push(...found.map((token) => (token.kind === 'code' ? { ...token, ...of } : token)));
  }
  const isBeside = isNamed || !filled.some(({ isMixed }) => isMixed);
  return { tokens, spent: isBeside ? spent?.word : undefined };
}

/** What a row says of its codes where the cells of that column differ: nobody knows which of them are to be sold. */
function readStatus(
  cells: readonly Cell[],
  table: Columns,
  statuses: ReadonlyMap<number, ReadonlySet<string>>,
  lexicon: Lexicon,
): string | undefined {
  const past = table.dates.find(({ at }) => lexicon.isPast(cells[at]?.text ?? ''));
  if (past) return `${past.name} ${cells[past.at]?.text}`;
  const differing = table.status.filter(({ at }) => (statuses.get(at)?.size ?? 0) > 1);
  if (differing.length === 0) return undefined;
  return differing.map(({ at, name }) => `${name}: ${cells[at]?.text || '–'}`).join(', ');
}
