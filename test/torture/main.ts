// `npm run torture -- <row> [count] [seed]`: one row of the scorecard in full size. Prints what it tried and what it
// found; exit 1 on any violation. Without a row: all that fits into a night, or into `--minutes N` (night.ts); `--list`
// names the rows.
import { parseArgs } from 'node:util';

import { liveByCore } from './core.ts';
import { killAtEveryBoundary, killAtRandom } from './rows/crash.ts';
import { askForMuch } from '../bench/fairness/fairness.ts';
import { crowdChat } from '../bench/fairness/chat.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';
import { beHostile } from './rows/hostile.ts';
import { retryThroughFaults } from './rows/http-retries.ts';
import { raceForTheLastCode } from './rows/last-code.ts';
import { sweepLife } from './loops.ts';
import { spendANight } from './night.ts';
import { sellLinks } from './rows/links.ts';
import { misplaceDatabases } from './rows/places.ts';
import { PLANTED_BUGS } from './planted-list.ts';
import { plantBugs } from './planted.ts';
import { recoverMany } from './rows/recovery.ts';
import { killRekeys } from './rows/rekey.ts';
import { shutDownUnderLoad, stopTwice } from './rows/shutdown.ts';
import { takeOverByLitestream } from './rows/takeover.ts';
import { turnTheClock } from './rows/time.ts';
import { liveInWorlds } from './world.ts';

interface Row {
  property: string;
  /** What `count` counts, and how many are the full figure. */
  counts: string;
  full: number;
  /** About a minute's worth, of which a night has many; 0: none. */
  share: number;
  run(options: TortureOptions): Promise<Findings>;
}

const ROWS: Record<string, Row> = {
  1: {
    property: 'Crash-safe spend',
    counts: 'redemptions struck by a SIGKILL',
    full: 10_000,
    share: 60,
    run: async (options) => merge(await killAtEveryBoundary(options.seed), await killAtRandom(options)),
  },
  2: {
    property: 'The tests can find bugs',
    counts: 'planted bugs',
    full: PLANTED_BUGS.length,
    share: 0,
    run: plantBugs,
  },
  3: {
    property: 'Unknown outcomes',
    counts: 'hidden outcomes',
    full: 5_000,
    share: 500,
    run: liveByCore('foretold', 'hidden outcomes'),
  },
  4: {
    property: 'Last code',
    counts: 'rounds of 50',
    full: 10_000,
    share: 40,
    run: raceForTheLastCode,
  },
  5: { property: 'HTTP retries', counts: 'wishes', full: 10_000, share: 300, run: retryThroughFaults },
  6: {
    property: 'Updates',
    counts: 'updates, of worlds in which they come again and processes are killed',
    full: 10_000,
    share: 500,
    run: liveInWorlds({ counted: 'updates', days: 3, faults: ['again', 'kill'] }),
  },
  7: {
    property: 'Payments',
    counts: 'payments, of worlds in which they are told again, at the kill of a process or a day late',
    full: 5_000,
    share: 4,
    run: liveInWorlds({
      counted: 'payments',
      days: 5,
      faults: ['again', 'killed at the till', 'paid into the night'],
    }),
  },
  9: { property: 'Recovery', counts: 'redemptions left open', full: 1_000, share: 300, run: recoverMany },
  10: {
    property: 'I/O faults',
    counts: 'statements of a life that fail, once and for minutes: at most all',
    full: 15_000,
    share: 60,
    run: sweepLife(['statements']),
  },
  11: { property: 'Hostile input', counts: 'seconds', full: 3_600, share: 30, run: beHostile },
  16: { property: 'Time', counts: 'lives of an account', full: 5_000, share: 300, run: turnTheClock },
  17: {
    property: 'Backup',
    counts: 'restores over whatever lies there',
    full: 200,
    share: 10,
    run: liveByCore('shops', 'restores'),
  },
  18: {
    property: 'Shutdown',
    counts: 'shutdowns under load',
    full: 20,
    share: 2,
    run: async (options) => merge(await shutDownUnderLoad(options), await stopTwice(options)),
  },
  19: {
    property: 'Bulk jobs',
    counts: 'rounds',
    full: 2_000,
    share: 40,
    run: liveByCore('shops', 'rounds'),
  },
  20: {
    property: 'Restores',
    counts: 'restores',
    full: 2_000,
    share: 30,
    run: liveByCore('shops', 'restores'),
  },
  21: {
    property: 'Actions and words',
    counts: 'calls of a life that Telegram fails, in each of its ways: at most all',
    full: 1_000,
    share: 60,
    run: sweepLife(['telegram']),
  },
  22: {
    property: 'Flood',
    counts: 'days of worlds in which some write without end and chats are closed',
    full: 60,
    share: 2,
    run: liveInWorlds({ counted: 'days', days: 5, faults: ['flood', 'crowds of notices'] }),
  },
  23: {
    property: 'Fairness',
    counts: 'seconds of each load',
    full: 15,
    // A measurement: it wants a quiet machine.
    share: 0,
    run: async (options) => merge(await crowdChat(options), await askForMuch(options)),
  },
  25: {
    property: 'The world',
    counts: 'days of the world',
    full: 10_000,
    share: 10,
    run: liveInWorlds({ counted: 'days' }),
  },
  26: { property: 'Takeover', counts: 'takeovers', full: 200, share: 1, run: takeOverByLitestream },
  27: {
    property: 'Places',
    counts: 'rounds of every place',
    full: 20,
    share: 1,
    run: (options) => misplaceDatabases({ ...options, hasSecondMachine: true }),
  },
  28: {
    property: 'Upstreams',
    counts: 'sets of services that fail',
    full: 100_000,
    share: 300,
    run: liveByCore('upstreams', 'sets of services'),
  },
  29: {
    property: 'Orders',
    counts: 'lives of a shop',
    full: 10_000,
    share: 200,
    run: liveByCore('orders', 'worlds'),
  },
  // Of no row alone.
  links: {
    property: 'Claim links',
    counts: 'links, bought by fifty at once over kills',
    full: 1_000,
    share: 100,
    run: sellLinks,
  },
  rekey: {
    property: 'Rekey',
    counts: 'redemptions, sealed anew over 20 kills',
    full: 1_000_000,
    share: 20000,
    run: killRekeys,
  },
  loops: {
    property: 'Everything that can be struck in one life of a shop',
    counts: 'commits, statements and calls struck',
    full: 16_000,
    share: 600,
    run: sweepLife(),
  },
};

// What worlds have left behind, as timers of processes that were killed in them, does not hold up the next row.
process.exit(await main(process.argv.slice(2)));

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '480' }, list: { type: 'boolean', default: false } },
  });
  const [name = '', countText, seedText] = positionals;
  if (name === '' && !values.list && Number(values.minutes) > 0) {
    const shares = Object.entries(ROWS).map(([row, { share }]) => ({ name: row, count: share }));
    const shared = shares.filter(({ count }) => count > 0);
    return spendANight(shared, Number(values.minutes));
  }
  const row = ROWS[name];
  const count = countText === undefined ? row?.full : Number(countText);
  const seed = seedText === undefined ? Date.now() % 1_000_000 : Number(seedText);
  if (!row || !Number.isSafeInteger(count) || !Number.isSafeInteger(seed)) {
    console.error('Usage: npm run torture -- <row> [count] [seed], or without a row: [--minutes N]\n');
    for (const [number, { property, counts, full }] of Object.entries(ROWS)) {
      console.error(`  ${number.padStart(2)}  ${property}: ${full.toLocaleString('en')} ${counts}`);
    }
    return 2;
  }
  console.log(`row ${name}, ${row.property}: ${count} ${row.counts}, seed ${seed}`);
  // Rows that simulate time take the clock of the process.
  const started = process.hrtime.bigint();
  const findings = await row.run({
    count: count ?? row.full,
    seed,
    tell: (line) => console.log(`  … ${line}`),
  });
  const seconds = (process.hrtime.bigint() - started) / 1_000_000_000n;
  console.log(`tried in ${seconds} s: ${JSON.stringify(findings.tried)}`);
  for (const violation of findings.violations) console.log(`VIOLATION ${violation}`);
  console.log(findings.violations.length === 0 ? 'found: nothing' : `found: ${findings.violations.length}`);
  return findings.violations.length === 0 ? 0 : 1;
}
