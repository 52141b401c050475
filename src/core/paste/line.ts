// One line of a paste: its codes with the denomination that the line or a heading gives them.
// Tables with a header line are read in table.ts.
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';
import { findWords, LONGEST_WORD } from './words.ts';
import type { Word } from './words.ts';

/** What the lines so far have said. */
export interface Reading {
  /** Of the heading in force. */
  denomination: number | undefined;
  /** Said by the line that goes on in the next stretch. */
  line: { denomination: number | undefined } | undefined;
  /** The number the last line began with, and whether it numbers lines: 60 after 59 is no denomination. */
  numbered: { value: number; counting: boolean } | undefined;
}

interface Amount {
  kind: 'amount';
  value: number;
  /** Written with the currency. */
  certain: boolean;
  /** `60:` with or without the currency: what follows belongs to it. */
  opens: boolean;
  /** `60.` and `60)` at the beginning of a line. */
  marker: boolean;
  leads: boolean;
}
type Item = Amount | { kind: 'code' | 'malformed' | 'word'; text: string };

const SPACES = /^[ \t\u00a0\u2009\u202f]*$/;
const GROUPING = new Set([..." ,.'\u2019\u00a0\u2009\u202f"]);
const MONEY = new Set([...'$€£¥₽₴₸₹%']);

/**
 * The codes of a line. A line without any may be a heading, which sets `reading.denomination` for what follows: to undefined
 * where it names a denomination the game does not have, so that no code is filed under the heading before it.
 * An amount with a colon, `60 UC: CODE`, is such a heading too; without one, `60 UC - CODE` or `CODE 60`, it holds for its line.
 */
export function readLine(
  line: { text: string; continues: boolean },
  reading: Reading,
  vocabulary: Vocabulary,
): PasteToken[] {
  if (!line.continues) reading.line = undefined;
  const words = findWords(line.text);
  const items = findItems(line.text, words, vocabulary);
  if (items.some((item) => item.kind === 'code' || item.kind === 'malformed')) {
    return assignDenominations(items, reading, vocabulary);
  }
  if (isSpacedCode(words, vocabulary)) {
    const text = line.text.slice(words[0]?.start, words.at(-1)?.end);
    return [{ kind: 'malformed', text, denomination: current(reading) }];
  }
  readHeading(items, reading, vocabulary);
  return [];
}

function current(reading: Reading): number | undefined {
  return reading.line === undefined ? reading.denomination : reading.line.denomination;
}

function findItems(line: string, words: readonly Word[], vocabulary: Vocabulary): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < words.length;) {
    const found = findAmount(line, words, index, vocabulary);
    if (found === undefined) items.push(classify(words[index]?.text ?? '', index === 0, vocabulary));
    else items.push(found.amount);
    index = found?.next ?? index + 1;
  }
  return items;
}

function classify(text: string, leads: boolean, vocabulary: Vocabulary): Item {
  if (vocabulary.isCode(text)) return { kind: 'code', text };
  const unnumbered = leads ? text.replace(/^\d{1,6}\.+/, '') : text;
  if (unnumbered !== text && vocabulary.isCode(unnumbered)) return { kind: 'code', text: unnumbered };
  if (vocabulary.isMalformed(text)) return { kind: 'malformed', text: text.slice(0, LONGEST_WORD) };
  return { kind: 'word', text };
}

function findAmount(
  line: string,
  words: readonly Word[],
  index: number,
  vocabulary: Vocabulary,
): { amount: Amount; next: number } | undefined {
  const prefixed = vocabulary.isCurrency(words[index]?.text ?? '') && isBeside(line, words, index);
  const first = prefixed ? index + 1 : index;
  const numeral = findNumeral(line, words, first, vocabulary);
  const start = words[first]?.start ?? 0;
  const end = words[(numeral?.next ?? 0) - 1]?.end ?? 0;
  if (numeral === undefined) return undefined;
  const certain = numeral.certain || prefixed;
  const rest = line.slice(end, end + 8);
  const opens = /^[\s*_)\]"'`~]*[:：=]/.test(rest);
  if (!certain && !opens && isSomethingElse(line, words, { start, end, next: numeral.next }, vocabulary)) {
    return undefined;
  }
  const leads = index === 0;
  const marker = leads && !certain && /^[.)]/.test(rest) && !line.slice(0, start).includes('(');
  return {
    amount: { kind: 'amount', value: numeral.value, certain, opens, marker, leads },
    next: numeral.next,
  };
}

/** `60`, `60 UC`, `60uc`, `1800`, `1,800`, `1.800 UC`, `1 800UC`, as one number of one or more words. */
function findNumeral(
  line: string,
  words: readonly Word[],
  index: number,
  vocabulary: Vocabulary,
): { value: number; certain: boolean; next: number } | undefined {
  const first = splitNumeral(words[index]?.text ?? '', vocabulary);
  if (first === undefined) return undefined;
  let { digits, certain } = first;
  let next = index + 1;
  while (!certain && digits.length <= 6 && /^\d{1,3}$/.test(words[index]?.text ?? '')) {
    const group = splitNumeral(words[next]?.text ?? '', vocabulary);
    const gap = line.slice(words[next - 1]?.end, words[next]?.start);
    if (group?.digits.length !== 3 || gap.length !== 1 || !GROUPING.has(gap)) break;
    digits += group.digits;
    certain = group.certain;
    next += 1;
  }
  const followed =
    !certain && isBeside(line, words, next - 1) && vocabulary.isCurrency(words[next]?.text ?? '');
  if (followed) return { value: Number(digits), certain: true, next: next + 1 };
  const whole = certain || vocabulary.isDenomination(Number(digits));
  if (whole) return { value: Number(digits), certain, next };
  // A number that no currency vouches for is neither grouped nor long: `325 660` are two, 1234567 is no amount.
  if (!/^\d{1,5}$/.test(first.digits) || /\D/.test(words[index]?.text ?? '')) return undefined;
  return { value: Number(first.digits), certain: false, next: index + 1 };
}

function splitNumeral(
  word: string,
  vocabulary: Vocabulary,
): { digits: string; certain: boolean } | undefined {
  if (word.length > 32 || vocabulary.isCode(word)) return undefined;
  const match = /^(\d{1,9}|\d{1,3}(?:\.\d{3}){1,2})(\p{L}*)$/u.exec(word);
  const [, digits = '', letters = ''] = match ?? [];
  if (digits === '' || (letters !== '' && !vocabulary.isCurrency(letters))) return undefined;
  return { digits: digits.replaceAll('.', ''), certain: letters !== '' };
}

/** Only blanks between this word and the next. */
function isBeside(line: string, words: readonly Word[], index: number): boolean {
  const [word, next] = [words[index], words[index + 1]];
  return word !== undefined && next !== undefined && SPACES.test(line.slice(word.end, next.start));
}

/** `60 $` and `60 pcs` count other things. */
function isSomethingElse(
  line: string,
  words: readonly Word[],
  at: { start: number; end: number; next: number },
  vocabulary: Vocabulary,
): boolean {
  const after = line.slice(at.end, at.end + 2).trimStart();
  if (MONEY.has(line.charAt(at.start - 1)) || MONEY.has(after.charAt(0))) return true;
  const unit = words[at.next]?.text ?? '';
  if (!/^\p{L}+$/u.test(unit) || !isBeside(line, words, at.next - 1)) return false;
  return !vocabulary.isCode(unit) && !vocabulary.isMalformed(unit);
}

/** `AB12 CD34 EF56` alone on a line: a code somebody spaced out. */
function isSpacedCode(words: readonly Word[], vocabulary: Vocabulary): boolean {
  const length = words[0]?.text.length ?? 0;
  if (words.length < 3 || words.length > 8 || length < 4) return false;
  if (!words.every((word) => word.text.length === length && /^[A-Z0-9]+$/.test(word.text))) return false;
  const joined = words.map((word) => word.text).join('');
  return /\d/.test(joined) && vocabulary.isCode(joined);
}

function readHeading(items: readonly Item[], reading: Reading, vocabulary: Vocabulary): void {
  const amounts = items.filter((item) => item.kind === 'amount');
  const certain = amounts.filter((amount) => amount.certain);
  const [amount] = certain.length > 0 ? certain : amounts;
  if (amount === undefined) return;
  if (certain.length === 0) {
    const last = items.at(-1);
    const alone = items.every(
      (item) => item.kind === 'amount' || (item.kind === 'word' && vocabulary.isHeadingWord(item.text)),
    );
    if (amounts.length > 1 || !(alone || (amount.opens && last === amount))) return;
    if (isCounting(amount, reading, vocabulary)) return;
  }
  const agreed = certain.every((other) => other.value === amount.value);
  reading.denomination = agreed && vocabulary.isDenomination(amount.value) ? amount.value : undefined;
  reading.line = undefined;
}

/** The number of a numbered line: 0 or 1, or one more than that of the numbered line before. */
function isCounting(amount: Amount, reading: Reading, vocabulary: Vocabulary): boolean {
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

function assignDenominations(items: readonly Item[], reading: Reading, vocabulary: Vocabulary): PasteToken[] {
  const amounts = chooseAmounts(items, reading, vocabulary);
  const tokens: Exclude<PasteToken, { kind: 'pause' }>[] = [];
  const [first] = amounts;
  let forward = reading.line !== undefined || firstOf(items, amounts) === first;
  let waiting = 0;
  for (const item of items) {
    if (item.kind === 'amount') {
      if (!amounts.has(item)) continue;
      const denomination = vocabulary.isDenomination(item.value) ? item.value : undefined;
      forward ||= item.opens;
      if (forward) reading.line = { denomination };
      else for (const token of tokens.slice(waiting)) token.denomination = denomination;
      if (item.opens) reading.denomination = denomination;
      waiting = tokens.length;
    } else if (item.kind === 'code') {
      tokens.push({ kind: 'code', code: item.text, denomination: current(reading) });
    } else if (item.kind === 'malformed') {
      tokens.push({ kind: 'malformed', text: item.text, denomination: current(reading) });
    }
  }
  return tokens;
}

function firstOf(items: readonly Item[], amounts: ReadonlySet<Item>): Item | undefined {
  return items.find((item) => item.kind === 'code' || item.kind === 'malformed' || amounts.has(item));
}

/** The amounts that say something about the codes of their line: the certain ones, else numbers that are denominations. */
function chooseAmounts(items: readonly Item[], reading: Reading, vocabulary: Vocabulary): Set<Item> {
  const amounts = items
    .filter((item) => item.kind === 'amount')
    .filter((amount) => !isCounting(amount, reading, vocabulary) && !amount.marker);
  const certain = amounts.filter((amount) => amount.certain || amount.opens);
  const plain = amounts.filter((amount) => vocabulary.isDenomination(amount.value));
  if (certain.length > 0) return new Set(certain);
  const codes = items.filter((item) => item.kind === 'code' || item.kind === 'malformed').length;
  const [first] = plain;
  if (first === undefined || codes > 1 || plain.every((amount) => amount.value === first.value)) {
    return new Set(plain);
  }
  // One code and two denominations: better to say that we do not know.
  first.value = NaN;
  return new Set([first]);
}
