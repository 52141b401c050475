// Columns of a text: the rows of a table with a header, and what the whole text decides for each of its lines: which columns count,
// which differ, how it ends, whether headings stand below. A row that does not fit its header is no row: the caller reads it as a plain
// line, so that nothing is lost.
import { findColumns, type Cell, type Columns } from './cells.ts';
import type { Frame } from './frame.ts';
import { findSpent } from './heading.ts';
import type { Amount, Item } from './items.ts';
import { wordsOf, type Lexicon } from './lexicon.ts';
import type { Line } from './line.ts';
import type { RowToken } from './token.ts';

export interface Facts {
  /** The heading in which the text ends, with no code behind it. */
  lastHeading: number | undefined;
  /** It begins with codes; `fields`: each is followed by its denomination, named as such. */
  begins: 'codes' | 'heading' | undefined;
  hasFields: boolean;
  /** Its last lines take back what stands above. */
  isCorrected: boolean;
  /** By column, see `columnOf`. */
  numbers: ReadonlyMap<number, NumberColumn>;
  /** Columns of a status, by their place: the values in them, at most two. */
  statuses: ReadonlyMap<number, ReadonlySet<string>>;
  /** Every long number among the codes ends in zeros, as a spreadsheet leaves them. */
  isRounded: boolean;
}

interface NumberColumn {
  count: number;
  last: number;
  /** Each is one more than the one before. */
  isRising: boolean;
  /** Some are no denominations. */
  hasOthers: boolean;
}

/** What may stand behind the last heading, thanks or a total; and where a correction stands. */
const MOST_LINES = 6;
const MOST_CORRECTING = 3;
const LONG = /^[0-9]{16,}$/;
/** Spreadsheets keep fifteen digits. */
const ROUNDED = /^[0-9]{15}0+$/;

export const isRounded = (code: string): boolean => ROUNDED.test(code);

/** Goes through the lines of a text once. */
export function createFactFinder(lexicon: Lexicon): { note(line: Line): void; tell(): Facts } {
  const numbers = new Map<number, NumberColumn>();
  const statuses = new Map<number, Set<string>>();
  let begins: Facts['begins'];
  let table: Columns | undefined;
  let ending: Line[] = [];
  let [fields, others, long, rounded] = [0, 0, 0, 0];

  function noteCodes({ frame, slots }: Line): void {
    begins ??= 'codes';
    ending = [];
    for (const code of slots) {
      if (!LONG.test(code)) continue;
      long += 1;
      rounded += isRounded(code) ? 1 : 0;
    }
    for (const [index, item] of (frame.items ?? []).entries()) {
      const column = item.kind === 'amount' ? columnOf(item, index, frame.items ?? []) : undefined;
      if (item.kind === 'amount' && column !== undefined) noteNumber(numbers, column, item.value, lexicon);
    }
    if (table?.delimiter === frame.delimiter)
      for (const { column } of table?.status ?? []) noteStatus(statuses, column, frame.cells?.[column]);
  }

  return {
    note(line) {
      const { frame } = line;
      if (frame.items?.some(({ kind }) => kind === 'code')) return noteCodes(line);
      if (frame.isBlank) return;
      table = findTable(frame, lexicon) ?? table;
      ending = [line, ...ending].slice(0, MOST_LINES);
      if (frame.denomination === undefined) return;
      begins ??= 'heading';
      if (frame.isField) fields += 1;
      else others += 1;
    },
    tell: () => ({
      begins,
      hasFields: fields > 0 && others === 0,
      lastHeading: ending.find(({ frame }) => frame.denomination !== undefined)?.frame.denomination,
      isCorrected: ending.slice(0, MOST_CORRECTING).some(({ frame }) => frame.corrects),
      numbers,
      statuses,
      isRounded: long > 0 && long === rounded,
    }),
  };
}

/** A cell, or before (-2) and behind (-1) the only code of a line; undefined where it stands in no column. */
export function columnOf(amount: Amount, index: number, items: readonly Item[]): number | undefined {
  if (amount.certain || amount.marker) return undefined;
  if (amount.cell !== undefined) return amount.cell;
  if (items.length !== 2) return undefined;
  return index === 0 ? -2 : -1;
}

function noteNumber(
  columns: Map<number, NumberColumn>,
  column: number,
  value: number,
  lexicon: Lexicon,
): void {
  const hasOthers = !lexicon.isDenomination(value);
  const known = columns.get(column);
  if (!known) return void columns.set(column, { count: 1, last: value, isRising: true, hasOthers });
  known.isRising &&= value === known.last + 1;
  known.hasOthers ||= hasOthers;
  known.count += 1;
  known.last = value;
}

function noteStatus(statuses: Map<number, Set<string>>, column: number, cell: Cell | undefined): void {
  const values = statuses.get(column) ?? new Set();
  if (values.size < 2 && cell) values.add(cell.text.toLowerCase());
  statuses.set(column, values);
}

export interface RowContext {
  /** Of the heading in force. */
  denomination: number | undefined;
  statuses: ReadonlyMap<number, ReadonlySet<string>>;
}

/** The table that a line without codes is the header of. */
export function findTable({ items, delimiter, cells }: Frame, lexicon: Lexicon): Columns | undefined {
  if (items || delimiter === undefined || !cells) return undefined;
  return findColumns(delimiter, cells, lexicon);
}

/** The codes of a row, or undefined where the line is none. `spent`: what it says outside its columns of codes. */
export function readRow(
  { frame, slots }: Line,
  table: Columns,
  context: RowContext,
): { tokens: RowToken[]; spent: string | undefined } | undefined {
  const { cells = [], delimiter } = frame;
  if (delimiter !== table.delimiter || cells.slice(table.width).some((cell) => !isEmpty(cell)))
    return undefined;
  if (cells.length < table.width && (delimiter !== '\t' || table.codes.length > 0)) return undefined;
  const kinds = (frame.items ?? []).flatMap(({ kind }) => (kind === 'amount' ? [] : [kind]));
  const found = takeCells(
    cells,
    slots.map((text, index) => ({ text, isCode: kinds[index] === 'code' })),
  );
  if (table.codes.length === 0) return readDenominations(found, table, frame);
  const tokens = readNamed(found, table, context);
  return tokens && { tokens, spent: frame.spent?.word };
}

interface Filled extends Cell {
  found: { text: string; isCode: boolean }[];
}

const isEmpty = ({ text, slots }: Cell) => text === '' && slots === undefined;

function takeCells(cells: readonly Cell[], slots: { text: string; isCode: boolean }[]): Filled[] {
  let from = 0;
  return cells.map((cell) => {
    const to = from + (cell.slots ?? 0);
    const found = slots.slice(from, to);
    from = to;
    return { ...cell, found };
  });
}

/** Whatever stands in a column of codes and holds none is not understood; an empty denomination leaves the heading in force. */
function readNamed(cells: readonly Filled[], table: Columns, context: RowContext): RowToken[] | undefined {
  const column = table.amount ?? table.product;
  const amount = column === undefined ? undefined : cells[column];
  if (amount?.found.some(({ isCode }) => isCode)) return undefined;
  const text = amount?.text ?? '';
  // A product that has no number says nothing.
  const isSaid = text !== '' && (table.amount !== undefined || /\p{N}/u.test(text));
  const denomination = isSaid ? amount?.amount : context.denomination;
  const status = readStatus(cells, table, context, denomination);
  const own = status ?? (isSaid ? text : undefined);
  return table.codes.flatMap((at) => {
    const { found = [], text: written = '' } = cells[at] ?? {};
    if (found.length === 0) return /[\p{L}\p{N}]/u.test(written) ? [{ kind: 'unknown', text: written }] : [];
    return found.map(({ text: code, isCode }): RowToken => {
      if (!isCode) return { kind: 'unknown', text: code };
      return { kind: 'code', code, denomination: status === undefined ? denomination : undefined, own };
    });
  });
}

/** What a row says of its codes where the cells of that column differ: nobody knows which of them are to be sold. */
function readStatus(
  cells: readonly Filled[],
  table: Columns,
  { statuses }: RowContext,
  denomination: number | undefined,
): string | undefined {
  const differing = table.status.filter(({ column }) => (statuses.get(column)?.size ?? 0) > 1);
  if (differing.length === 0) return undefined;
  const said = differing.map(({ column, name }) => `${name}: ${cells[column]?.text || '–'}`);
  return [...(denomination === undefined ? [] : [denomination]), ...said].join(', ');
}

/** A cell with more in it than codes is asked about; one without any, and the line is of another kind. */
function readDenominations(
  cells: readonly Filled[],
  { denominations }: Columns,
  { spent }: Frame,
): { tokens: RowToken[]; spent: string | undefined } | undefined {
  const tokens: RowToken[] = [];
  for (const [index, column] of denominations.entries()) {
    const cell = cells[index];
    if (!column || !cell || isEmpty(cell)) continue;
    if (cell.found.length === 0) return undefined;
    for (const { text, isCode } of cell.found) {
      const denomination = cell.isMixed ? undefined : column.denomination;
      tokens.push(
        isCode ? { kind: 'code', code: text, denomination, own: column.text } : { kind: 'unknown', text },
      );
    }
  }
  const others = cells.filter((_, index) => denominations[index] === undefined).map(({ text }) => text);
  return { tokens, spent: spent && findSpent(wordsOf(others.join(' '))) };
}
