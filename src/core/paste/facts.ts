// What the whole of a text decides for each of its lines: which columns of numbers count, which columns differ, how it ends, whether
// headings stand below.
import type { Amount, Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Frame, Line } from './line.ts';
import type { Cells } from './table.ts';

export interface Facts {
  /** The heading in which the text ends, with no code behind it. */
  lastHeading: number | undefined;
  /** It begins with codes. */
  hasCodesFirst: boolean;
  /** Each code is followed by its denomination, named as such. */
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
export const isRounded = (code: string): boolean => /^[0-9]{15}0+$/.test(code);

/** Goes through the lines of a text once. */
export function createFactFinder(lexicon: Lexicon): { note(line: Line): void; tell(): Facts } {
  const numbers = new Map<number, NumberColumn>();
  const statuses = new Map<number, Set<string>>();
  const has = {
    codesFirst: false,
    headings: false,
    fields: false,
    others: false,
    rounded: false,
    unrounded: false,
  };
  let header: Cells = {};
  let ending: Frame[] = [];

  function noteCodes({ frame, slots }: Line): void {
    has.codesFirst ||= !has.headings;
    ending = [];
    for (const code of slots) if (LONG.test(code)) has[isRounded(code) ? 'rounded' : 'unrounded'] = true;
    noteNumbers(numbers, frame.items ?? [], lexicon);
    if (header.delimiter !== frame.delimiter) return;
    for (const { at } of header.columns?.status ?? []) {
      const values = statuses.get(at) ?? new Set();
      if (values.size < 2) statuses.set(at, values.add((frame.cells?.[at]?.text ?? '').toLowerCase()));
    }
  }

  return {
    note(line) {
      const { frame } = line;
      if (frame.items?.some(({ kind }) => kind === 'code')) return noteCodes(line);
      if (frame.columns) header = frame;
      ending = [frame, ...ending].slice(0, MOST_LINES);
      if (frame.denomination === undefined) return;
      has.headings = true;
      has[frame.isField ? 'fields' : 'others'] = true;
    },
    tell: () => ({
      hasCodesFirst: has.codesFirst,
      hasFields: has.fields && !has.others,
      lastHeading: ending.find(({ denomination }) => denomination !== undefined)?.denomination,
      isCorrected: ending.slice(0, MOST_CORRECTING).some(({ corrects }) => corrects),
      numbers,
      statuses,
      isRounded: has.rounded && !has.unrounded,
    }),
  };
}

function noteNumbers(columns: Map<number, NumberColumn>, items: readonly Item[], lexicon: Lexicon): void {
  for (const item of items) {
    const place = item.kind === 'amount' ? columnOf(item, items) : undefined;
    if (item.kind !== 'amount' || place === undefined) continue;
    const isOther = !lexicon.isDenomination(item.value);
    const column = columns.get(place) ?? { count: 0, last: item.value - 1, isRising: true, hasOthers: false };
    column.isRising &&= item.value === column.last + 1;
    column.hasOthers ||= isOther;
    columns.set(place, Object.assign(column, { count: column.count + 1, last: item.value }));
  }
}

/** A cell, or before (-2) and behind (-1) the only code of a line; undefined where it stands in no column. */
export function columnOf(amount: Amount, items: readonly Item[]): number | undefined {
  if (amount.certain || amount.marker) return undefined;
  if (amount.cell !== undefined) return amount.cell;
  if (items.length !== 2) return undefined;
  return items[0] === amount ? -2 : -1;
}
