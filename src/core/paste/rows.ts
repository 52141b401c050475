// Rows of a table with a header: the codes of a row by their columns. A row that does not fit its header is no row: the caller reads
// it as a plain line, so that nothing is lost.
import { findColumns, type Cell, type Columns } from './cells.ts';
import { findSpent } from './heading.ts';
import { wordsOf, type Lexicon } from './lexicon.ts';
import type { Frame } from './frame.ts';
import type { Line } from './line.ts';

/** A code of a row, or what stands in the place of one; `own`: what its cells say of it. */
export type RowToken =
  | {
      kind: 'code';
      code: string;
      denomination: number | undefined;
      own?: string | undefined;
      isRounded?: true;
    }
  | { kind: 'unknown'; text: string };

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
