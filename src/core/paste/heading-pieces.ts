// A line cut into words, numbers and marks, as headings are read: in lower case, digits of every width as digits, and without what
// is plainly of another sense: prices, moments, addresses.
import { OTHER_SENSES } from './heading-words.ts';

/** `start` and `end` are offsets in the text that was cut. */
export interface Piece {
  kind: 'word' | 'number' | 'mark';
  text: string;
  start: number;
  end: number;
}

export interface Cut {
  text: string;
  pieces: Piece[];
  hasMoney: boolean;
}

const LONGEST_LOOKED_AT = 600;
const INVISIBLE = /\p{M}|[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
const PIECES = /(?<word>\p{L}+(?:['’]\p{L}+)*)|(?<number>[0-9]+)|(?<mark>[^\s\p{L}0-9])/gu;

/** Cuts the beginning of a line: nothing longer is a heading. */
export function cutPieces(line: string): Cut {
  const { text, hasMoney } = leaveOut(normalize(line.slice(0, LONGEST_LOOKED_AT)));
  const pieces: Piece[] = [];
  for (const { groups = {}, index, 0: found } of text.matchAll(PIECES)) {
    const kind = groups.word !== undefined ? 'word' : groups.number !== undefined ? 'number' : 'mark';
    pieces.push({ kind, text: found, start: index, end: index + found.length });
  }
  return { text, pieces, hasMoney };
}

/** A digit in a box numbers a line; `№` is a number of something else, more often than not. */
function normalize(line: string): string {
  const unboxed = line.replace(/((?:[0-9]\ufe0f?\u20e3)+)/gu, (boxed) => {
    const digits = boxed.replace(/[^0-9]/g, '');
    return digits.length === 1 ? `${digits}) ` : ` ${digits} `;
  });
  return unboxed.replaceAll('№', ' ? ').normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
}

function leaveOut(line: string): { text: string; hasMoney: boolean } {
  const { address, moment, phone, money } = OTHER_SENSES;
  const rest = [address, moment, phone].reduce((text, sense) => text.replace(sense, ' '), line);
  const text = rest.replace(money, ' ');
  return { text, hasMoney: text !== rest };
}
