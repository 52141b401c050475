// Texts whose headings stand below their codes, or may: they begin with codes and end in a heading. Nobody can tell there what a
// heading between codes is of.
import { linesBehindCodes } from './ending.ts';
import { readHeading } from './heading.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What may stand behind the last heading: thanks, a total. */
const MOST_LINES = 6;

/** The denomination of the heading in which a text ends, with no code behind it. */
export function findLastHeading(text: string, vocabulary: Vocabulary): number | undefined {
  for (const line of linesBehindCodes(text, MOST_LINES, vocabulary)) {
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
