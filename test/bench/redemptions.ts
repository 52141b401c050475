// Rows 1 and 2: redemptions through the core, beside the same writes without us, and in PostgreSQL.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { openBenchCore, type BenchCore } from './bench-core.ts';
import type { WrittenBytes } from './bytes-worker.ts';
import {
  compare,
  count as told,
  roundsOf,
  scaled,
  skipped,
  value,
  type BenchGroup,
  type BenchOptions,
  type Figure,
} from './figures.ts';
import { makeFolder } from './folders.ts';
import { takeTurns } from './rounds.ts';
import { openPostgres } from './yardstick/postgres.ts';
import { openRaw } from './yardstick/raw.ts';

const UNIT = 'redemptions/s';
const WARM_UP = { tiny: 100, quick: 1_000, normal: 1_000 };
const TITLES = {
  1: 'redemptions through the core / raw better-sqlite3, 64 a commit',
  2: 'redemptions through the core / PostgreSQL 15, stored functions',
};

export const redemptions: BenchGroup = {
  rows: [1, 2],
  async measure(row, options) {
    return row === 1
      ? [await measureRaw(options), await measureBytes(options)]
      : [await measurePostgres(options)];
  },
};

async function measureRaw(options: BenchOptions): Promise<Figure> {
  const rounds = roundsOf(options);
  const count = scaled(options, { tiny: 200, quick: 4_000, normal: 16_000 });
  options.tell(`1: ${rounds} rounds of ${count} redemptions beside raw writes`);
  const stock = rounds * count + scaled(options, WARM_UP) + 1_000;
  const { folder, remove } = makeFolder();
  const [ours, raw] = [await openOurs(options, stock), openRaw(folder, stock)];
  raw.redeem(scaled(options, WARM_UP));
  const rates = await takeTurns(rounds, { ours: () => ours.redeem(count), raw: () => raw.redeem(count) });
  await ours.close();
  raw.close();
  remove();
  const { load } = rates;
  return compare(1, TITLES[1], { ours: rates.ours, against: rates.raw, atLeast: 1.2, unit: UNIT, load });
}

/** In a process of its own: what the system counts is of whole processes. */
async function measureBytes(options: BenchOptions): Promise<Figure> {
  const count = scaled(options, { tiny: 200, quick: 4_000, normal: 16_000 });
  options.tell(`1: bytes written by ${count} redemptions`);
  const title = `bytes written per redemption (write_bytes of /proc/self/io, last checkpoint included)`;
  const { written, load } = await takeTurns(roundsOf(options), { written: () => writeInChild(count) });
  if (!written.every((bytes) => bytes > 0))
    return skipped(1, title, 'the system does not count them, or the folder is no disk', '<= 30 KB');
  const values = written.map((bytes) => bytes / 1000);
  return value(1, title, { values, atMost: 30, unit: 'KB', load });
}

async function writeInChild(redemptions: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('bytes-worker.ts', import.meta.url)));
  const exited = once(child, 'exit');
  const answered = once(child, 'message') as Promise<[WrittenBytes]>;
  child.send({ redemptions });
  const answer = await Promise.race([answered, exited.then(() => undefined)]);
  if (answer === undefined) throw new Error('The process that counts bytes ended early.');
  child.disconnect();
  await exited;
  return answer[0].perRedemption;
}

async function measurePostgres(options: BenchOptions): Promise<Figure> {
  const rounds = roundsOf(options);
  const { folder, remove } = makeFolder();
  const postgres = await openPostgres(folder);
  if (postgres.status === 'skipped') return skipped(2, TITLES[2], postgres.why, '>= 4');
  const { peer } = postgres;
  const seconds = scaled(options, { tiny: 1, quick: 12, normal: 40 });
  const count = scaled(options, { tiny: 200, quick: 8_000, normal: 32_000 });
  options.tell(`2: ${rounds} rounds of ${count} redemptions, and of ${seconds} s of PostgreSQL`);
  const ours = await openOurs(options, rounds * count + scaled(options, WARM_UP) + 1_000);
  const rates = await takeTurns(rounds, {
    ours: () => ours.redeem(count),
    postgres: () => peer.redeem(seconds),
  });
  const { load } = rates;
  const compared = { ours: rates.ours, against: rates.postgres, atLeast: 4, unit: UNIT, load };
  const figure = compare(2, TITLES[2], { ...compared, note: peer.describe() });
  await peer.close();
  await ours.close();
  remove();
  return figure;
}

async function openOurs(options: BenchOptions, stock: number): Promise<BenchCore> {
  options.tell(`   filling in ${told(stock)} codes`);
  const bench = await openBenchCore();
  await bench.fill(stock);
  await bench.redeem(scaled(options, WARM_UP));
  return bench;
}
