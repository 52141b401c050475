// Lexer of a line: words, numbers, marks, codes where they stand, and what is plainly of another sense: prices,
// moments, phones, addresses. In lower case, digits of every script as digits.
import { foldWritten } from '../folding.ts';
import { foldWord, listWritten } from './lexicon.ts';

/** `start` and `end` are offsets in the text; `word`: as words are compared. `unknown`: it was meant as a code. */
export interface Lexeme {
  kind: 'word' | 'number' | 'mark' | 'code' | 'unknown' | 'address' | 'time' | 'phone' | 'money';
  text: string;
  word: string;
  start: number;
  end: number;
}

/** `shown`: the line, folded; `text`: it in small letters, with marks in the place of what is of another sense. */
export interface Lexed {
  shown: string;
  text: string;
  lexemes: Lexeme[];
}

/** Where a code stood in a line, and something that was meant as one. */
export const CODE = '\ue000';
export const UNKNOWN = '\ue001';
const [ADDRESS, TIME, PHONE, MONEY] = ['\ue002', '\ue003', '\ue004', '\ue005'];
/** None of them is a character of a paste. */
export const OWN_MARKS = /[\ue000-\ue005]/g;
export const SLOTS = /[\ue000\ue001]/g;
const KINDS = new Map<string, Lexeme['kind']>([
  [CODE, 'code'],
  [UNKNOWN, 'unknown'],
  [ADDRESS, 'address'],
  [TIME, 'time'],
  [PHONE, 'phone'],
  [MONEY, 'money'],
]);
export const MONEY_MARKS = '$€£¥₽₴₸₹₺₼₾₩฿';

const LONGEST_LOOKED_AT = 600;
const INVISIBLE = /\p{M}|\p{Cf}/gu;
/** `660ucx10` is two words and two numbers. */
const LEXEMES =
  /\p{L}{1,24}?(?=[xх×][0-9])|\p{L}+(?:['’]\p{L}+)*|[0-9]+|([\ue002-\ue005])\1*|[^\s\p{L}0-9]/gu;

/** Cuts the beginning of a line, nothing longer is a heading; `whole`: all of one with codes. */
export function lexLine(line: string, { whole = false } = {}): Lexed {
  const shown = normalize(whole ? line : line.slice(0, LONGEST_LOOKED_AT));
  let text = shown.toLowerCase();
  if (text.length !== shown.length) text = shown.replace(/\p{L}/gu, lowerCase);
  if (/[0-9@]|:\/\/|\.[a-z]/.test(shown))
    for (const [mark, pattern] of whole ? BESIDE_CODES : OTHER_SENSES)
      text = text.replace(pattern, ({ length }) => mark.repeat(length));
  const lexemes = [...text.matchAll(LEXEMES)].map(({ index: start, 0: found }): Lexeme => {
    const sense = KINDS.get(found.charAt(0));
    const kind = sense ?? (/^[0-9]/.test(found) ? 'number' : /^\p{L}/u.test(found) ? 'word' : 'mark');
    return {
      kind,
      text: found,
      word: kind === 'word' ? foldWord(found) : '',
      start,
      end: start + found.length,
    };
  });
  return { shown, text, lexemes };
}

/** A few letters are longer as small ones: those stay. */
function lowerCase(letter: string): string {
  const small = letter.toLowerCase();
  return small.length === letter.length ? small : letter;
}

/** A digit in a box numbers a line; `№` is a number of something else, more often than not. */
function normalize(line: string): string {
  if (/^[\x20-\x7e\ue000\ue001]*$/.test(line)) return line;
  const unboxed = line.replace(/(?:[0-9]\ufe0f?\u20e3)+/gu, (boxed) => {
    const digits = boxed.replace(/[^0-9]/g, '');
    return digits.length === 1 ? `${digits}) ` : `${digits} `;
  });
  return foldWritten(unboxed).replaceAll('№', '?').normalize('NFKC').replace(INVISIBLE, '');
}

/** Words of a list as a pattern: those of Chinese follow their number without a blank, and nothing ends them. */
export const anyOf = (key: 'money' | 'months' | 'thousand') =>
  listWritten(key)
    .sort((a, b) => b.length - a.length)
    .join('|');

/** `10:45`, and a moment as programs write it: `2026-11-12T10:45:00.123Z`, `10:45:00+03:00`. */
const CLOCK =
  '(?:(?<![\\d.,])\\d{4}-\\d\\d-\\d\\d[t ])?(?<![\\d:])(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?' +
  '(?:z(?!\\p{L})|(?:\\+|-(?=\\d\\d:))(?:0\\d|1[0-4]):?[0-5]\\d)?(?![\\d:])';
export const CLOCKS = new RegExp(CLOCK, 'giu');
export const PHONES = /\+\d[\d ()-]{8,20}/g;
const DATES = [
  '(?<![\\d.,])(?:\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}|\\d{1,2}[-./]\\d{1,2}[-./](?:\\d{4}|\\d{2}))(?:г\\.?)?(?![\\d])(?:t(?=\\d))?',
  '(?<![\\d.,/])(?:(?:0?[1-9]|1[0-2])[/.-]20\\d\\d|20\\d\\d[/-](?:0[1-9]|1[0-2]))(?![\\d/])',
  '\\d{1,4}\\s?年\\s?\\d{1,2}\\s?月(?:\\s?\\d{1,2}\\s?日)?',
  `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\s+(?:de\\s+)?(?:${anyOf('months')})\\p{L}{0,9}\\.?(?:,?\\s+\\d{4})?(?!\\d)`,
  `(?<!\\p{L})(?:${anyOf('months')})\\p{L}{0,9}\\.?\\s+\\d{1,2}(?:,\\s*\\d{4})?(?!\\d)`,
];
const PRICES =
  `[${MONEY_MARKS}]\\s?\\d[\\d.,]*[kк]?|` +
  `(?<!\\d)\\d{1,12}(?:[.,]\\d{1,12})?[kк]?\\s?(?:[${MONEY_MARKS}%]|(?:${anyOf('money')})(?!\\p{L})\\.?)`;
/** Beside codes two digits behind a point are cents, unless they are none: `9.50`, but `60.00` and `1.80k`. */
const CENTS = `(?<![\\d.])\\d{1,12}[.,](?!00)\\d\\d(?!\\d|[.,]\\d|\\s?(?:${anyOf('thousand')})(?!\\p{L}))`;

/**
 * What numbers of another sense look like, in a text of lower case, in the order in which they are looked for: each is
 * linear.
 */
const OTHER_SENSES: readonly [mark: string, pattern: RegExp][] = [
  [
    ADDRESS,
    /(?:https?:\/\/|t\.me\/|www\.|(?<![\w.@-])[a-z][\w-]{1,40}\.(?:com|net|org|ru|io|gg|shop)(?![\w-]))[^\s\ue000\ue001,;]*|(?<![\w.])[\w.]{0,64}@[\w.]*/g,
  ],
  [TIME, new RegExp([CLOCK, ...DATES].join('|'), 'gu')],
  [PHONE, PHONES],
  [MONEY, new RegExp(PRICES, 'gu')],
];
const BESIDE_CODES: typeof OTHER_SENSES = [...OTHER_SENSES, [MONEY, new RegExp(CENTS, 'gu')]];
