// One life of a shop: a machine under load is lost, once or a few times, and another goes on from what its replica has.
// Programs repeat what was unanswered, or what they have lost the answer of; new orders of the same players follow, for
// a day after the last.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pause } from '../../../../src/waiting.ts';
import { createAccount } from '../../../harness/host.ts';
import { waitUntilSettled } from '../../books.ts';
import { addCodes, makeCode } from '../../client.ts';
import type { Findings } from '../../findings.ts';
import { createSeeded, type Seeded } from '../../../harness/seeded.ts';
import { replicaOf, startMachine, takeOver, type Machine, type TakenOver } from './machine.ts';
import { judge, judgeTakeover } from './oracle.ts';
import {
  anyOrder,
  DENOMINATION,
  lastAnswer,
  newOrder,
  newShop,
  nextKey,
  send,
  sendUntilFinal,
  startTraffic,
  type Clients,
} from './orders.ts';
import type { Replicate } from './replicas.ts';

export interface LifeOptions {
  seed: number;
  takeovers: number;
  replicate: Replicate;
  /** How long a machine serves before it is lost: from, up to. */
  servedMs: readonly [number, number];
  /** Codes of each account, for each takeover. */
  codes: number;
}

export interface Life extends Clients {
  root: string;
  machine: Machine;
  takeovers: TakenOver[];
  tried: Record<string, number>;
  violations: string[];
}

const PER_SECOND = 50;
/** Programs that have lost their own answers of so long. */
const FORGOTTEN_MS = 10_000;
const AFTER_MS = 1_500;
const TOO_MANY = 429;
const MINUTE_MS = 60_000;
/** When new orders follow: without a key they are none that is repeated from two minutes on. */
const FOLLOWING_MS = [3 * MINUTE_MS, 65 * MINUTE_MS, 23 * 60 * MINUTE_MS];
const FOLLOWING = 12;

export async function live(options: LifeOptions): Promise<Findings> {
  const { seed, takeovers, codes } = options;
  const root = mkdtempSync(join(tmpdir(), 'takeover-'));
  const life = await open(root, createSeeded(seed));
  try {
    for (let number = 1; number <= takeovers; number += 1) {
      await fillUp(life, codes);
      await loseMachine(life, number, options);
      if (life.violations.length > 0) break;
    }
    for (const ms of FOLLOWING_MS) await followAfter(life, ms);
    if (!(await waitUntilSettled(life.machine.folder))) life.violations.push('a redemption stays open');
    life.violations.push(...(await judge(life)));
    const returned = life.orders.filter((order) => lastAnswer(order)?.isReturned);
    count(life, 'told that nothing was redeemed', returned.length);
  } finally {
    await life.machine.service.kill();
    rmSync(root, { recursive: true, force: true });
  }
  const { tried, violations } = life;
  return { tried, violations: violations.map((violation) => `seed ${seed}: ${violation}`) };
}

async function open(root: string, seeded: Seeded): Promise<Life> {
  const machine = await startMachine(root, 0);
  const accounts = [await createAccount(machine.folder), await createAccount(machine.folder)];
  const shops = accounts.map(newShop);
  return { root, machine, shops, seeded, orders: [], takeovers: [], tried: {}, violations: [] };
}

/** With what was taken out before, as a shop has it that takes codes out. */
async function fillUp({ machine, shops, seeded, orders }: Life, codes: number): Promise<void> {
  const { url } = machine.service;
  for (const shop of shops) {
    const minted = Array.from({ length: codes }, () => makeCode(seeded, `${DENOMINATION}S`));
    for (const code of await addCodes(url, shop, DENOMINATION, minted)) shop.stock.add(code);
    const order = { ...newOrder(shop, { kind: 'extract', key: nextKey(), playerId: '' }), amount: 5 };
    orders.push(order);
    await send(url, order);
  }
}

async function loseMachine(life: Life, number: number, { replicate, servedMs }: LifeOptions): Promise<void> {
  const { seeded, root } = life;
  const replica = await replicaOf(root, number, life.machine, replicate);
  const traffic = startTraffic(life.machine.service.url, () => anyOrder(life, 70), {
    perSecond: PER_SECOND,
    send,
  });
  await pause(servedMs[0] + seeded.below(servedMs[1] - servedMs[0]));
  const lost = takeOver(root, { number, machine: life.machine, replica });
  traffic.end();
  await traffic.ended();
  const takenOver = await lost;
  life.machine = takenOver.machine;
  life.takeovers.push(takenOver);
  await goOn(life, takenOver);
  noteTakeover(life, takenOver);
  life.violations.push(...judgeTakeover(life, takenOver));
}

/** Everything is repeated at once, beside new orders; whoever has no key knows only of what was not answered. */
async function goOn(life: Life, { diedAt }: TakenOver): Promise<void> {
  const { seeded, machine, orders } = life;
  const repeated = orders.filter((order) => {
    const last = lastAnswer(order);
    if (!last) return order.key !== undefined || order.kind !== 'extract';
    // Nothing was touched.
    if (order.key === undefined) return last.status === TOO_MANY;
    return !last.isFinal || (last.at > diedAt - FORGOTTEN_MS && seeded.chance(0.5));
  });
  const { url } = machine.service;
  const traffic = startTraffic(url, () => anyOrder(life, 100), {
    perSecond: PER_SECOND,
    send: sendUntilFinal,
  });
  const repeating = repeated.map(async (order) => {
    await pause(seeded.below(AFTER_MS));
    await sendUntilFinal(url, order);
  });
  await pause(AFTER_MS);
  traffic.end();
  await Promise.all([...repeating, traffic.ended()]);
  count(life, 'repeated', repeated.length);
}

function noteTakeover(life: Life, { asOf, diedAt, unverified, inQuestion, knownPlayers }: TakenOver): void {
  const lost = life.orders.filter(
    ({ kind, playerId, answers }) =>
      kind !== 'extract' && answers.some(({ at }) => at < diedAt) && !knownPlayers.has(playerId),
  );
  count(life, 'takeovers', 1);
  count(life, 'lost ms', Math.max(0, diedAt - asOf));
  count(life, 'answered orders of players that are lost', lost.length);
  count(life, 'unverified', unverified);
  count(life, 'in question', inQuestion);
}

/**
 * The same players buy again, with a key and without; and what was ordered before is asked for once more under its key.
 */
async function followAfter(life: Life, aheadMs: number): Promise<void> {
  const { machine, seeded, orders } = life;
  await machine.advance(aheadMs);
  const { url } = machine.service;
  const earlier = orders.filter(({ kind }) => kind === 'regular' || kind === 'new');
  const again = Array.from({ length: FOLLOWING }, () => {
    const { shop, kind, playerId, key } = seeded.pick(earlier);
    const order = newOrder(shop, { kind, playerId, key: key === undefined ? undefined : nextKey() });
    orders.push(order);
    return order;
  });
  // Whatever was not asked for within the hour is new.
  const servedAt = life.takeovers.at(-1)?.diedAt ?? 0;
  const heard = earlier.filter((order) => order.key !== undefined && (lastAnswer(order)?.at ?? 0) > servedAt);
  const repeated = Array.from({ length: FOLLOWING }, () => seeded.pick(heard));
  await Promise.all([...again, ...new Set(repeated)].map((order) => sendUntilFinal(url, order)));
  count(life, 'orders of the day after', FOLLOWING);
}

function count({ tried }: Pick<Life, 'tried'>, what: string, by: number): void {
  tried[what] = (tried[what] ?? 0) + by;
}
