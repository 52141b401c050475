// Codes of a line: each run that is one, alone or in groups, and what was meant as one; a mark stands in its place in
// the line.
import { foldWritten } from '../folding.ts';
import { memoize } from '../memoize.ts';
import { findWords, type Word } from './cutting.ts';
import { isHeadingLike } from './heading.ts';
import { CLOCKS, CODE, OWN_MARKS, PHONES, UNKNOWN } from './lexer.ts';
import { foldWord, WORDS, type Lexicon } from './lexicon.ts';

/** `mark`: what stands in its place; `text`: the code, or what was meant as one. */
interface Slot extends Word {
  mark: typeof CODE | typeof UNKNOWN;
}

/** The line with a mark in the place of each of its slots, and these by their places in it as it was written. */
export type TakeCodes = (line: string) => { text: string; slots: Slot[] };

const LONGEST_SHOWN = 256;
const [SHORTEST_GROUP, LONGEST_GROUP, LEAST_GROUPS, MOST_GROUPS] = [3, 8, 3, 8];
const SPACED = /^[A-Za-z0-9]+(?:[ \u00a0\u2009\u202f][A-Za-z0-9]+)+$/;
const EMAIL = /^[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}$/i;

export function createCodeFinder(lexicon: Lexicon): TakeCodes {
  const isUnknown = memoize(
    (word) => lexicon.isMeantAsCode(word) && !isHeadingLike(word, lexicon) && !EMAIL.test(word),
  );

  function findSlots(line: string): Slot[] {
    const slots: Slot[] = [];
    const words = findWords(line);
    for (let at = 0; at < words.length;) {
      const group = takeGroup(words, at);
      const isWhole =
        group.length >= LEAST_GROUPS || (group.length > 1 && words[at]?.text.length === LONGEST_GROUP);
      const whole = isWhole ? joinGroups(line, group, lexicon) : undefined;
      if (whole) slots.push(whole);
      else for (const word of group) slots.push(...readWord(word, word === words[0]));
      at += group.length;
    }
    return slots;
  }

  function readWord(word: Word, isFirst: boolean): Slot[] {
    const whole = lexicon.readCode(word.text);
    if (whole !== undefined) return [{ ...word, mark: CODE, text: whole }];
    // `1.CODE`; what cannot be seen stands between codes where it makes none of them together.
    const codes =
      (isFirst && /^\d{1,6}\./.test(word.text)
        ? findCodes(word, /(?<=^\d{1,6}\.{1,3})[^.].*$/gs)
        : undefined) ?? (/\p{Cf}/u.test(word.text) ? findCodes(word, /[^\p{Cf}]+/gu) : undefined);
    if (codes) return codes;
    const text = foldWritten(word.text).slice(0, LONGEST_SHOWN);
    return isUnknown(word.text) ? [{ ...word, mark: UNKNOWN, text }] : [];
  }

  /** The parts of a word, where each of them is a code. */
  function findCodes(word: Word, parts: RegExp): Slot[] | undefined {
    const slots: Slot[] = [];
    for (const { 0: part, index } of word.text.matchAll(parts)) {
      const text = lexicon.readCode(part);
      if (text === undefined) return undefined;
      const start = word.start + index;
      slots.push({ mark: CODE, text, start, end: start + part.length });
    }
    return slots.length > 0 ? slots : undefined;
  }

  return (written) => {
    const line = written.replace(OWN_MARKS, ' ');
    const found = findSlots(line);
    // Most often there is neither.
    if (found.length === 0) return { text: line, slots: found };
    const others = /[+:]/.test(line)
      ? [PHONES, CLOCKS].flatMap((pattern) => [...line.matchAll(pattern)])
      : [];
    const isOther = ({ start, end }: Slot) =>
      others.some(({ index, 0: { length } }) => index <= start && end <= index + length);
    const slots = found.filter((slot) => !isOther(slot));
    const parts = slots.map(({ mark, start }, at) => line.slice(slots[at - 1]?.end ?? 0, start) + mark);
    return { text: parts.join('') + line.slice(slots.at(-1)?.end ?? 0), slots };
  };
}

/** Words of one length from a place on, as groups of a code are; else the one there. */
function takeGroup(words: readonly Word[], at: number): Word[] {
  const { length } = words[at]?.text ?? '';
  const isGroup = ({ text } = { text: '' }) => text.length === length && /^[A-Za-z0-9]+$/.test(text);
  let end = at + 1;
  if (length >= SHORTEST_GROUP && length <= LONGEST_GROUP && isGroup(words[at]))
    while (isGroup(words[end])) end += 1;
  return words.slice(at, end);
}

/**
 * Groups that are a code together, `AB12 CD34 EF56`: read as one where blanks stand between them and each has a digit
 * or capitals alone, else not understood as a whole, as two long ones are.
 */
function joinGroups(line: string, groups: readonly Word[], lexicon: Lexicon): Slot | undefined {
  const texts = groups.map(({ text }) => text);
  const code = texts.join('');
  const withDigits = texts.filter((text) => /[0-9]/.test(text)).length;
  if (texts.length > MOST_GROUPS || withDigits * 2 < texts.length || lexicon.readCode(code) === undefined)
    return undefined;
  const isKnown = (text: string) =>
    lexicon.isDenomination(Number(text)) ||
    WORDS.side.has(foldWord(text)) ||
    lexicon.readCode(text) !== undefined;
  if (texts.some(isKnown)) return undefined;
  const [start, end] = [groups[0]?.start ?? 0, groups.at(-1)?.end ?? 0];
  const written = line.slice(start, end);
  const isCode =
    texts.length >= LEAST_GROUPS &&
    SPACED.test(written) &&
    /[A-Za-z]/.test(code) &&
    texts.every((text) => /[0-9]|^[A-Z]+$/.test(text));
  return isCode ? { mark: CODE, text: code, start, end } : { mark: UNKNOWN, text: written, start, end };
}
