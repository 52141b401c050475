// What a reader of pastes finds.

/** What a line said of the codes in it, in its own words; what a heading says of them is no part of them. */
interface OfLine {
  own?: string | undefined;
}

export type PasteToken =
  /** Matches the game's pattern; `denomination` undefined where the paste does not tell one that the game has. */
  | ({ kind: 'code'; code: string; denomination: number | undefined } & OfLine)
  /** Looks like a code somebody meant to paste, but breaks the pattern; the first 256 characters of it. */
  | ({ kind: 'malformed'; text: string; denomination: number | undefined } & OfLine)
  /** What follows stands under it; `denomination` undefined where it was not understood, or the game has no such. */
  | { kind: 'heading'; text: string; denomination: number | undefined }
  /** What follows stands in these pieces, by their places in the order they came in. */
  | { kind: 'place'; first: number; last: number }
  /** Nothing found for a while (100 lines or 16,384 characters): a chance for the caller to let others run. */
  | { kind: 'pause' };
