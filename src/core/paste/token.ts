// What a reader of pastes finds.

export type PasteToken =
  /** Matches the game's pattern; `denomination` undefined where the paste does not tell one. */
  | { kind: 'code'; code: string; denomination: number | undefined }
  /** Looks like a code somebody meant to paste, but breaks the pattern; the first 256 characters of it. */
  | { kind: 'malformed'; text: string; denomination: number | undefined }
  /** Nothing found for a while (2,000 lines or 16,384 characters): a chance for the caller to let others run. */
  | { kind: 'pause' };
