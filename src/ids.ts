// Randomness, injected: references and secrets that nobody can guess.
import { randomBytes, randomUUID } from 'node:crypto';

export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string;
  /** A secret of `bytes` random bytes, base64url. */
  secret(bytes: number): string;
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
};
