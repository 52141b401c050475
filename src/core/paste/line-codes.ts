// The codes of a line, each with what the line, or what stands above it, says of it: a heading, a label, a row, that it is used or
// broken.
import { columnOf, type Facts } from './facts.ts';
import type { Amount, Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Line } from './line.ts';
import type { readRow } from './table.ts';
import { shorten, type LineToken, type Place, type RowToken } from './token.ts';

/** What the texts so far have said; messages go on with it. */
export interface Reading {
  /** What was chosen before anything was pasted. */
  chosen: number | undefined;
  /** Of the heading in force. */
  denomination: number | undefined;
  /** Said by the line that goes on in the next stretch, in its words. */
  line: { denomination: number | undefined; text: string } | undefined;
  /** The number the last line began with, and whether it numbers lines: 60 after 59 is no denomination. */
  numbered: { value: number; counting: boolean } | undefined;
  /** No code has come since the heading in force. */
  fresh: boolean;
  /** The headings since the last code; `value` undefined where they differ. */
  bare: { value: number | undefined; text: string } | undefined;
  /** The line that named another game, where that holds. */
  foreign: string | undefined;
  /** The line that began a section of used codes; `isWithin` a heading: the next one ends it. */
  spent: { text: string; isWithin: boolean } | undefined;
  /** A name of other things than codes stands above: `Order number:`. */
  label: { text: string; isDigits?: boolean } | undefined;
  /** A heading that was not understood, and no code has come under it. */
  open: { text: string; place: Place } | undefined;
}

const SHORTEST_BROKEN = 6;

/** A section of used codes stands above the headings that follow, or within the one in force. */
export function beginSpent(reading: Reading, text: string): void {
  const { denomination, chosen } = reading;
  reading.spent = { text: shorten(text), isWithin: denomination !== undefined && denomination !== chosen };
}

export function begin(reading: Reading, text: string, told: number | undefined): LineToken {
  Object.assign(reading, { denomination: told, fresh: true, bare: undefined, label: undefined });
  return { kind: 'heading', text: shorten(text), denomination: told };
}

/** A line with codes, or with what was meant as such; `row`: it is one of a table. */
export function fileCodes(
  line: Line,
  continues: boolean,
  row: ReturnType<typeof readRow>,
  { reading, facts, lexicon }: { reading: Reading; facts: Facts; lexicon: Lexicon },
): LineToken[] {
  const { frame } = line;
  const before = reading.denomination;
  if (!continues) reading.line = undefined;
  const tokens: LineToken[] = row?.tokens ?? fileItems(line, reading, facts, lexicon);
  const opened =
    !row && reading.denomination !== before
      ? [begin(reading, reading.line?.text ?? frame.text, reading.denomination)]
      : [];
  if (row) reading.line = undefined;
  if (tokens.length > 0) Object.assign(reading, { fresh: false, bare: undefined });
  const said = underLabel(tokens, reading);
  const isOpen =
    !row && (isRowOfAnother(line, tokens, reading) || (opened.length === 0 && isBroken(line, reading)));
  const closing = isOpen ? [begin(reading, frame.text, undefined)] : [];
  const spent = row ? row.spent : frame.spent?.word;
  return [...opened, ...setSpentAside(said, spent, !row && frame.spent?.leads === true, reading), ...closing];
}

/** What stands under a name of other things is asked about by that; where its form changes, the name holds no more. */
function underLabel(tokens: LineToken[], reading: Reading): LineToken[] {
  const { label } = reading;
  const first = tokens.find((token) => token.kind === 'code');
  if (!label || !first) return tokens;
  const isDigits = /^[0-9]+$/.test(first.code);
  if (label.isDigits !== undefined && label.isDigits !== isDigits) reading.label = undefined;
  else label.isDigits = isDigits;
  if (!reading.label) return tokens;
  return tokens.map((token) =>
    token.kind === 'code' ? { ...token, denomination: undefined, own: token.own ?? label.text } : token,
  );
}

/** `325 CODE CODE` under `60 UC`: codes that follow could go on with either. */
function isRowOfAnother(
  { frame }: Line,
  tokens: readonly LineToken[],
  { line, denomination }: Reading,
): boolean {
  const isLed = frame.items?.[0]?.kind === 'amount' && tokens.length > 1;
  if (!isLed || denomination === undefined || line === undefined || line.denomination === denomination)
    return false;
  return tokens.every((token) => token.kind === 'code' && token.denomination === line.denomination);
}

/**
 * No code stands in it, and something that was meant as one: whether its amount was meant for the line alone, or what is too short
 * for a code was a heading, nobody can tell.
 */
function isBroken({ frame, slots }: Line, { line, denomination }: Reading): boolean {
  if (frame.items?.some(({ kind }) => kind === 'code')) return false;
  return (
    line !== undefined ||
    (denomination !== undefined && slots.length === 1 && (slots[0]?.length ?? 0) < SHORTEST_BROKEN)
  );
}

/** Codes that the paste itself calls used, sold or broken are asked about; `used: CODE` holds for what follows. */
function setSpentAside(
  tokens: LineToken[],
  spent: string | undefined,
  leads: boolean,
  reading: Reading,
): LineToken[] {
  const first = tokens.find((token) => token.kind === 'code');
  if (spent === undefined || !first) return tokens;
  const name = ({ denomination, own }: { denomination?: number | undefined; own?: string | undefined }) => {
    const what = denomination ?? own ?? reading.denomination;
    return what === undefined ? spent : `${what}, ${spent}`;
  };
  const asked = tokens.map((token) =>
    token.kind === 'code' ? { ...token, denomination: undefined, own: name(token) } : token,
  );
  if (!leads) return asked;
  const text = name(first);
  beginSpent(reading, spent);
  reading.denomination = undefined;
  return [{ kind: 'heading', text, denomination: undefined }, ...asked];
}

/** The number of a numbered line: 0 or 1, or one more than that of the numbered line before. */
export function isCounting(amount: Amount, reading: Reading, lexicon: Lexicon): boolean {
  if (amount.certain || !amount.leads) return false;
  const { value } = amount;
  const before = reading.numbered;
  const follows =
    value === (before?.value ?? NaN) + 1 && (before?.counting === true || !lexicon.isDenomination(value - 1));
  const counting = value <= 1 ? !lexicon.isDenomination(value) : follows;
  reading.numbered = { value, counting };
  return counting;
}

/** An amount with what it says of the codes it is of: undefined where that is not clear. */
interface Said {
  denomination: number | undefined;
  text: string;
}

/**
 * Files the codes of a line. Amounts with their currency, or a colon, say what they say; a bare number counts lines, or is a
 * denomination, unless it contradicts the heading in force or its column. An amount with a colon is a heading for what follows.
 */
function fileItems({ frame, slots }: Line, reading: Reading, facts: Facts, lexicon: Lexicon): RowToken[] {
  const items = frame.items ?? [];
  const isNumbered = reading.numbered !== undefined;
  const counting = new Set(
    items.filter((item) => item.kind === 'amount' && counts(item, items, reading, facts, lexicon)),
  );
  const open = items.filter(
    (item): item is Amount => item.kind === 'amount' && !counting.has(item) && !item.marker,
  );
  const { beside } = frame;
  const isAsked =
    beside &&
    reading.line === undefined &&
    !(beside.leading && (isNumbered || open.every(({ leads }) => !leads)));
  if (isAsked) {
    reading.line = { denomination: undefined, text: beside.text };
    if (beside.opens) reading.denomination = undefined;
  }
  const said = new Map(isAsked ? [] : findSaid(items, open, reading, facts, lexicon));
  const loose = new Set(isAsked ? [] : open.filter((amount) => !said.has(amount)));
  return assign(items, slots, said, loose, reading);
}

function counts(
  amount: Amount,
  items: readonly Item[],
  reading: Reading,
  facts: Facts,
  lexicon: Lexicon,
): boolean {
  if (isCounting(amount, reading, lexicon)) return true;
  const column = columnOf(amount, items);
  const numbers = column === undefined ? undefined : facts.numbers.get(column);
  return numbers !== undefined && numbers.count > 1 && numbers.isRising;
}

/** The amounts that say something: the certain ones, those that open, else numbers that are denominations. */
function findSaid(
  items: readonly Item[],
  open: readonly Amount[],
  reading: Reading,
  facts: Facts,
  lexicon: Lexicon,
): [Amount, Said][] {
  const isLot = ({ value }: Amount) => lexicon.isDenomination(value);
  const sure = open.filter(({ certain, opens }) => certain ?? opens);
  const telling = sure.some(({ certain }) => certain)
    ? sure
    : open.filter((amount) => amount.opens ?? isLot(amount));
  const codes = items.filter(({ kind }) => kind !== 'amount').length;
  const differ = telling.some(({ value }) => value !== telling[0]?.value);
  // One code and two denominations, or two for the same codes: better to say that we do not know.
  const isDoubtful = (differ && codes <= 1 && sure.length === 0) || areDoubtful(items, telling);
  return telling.map((amount) => {
    const { value, text, certain, opens } = amount;
    const column = columnOf(amount, items);
    const reference = reading.line ? undefined : reading.denomination;
    const contradicts = !certain && !opens && reference !== undefined && reference !== value;
    const isOdd = !certain && column !== undefined && facts.numbers.get(column)?.hasOthers === true;
    const denomination = isDoubtful || contradicts || isOdd || !isLot(amount) ? undefined : value;
    return [amount, { denomination, text: contradicts ? `${text} / ${reference}` : text }];
  });
}

/** `660, 60: CODE`, `60 CODE CODE 325`: two amounts for the same codes. */
function areDoubtful(items: readonly Item[], telling: readonly Amount[]): boolean {
  const tells = new Set<Item>(telling);
  const said = items.filter((item) => item.kind !== 'amount' || tells.has(item));
  const differ = (one: Item | undefined, other: Item | undefined) =>
    one?.kind === 'amount' && other?.kind === 'amount' && one.value !== other.value;
  if (said.some((item, index) => differ(said[index - 1], item))) return true;
  const [first, last] = [said[0], said.at(-1)];
  // What stands in front is of what follows it: the last one has nothing left, unless it opens the next line.
  const before = said.slice(0, -1).findLast((item) => item.kind === 'amount');
  return first?.kind === 'amount' && last?.kind === 'amount' && !last.opens && differ(before, last);
}

/** In order: an amount is of the codes after it where one begins the line, else of those before it. */
function assign(
  items: readonly Item[],
  slots: readonly string[],
  said: ReadonlyMap<Amount, Said>,
  loose: ReadonlySet<Amount>,
  reading: Reading,
): RowToken[] {
  const tokens: RowToken[] = [];
  const first = items.find((item) => item.kind !== 'amount' || said.has(item));
  let forward = reading.line !== undefined || first?.kind === 'amount';
  let [waiting, slot] = [0, 0];
  const named = new Set<RowToken>();
  const codesFrom = () => tokens.slice(waiting).filter((token) => token.kind === 'code' && !named.has(token));
  for (const item of items) {
    if (item.kind === 'amount') {
      const found = said.get(item);
      if (loose.has(item)) tokens.push({ kind: 'unknown', text: item.text });
      if (!found) continue;
      const { denomination, text } = found;
      forward ||= item.opens === true;
      if (forward) reading.line = { denomination, text };
      else for (const token of codesFrom()) Object.assign(token, { denomination, own: text });
      if (item.opens) reading.denomination = denomination;
      waiting = tokens.length;
      continue;
    }
    const text = slots[slot] ?? '';
    slot += 1;
    if (item.kind === 'unknown') tokens.push({ kind: 'unknown', text });
    else if (item.label !== undefined) {
      const token: RowToken = { kind: 'code', code: text, denomination: undefined, own: item.label };
      named.add(token);
      tokens.push(token);
    } else {
      const denomination = reading.line ? reading.line.denomination : reading.denomination;
      tokens.push({ kind: 'code', code: text, denomination, own: reading.line?.text });
    }
  }
  return tokens;
}
