// The core beside its model: what time is for either, and the comparison of both after every step.
import assert from 'node:assert/strict';

import type { AccountActor } from '../../../../src/core/index.ts';
import { readMonotonicNow } from '../../machine/service.ts';
import { look } from '../../run/rest.ts';
import { conserved } from '../books.ts';
import type { CoreWorld } from '../world.ts';
import {
  accountOf,
  createModel,
  errorCodeOf,
  failModel,
  purchasedLeft,
  redeemModel,
  usedAt,
  WINDOW_MS,
  type Model,
  type ModelKey,
  type ModelRedemption,
} from './model.ts';

export const GAME = 'game_id_1';
export const DENOMINATIONS = [60, 325] as const;
const PURCHASED = [0, 5, 0];
/** In a moment as long as this whatever is due is looked at. */
const LOOKED_MS = 1_100;
/** What is longer passes in a moment: nobody wants to see all of its ticks. */
const LIVED_MS = 10_000;
const HOUR_MS = 3_600_000;

export interface Foretold extends CoreWorld {
  model: Model;
  actors: AccountActor[];
  /** What ages are measured by: the calendar of the start, or what was reached before, and the time since. */
  monotonicNow: () => number;
  /** What dates are over by, besides the calendar. */
  datedNow: () => number;
}

export const actorOf = ({ actors }: Pick<Foretold, 'actors'>, account: number): AccountActor => {
  const actor = actors[account];
  if (!actor) throw new Error(`There is no account ${account}.`);
  return actor;
};

/** `actual` has all of `expected`; of lists each. */
export function same(actual: unknown, expected: unknown, words = 'what is told'): void {
  if (!fits(actual, expected))
    throw new Error(`${words} is to be ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}`);
}

function fits(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length) return false;
  return Object.entries(expected).every(([key, value]) =>
    fits((actual as Record<string, unknown>)[key], value),
  );
}

export async function openWorld(world: CoreWorld): Promise<Foretold> {
  const { service } = world;
  const actors: AccountActor[] = [];
  for (const purchased of PURCHASED) {
    const opened = await service.within(
      service.ask(({ accounts }) =>
        accounts.create({ kind: 'host', by: 'cli' }, { name: 'Shop', days: 3650, purchased }),
      ),
    );
    actors.push({ kind: 'apiKey', accountId: opened.accountId, apiKeyId: 1 });
  }
  const model = createModel(PURCHASED.map((purchased) => ({ purchased })));
  return Object.assign(world, { model, actors, ...scalesOf(world) });
}

/** Of a process that starts now. */
function scalesOf({ time: { machine }, service }: CoreWorld): Pick<Foretold, 'monotonicNow' | 'datedNow'> {
  const datedBase = machine.now() - machine.elapsed();
  return {
    monotonicNow: look(service.disk.databasePath(), readMonotonicNow(machine)),
    datedNow: () => datedBase + machine.elapsed(),
  };
}

/** The process is gone, and another starts: what was pending is in doubt. */
export async function restart(world: Foretold): Promise<void> {
  const { service } = world;
  service.kill();
  Object.assign(world, scalesOf(world));
  await service.within(service.start());
}

export async function pass({ time }: CoreWorld, ms: number): Promise<void> {
  if (ms > LIVED_MS) time.skip(ms);
  await time.passUntil(() => false, ms > LIVED_MS ? LOOKED_MS : Math.max(ms, LOOKED_MS));
}

/** What a key stands for now: 30 days from the end of a redemption, 24 hours from that of bulk work, and while it is open. */
export function findKey(world: Foretold, account: number, key: string | undefined): ModelKey | undefined {
  const found = key === undefined ? undefined : world.model.keys.get(`${account} ${key}`);
  return !found || isOver(world, account, found) || isFreed(found) ? undefined : found;
}

/** Whether any key was over. */
export function forgetOver(world: Foretold): boolean {
  const { keys } = world.model;
  const over = [...keys].filter(([name, key]) => isOver(world, Number(name.split(' ')[0]), key));
  for (const [name] of over) keys.delete(name);
  return over.length > 0;
}

const keptMs = ({ redemption }: ModelKey): number => (redemption ? 30 : 1) * WINDOW_MS;

/** What failed at once and cost nothing leaves its key free. */
function isFreed({ redemption }: ModelKey): boolean {
  if (redemption?.state !== 'failed' || redemption.doubted || redemption.first) return false;
  return redemption.usage?.returned ?? true;
}

export function rememberKey(
  world: Foretold,
  account: number,
  key: string | undefined,
  entry: Omit<ModelKey, 'at'>,
): void {
  if (key !== undefined) world.model.keys.set(`${account} ${key}`, { ...entry, at: world.monotonicNow() });
}

/** When a redemption was settled is the core's own business; both ends are told by the calendar. */
function isOver(world: Foretold, account: number, key: ModelKey): boolean {
  if (key.at > world.monotonicNow() - keptMs(key)) return false;
  const { redemption, endedAt } = key;
  const settledAt = () =>
    redemption && world.service.core().receipts.find(actorOf(world, account), redemption.id)?.settledAt;
  const end = endedAt ?? settledAt() ?? Infinity;
  return end <= Math.min(world.time.machine.now(), world.datedNow()) - keptMs(key);
}

/** Holds what the core has concluded of its doubts against what the platform knows. */
function judgeDoubts(world: Foretold): void {
  for (const redemption of world.model.redemptions)
    if (redemption.state === 'in_doubt') judgeDoubt(world, redemption);
}

/** As the platform has it (machine/platform.ts). */
const SETTLING_MS = 20_000;

function judgeDoubt(world: Foretold, redemption: ModelRedemption): void {
  const { platform, time, service } = world;
  const found = service.core().receipts.find(actorOf(world, redemption.account), redemption.id);
  if (!found || redemption.code === undefined) throw new Error(`Redemption ${redemption.id} is lost.`);
  if (found.state === 'in_doubt') return;
  const truth = platform.find(GAME, redemption.code);
  if (found.state === 'redeemed') {
    assert.equal(truth?.playerId, redemption.playerId, 'a receipt is for what was redeemed for this player');
    redeemModel(redemption);
  } else if (found.errorCode === 'CODE_USED') {
    assert(truth, 'used says that somebody has used it');
    assert.notEqual(truth.playerId, redemption.playerId, 'what was redeemed for this player is theirs');
    failModel(redemption, 'CODE_USED', { code: 'used', charged: true });
  } else {
    assert.equal(truth, undefined, 'a code that is spent never goes back');
    const waited = time.clock.elapsed() - redemption.doubtedElapsed;
    assert(waited >= SETTLING_MS, `a doubt is settled after ${waited} ms`);
    // What comes back from a doubt once more steps behind the others.
    const isAgain = world.model.redemptions.some(
      ({ id, code, doubted, state }) =>
        id < redemption.id && code === redemption.code && doubted && state === 'failed',
    );
    failModel(redemption, redemption.errorCode ?? '', { code: 'back', charged: false });
    if (isAgain && redemption.entry) redemption.entry.returns += 1;
  }
}

/** Everything that can be seen from outside equals the model. */
export function compare(world: Foretold): void {
  judgeDoubts(world);
  world.model.accounts.forEach((_, account) => {
    compareStock(world, account);
    compareQuota(world, account);
  });
  const { redemptions } = world.model;
  redemptions.forEach((redemption) => compareReceipt(world, redemption));
  const open = redemptions.filter(({ state }) => state === 'in_doubt').length;
  same(world.service.core().health.countOpen(), { pending: 0, inDoubt: open });
}

function compareStock(world: Foretold, account: number): void {
  const { model, service } = world;
  const count = (denomination: number, state: string) =>
    model.codes.filter(
      (entry) => entry.account === account && entry.denomination === denomination && entry.state === state,
    ).length;
  const expected = DENOMINATIONS.map((denomination) => ({
    denomination,
    available: count(denomination, 'available') + count(denomination, 'unverified'),
    reserved: 0,
    inDoubt: count(denomination, 'in_doubt'),
  }));
  same(service.core().codes.countStock(actorOf(world, account), GAME), expected, `stock of ${account}`);
}

function compareQuota(world: Foretold, account: number): void {
  const expected = accountOf(world.model, account);
  const used = usedAt(expected, world.monotonicNow());
  const quota = world.service.core().quota(actorOf(world, account));
  const daily = { limit: 300, used: used / 4, remaining: Math.max(0, 1200 - used) / 4 };
  same(quota, { daily, purchased: purchasedLeft(expected) / 4 }, `quota of ${account}`);
  assert((quota.secondsUntilNext ?? 0) <= 86_400);
}

function compareReceipt(world: Foretold, redemption: ModelRedemption): void {
  const { id, account, state, codeReset, code, playerId } = redemption;
  const { receipts } = world.service.core();
  const found = receipts.find(actorOf(world, account), id);
  same(found, { id, state, codeReset, playerId }, `receipt ${id}`);
  const told = [code ?? null, errorCodeOf(redemption) ?? null];
  assert.deepEqual([found?.code, found?.errorCode], told, `receipt ${id}`);
  const isOpen = (redemption.first ?? redemption).state === 'in_doubt';
  assert.equal(found?.settledAt === null, isOpen, `receipt ${id} is final when it is known`);
  assert.equal(receipts.find(actorOf(world, (account + 1) % world.actors.length), id), undefined);
}

/** Time enough for every doubt; then nothing is open but what waits for a person. */
export async function endWorld(world: Foretold): Promise<void> {
  for (let hour = 0; hour < 12; hour += 1) {
    await pass(world, HOUR_MS + 1);
    compare(world);
  }
  const { held } = world.service.core().doubts.summary({ kind: 'host', by: 'cli' });
  same(world.service.core().health.countOpen(), { pending: 0, inDoubt: held });
  world.amiss.push(...conserved(world));
}
