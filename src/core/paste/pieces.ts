// A line cut into pieces: words, numbers, marks, slots where codes stand, and what is plainly of another sense: prices, moments,
// phones, addresses. In lower case, digits of every script as digits.
import { foldWritten } from '../folding.ts';
import { foldWord, listWritten } from './lexicon.ts';

/** `start` and `end` are offsets in the text that was cut; `word`: as words are compared. */
export interface Piece {
  kind: 'word' | 'number' | 'mark' | 'slot' | 'sense';
  text: string;
  word: string;
  start: number;
  end: number;
}

export interface Cut {
  text: string;
  pieces: Piece[];
  hasMoney: boolean;
  hasMoment: boolean;
}

/** Where a code stood in a line, and something that was meant as one. */
export const CODE = '\ue000';
export const UNKNOWN = '\ue001';
/** An address, and anything else of another sense. */
export const ADDRESS = '\ue002';
const SENSE = '\ue003';
export const MONEY_MARKS = '$€£¥₽₴₸₹₺₼₾₩฿';

const LONGEST_LOOKED_AT = 600;
const INVISIBLE = /\p{M}|\p{Cf}/gu;
const PIECES = /\p{L}+(?:['’]\p{L}+)*|[0-9]+|[^\s\p{L}0-9]/gu;

/** Cuts the beginning of a line, nothing longer is a heading; `whole`: all of one with codes. */
export function cutPieces(line: string, { whole = false } = {}): Cut {
  const beginning = whole ? line : line.slice(0, LONGEST_LOOKED_AT);
  const { text, hasMoney, hasMoment } = leaveOut(normalize(beginning));
  const pieces: Piece[] = [];
  for (const { index, 0: found } of text.matchAll(PIECES)) {
    const kind = kindOf(found);
    const word = kind === 'word' ? foldWord(found) : '';
    pieces.push({ kind, text: found, word, start: index, end: index + found.length });
  }
  return { text, pieces, hasMoney, hasMoment };
}

function kindOf(found: string): Piece['kind'] {
  if (found === CODE || found === UNKNOWN) return 'slot';
  if (found === ADDRESS || found === SENSE) return 'sense';
  if (/^[0-9]/.test(found)) return 'number';
  return /^\p{L}/u.test(found) ? 'word' : 'mark';
}

/** A digit in a box numbers a line; `№` is a number of something else, more often than not. */
function normalize(line: string): string {
  if (/^[\x20-\x7e\ue000\ue001]*$/.test(line)) return line.toLowerCase();
  const unboxed = line.replace(/((?:[0-9]\ufe0f?\u20e3)+)/gu, (boxed) => {
    const digits = boxed.replace(/[^0-9]/g, '');
    return digits.length === 1 ? `${digits}) ` : ` ${digits} `;
  });
  return foldWritten(unboxed).replaceAll('№', ' ? ').normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
}

const words = (key: 'money' | 'months') =>
  listWritten(key)
    .sort((a, b) => b.length - a.length)
    .join('|');
/** Words of Chinese follow their number without a blank, and nothing ends them. */
const MONEY = `[${MONEY_MARKS}]\\s?\\d[\\d.,]*[kк]?|(?<!\\d)\\d{1,12}(?:[.,]\\d{1,12})?[kк]?\\s?(?:[${MONEY_MARKS}%]|(?:${words('money')})(?!\\p{L})\\.?)`;
/** `10:45`, and as programs write it: `10:45:00.123Z`, `10:45:00+03:00`. */
const CLOCK =
  '(?<![\\d:])(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?' +
  '(?:z(?!\\p{L})|(?:\\+|-(?=\\d\\d:))(?:0\\d|1[0-4]):?[0-5]\\d)?(?![\\d:])';

/** What numbers of another sense look like, in a text of lower case. Every one of them is linear. */
export const OTHER_SENSES = {
  address: /(?:https?:\/\/|t\.me\/|www\.)[^\s\ue000\ue001]*|(?<![\w.])[\w.]{0,64}@[\w.]*/g,
  moment: new RegExp(
    '(?<![\\d.,])(?:\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}|\\d{1,2}[-./]\\d{1,2}[-./](?:\\d{4}|\\d{2}))(?:г\\.?)?(?![\\d])(?:t(?=\\d))?|' +
      '(?<![\\d.,/])(?:(?:0?[1-9]|1[0-2])[/.-]20\\d\\d|20\\d\\d[/-](?:0[1-9]|1[0-2]))(?![\\d/])|' +
      '\\d{1,4}\\s?年\\s?\\d{1,2}\\s?月(?:\\s?\\d{1,2}\\s?日)?|' +
      `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\s+(?:de\\s+)?(?:${words('months')})\\p{L}{0,9}\\.?(?:,?\\s+\\d{4})?(?!\\d)|` +
      `(?<!\\p{L})(?:${words('months')})\\p{L}{0,9}\\.?\\s+\\d{1,2}(?:,\\s*\\d{4})?(?!\\d)|` +
      CLOCK,
    'gu',
  ),
  money: new RegExp(MONEY, 'gu'),
  /** A moment as programs write it. */
  stamp: new RegExp(`(?:\\d{4}-\\d\\d-\\d\\d[t ])?${CLOCK}`, 'giu'),
  phone: /\+\d[\d ()-]{8,20}/g,
} as const;

function leaveOut(line: string): { text: string; hasMoney: boolean; hasMoment: boolean } {
  if (!/[0-9@]|:\/\/|www|t\.me/.test(line)) return { text: line, hasMoney: false, hasMoment: false };
  const { address, moment, phone, money } = OTHER_SENSES;
  const plain = line.replace(address, ADDRESS);
  const timeless = plain.replace(moment, SENSE).replace(phone, SENSE);
  const text = timeless.replace(money, SENSE);
  return { text, hasMoney: text !== timeless, hasMoment: timeless !== plain };
}
