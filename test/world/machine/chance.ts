// What a work that runs in one go draws by chance, it draws from the seed: the line of a database that was restored, and
// the references of what it sends then.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

import type { Seeded } from '../../harness/seeded.ts';

export function drawnFrom<T>(random: Seeded, work: () => T): T {
  const { randomBytes, randomUUID } = crypto;
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => random.below(256)));
  const uuid = () =>
    bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const bind = (drawn: object) => {
    Object.assign(crypto, drawn);
    syncBuiltinESMExports();
  };
  bind({ randomBytes: bytes, randomUUID: uuid });
  try {
    return work();
  } finally {
    bind({ randomBytes, randomUUID });
  }
}
