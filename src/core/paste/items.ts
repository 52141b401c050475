// What a line with codes is made of: its codes, its amounts, and the words beside each code of which nobody can tell
// what they say of it. Those are not understood here: a person is asked about them as they are written.
import type { Lexed, Lexeme } from './lexer.ts';
import { findSpent, WORDS, type Lexicon } from './lexicon.ts';
import type { LineNumbers, Quantity } from './numbers.ts';
import { shortenWords, type RowToken } from './token.ts';

export type Item =
  /** The next code of the line; `beside`: words that are not known. */
  | { kind: 'code'; beside?: string }
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

const MOST_WORDS = 8;
const QUIET = new Set([...WORDS.side, ...WORDS.greeting, ...WORDS.units, ...WORDS.times]);

export function readLineItems(
  line: string,
  lexed: Lexed,
  numbers: LineNumbers,
  lexicon: Lexicon,
  delimiter: string | undefined,
): Item[] {
  const { lexemes } = lexed;
  const quantities = new Map(numbers.quantities.map((quantity) => [quantity.from, quantity]));
  const items = new Map<number, Item>();
  for (const [at, { kind }] of lexemes.entries()) {
    const quantity = quantities.get(at);
    if (kind === 'unknown' || kind === 'code') items.set(at, { kind });
    else if (quantity && !quantity.isCount) items.set(at, toAmount(quantity, lexed, at, delimiter));
  }
  const amounts = [...items.values()].filter((item) => item.kind === 'amount');
  // `325 pcs CODE`: it could be told by what counts.
  const isHidden =
    !amounts.some(({ certain }) => certain) &&
    numbers.values.some(
      (value) => lexicon.isDenomination(value) && !amounts.some((each) => each.value === value),
    );
  const hidden = isHidden ? shortenWords(line.replace(/[\s\ue000\ue001]+/g, ' ')) : undefined;
  const beside = findBeside(lexed, lexicon, delimiter);
  for (const [at, item] of items) {
    const words = hidden ?? beside.get(at);
    if (item.kind === 'code' && words !== undefined) item.beside = words;
  }
  return [...items.values()];
}

/**
 * The words beside the codes of a line, by their places: those of the line where it has one code; else those of the
 * cell, or between it and its neighbours. What stands before a colon is of what follows alone.
 */
function findBeside(lexed: Lexed, lexicon: Lexicon, delimiter: string | undefined): Map<number, string> {
  const { lexemes } = lexed;
  const slots = lexemes.flatMap(({ kind }, at) => (kind === 'code' || kind === 'unknown' ? [at] : []));
  const cellOf = countCells(lexed, delimiter);
  const isHeld = new Set(slots.map((at) => cellOf[at]));
  const words = new Map<number, string[]>(slots.map((at) => [at, []]));
  const common: string[] = [];
  const put = (slot: number | undefined, word: string, at: number) => {
    const known = slot !== undefined && cellOf[slot] === cellOf[at] ? words.get(slot) : undefined;
    if (known && known.length < MOST_WORDS) known.push(word);
  };
  let next = 0;
  for (const [at, word] of findLoud(lexed, lexicon)) {
    while ((slots[next] ?? Infinity) < at) next += 1;
    if (slots.length === 1 || !isHeld.has(cellOf[at])) {
      if (common.length < MOST_WORDS) common.push(word);
      continue;
    }
    const [before, after] = [slots[next - 1], slots[next]];
    if (!isLabel(lexemes, at, after)) put(before, word, at);
    put(after, word, at);
  }
  return new Map(
    [...words].flatMap(([at, own]): [number, string][] => {
      const all = [...own, ...common];
      return all.length > 0 ? [[at, shortenWords(all.join(' '))]] : [];
    }),
  );
}

/** `SN: CODE`, `"pin":"CODE"`. */
function isLabel(lexemes: readonly Lexeme[], at: number, slot: number | undefined): boolean {
  if (slot === undefined || slot - at > MOST_WORDS) return false;
  const between = lexemes.slice(at + 1, slot);
  return between.every(({ kind }) => kind === 'mark') && between.some(({ text }) => /[:=#]/.test(text));
}

/** Of each lexeme, the cell of the line in which it stands. */
function countCells({ text, lexemes }: Lexed, delimiter: string | undefined): number[] {
  let [cell, from] = [0, 0];
  return lexemes.map(({ start }) => {
    for (; delimiter !== undefined && from < start; from += 1) if (text[from] === delimiter) cell += 1;
    return cell;
  });
}

/** The words of a line that are not known, in order, by their places; and marks that strike a code, or name it. */
function findLoud({ shown, text, lexemes }: Lexed, lexicon: Lexicon): [at: number, word: string][] {
  const sent = SENDER.exec(text)?.[0].length ?? 0;
  const isSent = sent > 0 && !namesOther(lexemes.filter(({ end }) => end <= sent));
  const has = new Set(lexemes.map(({ kind }) => kind));
  const expired = findExpired(shown, lexemes, lexicon);
  return lexemes.flatMap((lexeme, at): [number, string][] => {
    const { kind, word, text: written, start } = lexeme;
    const next = lexemes[at + 1];
    const isName = next?.kind === 'code';
    if (kind === 'address') return isName ? [[at, '@']] : [];
    // `#2026112900417` is a number of something; `№` is read as `?`.
    if (kind === 'mark' && isName && (written === '#' || (written === '?' && at === 0))) return [[at, '#']];
    if (kind !== 'word' || (isSent && start < sent)) return [];
    if (at === expired?.at) return [[at, shown.slice(start, expired.to)]];
    const isQuiet =
      (QUIET.has(word) && (!WORDS.others.has(word) || WORDS.codes.has(word))) ||
      /^[a-z]$/.test(word) ||
      (/^[</]$/.test(lexemes[at - 1]?.text ?? '') && next?.text === '>') ||
      lexicon.isCurrency(written) ||
      (has.has('time') && WORDS.dates.has(word)) ||
      (has.has('phone') && WORDS.others.has(word)) ||
      (lexemes[at - 1]?.kind === 'number' && WORDS.thousand.has(word));
    return isQuiet ? [] : [[at, written]];
  });
}

/** The words of expiry before a date that is past, and where that ends: `valid until 31/12/2025`. */
function findExpired(
  shown: string,
  lexemes: readonly Lexeme[],
  lexicon: Lexicon,
): { at: number; to: number } | undefined {
  for (const [place, { kind, start, end: to }] of lexemes.entries()) {
    if (kind !== 'time' || !lexicon.isPast(shown.slice(start, to))) continue;
    let at = place;
    while (/^[:.-]$/.test(lexemes[at - 1]?.text ?? '') || WORDS.dates.has(lexemes[at - 1]?.word ?? ''))
      at -= 1;
    if (at < place && lexemes[at]?.kind === 'word') return { at, to };
  }
  return undefined;
}

/** The time and the sender of a message: `[12.11.2026 10:45] Ivan:`. */
export const SENDER = /^[[(]?\ue003[\s\ue003[\](),–—-]*(\p{L}+(?: \p{L}+){0,2})[\s\])]*:/u;

/** Words that are no name of a person: of orders, of what became of codes. */
export function namesOther(lexemes: readonly Lexeme[]): boolean {
  const words = lexemes.map(({ word }) => word).filter(Boolean);
  return (
    findSpent(words) !== undefined || words.some((word) => WORDS.others.has(word) || WORDS.side.has(word))
  );
}

function toAmount(
  { value, certain, from, to }: Quantity,
  { shown, text, lexemes }: Lexed,
  at: number,
  delimiter: string | undefined,
): Amount {
  const [start, end] = [lexemes[from]?.start ?? 0, lexemes[to - 1]?.end ?? 0];
  const amount: Amount = { kind: 'amount', text: shown.slice(start, end) || String(value), value };
  let after = to;
  while ('*_)]"\'`~'.includes(lexemes[after]?.text ?? ' ')) after += 1;
  if (/^[:=]$/.test(lexemes[after]?.text ?? '')) amount.opens = true;
  if (certain || isNamed(lexemes, at)) amount.certain = true;
  else if (from === 0 && /^[.)]$/.test(lexemes[to]?.text ?? '')) amount.marker = true;
  if (delimiter === undefined) return amount;
  // It stands in a cell that holds nothing else.
  const before = text.slice(0, start).split(delimiter);
  const [rest = ''] = text.slice(end).split(delimiter, 1);
  if (/^[\s"'.]*$/.test(before.at(-1) + rest)) amount.cell = before.length - 1;
  return amount;
}

/** `Value: 60`. */
function isNamed(lexemes: readonly Lexeme[], at: number): boolean {
  let before = at - 1;
  while (/^[:=#"'`]$/.test(lexemes[before]?.text ?? '')) before -= 1;
  const hasColon = lexemes.slice(before + 1, at).some(({ text }) => /^[:=]$/.test(text));
  return hasColon && WORDS.amounts.has(lexemes[before]?.word ?? '');
}
