// Cuts pasted text into lines and lines into words. Knows characters, not what they mean.
// A word is a run of letters and digits of any script, with single marks such as dashes inside:
// a token with one wrong character in it stays whole and is never taken for the shorter code within. What cannot be seen is no end
// of a word.
import { LONGEST_WORD } from './lexicon.ts';

export interface Word {
  text: string;
  /** Offsets in the line. */
  start: number;
  end: number;
}

export type Stretch =
  /** A line without its end, or a part of a very long one; `continues` the line of the stretch before. `start`: where in the text. */
  | { kind: 'line'; text: string; continues: boolean; start: number }
  /** The beginning of one unbroken run longer than any line read at once; it ends before `end`. */
  | { kind: 'oversized'; text: string; start: number; end: number }
  | { kind: 'pause' };

/** Text between two chances to stop: a few milliseconds of reading. */
const PAUSE_EVERY_CHARACTERS = 16_384;
const LONGEST_LINE = 8_192;
const LONGEST_JOINT = 3;

const HARD = 0;
const WORD = 1;
const JOINT = 2;

const JOINTS = new Set([...'-_.*@$%!^~+\u2010\u2011\u2012\u2013\u2014\u2015\u2212']);
const INVISIBLE = /\p{Cf}/u;
// Scripts written without spaces, circled digits and emoji parts end a word: nobody mistakes them for a Latin letter.
const WORD_CHARACTER =
  /[\p{Nd}[[\p{L}\p{M}\p{Nl}\ufffd]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\ufe00-\ufe0f\u20e3]]]/v;
export const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/;

/** The words of one line, in order, without the marks around them. */
export function findWords(line: string): Word[] {
  const words: Word[] = [];
  let position = 0;
  while (position < line.length) {
    if (kindAt(line, position) === WORD) {
      const end = endOfWord(line, position);
      words.push({ text: line.slice(position, end), start: position, end });
      position = end;
    } else {
      position += isEscape(line, position) ? 2 : 1;
    }
  }
  return words;
}

/** Lines one by one, of blank ones in a row the first, at most 8,192 characters at once and never cut inside a word. */
export function* cutIntoLines(text: string, isCode: (word: string) => boolean): Generator<Stretch> {
  let position = 0;
  let pausedAt = 0;
  let continues = false;
  let wasBlank = true;
  while (position < text.length) {
    if (position - pausedAt >= PAUSE_EVERY_CHARACTERS) {
      pausedAt = position;
      yield { kind: 'pause' };
    }
    const limit = Math.min(position + LONGEST_LINE, text.length);
    const end = findLineEnd(text, position, limit);
    if (end < limit || limit === text.length) {
      const isBlank = end === position;
      if (!isBlank || (!wasBlank && !continues))
        yield { kind: 'line', text: text.slice(position, end), continues, start: position };
      wasBlank = isBlank;
      continues = false;
      position = end + (text.startsWith('\r\n', end) ? 2 : 1);
      continue;
    }
    const cut = findCut(text, position, limit, isCode);
    if (cut > position) yield { kind: 'line', text: text.slice(position, cut), continues, start: position };
    position = cut > position ? cut : yield* passOversized(text, position, limit);
    continues = true;
    wasBlank = false;
  }
}

/** The run of characters that touches the end of the text, looking back at most a word. */
export function findTail(text: string): string {
  const floor = Math.max(0, text.length - LONGEST_WORD);
  let start = text.length;
  while (start > floor && kindAt(text, start - 1) !== HARD) start -= 1;
  return text.slice(start);
}

/** The run of characters that touches the beginning of the text, looking ahead at most a word. */
export function findHead(text: string): string {
  const ceiling = Math.min(text.length, LONGEST_WORD);
  let end = 0;
  while (end < ceiling && kindAt(text, end) !== HARD) end += 1;
  return text.slice(0, end);
}

function* passOversized(text: string, start: number, from: number): Generator<Stretch, number> {
  let shown: number | undefined;
  let end = start;
  for (; end < text.length && (end < from || kindAt(text, end) !== HARD); end += 1) {
    if (shown === undefined && kindAt(text, end) === WORD) shown = end;
    if ((end - start) % PAUSE_EVERY_CHARACTERS === PAUSE_EVERY_CHARACTERS - 1) yield { kind: 'pause' };
  }
  if (shown !== undefined) {
    yield { kind: 'oversized', text: text.slice(shown, Math.min(end, shown + LONGEST_WORD)), start, end };
  }
  return end;
}

/** After a separator and, where one is near, before a code, so that `CODE 60 UC` stays together. */
function findCut(text: string, start: number, limit: number, isCode: (word: string) => boolean): number {
  let cut = start;
  for (let position = limit; position > start; position -= 1) {
    if (cut > start && limit - position > 2 * LONGEST_WORD) break;
    if (!isBoundary(text, position)) continue;
    if (cut === start) cut = position;
    if (isCode(findHead(text.slice(position, limit)))) return position;
  }
  return cut;
}

/** After a separator: a blank, a mark, or an escape, which is not cut in two. */
function isBoundary(text: string, position: number): boolean {
  if (isEscape(text, position - 1)) return false;
  return kindAt(text, position - 1) === HARD || isEscape(text, position - 2);
}

function findLineEnd(text: string, start: number, limit: number): number {
  let end = start;
  while (end < limit && !isLineEnd(text.charCodeAt(end))) end += 1;
  return end;
}

function isLineEnd(unit: number): boolean {
  if (unit > 0x0d && unit < 0x85) return false;
  return LINE_END.test(String.fromCharCode(unit));
}

function endOfWord(line: string, start: number): number {
  let end = start + 1;
  while (end < line.length) {
    let next = end;
    while (next < line.length && next - end <= LONGEST_JOINT && kindAt(line, next) === JOINT) next += 1;
    if (next - end > LONGEST_JOINT || next === line.length || kindAt(line, next) !== WORD) break;
    end = next + 1;
  }
  return end;
}

/** `\n` written out in two characters, as in text copied from JSON. */
function isEscape(text: string, position: number): boolean {
  return text[position] === '\\' && 'nrt'.includes(text[position + 1] ?? ' ');
}

function kindAt(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  if ((unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)) {
    return WORD;
  }
  if (unit <= 0x20 || unit === 0x2c) return HARD;
  const character = characterAt(text, position, unit);
  if (JOINTS.has(character) || (unit > 0x7f && INVISIBLE.test(character))) return JOINT;
  return unit > 0x7f && WORD_CHARACTER.test(character) ? WORD : HARD;
}

/** The whole character, from either half of a surrogate pair. */
function characterAt(text: string, position: number, unit: number): string {
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
  const start = unit >= 0xdc00 && position > 0 ? position - 1 : position;
  const point = text.codePointAt(start) ?? unit;
  return point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(unit);
}
