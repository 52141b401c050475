// The end of a text: its last lines, behind its last code. What stands there may be said of the codes above it.
import type { Vocabulary } from './vocabulary.ts';
import { findWords } from './words.ts';

/** In characters: the last lines of a text stand there. */
const LONGEST_END = 1_024;
const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/;

/** At most so many lines with anything in them, the last first, none of them at or before a line with a code. */
export function linesBehindCodes(text: string, most: number, vocabulary: Vocabulary): string[] {
  const lines = text.slice(-LONGEST_END).split(LINE_END);
  // A piece of a line is none.
  if (text.length > LONGEST_END) lines.shift();
  const last = lines
    .filter((line) => line.trim() !== '')
    .slice(-most)
    .reverse();
  const hasCode = (line: string) =>
    findWords(line).some(({ text: word }) => vocabulary.readCode(word) !== undefined);
  const code = last.findIndex(hasCode);
  return code === -1 ? last : last.slice(0, code);
}
