// The real core beside its model, and the comparison of both after every step.
import Database from 'better-sqlite3';
import { expect } from 'vitest';

import type { ApiKeyActor, Core } from '../../src/core/index.ts';
import { createRecovery } from '../../src/core/redemption/recover.ts';
import { createInFlight } from '../../src/core/redemption/in-flight.ts';
import { checkConservation } from '../../src/store/backup/conservation.ts';
import { openTestCore, type TestCore } from '../harness/core.ts';
import {
  errorCodeOf,
  accountOf,
  createModel,
  failModel,
  purchasedLeft,
  redeemModel,
  usedAt,
  WINDOW_MS,
  type Model,
  type ModelRedemption,
} from './model.ts';

export const GAME = 'game_id_1';
export const DENOMINATIONS = [60, 325] as const;
/** How long the scripted platform may turn "not redeemed" into "redeemed". */
const LATE_MS = 1_500;

export interface World {
  t: TestCore;
  model: Model;
  /** The core of the process that lives now. */
  core: Core;
  actors: ApiKeyActor[];
  /** What the scale of ages said when the process that lives now began, less the time that had passed until then. */
  monotonicBase: number;
  /** The same of the calendar. */
  datedBase: number;
  /** Attempts that the platform will carry out after its answer was given up. */
  late: { code: string; playerId: string; redeemedAt: number; due: number }[];
  paid: number;
}

/** Three accounts, one of them with purchased activations. */
export async function openWorld(): Promise<World> {
  const t = await openTestCore({ platformHasOwnClock: true });
  const purchased = [0, 5, 0];
  const actors: ApiKeyActor[] = [];
  for (const each of purchased) actors.push(await t.openAccount({ days: 3650, purchased: each }));
  const model = createModel(purchased.map((each) => ({ purchased: each })));
  const monotonicBase = t.clock.now() - t.clock.elapsed();
  return { t, model, core: t.core, actors, monotonicBase, datedBase: monotonicBase, late: [], paid: 0 };
}

/**
 * What ages are measured by: the calendar of the start, or what was reached before, and the time since, however the
 * calendar jumps.
 */
export const monotonicNow = ({ t, monotonicBase }: World): number => monotonicBase + t.clock.elapsed();

/** What dates are over by, besides the calendar. */
export const datedNow = ({ t, datedBase }: World): number => datedBase + t.clock.elapsed();

export const actorOf = (world: World, account: number): ApiKeyActor => {
  const actor = world.actors[account];
  if (!actor) throw new Error(`There is no account ${account}.`);
  return actor;
};

/** Time passes, and what the platform still had under way ends. */
export function pass(world: World, ms: number): void {
  const { clock, platform } = world.t;
  clock.advance(ms);
  for (const { code, playerId, redeemedAt, due } of world.late.splice(0)) {
    if (due > clock.elapsed()) world.late.push({ code, playerId, redeemedAt, due });
    else if (!platform.spent.has(code)) platform.spent.set(code, { playerId, redeemedAt });
  }
}

export function endLate(world: World, code: string, playerId: string): void {
  const { clock, platform } = world.t;
  const due = clock.elapsed() + LATE_MS;
  world.late.push({ code, playerId, redeemedAt: platform.now() + LATE_MS, due });
}

/** The process is killed and another starts: what was pending is in doubt. */
export async function restart(world: World): Promise<void> {
  const { t } = world;
  world.core = t.restart();
  const reached = t.store.read(({ quota }) => quota.readScale().newestStart) + WINDOW_MS;
  world.datedBase = t.clock.now() - t.clock.elapsed();
  world.monotonicBase = Math.max(t.clock.now(), reached) - t.clock.elapsed();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { store, platform, clock } = t;
  await createRecovery({ store, upstreams: platform, clock, log, inFlight: createInFlight() })();
}

/** What a restored backup leaves: nothing in stock is known to be unspent. */
export function restore({ t, model }: World): void {
  const connection = new Database(t.store.path);
  connection.exec("update codes set state = 'unverified' where state = 'available'");
  connection.close();
  for (const entry of model.codes) if (entry.state === 'available') entry.state = 'unverified';
}

/** Lets the core look at its doubts, and holds what it concluded against what the platform knows. */
export async function settle(world: World): Promise<void> {
  await world.core.settleDoubts();
  for (const redemption of world.model.redemptions)
    if (redemption.state === 'in_doubt') judgeDoubt(world, redemption);
}

function judgeDoubt(world: World, redemption: ModelRedemption): void {
  const { platform, clock } = world.t;
  const found = world.core.receipts.find(actorOf(world, redemption.account), redemption.id);
  if (!found || !redemption.code) throw new Error(`Redemption ${redemption.id} is lost.`);
  const truth = platform.spent.get(redemption.code);
  if (found.state === 'in_doubt') return;
  if (found.state === 'redeemed') {
    expect(truth?.playerId, 'a receipt for what was redeemed for this player').toBe(redemption.playerId);
    redeemModel(redemption);
  } else if (found.errorCode === 'CODE_USED') {
    expect(truth, 'used says that somebody has used it').toBeDefined();
    expect(truth?.playerId, 'what was redeemed for this player is his').not.toBe(redemption.playerId);
    failModel(redemption, 'CODE_USED', { code: 'used', charged: true });
  } else {
    expect(truth, 'a code that is spent never goes back').toBeUndefined();
    expect(world.late.some(({ code }) => code === redemption.code)).toBe(false);
    expect(clock.elapsed() - redemption.doubtedElapsed).toBeGreaterThanOrEqual(platform.settlingMs);
    failModel(redemption, redemption.errorCode ?? '', { code: 'back', charged: false });
  }
}

/** Everything that can be seen from outside equals the model. */
export function compare(world: World): void {
  world.model.accounts.forEach((_, account) => {
    compareStock(world, account);
    compareQuota(world, account);
  });
  const { redemptions } = world.model;
  redemptions.forEach((redemption) => compareReceipt(world, redemption));
  const open = redemptions.filter(({ state }) => state === 'in_doubt').length;
  expect(world.core.health.countOpen()).toEqual({ pending: 0, inDoubt: open });
}

function compareStock(world: World, account: number): void {
  const { model, core } = world;
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
  expect(core.codes.countStock(actorOf(world, account), GAME)).toMatchObject(expected);
}

function compareQuota(world: World, account: number): void {
  const { t, model, core, actors } = world;
  const expected = accountOf(model, account);
  const used = usedAt(expected, monotonicNow(world));
  const quota = core.quota(actors[account] ?? t.actor);
  expect(quota.daily).toEqual({ limit: 300, used: used / 4, remaining: Math.max(0, 1200 - used) / 4 });
  expect(quota.purchased).toBe(purchasedLeft(expected) / 4);
  expect(quota.secondsUntilNext).toBeLessThanOrEqual(86_400);
}

function compareReceipt(world: World, redemption: ModelRedemption): void {
  const { id, account, state, codeReset, code } = redemption;
  const found = world.core.receipts.find(actorOf(world, account), id);
  expect(found).toMatchObject({ id, state, codeReset, playerId: redemption.playerId });
  expect([found?.code, found?.errorCode]).toEqual([code, errorCodeOf(redemption)]);
  const isOpen = (redemption.first ?? redemption).state === 'in_doubt';
  expect(found?.settledAt === undefined, 'is final when it is known').toBe(isOpen);
  const stranger = actorOf(world, (account + 1) % world.actors.length);
  expect(world.core.receipts.find(stranger, id)).toBeUndefined();
}

/** Time enough for every doubt; then nothing is open, and the file is conserved. */
export async function closeWorld(world: World): Promise<void> {
  try {
    for (let hour = 0; hour < 5; hour += 1) {
      pass(world, 60 * 60 * 1000 + 1);
      await settle(world);
    }
    compare(world);
    // What a person has to say the last word about waits for one.
    const { held } = world.core.doubts.summary({ kind: 'host', by: 'cli' });
    expect(world.core.health.countOpen()).toEqual({ pending: 0, inDoubt: held });
    const connection = new Database(world.t.store.path, { readonly: true });
    expect(checkConservation(connection, { secrets: world.t.store.secrets }).rows).toEqual([]);
    connection.close();
  } finally {
    await world.t.close();
  }
}
