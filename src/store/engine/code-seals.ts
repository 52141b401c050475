// Sealing codes and hashing them for look-up. A secret is sealed under its own keyed hash, so that swapped rows do not open.
// A hash has 16 bytes: it is keyed, so that nobody who has the file can try codes against it, and among 2^40 codes two share one
// with a chance of 2^-49.
import type { Secrets } from './secrets.ts';

/** A code ready to be written; made outside any transaction, since sealing takes longer than inserting. */
export interface SealedCode {
  hash: Buffer;
  secret: Buffer;
}

export const HASH_BYTES = 16;
/** Greater than any hash. */
export const BEHIND_ALL = Buffer.alloc(HASH_BYTES + 1, 0xff);

export function createCodeSeals(secrets: Secrets) {
  const hash = (gameId: string, code: string) =>
    secrets.hash('code', `${gameId}\0${code}`).subarray(0, HASH_BYTES);
  const open = (sealed: SealedCode) => secrets.openByHash(sealed.hash, sealed.secret);
  return {
    hash,
    seal(gameId: string, code: string): SealedCode {
      const codeHash = hash(gameId, code);
      return { hash: codeHash, secret: secrets.sealByHash(codeHash, code) };
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
  };
}

/** A code as people compare it: in capitals, without dashes and spaces. */
export function plainCode(code: string): string {
  return code.toUpperCase().replace(/[\p{Pd}\s]/gu, '');
}

export type CodeSeals = ReturnType<typeof createCodeSeals>;
