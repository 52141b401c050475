// The numbers of a line: which are amounts and which count codes or lines; and whether the line is understood as a
// whole: one word more than is known, and it is not.
import { anyOf, MONEY_MARKS, type Lexed, type Lexeme } from './lexer.ts';
import { WORDS, type Lexicon } from './lexicon.ts';

/** A number with what belongs to it: the lexemes from `from` to before `to`. */
export interface Quantity {
  value: number;
  /** Written with the currency, or named as a denomination. */
  certain: boolean;
  from: number;
  to: number;
  /** It counts codes or lines. */
  isCount: boolean;
  /** A name of codes follows: `660 codes`. */
  isOfCodes: boolean;
}

export interface LineNumbers {
  quantities: Quantity[];
  /** Every number in every sense it may have. */
  values: number[];
  hasCurrency: boolean;
  /** Words and marks that are not known. */
  unknown: Lexeme[];
}

/** Nothing longer is an amount. */
const LONGEST_DIGITS = 7;
const MOST_LINES = 999;
/** They say that what is written is not what is meant. */
const DOUBTFUL = new RegExp(`[?≈±≠≤≥%\\p{N}${MONEY_MARKS}]`, 'u');
const TIMES = [...WORDS.times].join('');

/** What more than its digits a number may be made of: `1.8k`, `1,800`, `60.00`, `600+60`. */
const FORMS: readonly [pattern: RegExp, valueOf: (written: string) => number][] = [
  [
    new RegExp(`\\d+(?:[.,]\\d{1,3})?\\s?(?:${anyOf('thousand')})(?!\\p{L})`, 'uy'),
    (written) => Math.round(parseFloat(written.replace(',', '.')) * 1000),
  ],
  [/\d+\s?\+\s?\d+/y, (written) => written.split('+').reduce((sum, each) => sum + Number(each), 0)],
  // `x10 660 UC`: ten of them.
  [
    new RegExp(
      `(?:(?<![${TIMES}]\\s?)[1-9]\\d{0,2}(?:[ ,.'’]\\d{3}){1,2}|\\d+)(?:[.,]0{1,2})?(?!\\d|[.,]\\d)`,
      'uy',
    ),
    (written) => Number(written.replace(/[.,]0{1,2}$/, '').replace(/\D/g, '')),
  ],
];

export function readNumbers({ text, lexemes }: Lexed, lexicon: Lexicon): LineNumbers {
  const quantities: Quantity[] = [];
  const values: number[] = [];
  for (let index = 0; index < lexemes.length; index += 1) {
    if (lexemes[index]?.kind !== 'number') continue;
    const { value, next } = readNumber(text, lexemes, index, lexicon, values);
    const [before, after] = [
      findCurrency(lexemes, index - 1, -1, lexicon),
      findCurrency(lexemes, next, 1, lexicon),
    ];
    // `UC 60 UC 325`: what stands between two numbers belongs to the one before it; but `UC660 UC60`.
    const isMine = before !== undefined && before >= (quantities.at(-1)?.to ?? 0);
    const isOfNext = isMine && isGlued(lexemes, index) && !isGlued(lexemes, next);
    const to = after === undefined || isOfNext ? next : after + 1;
    const certain = isMine || to > next;
    quantities.push({ value, certain, from: isMine ? before : index, to, isCount: false, isOfCodes: false });
    index = next - 1;
  }
  markCounts(quantities, lexemes, lexicon);
  const isNumber = (at: number) => lexemes[at]?.kind === 'number';
  return {
    quantities,
    values,
    hasCurrency: lexemes.some((lexeme) => isCurrency(lexeme, lexicon)),
    unknown: lexemes.filter((lexeme, at) => !isKnown(lexeme, isNumber(at - 1), isNumber(at + 1), lexicon)),
  };
}

const isCurrency = (lexeme: Lexeme | undefined, lexicon: Lexicon): boolean =>
  lexeme?.kind === 'word' && lexicon.isCurrency(lexeme.text);

/** It touches the one before it. */
const isGlued = (lexemes: readonly Lexeme[], at: number): boolean =>
  lexemes[at - 1]?.end === lexemes[at]?.start;

function isKnown(
  { kind, text, word }: Lexeme,
  isBehind: boolean,
  isBefore: boolean,
  lexicon: Lexicon,
): boolean {
  if (kind === 'mark') return !DOUBTFUL.test(text);
  if (kind !== 'word' || WORDS.side.has(word) || lexicon.isCurrency(text)) return true;
  if (WORDS.times.has(word)) return isBehind || isBefore;
  return isBehind && (WORDS.units.has(word) || WORDS.thousand.has(word));
}

/** One number of one or more lexemes; its other senses are among the values, too. */
function readNumber(
  text: string,
  lexemes: readonly Lexeme[],
  index: number,
  lexicon: Lexicon,
  values: number[],
): { value: number; next: number } {
  const { start = 0, text: digits = '' } = lexemes[index] ?? {};
  const plain = digits.length > LONGEST_DIGITS ? NaN : Number(digits);
  values.push(plain);
  for (const [pattern, valueOf] of FORMS) {
    pattern.lastIndex = start;
    const written = pattern.exec(text)?.[0];
    if (written === undefined) continue;
    const value = valueOf(written);
    let next = index + 1;
    while ((lexemes[next]?.start ?? Infinity) < start + written.length) next += 1;
    values.push(value, ...written.split('+').map(Number));
    const isSure = !/^[\d\s.,'’]+$/.test(written) || lexicon.isDenomination(value);
    if (isSure || findCurrency(lexemes, next, 1, lexicon) !== undefined) return { value, next };
  }
  return { value: plain, next: index + 1 };
}

/** The place of the currency next to a number, at most one mark away: `660-UC`, `660 "UC"`. */
function findCurrency(
  lexemes: readonly Lexeme[],
  from: number,
  step: 1 | -1,
  lexicon: Lexicon,
): number | undefined {
  const beside = lexemes[from];
  const at = beside?.kind === 'mark' && !/[,;]/.test(beside.text) ? from + step : from;
  return isCurrency(lexemes[at], lexicon) ? at : undefined;
}

/** Tells what counts codes or lines from amounts. */
function markCounts(quantities: Quantity[], lexemes: readonly Lexeme[], lexicon: Lexicon): void {
  const isDenomination = (quantity: Quantity) => quantity.certain || lexicon.isDenomination(quantity.value);
  const denominations = quantities.filter(isDenomination).slice(0, 9);
  for (const [index, quantity] of quantities.entries()) {
    if (quantity.certain) continue;
    const [before, after] = [lexemes[quantity.from - 1], lexemes[quantity.to]];
    const hasOther = denominations.some((other) => other !== quantity && !other.isCount);
    const isOfCodes = after !== undefined && WORDS.codes.has(after.word);
    // `qty: 100`, `total 100`.
    const label = before?.kind === 'mark' ? lexemes[quantity.from - 2] : before;
    const isBehind =
      index === 0 ? isLineNumber(quantity, lexemes) : before && '-–—:|([,;→>'.includes(before.text);
    quantity.isOfCodes = isOfCodes && !hasOther;
    quantity.isCount =
      (after !== undefined && WORDS.units.has(after.word)) ||
      (isOfCodes && hasOther) ||
      (label !== undefined && WORDS.counts.has(label.word)) ||
      (isBehind === true && hasOther && !isDenomination(quantity));
  }
  // `60 x 100`, `100 x 60 UC`, `660 UC x10`: one factor is the denomination, the other counts.
  const rank = (quantity: Quantity) => (quantity.certain ? 2 : isDenomination(quantity) ? 1 : 0);
  for (const [index, right] of quantities.entries()) {
    const [left, at] = [quantities[index - 1], right.from - 1];
    const times = lexemes[at];
    if (!times || !WORDS.times.has(times.text)) continue;
    if (!left) right.isCount ||= times.kind === 'word' && !right.certain;
    else if (lexemes.slice(left.to, at).every(({ kind, word }) => kind === 'mark' || WORDS.side.has(word))) {
      left.isCount ||= rank(left) < rank(right);
      right.isCount ||= rank(right) < rank(left);
    }
  }
}

/** `1. 60 UC`, `2) 325`. */
function isLineNumber({ value, from, to }: Quantity, lexemes: readonly Lexeme[]): boolean {
  const mark = lexemes[to]?.text;
  return value <= MOST_LINES && from === 0 && (mark === ')' || (mark === '.' && !isGlued(lexemes, to + 1)));
}
