// The codes of a line, each with what the line or the heading in force says of it.
import { columnOf, type Facts } from './columns.ts';
import type { Amount, Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Line } from './line.ts';
import type { RowToken } from './rows.ts';

export interface LineReading {
  /** What was chosen before anything was pasted. */
  chosen: number | undefined;
  /** Of the heading in force. */
  denomination: number | undefined;
  /** Said by the line that goes on in the next stretch, in its words. */
  line: { denomination: number | undefined; text: string } | undefined;
  /** The number the last line began with, and whether it numbers lines: 60 after 59 is no denomination. */
  numbered: { value: number; counting: boolean } | undefined;
}

/** The number of a numbered line: 0 or 1, or one more than that of the numbered line before. */
export function isCounting(amount: Amount, reading: LineReading, lexicon: Lexicon): boolean {
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
export function fileItems(
  { frame, slots }: Line,
  reading: LineReading,
  facts: Facts,
  lexicon: Lexicon,
): RowToken[] {
  const items = frame.items ?? [];
  const isNumbered = reading.numbered !== undefined;
  const counting = new Set(
    items.filter(
      (item, index) => item.kind === 'amount' && counts(item, index, items, reading, facts, lexicon),
    ),
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
  index: number,
  items: readonly Item[],
  reading: LineReading,
  facts: Facts,
  lexicon: Lexicon,
): boolean {
  if (isCounting(amount, reading, lexicon)) return true;
  const column = columnOf(amount, index, items);
  const numbers = column === undefined ? undefined : facts.numbers.get(column);
  return numbers !== undefined && numbers.count > 1 && numbers.isRising;
}

/** The amounts that say something: the certain ones, those that open, else numbers that are denominations. */
function findSaid(
  items: readonly Item[],
  open: readonly Amount[],
  reading: LineReading,
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
  const places = new Map(items.map((item, index) => [item, index]));
  const isDoubtful = (differ && codes <= 1 && sure.length === 0) || areDoubtful(items, telling);
  return telling.map((amount) => {
    const { value, text, certain, opens } = amount;
    const column = columnOf(amount, places.get(amount) ?? -1, items);
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
  reading: LineReading,
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
