// A line cut into pieces: words, numbers, marks, slots where codes stand, and what is plainly of another sense: prices, moments,
// phones, addresses. In lower case, digits of every script as digits.
import { foldWritten } from '../folding.ts';
import { foldWord, listWritten } from './lexicon.ts';

/** `from` and `to` are offsets in the line, as it was written. */
export interface Span {
  from: number;
  to: number;
}

/** `start` and `end` are offsets in the text that was cut; `word`: as words are compared. */
export interface Piece extends Span {
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
/** What stands in the place of something of another sense. */
export const ADDRESS = '\ue002';
export const [MOMENT, PHONE, MONEY] = ['\ue003', '\ue004', '\ue005'];
/** None of them is a character of a paste. */
export const OWN_MARKS = /[\ue000-\ue005]/g;
export const MONEY_MARKS = '$€£¥₽₴₸₹₺₼₾₩฿';

const LONGEST_LOOKED_AT = 600;
const INVISIBLE = /\p{M}|\p{Cf}/gu;
/** A character with the marks that are written over it, and what cannot be seen behind it. */
const CHARACTERS = /[^\p{M}\p{Cf}][\p{M}\p{Cf}]*|[\p{M}\p{Cf}]+/gu;
const PIECES = /\p{L}+(?:['’]\p{L}+)*|[0-9]+|[^\s\p{L}0-9]/gu;

/** A text made of a line; `spans`: where in that each of its characters stood, if it is not the same place. */
interface Made {
  text: string;
  spans?: readonly Span[];
}

const spanAt = ({ spans }: Made, at: number): Span => spans?.[at] ?? { from: at, to: at + 1 };

/** Replaces what is found; where it stood is kept. */
function replaceIn(made: Made, pattern: RegExp, replace: (found: string) => string): Made {
  const spans: Span[] = [];
  let [text, done] = ['', 0];
  const copy = (to: number) => {
    for (let at = done; at < to; at += 1) spans.push(spanAt(made, at));
    text += made.text.slice(done, to);
  };
  for (const { index, 0: found } of made.text.matchAll(pattern)) {
    copy(index);
    done = index + found.length;
    const put = replace(found);
    const span = { from: spanAt(made, index).from, to: spanAt(made, done - 1).to };
    for (let at = 0; at < put.length; at += 1) spans.push(span);
    text += put;
  }
  if (done === 0) return made;
  copy(made.text.length);
  return { text, spans };
}

/** Cuts the beginning of a line, nothing longer is a heading; `whole`: all of one with codes. */
export function cutPieces(line: string, { whole = false } = {}): Cut {
  const beginning = whole ? line : line.slice(0, LONGEST_LOOKED_AT);
  const { made, hasMoney, hasMoment } = leaveOut(normalize(beginning));
  const pieces: Piece[] = [];
  for (const { index, 0: found } of made.text.matchAll(PIECES)) {
    const kind = kindOf(found);
    const word = kind === 'word' ? foldWord(found) : '';
    const end = index + found.length;
    const span = { from: spanAt(made, index).from, to: spanAt(made, end - 1).to };
    pieces.push({ kind, text: found, word, start: index, end, ...span });
  }
  return { text: made.text, pieces, hasMoney, hasMoment };
}

function kindOf(found: string): Piece['kind'] {
  if (found === CODE || found === UNKNOWN) return 'slot';
  if (found === ADDRESS || found === MOMENT || found === PHONE || found === MONEY) return 'sense';
  if (/^[0-9]/.test(found)) return 'number';
  return /^\p{L}/u.test(found) ? 'word' : 'mark';
}

/** A digit in a box numbers a line; `№` is a number of something else, more often than not. */
function normalize(line: string): Made {
  const small = line.toLowerCase();
  if (/^[\x20-\x7e\ue000\ue001]*$/.test(line)) return { text: small };
  const unboxed = replaceIn({ text: line }, /(?:[0-9]\ufe0f?\u20e3)+/gu, (boxed) => {
    const digits = boxed.replace(/[^0-9]/g, '');
    return digits.length === 1 ? `${digits}) ` : ` ${digits} `;
  });
  // Most often nothing is another character, or gone.
  if (small.length === line.length && normalizeText(unboxed.text) === small) return { text: small };
  return replaceIn(unboxed, CHARACTERS, normalizeText);
}

const normalizeText = (text: string): string =>
  foldWritten(text).replaceAll('№', ' ? ').normalize('NFKC').replace(INVISIBLE, '').toLowerCase();

const words = (key: 'money' | 'months') =>
  listWritten(key)
    .sort((a, b) => b.length - a.length)
    .join('|');
/** Words of Chinese follow their number without a blank, and nothing ends them. */
const PRICES = `[${MONEY_MARKS}]\\s?\\d[\\d.,]*[kк]?|(?<!\\d)\\d{1,12}(?:[.,]\\d{1,12})?[kк]?\\s?(?:[${MONEY_MARKS}%]|(?:${words('money')})(?!\\p{L})\\.?)`;
/** `10:45`, and a moment as programs write it: `2026-11-12T10:45:00.123Z`, `10:45:00+03:00`. */
const CLOCK =
  '(?:(?<![\\d.,])\\d{4}-\\d\\d-\\d\\d[t ])?(?<![\\d:])(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?' +
  '(?:z(?!\\p{L})|(?:\\+|-(?=\\d\\d:))(?:0\\d|1[0-4]):?[0-5]\\d)?(?![\\d:])';

/** What numbers of another sense look like, in a text of lower case. Every one of them is linear. */
export const OTHER_SENSES = {
  address: /(?:https?:\/\/|t\.me\/|www\.)[^\s\ue000\ue001]*|(?<![\w.])[\w.]{0,64}@[\w.]*/g,
  moment: new RegExp(
    `${CLOCK}|` +
      '(?<![\\d.,])(?:\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}|\\d{1,2}[-./]\\d{1,2}[-./](?:\\d{4}|\\d{2}))(?:г\\.?)?(?![\\d])(?:t(?=\\d))?|' +
      '(?<![\\d.,/])(?:(?:0?[1-9]|1[0-2])[/.-]20\\d\\d|20\\d\\d[/-](?:0[1-9]|1[0-2]))(?![\\d/])|' +
      '\\d{1,4}\\s?年\\s?\\d{1,2}\\s?月(?:\\s?\\d{1,2}\\s?日)?|' +
      `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\s+(?:de\\s+)?(?:${words('months')})\\p{L}{0,9}\\.?(?:,?\\s+\\d{4})?(?!\\d)|` +
      `(?<!\\p{L})(?:${words('months')})\\p{L}{0,9}\\.?\\s+\\d{1,2}(?:,\\s*\\d{4})?(?!\\d)`,
    'gu',
  ),
  money: new RegExp(PRICES, 'gu'),
  clock: new RegExp(CLOCK, 'giu'),
  phone: /\+\d[\d ()-]{8,20}/g,
} as const;

function leaveOut(line: Made): { made: Made; hasMoney: boolean; hasMoment: boolean } {
  if (!/[0-9@]|:\/\/|www|t\.me/.test(line.text)) return { made: line, hasMoney: false, hasMoment: false };
  const { address, moment, phone, money } = OTHER_SENSES;
  const plain = replaceIn(line, address, () => ADDRESS);
  const timeless = replaceIn(
    replaceIn(plain, moment, () => MOMENT),
    phone,
    () => PHONE,
  );
  const made = replaceIn(timeless, money, () => MONEY);
  return { made, hasMoney: made !== timeless, hasMoment: timeless !== plain };
}
