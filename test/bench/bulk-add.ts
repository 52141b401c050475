// Row 6: 100,000 codes through the core, sealed and held against what is there, beside raw inserts of ready-made rows
// of round 1 in commits of the same size.
import { randomBytes } from 'node:crypto';

import { makeCodes, openBenchCore } from './bench-core.ts';
import { compare, count as told, roundsOf, scaled, type BenchGroup } from './figures.ts';
import { makeFolder } from './folders.ts';
import { rate, takeTurns } from './rounds.ts';
import { DENOMINATION, GAME_ID } from './terms.ts';
import {
  HASH_BYTES,
  openBatch,
  openYardstick,
  prepareInsertCode,
  SECRET_BYTES,
} from './yardstick/database.ts';

export const bulkAdd: BenchGroup = {
  rows: [6],

  async measure(_row, options) {
    const rounds = roundsOf(options);
    const codes = scaled(options, { tiny: 1_000, quick: 30_000, normal: 100_000 });
    options.tell(`6: ${rounds} rounds of ${codes} codes`);
    let perCommit = codes;
    await addThroughCore(Math.ceil(codes / 10));
    const rates = await takeTurns(rounds, {
      ours: async () => {
        const added = await addThroughCore(codes);
        perCommit = Math.ceil(codes / added.commits);
        return added.perSecond;
      },
      raw: () => insertRaw(codes, perCommit),
    });
    return [
      compare(6, `adding ${told(codes)} codes / raw inserts of the same rows`, {
        ours: rates.ours,
        against: rates.raw,
        atLeast: 0.45,
        unit: 'codes/s',
        load: rates.load,
        note: `${perCommit} rows a commit on both sides`,
      }),
    ];
  },
};

async function addThroughCore(count: number): Promise<{ perSecond: number; commits: number }> {
  let commits = 0;
  const bench = await openBenchCore({ accounts: 1, onCommit: () => (commits += 1) });
  const [account] = bench.accounts;
  if (!account) throw new Error('There is no account.');
  const codes = makeCodes(count);
  commits = 0;
  const startedAt = performance.now();
  const { accepted } = await bench.core.codes.add(account.actor, GAME_ID, [
    { denomination: DENOMINATION, codes },
  ]);
  const added = { perSecond: rate(count, startedAt), commits };
  if (accepted.get(DENOMINATION) !== count) throw new Error('Not every code was added.');
  await bench.close();
  return added;
}

function insertRaw(count: number, perCommit: number): number {
  const { folder, remove } = makeFolder();
  const { connection, accountIds } = openYardstick(`${folder}/raw.db`, 0);
  const accountId = accountIds[0] ?? 0;
  const batchId = openBatch(connection, accountId);
  const rows = Array.from({ length: count }, () => ({
    hash: randomBytes(HASH_BYTES),
    secret: randomBytes(SECRET_BYTES),
  }));
  const insert = prepareInsertCode(connection);
  const startedAt = performance.now();
  for (let start = 0; start < count; start += perCommit) {
    connection.exec('BEGIN IMMEDIATE');
    for (const { hash, secret } of rows.slice(start, start + perCommit))
      insert.run(accountId, GAME_ID, DENOMINATION, hash, secret, batchId, Date.now());
    connection.exec('COMMIT');
  }
  const perSecond = rate(count, startedAt);
  connection.close();
  remove();
  return perSecond;
}
