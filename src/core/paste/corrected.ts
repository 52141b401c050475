// Texts that take back their headings at the end: `sorry, wrong heading: those are 325`. Of what that is said nobody can tell.
import { LINE_END_OF_TEXT, LONGEST_TAIL } from './below.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';
import { findWords } from './words.ts';

const CORRECTION =
  /(?<!\p{L})(?:(?:не|not)\s+\d|wrong|mistak\p{L}*|instead|oops|actually|correction|(?:these|those|they|all|it|this)(?:\s+(?:are|is|were|was)|['’]re)\s+(?:all\s+)?\d|ошиб\p{L}*|перепут\p{L}*|вместо|упс|точнее|вернее|поправ\p{L}*|(?:это|там|тут)\s+(?:вс[её]\s+)?\d)/iu;
const MOST_LINES = 3;

/** Whether one of its last lines, with no code in or behind it, names a denomination and says that something was wrong. */
export function isCorrected(text: string, vocabulary: Vocabulary): boolean {
  const lines = text.slice(-LONGEST_TAIL).split(LINE_END_OF_TEXT);
  // A piece of a line is none.
  if (text.length > LONGEST_TAIL) lines.shift();
  const last = lines.filter((line) => line.trim() !== '').slice(-MOST_LINES);
  for (const line of last.reverse()) {
    if (findWords(line).some(({ text: word }) => vocabulary.readCode(word) !== undefined)) return false;
    const numbers = line.match(/\d+/g) ?? [];
    if (numbers.some((digits) => vocabulary.isDenomination(Number(digits))) && CORRECTION.test(line))
      return true;
  }
  return false;
}

/** The tokens as if nothing had told a denomination. */
export function takeBack(tokens: readonly PasteToken[]): PasteToken[] {
  return tokens.map((token) => ('denomination' in token ? { ...token, denomination: undefined } : token));
}
