// A rekey as the store offers it: slices of it among the writes, never while somebody goes through codes in the order
// of their hashes.
import type { Database as Connection } from 'better-sqlite3';

import type { Secrets } from '../engine/secrets.ts';
import type { Writer } from '../engine/writer.ts';
import type { Tables } from '../tables/index.ts';
import { createRekey, type RekeyStep } from './rekey.ts';

export interface SealingAnew {
  rekey: {
    isRunning(): boolean;
    /**
     * Seals the next slice with the new key; `atEnd` is written with the last one, `left`: how many values opened no
     * more.
     */
    step(atEnd: (tables: Tables, left: number) => void): Promise<RekeyStep>;
  };
  /** While `work` goes on no code gets another hash: for whoever goes through codes in the order of their hashes. */
  inOrderOfHashes<T>(work: () => Promise<T>): Promise<T>;
}

export function createSealingAnew({
  connection,
  secrets,
  tables,
  write,
}: {
  connection: Connection;
  secrets: Secrets;
  tables: Tables;
  write: Writer['write'];
}): SealingAnew {
  const rekey = createRekey(connection, secrets);
  let walks = 0;
  return {
    rekey: {
      isRunning: rekey.isRunning,
      async step(atEnd) {
        if (walks > 0 && rekey.isAmongCodes()) return 'waits';
        const done = await write(
          () => {
            const { step, left } = rekey.step();
            if (step === 'done') atEnd(tables, left);
            return step;
          },
          { bulk: true },
        );
        if (done === 'done') secrets.dropOlder();
        return done;
      },
    },
    async inOrderOfHashes(work) {
      walks += 1;
      try {
        return await work();
      } finally {
        walks -= 1;
      }
    },
  };
}
