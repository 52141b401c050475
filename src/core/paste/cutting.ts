// Cuts pasted text into lines and lines into words. Knows characters, not what they mean. A word is a run of letters
// and digits of any script, with single marks such as dashes inside: a token with one wrong character in it stays whole
// and is never taken for the shorter code within. What cannot be seen is no end of a word.
import { LONGEST_WORD } from './lexicon.ts';

/** `start` and `end`: offsets in the line, or of a line in the text. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/**
 * A line without its end, or a part of a very long one, which `continues` the one before it. Of an unbroken run that is
 * longer than any line read at once it is the beginning, too long for a code.
 */
export type Stretch = (Word & { kind: 'line'; continues: boolean }) | { kind: 'pause' };

/** Text between two chances to stop: a few milliseconds of reading. */
const PAUSE_EVERY_CHARACTERS = 16_384;
const LONGEST_LINE = 8_192;

// Scripts written without spaces, circled digits and emoji parts end a word: nobody mistakes them for a Latin letter.
const LETTERS = String.raw`\p{Nd}[[\p{L}\p{M}\p{Nl}\ufffd]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\ufe00-\ufe0f\u20e3]]`;
const JOINTS = String.raw`\-_.*@$%!^~+\u2010-\u2015\u2212\p{Cf}`;
const LETTER = new RegExp(`[${LETTERS}]`, 'v');
const SEPARATOR = new RegExp(`[^${LETTERS}${JOINTS}]`, 'v');
const SEPARATORS = new RegExp(String.raw`\\[nrt]|${SEPARATOR.source}`, 'gv');
const WORDS = new RegExp(String.raw`\\[nrt]|[${LETTERS}](?:[${JOINTS}]{0,3}[${LETTERS}])*`, 'gv');
/** `\n` written out in two characters, as in text copied from JSON, is one, too. */
export const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]|\\[nr]/;

/** The words of one line, in order, without the marks around them. */
export function findWords(line: string): Word[] {
  const words: Word[] = [];
  WORDS.lastIndex = 0;
  for (let found = WORDS.exec(line); found; found = WORDS.exec(line)) {
    const { 0: text, index } = found;
    if (!text.startsWith('\\')) words.push({ text, start: index, end: index + text.length });
  }
  return words;
}

/** Lines one by one but for blank ones, at most 8,192 characters at once and never cut inside a word. */
export function* cutIntoLines(text: string, isCode: (word: string) => boolean): Generator<Stretch> {
  let [position, pausedAt] = [0, 0];
  let continues = false;
  while (position < text.length) {
    if (position - pausedAt >= PAUSE_EVERY_CHARACTERS) {
      pausedAt = position;
      yield { kind: 'pause' };
    }
    const start = position;
    const limit = Math.min(start + LONGEST_LINE, text.length);
    const found = LINE_END.exec(text.slice(start, limit));
    if (found || limit === text.length) {
      const end = found ? start + found.index : limit;
      if (end > start) yield { kind: 'line', text: text.slice(start, end), continues, start, end };
      continues = false;
      position = end + (found?.[0].length ?? 1);
      continue;
    }
    const end = findCut(text, start, limit, isCode);
    if (end > start) yield { kind: 'line', text: text.slice(start, end), continues, start, end };
    position = end > start ? end : yield* passEndless(text, start, continues);
    continues = true;
  }
}

/** The run of characters that touches the end of the text, looking back at most a word. */
export const findTail = (text: string): string => text.slice(-LONGEST_WORD).split(SEPARATOR).at(-1) ?? '';

/** The run of characters that touches the beginning of the text, looking ahead at most a word. */
export const findHead = (text: string): string => text.slice(0, LONGEST_WORD).split(SEPARATOR, 1)[0] ?? '';

/** A run without a separator: to its end, wherever that is. */
function* passEndless(text: string, start: number, continues: boolean): Generator<Stretch, number> {
  let [end, first, length] = [start, -1, PAUSE_EVERY_CHARACTERS];
  while (length === PAUSE_EVERY_CHARACTERS) {
    const part = text.slice(end, end + PAUSE_EVERY_CHARACTERS);
    const stop = part.search(SEPARATOR);
    const letter = first === -1 ? part.search(LETTER) : -1;
    length = stop === -1 ? part.length : stop;
    if (letter !== -1 && letter < length) first = end + letter;
    end += length;
    yield { kind: 'pause' };
  }
  const shown = text.slice(first, Math.min(end, first + LONGEST_WORD + 1));
  if (first !== -1) yield { kind: 'line', text: shown, continues, start, end };
  return end;
}

/** After a separator and, where one is near, before a code, so that `CODE 60 UC` stays together. */
function findCut(text: string, start: number, limit: number, isCode: (word: string) => boolean): number {
  const cuts = [...text.slice(start, limit + 1).matchAll(SEPARATORS)]
    .map(({ 0: { length }, index }) => start + index + length)
    .filter((cut) => cut <= limit);
  const near = cuts.filter((cut) => limit - cut <= 2 * LONGEST_WORD);
  return near.findLast((cut) => isCode(findHead(text.slice(cut, limit)))) ?? cuts.at(-1) ?? start;
}
