// Time limit of a redemption.

/** Every answer to a redemption comes within this, since clients give up at 60 s and would repeat. */
export const ANSWER_WITHIN_MS = 55_000;
