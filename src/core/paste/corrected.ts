// Texts that take back their headings at the end: `sorry, wrong heading: those are 325`. Of what that is said nobody can tell.
import { linesBehindCodes } from './ending.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';

const CORRECTION =
  /(?<!\p{L})(?:(?:не|not)\s+\d|wrong|mistak\p{L}*|instead|oops|actually|correction|(?:these|those|they|all|it|this)(?:\s+(?:are|is|were|was)|['’]re)\s+(?:all\s+)?\d|ошиб\p{L}*|перепут\p{L}*|вместо|упс|точнее|вернее|поправ\p{L}*|(?:это|там|тут)\s+(?:вс[её]\s+)?\d)/iu;
const MOST_LINES = 3;

/** Whether one of its last lines, with no code in or behind it, names a denomination and says that something was wrong. */
export function isCorrected(text: string, vocabulary: Vocabulary): boolean {
  return linesBehindCodes(text, MOST_LINES, vocabulary).some((line) => {
    const numbers = line.match(/\d+/g) ?? [];
    return numbers.some((digits) => vocabulary.isDenomination(Number(digits))) && CORRECTION.test(line);
  });
}

/** The tokens as if nothing had told a denomination. */
export function takeBack(tokens: readonly PasteToken[]): PasteToken[] {
  return tokens.map((token) => ('denomination' in token ? { ...token, denomination: undefined } : token));
}
