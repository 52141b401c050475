// Redemptions as commands: the platform's answer is scripted, and the model tells what must come of it.
import { expect } from 'vitest';

import type { PlatformOrder, RedeemOutcome, RefusalCode } from '../../src/platform/port.ts';
import {
  REFUSALS,
  WINDOW_MS,
  accountOf,
  usageModel,
  doubtModel,
  failModel,
  findLive,
  findOwned,
  isTakeable,
  takeFrom,
  redeemModel,
  type ModelCode,
  type ModelRedemption,
} from './model.ts';
import { findKey, rememberKey, type KeyName } from './keys.ts';
import { GAME, actorOf, endLate, restart, monotonicNow, type World } from './world.ts';

/** What the platform does with an order, and what it says. */
export const BEHAVIOURS = [
  'redeems',
  ...Object.keys(REFUSALS),
  'hides a redemption',
  'hides that it did nothing',
  'hides a redemption to come',
  'garbles a redemption',
  'is cut off by a crash after redeeming',
  'is cut off by a crash before redeeming',
] as const;
type Behaviour = (typeof BEHAVIOURS)[number];

export interface RedeemArguments {
  account: number;
  playerId: string;
  /** Exactly one. */
  denomination?: number;
  code?: string;
  behaviour: Behaviour;
  key?: KeyName;
}

/** Redeems for real and in the model; both must tell the same. */
export async function runRedeem(world: World, given: RedeemArguments): Promise<void> {
  const { account, playerId, denomination, code, key } = given;
  const request = {
    gameId: GAME,
    playerId,
    ...(denomination !== undefined && { denomination }),
    ...(code !== undefined && { code }),
    ...(key && { idempotencyKey: { scope: 'http' as const, key } }),
  };
  const sent: PlatformOrder[] = [];
  const spentBefore = new Set(world.t.platform.spent.keys());
  const crashed = scriptPlatform(world, given.behaviour, sent);
  const answering = world.core.redeem(actorOf(world, account), request);
  const told = await Promise.race([answering.catch((error: { code: string }) => error), crashed]);
  delete world.t.platform.script.redeem;
  // By the scales of the process in which it began.
  const expected = predict(world, given, spentBefore);
  if (told === 'crashed') await restart(world);

  if ('refused' in expected) {
    expect(told).toMatchObject(expected.refused);
    expect(sent).toEqual([]);
    return;
  }
  const { redemption, replayed, order } = expected;
  expect(sent.map(({ code, playerId }) => ({ code, playerId }))).toEqual(order ? [order] : []);
  if (told === 'crashed') {
    redemption.id = newestId(world, account);
    return;
  }
  if (!('status' in told) || told.status !== 'answered') throw new Error(JSON.stringify(told));
  if (redemption.id === 0) redemption.id = told.redemption.id;
  expect(told).toMatchObject({ replayed, redemption: { id: redemption.id, state: redemption.state } });
}

const newestId = (world: World, account: number) =>
  Math.max(...world.core.receipts.list(actorOf(world, account), {}).map(({ id }) => id));

function scriptPlatform(world: World, behaviour: Behaviour, sent: PlatformOrder[]): Promise<'crashed'> {
  const { platform } = world.t;
  return new Promise((crash) => {
    platform.script.redeem = (order) => {
      sent.push(order);
      if (!behaviour.startsWith('is cut off')) return behave(world, behaviour, order);
      if (behaviour.includes('after')) platform.redeemNow(order);
      crash('crashed');
      return new Promise<never>(() => undefined);
    };
  });
}

function behave(world: World, behaviour: Behaviour, order: PlatformOrder): RedeemOutcome {
  const { platform } = world.t;
  const refusal = REFUSALS[behaviour];
  if (refusal) {
    const [errorCode = ''] = behaviour.split(' ');
    return { status: 'refused', errorCode: errorCode as RefusalCode, message: '', asked: refusal.asked };
  }
  switch (behaviour) {
    case 'hides that it did nothing':
      return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
    case 'hides a redemption to come':
      endLate(world, order.code, order.playerId);
      return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
    case 'hides a redemption':
      platform.redeemNow(order);
      return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
    case 'garbles a redemption':
      platform.redeemNow(order);
      return { status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE', message: '' };
    default:
      return platform.redeemNow(order);
  }
}

type Prediction =
  | { refused: object }
  | { redemption: ModelRedemption; replayed: boolean; order?: { code: string; playerId: string } };

function predict(world: World, given: RedeemArguments, spentBefore: Set<string>): Prediction {
  const { model, t } = world;
  const { account, playerId, denomination, code, key } = given;
  const request = JSON.stringify(['redeem', playerId, denomination, code]);
  const earlier = findKey(world, account, key);
  if (earlier && earlier.request !== request) return { refused: { code: 'IDEMPOTENCY_KEY_REUSED' } };
  if (earlier?.redemption) return { redemption: earlier.redemption, replayed: true };

  const now = t.clock.now();
  const usage = usageModel(accountOf(model, account), 4, monotonicNow(world));
  if (!usage) return { refused: { status: 'quotaExceeded' } };
  const redemption: ModelRedemption = {
    id: 0,
    account,
    playerId,
    mode: code === undefined ? 'database' : 'direct',
    denomination,
    code,
    entry: undefined,
    usage,
    state: 'failed',
    errorCode: undefined,
    codeReset: false,
    doubted: false,
    createdAt: now,
    doubtedElapsed: 0,
  };
  const refusal = refuseUnasked(world, given);
  model.redemptions.push(redemption);
  rememberKey(world, account, key, { request, redemption });
  if (refusal) {
    accountOf(model, account).usages.pop();
    const first = refusal === 'UNKNOWN' && code !== undefined ? findLive(model, code) : undefined;
    Object.assign(redemption, { errorCode: refusal, usage: undefined, ...(first && { first }) });
    return { redemption, replayed: false };
  }
  redemption.entry = takeModel(world, given, spentBefore);
  redemption.code = redemption.entry?.code ?? code;
  if (!redemption.code) {
    failModel(redemption, 'NO_CODES_AVAILABLE', { code: 'back', charged: false });
    return { redemption, replayed: false };
  }
  if (redemption.entry) redemption.entry.from = redemption.entry.state;
  conclude(world, redemption, given.behaviour, spentBefore);
  return { redemption, replayed: false, order: { code: redemption.code, playerId } };
}

/** The entry that is taken or claimed; undefined for a code that nobody keeps here, and where all were spent. */
function takeModel(
  { model }: World,
  given: RedeemArguments,
  spentBefore: Set<string>,
): ModelCode | undefined {
  const { account, denomination = 0, code } = given;
  if (code !== undefined) return findOwned(model, code);
  return takeFrom('head', model, { account, denomination, amount: 1 }, (each) => spentBefore.has(each))[0];
}

/** What is known without the platform: the errorCode, nothing sent, nothing charged. */
function refuseUnasked({ model }: World, given: RedeemArguments): string | undefined {
  const { account, playerId, denomination, code } = given;
  if (code !== undefined && !/^[A-Za-z0-9]{12,32}$/.test(code)) return 'INVALID_CODE';
  if (!/^[0-9]{5,20}$/.test(playerId)) return 'CHARACTER_NOT_FOUND';
  const live = code === undefined ? undefined : findLive(model, code);
  if (live) return live.state === 'redeemed' ? 'CODE_USED' : 'UNKNOWN';
  const inStock = (entry: ModelCode) =>
    entry.account === account && entry.denomination === denomination && isTakeable(entry);
  if (code === undefined && !model.codes.some(inStock)) return 'NO_CODES_AVAILABLE';
  return undefined;
}

function conclude(
  { model, t }: World,
  redemption: ModelRedemption,
  behaviour: Behaviour,
  spentBefore: Set<string>,
): void {
  const elapsed = t.clock.elapsed();
  const isSpent = spentBefore.has(redemption.code ?? '');
  const redeemed = behaviour === 'redeems' && !isSpent;
  const used = behaviour === 'CODE_USED' || (behaviour === 'redeems' && isSpent);
  if (redeemed) return redeemModel(redemption);
  if (used) {
    const before = model.redemptions.some(
      (each) =>
        each.doubted &&
        each.account === redemption.account &&
        each.code === redemption.code &&
        each.playerId === redemption.playerId &&
        each.createdAt >= redemption.createdAt - WINDOW_MS,
    );
    if (before) return doubtModel(redemption, 'UNKNOWN', elapsed);
    return failModel(redemption, 'CODE_USED', { code: 'used', charged: true });
  }
  const refusal = REFUSALS[behaviour];
  if (refusal) return failModel(redemption, behaviour.split(' ')[0] ?? '', refusal);
  const garbled = behaviour === 'garbles a redemption';
  doubtModel(redemption, garbled ? 'INVALID_ACTIVATION_RESPONSE' : 'UNKNOWN', elapsed);
}
