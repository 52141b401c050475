// The error of a store that does not open: why, and what to do.

/** A reason not to start that the host can act on; the message is the whole sentence. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
}

/** What an error says of why something failed, as part of a sentence that names the file already. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // Of the system's the call and its file stand last.
  return 'syscall' in error ? error.message.replace(/, [a-z]+(?: '.*')?$/, '') : error.message;
}

export const WRITTEN_BEFORE =
  'The database was written before version 1.0.0, and this program does not read it. Go on with the version that wrote it, or begin with a new file.';
