// Texts whose headings stand below their codes, or may: they begin with codes and end in a heading. Nobody can tell there what a
// heading between codes is of.
import { readHeading } from './heading.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';
import { findWords } from './words.ts';

/** Of a text: its last headings stand there. */
export const LONGEST_TAIL = 1_024;
export const LINE_END_OF_TEXT = /[\n\r\v\f\u0085\u2028\u2029]/;
/** What may stand behind the last heading: thanks, a total. */
const MOST_LINES = 6;

/** The denomination of the heading in which a text ends, with no code behind it. */
export function findLastHeading(text: string, vocabulary: Vocabulary): number | undefined {
  const lines = text.slice(-LONGEST_TAIL).split(LINE_END_OF_TEXT);
  // A piece of a line is none.
  if (text.length > LONGEST_TAIL) lines.shift();
  const last = lines.filter((line) => line.trim() !== '').slice(-MOST_LINES);
  for (const line of last.reverse()) {
    if (findWords(line).some(({ text: word }) => vocabulary.readCode(word) !== undefined)) return undefined;
    const heading = readHeading(line, vocabulary, { fresh: false });
    if (heading.kind === 'heading') return heading.denomination;
  }
  return undefined;
}

/** Whether the tokens of a line are the first codes of a text, or a heading above them; undefined where they are neither. */
export function findFirst(tokens: readonly PasteToken[]): 'codes' | 'heading' | undefined {
  if (tokens.some((token) => token.kind === 'heading' && token.denomination !== undefined)) return 'heading';
  return tokens.some(({ kind }) => kind === 'code') ? 'codes' : undefined;
}

/** The same, but for what a heading above them, or a choice, would have said. */
export function forget(tokens: readonly PasteToken[]): PasteToken[] {
  return tokens.map((token) =>
    token.kind === 'code' && token.own === undefined ? { ...token, denomination: undefined } : token,
  );
}
