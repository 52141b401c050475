// Row 11: how long the event loop is held while it redeems, serves POST /redeem, adds codes, and does all of it on a
// file with history while the command line makes a backup and a check.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { makeCodes, openBenchCore, type BenchCore } from './bench-core.ts';
import {
  count as told,
  roundsOf,
  scaled,
  value,
  word,
  type BenchGroup,
  type BenchOptions,
  type Figure,
} from './figures.ts';
import { openHistory } from './history/history.ts';
import { serve } from './http.ts';
import { startClient, type LoadClient } from './http-load.ts';
import { takeTurns } from './rounds.ts';
import { CLI, ROOT } from '../torture/process.ts';
import { serviceEnvironment } from './service-process.ts';
import { AT_ONCE, DENOMINATION, GAME_ID } from './terms.ts';
import { watchTurns, type Turns } from './turns.ts';

const AT = { host: '127.0.0.1', port: 0 };

export const longestTurns: BenchGroup = {
  rows: [11],

  async measure(_row, options) {
    const count = scaled(options, { tiny: 200, quick: 4_000, normal: 16_000 });
    const codes = scaled(options, { tiny: 500, quick: 30_000, normal: 100_000 });
    const mixtureMs = scaled(options, { tiny: 1_000, quick: 10_000, normal: 30_000, full: 120_000 });
    const figures = [
      ...(await measure(options, `${told(count)} redemptions`, openRedeeming(count, roundsOf(options)))),
      ...(await measure(options, `${told(count)} POST /redeem`, openServing(count, roundsOf(options)))),
      ...(await measure(options, `adding ${told(codes)} codes`, openAdding(codes))),
    ];
    const { path, redemptions } = await openHistory(options);
    const mixture = `all of it, backup and check beside, ${told(redemptions)} redemptions`;
    return [
      ...figures,
      ...(await measure(options, mixture, openMixture(path, mixtureMs, roundsOf(options)))),
    ];
  },
};

/** Something that can be done again and again. */
interface Work {
  run(): Promise<void>;
  close(): Promise<void>;
}

async function measure(options: BenchOptions, what: string, opening: Promise<Work>): Promise<Figure[]> {
  const work = await opening;
  options.tell(`11: ${what}`);
  const { turns, load } = await takeTurns(roundsOf(options), {
    turns: async (): Promise<Turns> => {
      const watched = watchTurns();
      await work.run();
      return watched.stop();
    },
  });
  await work.close();
  const of = (name: 'longestMs' | 'mostWorkMs' | 'p999Ms') => turns.map((each) => each[name]);
  const waited = `of a turn at most ${word(Math.max(...of('mostWorkMs')), 'ms')} is work: the rest of a longer one waits, for the disk or a core`;
  return [
    value(11, `longest turn: ${what}`, {
      values: of('longestMs'),
      atMost: 25,
      unit: 'ms',
      load,
      longest: true,
      note: waited,
    }),
    value(11, `p99.9 of turns: ${what}`, { values: of('p999Ms'), atMost: 10, unit: 'ms', load }),
  ];
}

async function openRedeeming(count: number, rounds: number): Promise<Work> {
  const bench = await openBenchCore();
  await bench.fill((rounds + 1) * count + 1_000);
  await bench.redeem(count);
  return { run: async () => void (await bench.redeem(count)), close: () => bench.close() };
}

async function openServing(requests: number, rounds: number): Promise<Work> {
  const bench = await openBenchCore();
  await bench.fill((rounds + 1) * requests + 1_000);
  const { client, load, close } = await openHttp(bench);
  await client.run({ ...load, requests });
  return {
    run: async () => void (await client.run({ ...load, requests })),
    async close() {
      await close();
      await bench.close();
    },
  };
}

async function openHttp(bench: BenchCore, { ownCore = true } = {}) {
  const server = serve(bench.core);
  const { port } = await server.listen(AT);
  const client: LoadClient = startClient({ ownCore });
  const load = { port, connections: AT_ONCE, apiKeys: bench.accounts.map(({ apiKey }) => apiKey) };
  return {
    client,
    load,
    async close() {
      client.close();
      await server.close();
    },
  };
}

async function openAdding(count: number): Promise<Work> {
  const bench = await openBenchCore({ accounts: 1 });
  const add = () => addTo(bench, count);
  await addTo(bench, Math.ceil(count / 10));
  return { run: add, close: () => bench.close() };
}

async function addTo({ core, accounts: [account] }: BenchCore, count: number): Promise<void> {
  if (!account) throw new Error('There is no account.');
  // A list of codes is never made in one turn: it arrives in pieces.
  const codes: string[] = [];
  while (codes.length < count) {
    codes.push(...makeCodes(Math.min(1_000, count - codes.length)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await core.codes.add(account.actor, GAME_ID, [{ denomination: DENOMINATION, codes }]);
}

const PER_LOAD = 500;
const PER_IMPORT = 10_000;

/** In stock for each second, which is more than is redeemed. */
const PER_SECOND = 5_000;

async function openMixture(path: string, forMs: number, rounds: number): Promise<Work> {
  const bench = await openBenchCore({ path });
  let left = Math.ceil((rounds * forMs * PER_SECOND) / 1000);
  await bench.fill(left + 2 * PER_LOAD);
  // What runs beside would share the core that is left.
  const { client, load, close } = await openHttp(bench, { ownCore: false });
  const take = (): number => {
    left -= PER_LOAD;
    return PER_LOAD;
  };
  return {
    async run() {
      const until = performance.now() + forMs;
      const repeat = async (work: () => Promise<unknown>): Promise<void> => {
        while (performance.now() < until && left > 0) await work();
      };
      await Promise.all([
        repeat(() => client.run({ ...load, requests: take() })),
        repeat(() => bench.redeem(take())),
        repeat(() => addTo(bench, PER_IMPORT)),
        repeat(() => runBeside(path, until, until - forMs / 2)),
      ]);
    },
    async close() {
      await close();
      await bench.close();
    },
  };
}

/** A backup for the first half of the time, a check for the second, again and again, as the host makes them. */
async function runBeside(path: string, until: number, half: number): Promise<void> {
  const folder = dirname(path);
  const target = join(folder, 'backup.db');
  if (performance.now() >= half) return runUntil(folder, until, 'check');
  await runUntil(folder, half, 'backup', target);
  rmSync(target, { force: true });
}

/** Ends it where it is when the time is over. */
async function runUntil(folder: string, until: number, ...words: string[]): Promise<void> {
  const leftMs = until - performance.now();
  if (leftMs <= 0) return;
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd: ROOT,
    env: serviceEnvironment(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), leftMs);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${words[0]} ended with ${code}.`);
}
