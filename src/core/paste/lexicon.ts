// Lexicon of pastes: what single words mean, of any language (words/: a file a language) and of the game: currency,
// denominations, codes, names of games. Knows words, not where they stand.
import ar from './words/ar.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import id from './words/id.json' with { type: 'json' };
import pt from './words/pt.json' with { type: 'json' };
import ru from './words/ru.json' with { type: 'json' };
import tr from './words/tr.json' with { type: 'json' };
import zh from './words/zh.json' with { type: 'json' };
import { createCurrencyTest } from '../currencies.ts';
import { foldWritten, readCode } from '../folding.ts';
import { gameNamePattern } from '../games.ts';
import type { Game } from '../games.ts';

/**
 * Lists of words of one language: words between blanks, or, where a list has phrases, these between bars; `*` ends a
 * stem.
 */
type Language = Partial<Record<List, string>>;
type List = keyof typeof en;

const LANGUAGES: readonly Language[] = [en, ru, tr, ar, zh, es, pt, id];
const LISTS = Object.keys(en) as List[];

/** The words of a list as they are written. */
export const listWritten = (key: List): string[] => [
  ...new Set(LANGUAGES.flatMap((language) => (language[key] ?? '').split(' ')).filter(Boolean)),
];

const words = (...keys: List[]): ReadonlySet<string> =>
  new Set(keys.flatMap((key) => listWritten(key).map((word) => foldWord(word))));

/** Words of one sense each, see words/README.md; a word may have several. */
export const WORDS = {
  ...(Object.fromEntries(LISTS.map((key) => [key, words(key)])) as Record<List, ReadonlySet<string>>),
  chatter: words('greeting', 'chatter', 'giving'),
  /** Between two factors. */
  times: new Set('x х × * ✕ ✖ ·'.split(' ')),
  /** Beside a denomination they change nothing. */
  side: words('side', 'giving', 'codes', 'counts', 'amounts', 'products'),
};

/** A word as words are compared: small letters without their marks. */
export function foldWord(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('’', "'");
}

/** The words of a text, as words are compared. */
export const wordsOf = (text: string): string[] =>
  (text.match(/\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*/gu) ?? []).map((word) => foldWord(word));

const SPENT = Map.groupBy(
  LANGUAGES.flatMap((language) => foldWord(language.spent ?? '').split('|'))
    .filter(Boolean)
    .map((phrase) => phrase.split(' ')),
  ([first = '']) => first.charAt(0),
);

/** The words by which a text calls something used or broken: each of a phrase as it is, or by its stem. */
export function findSpent(words: readonly string[]): string | undefined {
  const fits = (stem: string, word: string | undefined) =>
    word !== undefined && (stem.endsWith('*') ? word.startsWith(stem.slice(0, -1)) : word === stem);
  for (const [at, word] of words.entries()) {
    const candidates = SPENT.get(word.charAt(0)) ?? [];
    const phrase = candidates.find((stems) => stems.every((stem, index) => fits(stem, words[at + index])));
    if (phrase) return words.slice(at, at + phrase.length).join(' ');
  }
  return undefined;
}

/** Nothing longer is a code. */
export const LONGEST_WORD = 256;
const SHORTEST_MEANT = 6;
const LONGEST_PROSE = 32;
/** Dates, prices, times, ordinals and versions. */
const NO_CODE =
  /^(?:\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:T\d*|г)?|\d+\.\d{1,2}|\d+(?:st|nd|rd|th|[hsm]|min|am|pm|AM|PM|го|[йяехч])|[vV]\d{1,2})$/;

/** What is known of one game. */
export interface Lexicon {
  isDenomination(value: number): boolean;
  isCurrency(word: string): boolean;
  /** The code that a word is, or that is written in groups with dashes. */
  readCode(word: string): string | undefined;
  /** Not a code, but somebody meant to paste one, or a part of one. */
  isMeantAsCode(word: string): boolean;
  /** A day, or the end of a month, is over. */
  isPast(date: string): boolean;
  theirs: RegExp | undefined;
  ours: RegExp | undefined;
}

/** `others`: the other games of the catalogue; `now`: by which dates are past, none where it is left out. */
export function createLexicon(game: Game, others: readonly Game[] = [], now = -Infinity): Lexicon {
  const denominations = new Set(game.denominations);
  const fits = (word: string) => word.length <= LONGEST_WORD && game.codePattern.test(word);
  const isCode = (word: string) => /[0-9]/.test(word) && fits(word);
  return {
    isDenomination: (value) => denominations.has(value),
    isCurrency: createCurrencyTest(game.currency),
    readCode: (word) => readCode(word, isCode, { digits: true }),
    isMeantAsCode: (word) => isMeantAsCode(foldWritten(word), fits),
    isPast: (date) => endOf(date) <= now,
    theirs: gameNamePattern(others),
    ours: gameNamePattern([game]),
  };
}

/**
 * In this order of rules: a word over 32 characters is; dates, times and ordinals are not; letters and digits in one
 * word are, and six digits or more; letters alone are where leaving out the marks inside, or reading a foreign letter
 * as a Latin one, would make a code, and where they fit the pattern and are not written as words are: a code has a
 * digit. Every other word is prose.
 */
function isMeantAsCode(word: string, fits: (word: string) => boolean): boolean {
  if (word.length > LONGEST_PROSE) return true;
  if (/\p{Nd}/u.test(word))
    return !NO_CODE.test(word) && (/\p{L}/u.test(word) || word.length >= SHORTEST_MEANT);
  if (!/[A-Za-z]/.test(word) || WORDS.side.has(foldWord(word))) return false;
  if (fits(word)) return !/^[A-Z]?[a-z]+$/.test(word);
  const repaired = word.replace(/[^\p{L}\p{M}]/gu, '').replace(/[^A-Za-z]/gu, 'A');
  return repaired !== word && fits(repaired);
}

/** When a day or a month that is written in digits is over; of two ways to read it the earlier one. */
function endOf(date: string): number {
  const parts = (date.match(/\d+/g) ?? []).map(Number);
  const at = parts.findIndex((part) => part > 31);
  const [year = NaN] = parts.splice(at === -1 ? 2 : at, 1);
  const full = year < 100 ? 2000 + year : year;
  if (parts.length === 1) return Date.UTC(full, parts[0] ?? NaN, 1);
  const [one = NaN, other = NaN] = parts;
  const ends = [Date.UTC(full, one - 1, other + 1), Date.UTC(full, other - 1, one + 1)];
  const isDay = [one <= 12 && other <= 31, other <= 12 && one <= 31];
  return Math.min(...ends.filter((_, index) => isDay[index]));
}
