// Sealing codes and hashing them for look-up. A secret is sealed under its own keyed hash, so that swapped rows do not open.
import type { Secrets } from './secrets.ts';

/** A code ready to be written; made outside any transaction, since sealing takes longer than inserting. */
export interface SealedCode {
  hash: Buffer;
  secret: Buffer;
}

export function createCodeSeals(secrets: Secrets) {
  const identity = (hash: Buffer) => `code:${hash.toString('base64')}`;
  const hash = (gameId: string, code: string) => secrets.hash('code', `${gameId}\0${code}`);
  const open = (sealed: SealedCode) => secrets.open(identity(sealed.hash), sealed.secret);
  return {
    hash,
    seal(gameId: string, code: string): SealedCode {
      const codeHash = hash(gameId, code);
      return { hash: codeHash, secret: secrets.seal(identity(codeHash), code) };
    },
    open,
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

export type CodeSeals = ReturnType<typeof createCodeSeals>;
