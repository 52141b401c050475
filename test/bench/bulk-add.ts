// Row 6: 100,000 codes through the core, sealed and held against what is there, beside raw inserts of ready-made rows in one
// transaction; and for how long adding them keeps the event loop from everybody else.
import { randomBytes } from 'node:crypto';

import { openConnection } from '../../src/store/engine/connection.ts';
import { DENOMINATION, GAME_ID, makeCodes, makeFolder, openBenchCore } from './bench-core.ts';
import { atLeast, atMost, median, rate, roundsOf, takeTurns, type BenchGroup } from './figures.ts';

export const bulkAdd: BenchGroup = {
  rows: [6],

  async measure(_asked, options) {
    const rounds = roundsOf(options);
    const count = options.quick ? 10_000 : 100_000;
    const slicesMs: number[] = [];
    options.tell(`bulk add: ${rounds} rounds of ${count} codes`);
    const rates = await takeTurns(rounds, {
      ours: async () => {
        const { perSecond, longestMs } = await addThroughCore(count);
        slicesMs.push(longestMs);
        return perSecond;
      },
      raw: () => insertRaw(count),
    });
    return [
      atLeast(6, `adding ${count.toLocaleString('en')} codes / raw inserts of the same rows`, {
        ours: median(rates.ours),
        against: median(rates.raw),
        goal: 0.5,
        unit: 'codes/s',
      }),
      atMost(6, 'the longest turn of the event loop meanwhile', {
        ours: median(slicesMs),
        goal: 20,
        unit: 'ms',
      }),
    ];
  },
};

async function addThroughCore(count: number): Promise<{ perSecond: number; longestMs: number }> {
  const bench = await openBenchCore();
  const [account] = bench.accounts;
  if (!account) throw new Error('There is no account.');
  const codes = makeCodes(count);
  const turns = watchTurns();
  const startedAt = performance.now();
  await bench.core.codes.add(account.actor, GAME_ID, [{ denomination: DENOMINATION, codes }]);
  const result = { perSecond: rate(count, startedAt), longestMs: turns.stop() };
  await bench.close();
  return result;
}

/** The longest time between two turns of the event loop, until stopped. */
function watchTurns(): { stop: () => number } {
  let longestMs = 0;
  let lastAt = performance.now();
  let immediate = setImmediate(turn);
  function turn(): void {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
    immediate = setImmediate(turn);
  }
  return {
    stop() {
      clearImmediate(immediate);
      return longestMs;
    },
  };
}

async function insertRaw(count: number): Promise<number> {
  const { folder, remove } = makeFolder();
  const bench = await openBenchCore(`${folder}/raw.db`);
  const accountId = bench.accounts[0]?.actor.accountId ?? 0;
  const batchId = await bench.store.write((tables) =>
    tables.batches.open({ accountId, gameId: GAME_ID, actor: 'apiKey:1', now: 0 }),
  );
  await bench.close();
  const rows = Array.from({ length: count }, () => ({ hash: randomBytes(32), secret: randomBytes(48) }));
  const connection = openConnection(`${folder}/raw.db`);
  const insert = connection.prepare(`
    insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
    values (?, ?, ?, 'available', ?, ?, ?, ?)`);
  const startedAt = performance.now();
  connection.exec('BEGIN IMMEDIATE');
  for (const { hash, secret } of rows)
    insert.run(accountId, GAME_ID, DENOMINATION, hash, secret, batchId, Date.now());
  connection.exec('COMMIT');
  const perSecond = rate(count, startedAt);
  connection.close();
  remove();
  return perSecond;
}
