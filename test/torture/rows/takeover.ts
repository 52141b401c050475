// Row 26 of the scorecard: a machine under load is lost with its folder, once or a few times, and another goes on from
// what its replica has, as docs/backups.md has it. Programs repeat what was unanswered, or what they have lost the
// answer of; new orders of the same players follow, for a day after the last. No player gets two codes for one order,
// no order is swallowed, no code goes to two buyers.
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pause } from '../../../src/waiting.ts';
import { createAccount } from '../../harness/host.ts';
import { runCliHere } from '../../harness/run-here.ts';
import { createSeeded } from '../../harness/seeded.ts';
import { check, query, waitUntilSettled } from '../books.ts';
import { addCodes, makeCode } from '../client.ts';
import { count, inParts, merge, nothingFound, type Findings, type TortureOptions } from '../findings.ts';
import { serviceEnv, spawnService, type Service } from '../process.ts';
import { copyOnce, fetchLitestream, type Replica, type Replicate } from './replicas.ts';
import { judge, judgeTakeover, type TakenOver } from './takeover-oracle.ts';
import {
  anyOrder,
  DENOMINATION,
  isFinal,
  isReturned,
  lastAnswer,
  newOrder,
  newShop,
  nextKey,
  send,
  sendUntilFinal,
  startTraffic,
  type Clients,
  type Order,
} from './takeover-orders.ts';

interface LifeOptions {
  replicate: Replicate;
  /** How long a machine serves before it is lost: from, up to. */
  servedMs: readonly [number, number];
  /** Codes of each account, for each takeover. */
  codes: number;
}

interface Life extends Clients, Findings, LifeOptions {
  root: string;
  /** The files of the machine that serves; lost with it. */
  folder: string;
  service: Service;
  takeovers: TakenOver[];
}

const AHEAD = fileURLToPath(new URL('../../harness/ahead.ts', import.meta.url));
const KEY_FILE = 'encryption.key';
const MOST_TAKEOVERS = 3;
/** One in so many has the interval that Litestream has by itself. */
const SELDOM_SYNCED = 10;
const PER_SECOND = 50;
/** Programs that have lost their own answers of so long. */
const FORGOTTEN_MS = 10_000;
const AFTER_MS = 1_500;
const TOO_MANY = 429;
const MINUTE_MS = 60_000;
/** When new orders follow. */
const FOLLOWING_MS = [3 * MINUTE_MS, 65 * MINUTE_MS, 23 * 60 * MINUTE_MS];
const FOLLOWING = 12;

/** `count` takeovers from what Litestream has brought away until then. */
export async function takeOverByLitestream(options: TortureOptions): Promise<Findings> {
  const litestream = await fetchLitestream();
  const seldom = Math.floor(options.count / SELDOM_SYNCED);
  try {
    return merge(
      await liveOn(
        { ...options, count: options.count - seldom },
        { replicate: litestream.replicate('1s'), servedMs: [5_000, 9_000], codes: 800 },
      ),
      await liveOn(
        { ...options, count: seldom, seed: options.seed + options.count },
        { replicate: litestream.replicate('10s'), servedMs: [40_000, 60_000], codes: 3_000 },
      ),
    );
  } finally {
    litestream.remove();
  }
}

/** `count` takeovers from a copy that was made by hand a while before: the small size. */
export const takeOverByCopy = (options: TortureOptions): Promise<Findings> =>
  liveOn(options, { replicate: copyOnce(1_000), servedMs: [2_000, 3_000], codes: 300 });

const liveOn = (options: TortureOptions, life: LifeOptions): Promise<Findings> =>
  inParts(options, { most: MOST_TAKEOVERS, of: 'takeovers' }, (most, seed) =>
    live(seed, Math.min(1 + ((seed - options.seed) % MOST_TAKEOVERS), most), life),
  );

async function live(seed: number, takeovers: number, options: LifeOptions): Promise<Findings> {
  const root = mkdtempSync(join(tmpdir(), 'takeover-'));
  const folder = join(root, 'machine-0');
  mkdirSync(join(root, 'platform'));
  const service = await serve(root, folder);
  const shops = [await createAccount(folder), await createAccount(folder)].map(newShop);
  const common = { ...options, ...nothingFound(), orders: [], takeovers: [], seeded: createSeeded(seed) };
  const life: Life = { ...common, root, folder, service, shops };
  const { violations, orders } = life;
  try {
    for (let number = 1; number <= takeovers && violations.length === 0; number += 1) {
      await fillUp(life);
      await loseMachine(life, number);
    }
    for (const ms of FOLLOWING_MS) await followAfter(life, ms);
    if (!(await waitUntilSettled(life.folder))) violations.push('a redemption stays open');
    violations.push(...judge(join(root, 'platform'), life), ...(await check(life.folder)));
    count(life, 'told that nothing was redeemed', orders.filter(isReturned).length);
  } finally {
    await life.service.kill();
    rmSync(root, { recursive: true, force: true });
  }
  return { tried: life.tried, violations: violations.map((violation) => `seed ${seed}: ${violation}`) };
}

/** Starts the service over the files of a folder, or over none; the platform's file lies elsewhere. */
function serve(root: string, folder: string): Promise<Service> {
  mkdirSync(folder, { recursive: true });
  const env = {
    SANDBOX_PATH: join(root, 'platform', 'sandbox.db'),
    SANDBOX_LATENCY_MS: '20',
    // On a machine in other hands an answer may take long; nothing of that is an order that failed.
    PLATFORM_TIMEOUT_MS: '30000',
    TORTURE_AHEAD: 'yes',
  };
  return spawnService({ folder, env, preload: AHEAD });
}

/** With what was taken out before, as a shop has it that takes codes out. */
async function fillUp({ service: { url }, shops, seeded, orders, codes }: Life): Promise<void> {
  for (const shop of shops) {
    const minted = Array.from({ length: codes }, () => makeCode(seeded, `${DENOMINATION}S`));
    for (const code of await addCodes(url, shop, DENOMINATION, minted)) shop.stock.add(code);
    const order = newOrder(shop, { kind: 'extract', key: nextKey(), playerId: '', amount: 5 });
    orders.push(order);
    await send(url, order);
  }
}

async function loseMachine(life: Life, number: number): Promise<void> {
  const { seeded, root, replicate, servedMs, folder, orders } = life;
  const { url } = life.service;
  const replica = await replicate(serviceEnv(folder).DATABASE_PATH ?? '', join(root, `replica-${number}`));
  const traffic = startTraffic(PER_SECOND, () => send(url, anyOrder(life, 70)));
  await pause(servedMs[0] + seeded.below(servedMs[1] - servedMs[0]));
  const lost = takeOver(life, number, replica);
  await traffic.end();
  const takenOver = await lost;
  const { asOf, diedAt, knownPlayers } = takenOver;
  life.takeovers.push(takenOver);
  await goOn(life, diedAt);
  const isLost = ({ kind, playerId, answers }: Order) =>
    kind !== 'extract' && answers.some(({ at }) => at < diedAt) && !knownPlayers.has(playerId);
  count(life, 'takeovers');
  count(life, 'lost ms', Math.max(0, diedAt - asOf));
  count(life, 'answered orders of players that are lost', orders.filter(isLost).length);
  life.violations.push(...judgeTakeover(orders, takenOver));
}

/** Both die at once, their folder is gone but for the key, and the next machine goes on from what the replica has. */
async function takeOver(life: Life, number: number, replica: Replica): Promise<TakenOver> {
  const { root, folder: died } = life;
  await Promise.all([life.service.kill('SIGKILL'), replica.kill()]);
  const diedAt = Date.now();
  renameSync(died, `${died}.lost`);
  const folder = join(root, `machine-${number}`);
  mkdirSync(folder);
  copyFileSync(join(`${died}.lost`, KEY_FILE), join(folder, KEY_FILE));
  const { exitCode, lines, stderr } = await runCliHere(folder, 'restore', await replica.fetch());
  if (exitCode !== 0) throw new Error(`restore ended with ${exitCode}: ${stderr}`);
  const { asOf, unverified, inQuestion } = lines.at(-1) as Record<string, string | number>;
  const players = query(folder, 'select distinct player_id as id from redemptions') as { id: string }[];
  count(life, 'unverified', Number(unverified));
  count(life, 'in question', Number(inQuestion));
  Object.assign(life, { folder, service: await serve(root, folder) });
  const knownPlayers = new Set(players.map(({ id }) => id));
  return { asOf: Date.parse(String(asOf)), diedAt, backAt: Date.now(), knownPlayers };
}

/** Everything is repeated at once, beside new orders; whoever has no key knows only of what was not answered. */
async function goOn(life: Life, diedAt: number): Promise<void> {
  const { seeded, orders } = life;
  const { url } = life.service;
  const repeated = orders.filter((order) => {
    const last = lastAnswer(order);
    if (!last) return order.key !== undefined || order.kind !== 'extract';
    // Nothing was touched.
    if (order.key === undefined) return last.status === TOO_MANY;
    return !isFinal(order) || (last.at > diedAt - FORGOTTEN_MS && seeded.chance(0.5));
  });
  const traffic = startTraffic(PER_SECOND, () => sendUntilFinal(url, anyOrder(life, 100)));
  const repeating = repeated.map(async (order) => {
    await pause(seeded.below(AFTER_MS));
    await sendUntilFinal(url, order);
  });
  await pause(AFTER_MS);
  await Promise.all([...repeating, traffic.end()]);
  count(life, 'repeated', repeated.length);
}

/** The same players buy again, with a key and without; and what was ordered before is asked for again under its key. */
async function followAfter(life: Life, aheadMs: number): Promise<void> {
  const { service, seeded, orders, takeovers } = life;
  await service.command({ aheadMs });
  const earlier = orders.filter(({ kind }) => kind === 'regular' || kind === 'new');
  const again = Array.from({ length: FOLLOWING }, () => {
    const { shop, kind, playerId, key } = seeded.pick(earlier);
    return newOrder(shop, { kind, playerId, key: key === undefined ? undefined : nextKey() });
  });
  orders.push(...again);
  // Whatever was not asked for within the hour is new.
  const servedAt = takeovers.at(-1)?.diedAt ?? 0;
  const heard = earlier.filter((order) => order.key !== undefined && (lastAnswer(order)?.at ?? 0) > servedAt);
  const repeated = new Set(Array.from({ length: FOLLOWING }, () => seeded.pick(heard)));
  await Promise.all([...again, ...repeated].map((order) => sendUntilFinal(service.url, order)));
  count(life, 'orders of the day after', FOLLOWING);
}
