// What a line with codes is made of: its codes with their labels, its amounts, and what it says beside them that no
// single number of it does.
import { findSpent } from './heading.ts';
import type { Lexed, Lexeme } from './lexer.ts';
import { WORDS, type Lexicon } from './lexicon.ts';
import type { LineNumbers, Quantity } from './numbers.ts';
import { shortenWords, type RowToken } from './token.ts';

export type Item =
  /** The next code of the line; `label`: it is called something else, `SN`, `order`, `@`. */
  | { kind: 'code'; label?: string }
  /** The next run that was meant as a code. */
  | { kind: 'unknown' }
  | Amount;

export interface Amount {
  kind: 'amount';
  /** As it was written. */
  text: string;
  value: number;
  /** Written with the currency, or named. */
  certain?: true;
  /** `60:`: what follows belongs to it. */
  opens?: true;
  /** `60.` and `60)` at the beginning of a line. */
  marker?: true;
  /** The cell it stands in by itself. */
  cell?: number;
}

/** A line: what it is made of, and what stands in its slots. */
export interface Filled {
  frame: { items?: readonly Item[] };
  slots: readonly string[];
}

/** The codes of a line, in order, and what was meant as such. */
export function slotTokens({ frame: { items = [] }, slots }: Filled): RowToken[] {
  const kinds = items.filter(({ kind }) => kind !== 'amount').map(({ kind }) => kind);
  return slots.map((text, at) =>
    kinds[at] === 'code' ? { kind: 'code', code: text, denomination: undefined } : { kind: 'unknown', text },
  );
}

/** Nobody can tell what is meant: a whole line; `opens`: also of what follows it. */
export interface UnclearRemark {
  text: string;
  opens: boolean;
}

const MOST_LABEL = 4;

export function readLineItems(
  line: string,
  { lexemes }: Lexed,
  numbers: LineNumbers,
  lexicon: Lexicon,
  delimiter: string | undefined,
): { items: Item[]; beside: UnclearRemark | undefined } {
  const quantities = new Map(numbers.quantities.map((quantity) => [quantity.from, quantity]));
  const hasMoment = lexemes.some(({ kind }) => kind === 'time' || kind === 'phone');
  const foreign = new Set<Item>();
  const items = lexemes.flatMap(({ kind }, at): Item[] => {
    if (kind === 'unknown') return [{ kind }];
    const quantity = quantities.get(at);
    if (kind !== 'code' && (!quantity || quantity.isCount)) return [];
    if (kind === 'code' && lexemes[at - 1]?.kind === 'address') return [{ kind, label: '@' }];
    const { words, hasColon } = findLabel(lexemes, at);
    const isOther = namesOther(words);
    if (!quantity) {
      const isLabel = isOther || (hasColon && !hasMoment && !isUsual(words, lexicon));
      return [isLabel ? { kind: 'code', label: words.map(({ text }) => text).join(' ') } : { kind: 'code' }];
    }
    if (!quantity.certain && isOther && !lexicon.isDenomination(quantity.value)) return [];
    const isNamed = hasColon && WORDS.amounts.has(words.at(-1)?.word ?? '');
    const amount = toAmount({ ...quantity, certain: quantity.certain || isNamed }, line, lexemes, delimiter);
    if (isOther) foreign.add(amount);
    return [amount];
  });
  return { items, beside: findBeside(line, items, numbers, foreign, lexicon) };
}

/** The words right before a place, `S/N`, `Order no.`: what stands there is called so. */
export function findLabel(lexemes: readonly Lexeme[], place: number): { words: Lexeme[]; hasColon: boolean } {
  let [at, hasColon] = [place - 1, false];
  for (; /^[:=#"'`«»()?.>-]$/.test(lexemes[at]?.text ?? ''); at -= 1)
    hasColon ||= /[:=]/.test(lexemes[at]?.text ?? '');
  const words: Lexeme[] = [];
  for (; words.length < MOST_LABEL; at -= 1) {
    const [lexeme, next] = [lexemes[at], lexemes[at + 1]];
    if (lexeme?.kind === 'word') words.unshift(lexeme);
    else if (!/^[./'-]$/.test(lexeme?.text ?? '') || next?.start !== lexeme?.end) break;
  }
  return { words, hasColon };
}

/** They name something that is no code and no denomination: `order`, `card number`, but not `number`. */
function namesOther(label: readonly Lexeme[]): boolean {
  const words = [...label.map(({ word }) => word), label.map(({ word }) => word).join('')];
  const others = words.filter((word) => WORDS.others.has(word) && !WORDS.side.has(word));
  const isCode = words.some((word) => WORDS.codes.has(word));
  return others.some((word) => !isCode || !WORDS.numbers.has(word));
}

/** They may stand before a code and say nothing of it. */
function isUsual(label: readonly Lexeme[], lexicon: Lexicon): boolean {
  const words = label.map(({ word }) => word);
  const isKnown = ({ word, text }: Lexeme) =>
    WORDS.side.has(word) ||
    WORDS.chatter.has(word) ||
    WORDS.units.has(word) ||
    lexicon.isCurrency(text) ||
    lexicon.ours?.test(text);
  return label.every(isKnown) || findSpent(words) !== undefined;
}

function toAmount(
  { value, certain, from, to }: Quantity,
  line: string,
  lexemes: readonly Lexeme[],
  delimiter: string | undefined,
): Amount {
  const [start, end] = [lexemes[from]?.from ?? 0, lexemes[to - 1]?.to ?? 0];
  const text = line.slice(start, end) || String(value);
  const amount: Amount = { kind: 'amount', text, value };
  let after = to;
  while ('*_)]"\'`~'.includes(lexemes[after]?.text ?? ' ')) after += 1;
  if (/^[:=]$/.test(lexemes[after]?.text ?? '')) amount.opens = true;
  if (certain) amount.certain = true;
  else if (from === 0 && /^[.)]$/.test(lexemes[to]?.text ?? '')) amount.marker = true;
  if (delimiter === undefined) return amount;
  // It stands in a cell that holds nothing else.
  const before = line.slice(0, start).split(delimiter);
  const [rest = ''] = line.slice(end).split(delimiter, 1);
  if (/^[\s"'.]*$/.test(before.at(-1) + rest)) amount.cell = before.length - 1;
  return amount;
}

/**
 * What a line says in a way that no single number of it does: `order #325: CODE`, `325 pcs CODE`. A bare number among
 * words that are not known is asked about, unless it stands in a cell of its own.
 */
function findBeside(
  line: string,
  items: readonly Item[],
  { values, hasCurrency, unknown }: LineNumbers,
  foreign: ReadonlySet<Item>,
  lexicon: Lexicon,
): UnclearRemark | undefined {
  const amounts = items.filter((item) => item.kind === 'amount');
  if (amounts.some(({ certain }) => certain)) return undefined;
  const telling = amounts.filter(
    ({ marker, opens, value }) => !marker && (opens ?? lexicon.isDenomination(value)),
  );
  const isUnclear = unknown.some(({ kind }) => kind === 'word');
  const vague = isUnclear ? telling.filter(({ cell, opens }) => cell === undefined && !opens) : [];
  const isHidden = values.some(
    (value) => lexicon.isDenomination(value) && !amounts.some((each) => each.value === value),
  );
  const isNamed = telling.some((amount) => foreign.has(amount));
  const isNameless = hasCurrency && telling.length === 0 && isUnclear;
  if (vague.length === 0 && !isHidden && !isNamed && !isNameless) return undefined;
  const opens = /[\p{L}\p{N}]/u.test(line.slice(0, line.search(/[\ue000\ue001]/)));
  const text = shortenWords(line.replace(/[\s\ue000\ue001]+/g, ' '));
  return { text, opens };
}
