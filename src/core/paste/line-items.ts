// What the numbers of a line with codes say: which of them are amounts of the codes, and which number the line.
import type { Amount } from './amounts.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the lines so far have said. */
export interface Reading {
  /** Of the heading in force. */
  denomination: number | undefined;
  /** No code has come since that heading. */
  fresh: boolean;
  /** The headings since the last code, and what they said; `value` undefined where they differ. */
  bare: { value: number | undefined; text: string } | undefined;
  /** The line that named another game, where that holds. */
  foreign: string | undefined;
  /** Headings of this text stand below their codes: none of them is of what follows. */
  below: boolean;
  /** Said by the line that goes on in the next stretch, in its words. */
  line: { denomination: number | undefined; text: string } | undefined;
  /** The number the last line began with, and whether it numbers lines: 60 after 59 is no denomination. */
  numbered: { value: number; counting: boolean } | undefined;
}

/** What a line is made of. */
export type Item = Amount | { kind: 'code' | 'malformed' | 'word'; text: string };

/** The number of a numbered line: 0 or 1, or one more than that of the numbered line before. */
export function isCounting(amount: Amount, reading: Reading, vocabulary: Vocabulary): boolean {
  if (amount.certain || !amount.leads) return false;
  const { value } = amount;
  const before = reading.numbered;
  const follows =
    value === (before?.value ?? NaN) + 1 &&
    (before?.counting === true || !vocabulary.isDenomination(value - 1));
  const counting = value <= 1 ? !vocabulary.isDenomination(value) : follows;
  reading.numbered = { value, counting };
  return counting;
}

/** `660, 60: CODE`, `60 CODE CODE 325`: two amounts for the same codes. */
function areDoubtful(items: readonly Item[], amounts: ReadonlySet<Amount>): boolean {
  const said = items.filter((item) => isCode(item) || isOneOf(item, amounts));
  const differ = (one: Item | undefined, other: Item | undefined) =>
    one?.kind === 'amount' && other?.kind === 'amount' && one.value !== other.value;
  if (said.some((item, index) => differ(said[index - 1], item))) return true;
  const [first, last] = [said[0], said.at(-1)];
  // What stands in front is of what follows it: the last one has nothing left, unless it opens the next line.
  const before = said.slice(0, -1).findLast((item) => !isCode(item));
  return first?.kind === 'amount' && last?.kind === 'amount' && !last.opens && differ(before, last);
}

const isCode = ({ kind }: Item) => kind === 'code' || kind === 'malformed';
const isOneOf = (item: Item, amounts: ReadonlySet<Amount>) => item.kind === 'amount' && amounts.has(item);

export function firstOf(items: readonly Item[], amounts: ReadonlySet<Amount>): Item | undefined {
  return items.find((item) => isCode(item) || isOneOf(item, amounts));
}

/** The amounts that say something about the codes of their line; their value is NaN where that is not clear. */
export function chooseAmounts(items: readonly Item[], reading: Reading, vocabulary: Vocabulary): Set<Amount> {
  const amounts = findTelling(items, reading, vocabulary);
  if (areDoubtful(items, amounts)) for (const amount of amounts) amount.value = NaN;
  return amounts;
}

/** Those that say something: the certain ones, else numbers that are denominations. */
function findTelling(items: readonly Item[], reading: Reading, vocabulary: Vocabulary): Set<Amount> {
  const amounts = items
    .filter((item) => item.kind === 'amount')
    .filter((amount) => !isCounting(amount, reading, vocabulary) && !amount.marker);
  const certain = amounts.filter((amount) => amount.certain || amount.opens);
  const plain = amounts.filter((amount) => vocabulary.isDenomination(amount.value));
  if (certain.some((amount) => amount.certain)) return new Set(certain);
  if (certain.length > 0) return new Set(amounts.filter((each) => each.opens || plain.includes(each)));
  const codes = items.filter((item) => isCode(item)).length;
  const [first] = plain;
  if (first === undefined || codes > 1 || plain.every((amount) => amount.value === first.value)) {
    return new Set(plain);
  }
  // One code and two denominations: better to say that we do not know.
  first.value = NaN;
  return new Set([first]);
}
