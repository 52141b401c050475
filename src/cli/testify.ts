// `testify`: another past of the database, as the old disk that turns up, closes what it knows as closed. `restore
// --past` does the same with what it restores.
import type { Database as Connection } from 'better-sqlite3';
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { openCoreClock } from '../core/monotonic-scale.ts';
import { hearTestimony, type Testimony } from '../core/redemption/testimony.ts';
import { readLostTime } from '../store/backup/epochs.ts';
import { openPast, type OpenedPast } from '../store/backup/testimony.ts';
import { createCodeSeals, type Secrets } from '../store/engine/secrets.ts';
import { createTables } from '../store/tables/index.ts';
import { giveWay, loadSecrets, printLine, readSettings, Refusal, toFilePath } from './command.ts';
import { withDatabaseAlone } from './database-alone.ts';
import { HOST } from './verbs.ts';

export const testifyCommand = new Command('testify')
  .description(
    'lets another past of the database testify, while the service is stopped: codes, keys, members and webhooks that ended there end here, its payments are booked, its receipts complete what was recovered. OTHER is only read, and nothing else of it is taken',
  )
  .argument('<OTHER>', 'its file: of the machine that was lost, or a database that was given up', toFilePath)
  .action(async (file: string) => {
    giveWay();
    const config = readSettings();
    const { databasePath } = config;
    const secrets = loadSecrets(config);
    if (secrets.olderKeyId !== undefined)
      throw new Refusal('A rekey is under way: say it again when that is over. Nothing was changed.');
    const witness = createWitness(file, databasePath, secrets);
    await withDatabaseAlone(config, secrets, async (connection) => {
      witness.complete(connection);
      await witness.print();
    });
  });

/** What `file` has to testify: over a database that nobody serves, and then in words. */
export function createWitness(file: string, databasePath: string, secrets: Secrets) {
  let heard: { until: number; testimony: Testimony } | undefined;
  return {
    /** Throws StoreRefusal, with everything as it was, where it has nothing to testify. */
    complete(connection: Connection): void {
      const past = openPast(file, { databasePath, secrets, now: systemClock.now() });
      try {
        heard = { until: past.asOf, testimony: hear(connection, past, secrets) };
      } finally {
        past.close();
      }
    },
    async print(): Promise<void> {
      if (!heard) return;
      const { until, testimony } = heard;
      await printLine({ testified: file, until: new Date(until).toISOString(), ...testimony });
    },
  };
}

function hear(connection: Connection, past: OpenedPast, secrets: Secrets): Testimony {
  const tables = createTables(connection, secrets);
  const { now, monotonicNow } = openCoreClock({ read: (work) => work(tables) }, systemClock);
  const moment = { now: now(), monotonicNow: monotonicNow() };
  const court = {
    lost: readLostTime(connection),
    seals: createCodeSeals(secrets),
    tables,
    host: HOST,
    moment,
  };
  return past.over(connection, (other) => hearTestimony({ ...court, past: other }, past.asOf));
}
