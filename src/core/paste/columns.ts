// Facts of a whole text that decide what its lines mean: how it ends, whether headings stand below, which columns count, which differ.
import type { Cell, Columns } from './cells.ts';
import type { Amount, Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Line } from './line.ts';
import { findTable } from './rows.ts';

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
