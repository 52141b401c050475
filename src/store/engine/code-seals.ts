// Sealing codes and hashing them for look-up. A secret is sealed under its own keyed hash, so that swapped rows do not open.
// A hash has 16 bytes: it is keyed, so that nobody who has the file can try codes against it, and among 2^40 codes two share one
// with a chance of 2^-49. Rows of files from before have 32, of which the short one is the beginning; they stay as they are.
import type { Secrets } from './secrets.ts';

/** A code ready to be written; made outside any transaction, since sealing takes longer than inserting. */
export interface SealedCode {
  hash: Buffer;
  secret: Buffer;
}

export const HASH_BYTES = 16;
const LONG_HASH_BYTES = 32;

/** `isLeaner`: short hashes are written, and the indexes of turnover.ts know both; else only long ones are. */
export function createCodeSeals(secrets: Secrets, isLeaner = true) {
  const identity = (hash: Buffer) => `code:${hash.toString('base64')}`;
  const hashLong = (gameId: string, code: string) => secrets.hash('code', `${gameId}\0${code}`);
  const hash = (gameId: string, code: string) =>
    isLeaner ? hashLong(gameId, code).subarray(0, HASH_BYTES) : hashLong(gameId, code);
  const seal = (codeHash: Buffer, code: string) =>
    codeHash.length === LONG_HASH_BYTES
      ? secrets.seal(identity(codeHash), code)
      : secrets.sealByHash(codeHash, code);
  const open = (sealed: SealedCode) =>
    sealed.hash.length === LONG_HASH_BYTES
      ? secrets.open(identity(sealed.hash), sealed.secret)
      : secrets.openByHash(sealed.hash, sealed.secret);
  return {
    hash,
    seal(gameId: string, code: string): SealedCode {
      const codeHash = hash(gameId, code);
      return { hash: codeHash, secret: seal(codeHash, code) };
    },
    open,
    plain: plainCode,
    /** undefined where it does not open: one damaged row costs itself, not the page or the queue it is in. */
    openIfSound(sealed: SealedCode): string | undefined {
      try {
        return open(sealed);
      } catch {
        return undefined;
      }
    },
    /** Whether this is the hash of this code, long or short. */
    isHashOf: (kept: Buffer, gameId: string, code: string) =>
      hashLong(gameId, code).subarray(0, kept.length).equals(kept),
  };
}

/** A code as people compare it: in capitals, without dashes and spaces. */
export function plainCode(code: string): string {
  return code.toUpperCase().replace(/[\p{Pd}\s]/gu, '');
}

export type CodeSeals = ReturnType<typeof createCodeSeals>;
