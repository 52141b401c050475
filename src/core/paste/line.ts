// Lexer of a line: its codes, what was meant as one, and the frame around them, read once for each that is different (frame.ts); lines
// as they are kept beside their text, so that it is read once. What a line means under those above it is filing.ts.
import { foldWritten } from '../folding.ts';
import { memoize } from '../memoize.ts';
import { findWords, type Word } from './cutting.ts';
import { readFrame, renumber, type Frame } from './frame.ts';
import type { Token } from './items.ts';
import { isHeadingLike } from './heading.ts';
import { foldWord, WORDS, type Lexicon } from './lexicon.ts';
import { CODE, OTHER_SENSES, OWN_MARKS, UNKNOWN } from './pieces.ts';

/** A line as it is kept: its frame, and what stands in the slots of that, in order. */
export interface Line {
  frame: Frame;
  slots: readonly string[];
}

/** A line in its text; `continues` the one before it: a very long line is read in parts. */
export interface TextLine {
  line: Line;
  start: number;
  end: number;
  continues: boolean;
}

const MOST_FRAMES = 2_000;
const [SHORTEST_GROUP, LONGEST_GROUP, MOST_GROUPS] = [3, 8, 8];
const EMAIL = /^[\w.+-]+@[\w-]+\.[\w.-]+$/;
const PHONE = /\+\d[\d ()-]{7,20}/g;
const LONGEST_PHONE = 15;

/** Reads lines one by one; none of them knows of another. */
export function createLineLexer(lexicon: Lexicon): (line: string) => Line {
  const frameOf = memoize((text) => readFrame(text, hasSlots(text), lexicon).frame, MOST_FRAMES);
  const words = createWordReader(lexicon);
  const sample = ['7', '8', '9', '5'].find((digit) => !lexicon.isDenomination(Number(digit))) ?? '7';

  return (line) => {
    const { text, slots: found } = takeSlots(line, words);
    const slots = found.map((slot) => slot.text);
    // Lines that differ in their number alone have one frame but for that.
    const number = slots.length > 0 ? NUMBERED.exec(text)?.[1] : undefined;
    if (number === undefined || lexicon.isDenomination(Number(number)))
      return { frame: frameOf(text), slots };
    return { frame: renumber(frameOf(text.replace(number, sample)), sample, number), slots };
  };
}

/** The tokens of a line, in order, by their places in it: none of its characters but blanks is in none, or in two. */
export function readLineTokens(line: string, lexicon: Lexicon): Token[] {
  const { text, slots } = takeSlots(line, createWordReader(lexicon));
  const { tokens } = readFrame(text, hasSlots(text), lexicon);
  let [next, longer] = [0, 0];
  return tokens.map((token) => {
    const from = token.from + longer;
    const slot = token.item && token.item.kind !== 'amount' ? slots[next] : undefined;
    if (slot) [next, longer] = [next + 1, longer + slot.end - slot.start - 1];
    return { ...token, from, to: token.to + longer };
  });
}

const hasSlots = (text: string) => /[\ue000\ue001]/.test(text);

/** A line that begins with a number by itself. */
const NUMBERED = /^(\d{1,6})(?![\w/]|[\s.,:'’-]?\d)/;

interface WordReader extends Lexicon {
  /** Whether a word that is no code was meant as one. */
  isUnknown: (word: string) => boolean;
}

const createWordReader = (lexicon: Lexicon): WordReader => ({
  ...lexicon,
  isUnknown: memoize(
    (word) => lexicon.isMeantAsCode(word) && !isHeadingLike(word, lexicon) && !EMAIL.test(word),
  ),
});

interface Slot extends Word {
  kind: typeof CODE | typeof UNKNOWN;
}

/** The line with a mark in the place of each code, and of each run that was meant as one. */
function takeSlots(written: string, lexicon: WordReader): { text: string; slots: Slot[] } {
  const line = written.replace(OWN_MARKS, ' ');
  const words = findWords(line);
  const found =
    findGroups(line, words, lexicon) ?? words.flatMap((word, index) => findSlots(word, index === 0, lexicon));
  if (found.length === 0) return { text: line, slots: [] };
  const others = [
    ...(line.includes('+') ? [...line.matchAll(PHONE)].filter(isPhone) : []),
    ...(line.includes(':') ? line.matchAll(OTHER_SENSES.clock) : []),
  ];
  const slots =
    others.length === 0 ? found : found.filter((slot) => !others.some((other) => covers(other, slot)));
  const parts: string[] = [];
  let from = 0;
  for (const { kind, start, end } of slots) {
    parts.push(line.slice(from, start), kind);
    from = end;
  }
  return { text: parts.join('') + line.slice(from), slots };
}

const isPhone = ([phone]: RegExpMatchArray) => phone.replace(/\D/g, '').length <= LONGEST_PHONE;
const covers = ({ index = 0, 0: { length } }: RegExpMatchArray, { start, end }: Slot) =>
  index <= start && end <= index + length;

function findSlots(word: Word, isFirst: boolean, lexicon: WordReader): Slot[] {
  const number = isFirst ? (/^\d{1,6}\.+(?=.)/.exec(word.text)?.[0].length ?? 0) : 0;
  const code = lexicon.readCode(word.text);
  if (code !== undefined) return [{ ...word, kind: CODE, text: code }];
  const unnumbered = number > 0 ? lexicon.readCode(word.text.slice(number)) : undefined;
  if (unnumbered !== undefined)
    return [{ ...word, kind: CODE, text: unnumbered, start: word.start + number }];
  const parts = /\p{Cf}/u.test(word.text) ? splitInvisible(word, lexicon) : [];
  if (parts.length > 0) return parts;
  if (!lexicon.isUnknown(word.text)) return [];
  return [{ ...word, kind: UNKNOWN, text: foldWritten(word.text).slice(0, 256) }];
}

/** What cannot be seen stands between codes where it makes none of them together. */
function splitInvisible({ text, start }: Word, lexicon: Lexicon): Slot[] {
  const parts = [...text.matchAll(/[^\p{Cf}]+/gu)].map(({ 0: part, index }) => {
    const code = lexicon.readCode(part);
    return { kind: CODE, text: code, start: start + index, end: start + index + part.length } as const;
  });
  const codes = parts.flatMap(({ text: code, ...part }) =>
    code === undefined ? [] : [{ ...part, text: code }],
  );
  return codes.length === parts.length ? codes : [];
}

/**
 * Groups of one length that are a code together, `AB12 CD34 EF56`: read as one where blanks stand between them and each has a digit
 * or capitals alone, else not understood as a whole.
 */
function findGroups(line: string, words: readonly Word[], lexicon: WordReader): Slot[] | undefined {
  const isGroup = ({ text }: Word) =>
    text.length >= SHORTEST_GROUP && text.length <= LONGEST_GROUP && /^[A-Za-z0-9]+$/.test(text);
  for (let from = 0; from < words.length - 2; from += 1) {
    const first = words[from];
    if (!first || !isGroup(first)) continue;
    let to = from + 1;
    while (to < words.length && isGroup(words[to]!) && words[to]!.text.length === first.text.length) to += 1;
    const groups = words.slice(from, to);
    const code = groups.length <= MOST_GROUPS ? joinGroups(line, groups, lexicon) : undefined;
    if (!code) from = to - 1;
    if (!code) continue;
    const rest = [...words.slice(0, from), ...words.slice(to)];
    const others = rest.flatMap((word) => findSlots(word, word === words[0], lexicon));
    return [...others, code].sort((a, b) => a.start - b.start);
  }
  return undefined;
}

function joinGroups(line: string, groups: readonly Word[], lexicon: Lexicon): Slot | undefined {
  const texts = groups.map(({ text }) => text);
  const [first, last] = [groups[0], groups.at(-1)];
  const withDigits = texts.filter((text) => /[0-9]/.test(text)).length;
  const isMeant =
    groups.length >= 3 && withDigits * 2 >= texts.length && lexicon.readCode(texts.join('')) !== undefined;
  if (!first || !last || !isMeant) return undefined;
  const isKnown = (text: string) =>
    lexicon.isDenomination(Number(text)) ||
    WORDS.side.has(foldWord(text)) ||
    lexicon.readCode(text) !== undefined;
  if (texts.some(isKnown)) return undefined;
  const isSpaced = groups.every(
    ({ start }, index) =>
      index === 0 || /^[ \u00a0\u2009\u202f]$/.test(line.slice(groups[index - 1]!.end, start)),
  );
  const isPlain =
    texts.every((text) => /[0-9]/.test(text) || /^[A-Z]+$/.test(text)) && /[A-Za-z]/.test(texts.join(''));
  const at = { start: first.start, end: last.end };
  if (isSpaced && isPlain) return { ...at, kind: CODE, text: texts.join('') };
  return { ...at, kind: UNKNOWN, text: line.slice(at.start, at.end) };
}

/** Another where the same line is read otherwise: what an earlier program kept is read again from the text. */
const VERSION = 2;

interface Kept {
  version: number;
  name?: string | undefined;
  frames: Frame[];
  /** Frame, start, end, 1 where it continues the line before, what fills it. */
  lines: [frame: number, start: number, end: number, continues: 0 | 1, ...slots: string[]][];
}

/** `name`: of the file. */
export function keepLines(lines: readonly TextLine[], name: string | undefined): string {
  const kept: Kept = { version: VERSION, ...(name !== undefined && { name }), frames: [], lines: [] };
  const places = new Map<Frame, number>();
  for (const { line, start, end, continues } of lines) {
    let place = places.get(line.frame);
    if (place === undefined) {
      place = kept.frames.push(line.frame) - 1;
      places.set(line.frame, place);
    }
    kept.lines.push([place, start, end, continues ? 1 : 0, ...line.slots]);
  }
  return JSON.stringify(kept);
}

/** The lines as they were kept; undefined where an earlier program read them. */
export function restoreLines(json: string): { name: string | undefined; lines: TextLine[] | undefined } {
  const { version, name, frames, lines } = JSON.parse(json) as Kept;
  if (version !== VERSION) return { name, lines: undefined };
  const restored = lines.map(([place, start, end, continues, ...slots]): TextLine => {
    return { line: { frame: frames[place] ?? { text: '' }, slots }, start, end, continues: continues === 1 };
  });
  return { name, lines: restored };
}
