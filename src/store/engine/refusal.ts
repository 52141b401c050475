// The error of a store that does not open: why, and what to do.

/** A reason not to start that the host can act on; the message is the whole sentence. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
}

/** What an error says of why something failed, as part of a sentence. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
