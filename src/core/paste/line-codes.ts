// The codes of a line, each with what the line, or what stands above it, says of it: a heading, a label, a row, that it
// is used or broken.
import { columnOf, type TextTraits } from './text-traits.ts';
import { slotTokens, type Amount, type Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { PasteLine } from './line.ts';
import type { readRow } from './table.ts';
import { shortenWords, type LineToken, type PieceSpan, type RowToken } from './token.ts';

/** A denomination with the words that tell it; undefined where these are not clear. */
interface Said {
  denomination: number | undefined;
  text: string;
}

/**
 * A name that stands over all that follows: of another game, of used codes; `isWithin` a heading: the next one ends it.
 */
export interface Section {
  kind: 'foreign' | 'spent';
  text: string;
  isWithin: boolean;
}

/** What the texts so far have said; messages go on with it. */
export interface Reading {
  /** What was chosen before anything was pasted. */
  chosen: number | undefined;
  /** Of the heading in force. */
  denomination: number | undefined;
  /** Said by the line that goes on in the next stretch. */
  line?: Said | undefined;
  /** The number the last line began with, and whether it numbers lines: 60 after 59 is no denomination. */
  numbered?: { value: number; counting: boolean } | undefined;
  /** No code has come since the heading in force. */
  fresh: boolean;
  /** The headings since the last code. */
  bare?: Said | undefined;
  sections: readonly Section[];
  /** A name of other things than codes stands above: `Order number:`. */
  label?: { text: string; isDigits?: boolean } | undefined;
  /** A heading that was not understood, and no code has come under it. */
  open?: { text: string; place: PieceSpan } | undefined;
}

const SHORTEST_BROKEN = 6;

/** A section in the place of one of its kind. */
export function beginSection(reading: Reading, kind: Section['kind'], text: string): void {
  const { denomination, chosen } = reading;
  const isWithin = kind === 'spent' && denomination !== undefined && denomination !== chosen;
  endSection(reading, kind);
  reading.sections = [...reading.sections, { kind, text: shortenWords(text), isWithin }];
}

export function endSection(reading: Reading, kind: Section['kind']): void {
  reading.sections = reading.sections.filter((section) => section.kind !== kind);
}

export function begin(reading: Reading, text: string, told: number | undefined): LineToken {
  Object.assign(reading, { denomination: told, fresh: true, bare: undefined, label: undefined });
  return { kind: 'heading', text: shortenWords(text), denomination: told };
}

/** Codes are asked about, in these words. */
export const ask = <Token extends LineToken>(
  tokens: readonly Token[],
  word: (code: Extract<Token, { kind: 'code' }>) => string | undefined,
): Token[] =>
  tokens.map((token) => (isCode(token) ? { ...token, denomination: undefined, own: word(token) } : token));

const isCode = <Token extends LineToken>(token: Token): token is Extract<Token, { kind: 'code' }> =>
  token.kind === 'code';

/** A line with codes, or with what was meant as such; `row`: it is one of a table. */
export function fileCodes(
  line: PasteLine,
  continues: boolean,
  row: ReturnType<typeof readRow>,
  { reading, traits, lexicon }: { reading: Reading; traits: TextTraits; lexicon: Lexicon },
): LineToken[] {
  const { frame } = line;
  const before = reading.denomination;
  if (!continues) reading.line = undefined;
  const tokens = row?.tokens ?? fileItems(line, reading, traits, lexicon);
  const isHeading = !row && reading.denomination !== before;
  const opened = isHeading ? [begin(reading, reading.line?.text ?? frame.text, reading.denomination)] : [];
  Object.assign(reading, { fresh: false, bare: undefined });
  const labelled = underLabel(tokens, reading);
  const closing =
    !row && !isHeading && isOpen(line, labelled, reading) ? [begin(reading, frame.text, undefined)] : [];
  const spent = row ? row.spent : frame.spent?.word;
  if (spent === undefined) return [...opened, ...labelled, ...closing];
  const name = ({
    denomination,
    own,
  }: { denomination?: number | undefined; own?: string | undefined } = {}) =>
    [denomination ?? own ?? reading.denomination, spent].filter((word) => word !== undefined).join(', ');
  const asked = ask(labelled, name);
  const first = labelled.find(isCode);
  if (row || !frame.spent?.leads || !first) return [...opened, ...asked, ...closing];
  // `used: CODE` holds for what follows.
  const text = name(first);
  beginSection(reading, 'spent', spent);
  reading.denomination = undefined;
  return [...opened, { kind: 'heading', text, denomination: undefined }, ...asked, ...closing];
}

/** What stands under a name of other things is asked about by that; where its form changes, the name holds no more. */
function underLabel(tokens: RowToken[], reading: Reading): RowToken[] {
  const { label } = reading;
  const first = tokens.find(isCode);
  if (!label || !first) return tokens;
  const isDigits = /^[0-9]+$/.test(first.code);
  if ((label.isDigits ?? isDigits) !== isDigits) reading.label = undefined;
  else label.isDigits = isDigits;
  return reading.label ? ask(tokens, ({ own }) => own ?? label.text) : tokens;
}

/**
 * Whether codes that follow could go on with the line or with the heading above it: `325 CODE CODE` under `60 UC`, or
 * nothing but what was meant as a code behind an amount, and what is too short for one.
 */
function isOpen(
  { frame, slots }: PasteLine,
  tokens: readonly RowToken[],
  { line, denomination }: Reading,
): boolean {
  if (!frame.items?.some(({ kind }) => kind === 'code'))
    return (
      line !== undefined ||
      (denomination !== undefined && slots.length === 1 && (slots[0]?.length ?? 0) < SHORTEST_BROKEN)
    );
  const isOther = line !== undefined && denomination !== undefined && line.denomination !== denomination;
  return (
    isOther &&
    tokens.length > 1 &&
    tokens.every((token) => isCode(token) && token.denomination === line.denomination)
  );
}

/** The number of a numbered line: 0 or 1, or one more than that of the numbered line before. */
export function isCounting(value: number, reading: Reading, lexicon: Lexicon): boolean {
  const before = reading.numbered;
  const follows =
    value === (before?.value ?? NaN) + 1 && (before?.counting === true || !lexicon.isDenomination(value - 1));
  const counting = value <= 1 ? !lexicon.isDenomination(value) : follows;
  reading.numbered = { value, counting };
  return counting;
}

/**
 * Files the codes of a line. Amounts with their currency, or a colon, say what they say; a bare number counts lines, or
 * is a denomination, unless it contradicts the heading in force or its column. An amount with a colon is a heading for
 * what follows.
 */
function fileItems(line: PasteLine, reading: Reading, traits: TextTraits, lexicon: Lexicon): RowToken[] {
  const { items = [], beside } = line.frame;
  const columnFacts = (amount: Amount) => traits.numbers.get(columnOf(amount, items) ?? NaN);
  const amounts = items.filter((item) => item.kind === 'amount');
  const open = amounts.filter(
    (amount) =>
      !(amount === items[0] && !amount.certain && isCounting(amount.value, reading, lexicon)) &&
      !columnFacts(amount)?.isRising &&
      !amount.marker,
  );
  if (beside && reading.line === undefined) {
    reading.line = { denomination: undefined, text: beside.text };
    if (beside.opens) reading.denomination = undefined;
    return assign(line, new Map(), new Set(), reading);
  }
  // The amounts that say something: the certain ones, those that open, else numbers that are denominations.
  const hasSure = open.some(({ certain }) => certain);
  const telling = open.filter(
    ({ certain, opens, value }) => certain ?? opens ?? (!hasSure && lexicon.isDenomination(value)),
  );
  const isDoubtful = areDoubtful(items, telling);
  const above = reading.line ? undefined : reading.denomination;
  const said = telling.map((amount): [Amount, Said] => {
    const { value, text, certain, opens } = amount;
    const contradicts = !certain && !opens && above !== undefined && above !== value;
    const isOdd = columnFacts(amount)?.hasOthers === true;
    const isTold = !isDoubtful && !contradicts && !isOdd && lexicon.isDenomination(value);
    return [
      amount,
      { denomination: isTold ? value : undefined, text: contradicts ? `${text} / ${above}` : text },
    ];
  });
  return assign(line, new Map(said), new Set(open), reading);
}

/** `660, 60: CODE`, `60 CODE CODE 325`: two amounts for the same codes. */
function areDoubtful(items: readonly Item[], telling: readonly Amount[]): boolean {
  const said = items.filter((item) => item.kind !== 'amount' || telling.includes(item));
  const differ = (one: Item | undefined, other: Item | undefined) =>
    one?.kind === 'amount' && other?.kind === 'amount' && one.value !== other.value;
  if (said.some((item, index) => differ(said[index - 1], item))) return true;
  const [first, last] = [said[0], said.at(-1)];
  // What stands in front is of what follows it: the last one has nothing left, unless it opens the next line.
  const before = said.slice(0, -1).findLast((item) => item.kind === 'amount');
  return first?.kind === 'amount' && last?.kind === 'amount' && !last.opens && differ(before, last);
}

/**
 * In order: an amount is of the codes after it where one begins the line, else of those before it; `open`: those that
 * are not understood where nothing is said by them.
 */
function assign(
  line: PasteLine,
  said: ReadonlyMap<Item, Said>,
  open: ReadonlySet<Item>,
  reading: Reading,
): RowToken[] {
  const { items = [] } = line.frame;
  const slots = slotTokens(line);
  const tokens: RowToken[] = [];
  let forward =
    reading.line !== undefined || said.has(items.find((item) => item.kind !== 'amount' || said.has(item))!);
  let waiting = 0;
  for (const item of items) {
    const slot = item.kind === 'amount' ? undefined : slots.shift();
    if (slot) {
      const label = item.kind === 'code' ? item.label : undefined;
      const { denomination, text } = reading.line ?? { denomination: reading.denomination, text: undefined };
      const of = label === undefined ? { denomination, own: text } : { denomination: undefined, own: label };
      tokens.push(isCode(slot) ? { ...slot, ...of } : slot);
    } else if (item.kind === 'amount') {
      const found = said.get(item);
      if (!found && open.has(item)) tokens.push({ kind: 'unknown', text: item.text });
      if (!found) continue;
      const { denomination, text } = found;
      forward ||= item.opens === true;
      if (forward) reading.line = found;
      // What has a label is of that.
      else
        for (const token of tokens.slice(waiting))
          if (isCode(token) && token.own === undefined) Object.assign(token, { denomination, own: text });
      if (item.opens) reading.denomination = denomination;
      waiting = tokens.length;
    }
  }
  return tokens;
}
