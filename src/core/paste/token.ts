// What a reader of pastes finds, in order; `first` and `last`: the pieces in which it stands, by their places.
export interface PieceSpan {
  first: number;
  last: number;
}

/**
 * Matches the game's pattern; `denomination` undefined where the paste does not tell one that the game has, or
 * contradicts itself. `own`: what was said of it but by a heading, in those words; `isRounded`: its end is zeros, as a
 * spreadsheet leaves them.
 */
interface Code {
  kind: 'code';
  code: string;
  denomination: number | undefined;
  own?: string | undefined;
  /** What it says it is worth, where nothing but the words of `own` speaks against that. */
  good?: number | undefined;
  isRounded?: true;
}

/** Not understood: meant as a code and none, or a number without a sense; the first 256 characters of it. */
interface Unknown {
  kind: 'unknown';
  text: string;
  /** It takes back what stands above it, in other messages. */
  reopens?: true;
}

/** What follows stands under it; `denomination` undefined where it was not understood, or the game has no such. */
interface Heading {
  kind: 'heading';
  text: string;
  denomination: number | undefined;
}

/** Of a line with codes, whose place is told by the caller. */
export type RowToken = Code | Unknown;
export type LineToken = RowToken | Heading;
export type CodeToken = Code & PieceSpan;

export type PasteToken =
  | (LineToken & PieceSpan)
  /** Nothing found for a while: a chance for the caller to let others run. */
  | { kind: 'pause' };

const LONGEST_SHOWN = 64;

/** Words of a line as they are shown. */
export function shortenWords(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_SHOWN ? trimmed : `${trimmed.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}
