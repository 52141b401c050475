// A line without codes: is it a heading, and of which denomination? It is understood as a whole or not at all: one word more than
// is known here, a second number that could be a denomination, and it is asked about instead. Nothing is guessed.
import { readAmounts, type Reckoning } from './heading-amounts.ts';
import { cutPieces, type Piece } from './heading-pieces.ts';
import { CODE_WORDS, isSideWord, mayName } from './heading-words.ts';
import { namesSpent } from './spent.ts';
import type { Vocabulary } from './vocabulary.ts';

export type Heading =
  | { kind: 'heading'; denomination: number; certain: boolean }
  /** Looks like one and is not understood, or names a denomination that the game does not have. */
  | { kind: 'asked' }
  | { kind: 'none' };

export interface HeadingContext {
  /** No code has come since the heading in force: what follows it directly may go on with it. */
  fresh: boolean;
  /** It stands beside codes: numbers in it may be anything, and ask only where they are denominations. */
  beside?: boolean;
}

const LONGEST_HEADING = 160;
const MOST_PIECES = 60;
const LONGEST_WORD = 32;
/** Of what names something else without a number; in characters. */
const LONGEST_NAME = 120;
/** A line of more words and numbers is prose. */
const SHORT = 5;
/** Reads a line, or what is left of one without its codes. */
export function readHeading(line: string, vocabulary: Vocabulary, context: HeadingContext): Heading {
  if (context.beside !== true && line.length <= LONGEST_HEADING && namesSpent(line)) return { kind: 'asked' };
  // Most lines of prose have no number: a glance is enough.
  if (!/\p{N}/u.test(line)) {
    if (namesOthers(line, context)) return { kind: 'asked' };
    if (!hasCurrencyOrShape(line, vocabulary)) return { kind: 'none' };
  }
  const { text, pieces, hasMoney } = cutPieces(line);
  const reckoning = readAmounts(text, pieces, vocabulary);
  const isShort = line.length <= LONGEST_HEADING && pieces.length <= MOST_PIECES;
  const found = isShort ? understand(reckoning, hasMoney, vocabulary) : undefined;
  if (found) return found;
  return isAskedAbout(text, pieces, reckoning, vocabulary, context) ? { kind: 'asked' } : { kind: 'none' };
}

/** Whether a word with letters and digits is an amount or a heading of its own, such as `UC1800` or `660x100`. */
export function isHeadingLike(word: string, vocabulary: Vocabulary): boolean {
  if (word.length > LONGEST_WORD || !mayTell(word, vocabulary)) return false;
  const { text, pieces } = cutPieces(word);
  const reckoning = readAmounts(text, pieces, vocabulary);
  if (reckoning.unknown) return false;
  const isTold = reckoning.numbers.some((value) => vocabulary.isDenomination(value));
  return isTold || reckoning.amounts.some(({ certain }) => certain);
}

/** A glance: it has a denomination, a currency, or a number that is written in parts or in other digits. */
function mayTell(word: string, vocabulary: Vocabulary): boolean {
  if (/[.,+’'][0-9]|[0-9][kк]/i.test(word) || vocabulary.mayHoldCurrency(word)) return true;
  if (/\p{N}/u.test(word.replace(/[0-9]/g, ''))) return true;
  return (word.match(/[0-9]+/g) ?? []).some((digits) => vocabulary.isDenomination(Number(digits)));
}

/** Whether a text has words beside numbers that could mean anything. */
export function hasUnknownWords(line: string, vocabulary: Vocabulary): boolean {
  const { text, pieces } = cutPieces(line);
  return readAmounts(text, pieces, vocabulary).unknownWords;
}

/** `Royal pass` between codes: those under it may be of something else than those above. */
function namesOthers(line: string, { fresh, beside = false }: HeadingContext): boolean {
  if (fresh || beside || line.length > LONGEST_NAME) return false;
  return mayName(line.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? []);
}

function hasCurrencyOrShape(line: string, vocabulary: Vocabulary): boolean {
  const beginning = line.slice(0, LONGEST_HEADING);
  if (!/[a-z0-9]\s*$/i.test(beginning.slice(-8)) && hasShape(beginning)) return true;
  if (!vocabulary.mayHoldCurrency(beginning)) return false;
  return beginning.split(/[^\p{L}'’]+/u).some((word) => word !== '' && vocabulary.isCurrency(word));
}

function understand(
  { amounts, unknown, isCodesNamed }: Reckoning,
  hasMoney: boolean,
  vocabulary: Vocabulary,
): Heading | undefined {
  const [first] = amounts;
  if (first === undefined || unknown) return undefined;
  if (amounts.some(({ value }) => value !== first.value)) return undefined;
  if (!vocabulary.isDenomination(first.value)) return undefined;
  const certain = amounts.some((amount) => amount.certain);
  // `60 codes, 325 rub`: sixty of something that costs 325?
  if (hasMoney && isCodesNamed && !certain) return undefined;
  return { kind: 'heading', denomination: first.value, certain };
}

function isAskedAbout(
  text: string,
  pieces: readonly Piece[],
  { amounts, counts, numbers, hasCurrency, isCodesNamed }: Reckoning,
  vocabulary: Vocabulary,
  { fresh, beside = false }: HeadingContext,
): boolean {
  const named = pieces.filter((piece) => piece.kind !== 'mark');
  const words = named.filter((piece) => piece.kind === 'word');
  const allKnown = words.every(({ text: word }) => isSideWord(word) || vocabulary.isCurrency(word));
  if (hasCurrency && !(fresh && numbers.length === 0 && allKnown)) return true;
  if (numbers.some((value) => vocabulary.isDenomination(value))) return true;
  if (beside) return false;
  // `100 codes` under `660 UC`.
  if (fresh && isCodesNamed && amounts.length === 1) return false;
  if (amounts.length > 0) return named.length <= SHORT || hasShape(text);
  if (counts > 0) return !fresh;
  if (/\p{N}/u.test(text.replace(/[0-9]/g, ''))) return named.length <= SHORT;
  if (fresh || words.length === 0 || words.length > SHORT) return false;
  return hasShape(text) && !words.every(({ text: word }) => CODE_WORDS.has(word));
}

/** `Next ones:`, `=== more ===`, `[others]`. */
function hasShape(text: string): boolean {
  const trimmed = text.trim();
  return (
    /[:：]$/.test(trimmed) || (/^[^\p{L}\p{N}\s]/u.test(trimmed) && /[^\p{L}\p{N}\s.!?,)]$/u.test(trimmed))
  );
}
