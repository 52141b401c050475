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

/** Finds the first of many phrases among words: each word of a phrase as it is, or by its stem. */
export type PhraseFinder = (words: readonly string[]) => { at: number; length: number } | undefined;

function phrases(key: List): PhraseFinder {
  const all = LANGUAGES.flatMap((language) => foldWord(language[key] ?? '').split('|')).filter(Boolean);
  const byLetter = Map.groupBy(
    all.map((phrase) => phrase.split(' ')),
    ([first = '']) => first.charAt(0),
  );
  const fits = (stem: string, word: string | undefined) =>
    word !== undefined && (stem.endsWith('*') ? word.startsWith(stem.slice(0, -1)) : word === stem);
  return (found) => {
    for (const [at, word] of found.entries()) {
      const candidates = byLetter.get(word.charAt(0)) ?? [];
      const phrase = candidates.find((stems) => stems.every((stem, index) => fits(stem, found[at + index])));
      if (phrase) return { at, length: phrase.length };
    }
    return undefined;
  };
}

/**
 * They say that there are no codes; that a code is used or broken, or is not; that what was said above is not so (`#`:
 * a number).
 */
export const PHRASES = {
  empty: phrases('empty'),
  spent: phrases('spent'),
  unspent: phrases('unspent'),
  hoped: phrases('hoped'),
  correction: phrases('correction'),
};

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
  theirs: RegExp | undefined;
  ours: RegExp | undefined;
}

/** `others`: the other games of the catalogue. */
export function createLexicon(game: Game, others: readonly Game[] = []): Lexicon {
  const denominations = new Set(game.denominations);
  const fits = (word: string) => word.length <= LONGEST_WORD && game.codePattern.test(word);
  const isCode = (word: string) => /[0-9]/.test(word) && fits(word);
  return {
    isDenomination: (value) => denominations.has(value),
    isCurrency: createCurrencyTest(game.currency),
    readCode: (word) => readCode(word, isCode, { digits: true }),
    isMeantAsCode: (word) => isMeantAsCode(foldWritten(word), fits),
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
