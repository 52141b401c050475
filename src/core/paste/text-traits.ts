// What the whole of a text decides for each of its lines: which columns of numbers count, which columns differ, how it
// ends, whether headings stand below.
import type { Amount, Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { PasteLine } from './line.ts';
import type { Cells } from './table.ts';

export interface TextTraits {
  /** The heading in which the text ends, with no code behind it. */
  lastHeading: number | undefined;
  /** It begins with codes. */
  hasCodesFirst: boolean;
  /** Each code is followed by its denomination, named as such. */
  hasFields: boolean;
  /** Two codes of different lengths stand in each line: how the first of each begins. */
  pairs: readonly string[] | undefined;
  /** The line behind the codes that takes them back. */
  takenBack: string | undefined;
  /** The marks of its codes differ. */
  isMarked: boolean;
  /** Some of its codes are digits alone, and others are not. */
  isMixed: boolean;
  /** By column, see `columnOf`. */
  numbers: ReadonlyMap<number, NumberColumn>;
  /** Columns of a status, by their place: the values in them, at most two. */
  statuses: ReadonlyMap<number, ReadonlySet<string>>;
  /** Every long number among the codes ends in zeros, as a spreadsheet leaves them. */
  isRounded: boolean;
}

interface NumberColumn {
  last: number;
  /** Each is one more than the one before; undefined where there is one. */
  isRising: boolean | undefined;
  /** Some are no denominations. */
  hasOthers: boolean;
}

/** What may stand behind the last heading, thanks or a total. */
const MOST_LINES = 6;

export const DIGITS = /^[0-9]+$/;
/** Spreadsheets keep fifteen digits. */
export const isRounded = (code: string): boolean => /^[0-9]{15}0+$/.test(code);

/** Goes through the lines of a text once. */
export function createTraitFinder(lexicon: Lexicon): { note(line: PasteLine): void; traits(): TextTraits } {
  const numbers = new Map<number, NumberColumn>();
  const statuses = new Map<number, Set<string>>();
  const has = {
    codesFirst: false,
    headings: false,
    fields: false,
    others: false,
    rounded: false,
    unrounded: false,
    digits: false,
    letters: false,
  };
  const marks = new Set<string>();
  /** Of the lines with codes, the lengths of these; undefined where they differ. */
  let lengths: string | undefined;
  let firsts: readonly string[] | undefined;
  let header: Cells = {};
  let heading: number | undefined;
  /** Lines behind the last, without codes between. */
  let fromHeading = Infinity;
  let takenBack: string | undefined;
  let hasCodes = false;

  function noteCodes({ frame, slots }: PasteLine): void {
    has.codesFirst ||= !has.headings;
    fromHeading = Infinity;
    if (marks.size < 2) marks.add(frame.mark ?? '');
    const pair = slots.map(({ length }) => length).join();
    if (!hasCodes) lengths = pair;
    else if (lengths !== pair) lengths = undefined;
    else firsts ??= slots.map((code) => `${code.slice(0, 4)}…`);
    const kinds = frame.items?.filter(({ kind }) => kind !== 'amount') ?? [];
    for (const [at, code] of slots.entries()) {
      if (kinds[at]?.kind === 'code') has[DIGITS.test(code) ? 'digits' : 'letters'] = true;
      if (/^[0-9]{16,}$/.test(code)) has[isRounded(code) ? 'rounded' : 'unrounded'] = true;
    }
    [hasCodes, takenBack] = [true, undefined];
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
      fromHeading += 1;
      if (hasCodes && frame.reopens) takenBack ??= frame.text;
      if (frame.denomination === undefined) return;
      [heading, fromHeading] = [frame.denomination, 0];
      has.headings = true;
      has[frame.isField ? 'fields' : 'others'] = true;
    },
    traits: () => ({
      hasCodesFirst: has.codesFirst,
      hasFields: has.fields && !has.others,
      lastHeading: fromHeading < MOST_LINES ? heading : undefined,
      pairs: /^(\d+),(?!\1$)\d+$/.test(lengths ?? '') ? firsts : undefined,
      takenBack,
      isMarked: marks.size > 1,
      isMixed: has.digits && has.letters,
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
    const before = columns.get(place);
    columns.set(place, {
      last: item.value,
      isRising: before && before.isRising !== false && item.value === before.last + 1,
      hasOthers: before?.hasOthers === true || !lexicon.isDenomination(item.value),
    });
  }
}

/** A cell, or before (-2) and behind (-1) the only code of a line; undefined where it stands in no column. */
export function columnOf(amount: Amount, items: readonly Item[]): number | undefined {
  if (amount.certain || amount.marker) return undefined;
  if (amount.cell !== undefined) return amount.cell;
  if (items.length !== 2) return undefined;
  return items[0] === amount ? -2 : -1;
}
