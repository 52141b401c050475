// Redemptions, foretold: what the platform will do is decided before, and the model tells what must come of it.
import assert from 'node:assert/strict';

import type { RedeemOutcome, RefusalCode } from '../../../../src/platform/port.ts';
import type { Manners } from '../../machine/platform.ts';
import { Gone } from '../service.ts';
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
import { actorOf, findKey, GAME, rememberKey, restart, same, type Foretold } from './world.ts';

const WAYS: Record<string, keyof Manners> = {
  'hides a redemption': 'hidesSuccess',
  'hides that it did nothing': 'hidesFailure',
  'hides a redemption to come': 'redeemsLate',
  'garbles a redemption': 'garbles',
};

/** What the platform does with an order, and what it says. */
export const BEHAVIOURS = [
  'redeems',
  ...Object.keys(REFUSALS),
  ...Object.keys(WAYS),
  'is cut off by a kill after redeeming',
  'is cut off by a kill before redeeming',
] as const;

export interface RedeemArguments {
  account: number;
  playerId: string;
  /** Exactly one. */
  denomination?: number;
  code?: string;
  behaviour: string;
  key?: string | undefined;
}

/** Redeems for real and in the model; both must tell the same. */
export async function redeem(world: Foretold, given: RedeemArguments): Promise<void> {
  const { platform, service } = world;
  const { account, playerId, denomination, code, key, behaviour } = given;
  const request = {
    ...{ gameId: GAME, playerId },
    ...(denomination !== undefined && { denomination }),
    ...(code !== undefined && { code }),
    ...(key !== undefined && { idempotencyKey: { scope: 'http' as const, key } }),
  };
  const sent: { code: string; playerId: string }[] = [];
  const spentBefore = listSpent(world);
  const usual = { onOrder: platform.onOrder, wayOf: platform.wayOf };
  platform.wayOf = (order) => {
    sent.push({ code: order.code, playerId: order.playerId });
    return wayOf(behaviour);
  };
  if (behaviour.startsWith('is cut off')) {
    // Before it is looked at, so that it is noted here.
    const moment = behaviour.includes('after') ? 'after' : 'before';
    platform.onOrder = (now) => void (now === moment && service.kill());
  }
  const asked = world.time.clock.elapsed();
  // By the scales of the process in which it begins.
  const scales = { monotonicNow: world.monotonicNow(), now: world.time.machine.now() };
  const answering = service.ask((core) => core.redeem(actorOf(world, account), request));
  const told = await service.within(answering.catch((error: Error) => error));
  Object.assign(platform, usual);
  const expected = foretell(world, given, { spentBefore, ...scales, asked });
  if (told instanceof Gone) await restart(world);

  if ('refused' in expected) {
    same(told, expected.refused);
    assert.deepEqual(sent, []);
    return;
  }
  const { redemption, replayed, order } = expected;
  const isSent = order && behaviour !== 'is cut off by a kill before redeeming';
  assert.deepEqual(sent, isSent ? [order] : [], 'what is sent');
  if (isSent && behaviour in WAYS) world.count('hidden outcomes');
  if (told instanceof Gone) {
    redemption.id = newestId(world, account);
    return;
  }
  if (!('status' in told) || told.status !== 'answered') throw new Error(JSON.stringify(told));
  if (redemption.id === 0) redemption.id = told.redemption.id;
  same(told, { replayed, redemption: { id: redemption.id, state: redemption.state } }, 'the answer');
}

export const listSpent = ({ platform }: Foretold): Set<string> =>
  new Set([...platform.spent.values()].map(({ code }) => code));

const newestId = (world: Foretold, account: number) =>
  Math.max(
    ...world.service
      .core()
      .receipts.list(actorOf(world, account), {})
      .map(({ id }) => id),
  );

function wayOf(behaviour: string): keyof Manners | RedeemOutcome | undefined {
  const refusal = REFUSALS[behaviour];
  if (!refusal) return WAYS[behaviour];
  const [errorCode = ''] = behaviour.split(' ');
  return { status: 'refused', errorCode: errorCode as RefusalCode, message: '', asked: refusal.asked };
}

type Foretelling =
  | { refused: object }
  | { redemption: ModelRedemption; replayed: boolean; order?: { code: string; playerId: string } };

interface Before {
  spentBefore: ReadonlySet<string>;
  monotonicNow: number;
  now: number;
  asked: number;
}

function foretell(world: Foretold, given: RedeemArguments, before: Before): Foretelling {
  const { model } = world;
  const { account, playerId, denomination, code, key } = given;
  const request = JSON.stringify(['redeem', playerId, denomination, code]);
  const earlier = findKey(world, account, key);
  if (earlier && earlier.request !== request) return { refused: { code: 'IDEMPOTENCY_KEY_REUSED' } };
  if (earlier?.redemption) return { redemption: earlier.redemption, replayed: true };

  const usage = usageModel(accountOf(model, account), 4, before.monotonicNow);
  if (!usage) return { refused: { status: 'quotaExceeded' } };
  const redemption: ModelRedemption = {
    ...{ id: 0, account, playerId, denomination, code, usage, createdAt: before.now },
    mode: code === undefined ? 'database' : 'direct',
    ...{ entry: undefined, state: 'failed', errorCode: undefined, codeReset: false },
    ...{ doubted: false, doubtedElapsed: 0 },
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
  redemption.entry = takeModel(world, given, before.spentBefore);
  redemption.code = redemption.entry?.code ?? code;
  if (!redemption.code) {
    failModel(redemption, 'NO_CODES_AVAILABLE', { code: 'back', charged: false });
    return { redemption, replayed: false };
  }
  if (redemption.entry) redemption.entry.from = redemption.entry.state;
  conclude(world, redemption, given.behaviour, before);
  return { redemption, replayed: false, order: { code: redemption.code, playerId } };
}

/** The entry that is taken or claimed; undefined for a code that nobody keeps here, and where all were spent. */
function takeModel(
  { model }: Foretold,
  given: RedeemArguments,
  spentBefore: ReadonlySet<string>,
): ModelCode | undefined {
  const { account, denomination = 0, code } = given;
  if (code !== undefined) return findOwned(model, code);
  return takeFrom('head', model, { account, denomination, amount: 1 }, (each) => spentBefore.has(each))[0];
}

/** What is known without the platform: the errorCode, nothing sent, nothing charged. */
function refuseUnasked({ model }: Foretold, given: RedeemArguments): string | undefined {
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
  { model }: Foretold,
  redemption: ModelRedemption,
  behaviour: string,
  { spentBefore, asked }: Before,
): void {
  const isSpent = spentBefore.has(redemption.code ?? '');
  const redeemed = behaviour === 'redeems' && !isSpent;
  const garbled = behaviour === 'garbles a redemption';
  const used = behaviour === 'CODE_USED' || (isSpent && (garbled || behaviour === 'redeems'));
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
    if (before) return doubtModel(redemption, 'UNKNOWN', asked);
    return failModel(redemption, 'CODE_USED', { code: 'used', charged: true });
  }
  const refusal = REFUSALS[behaviour];
  if (refusal) return failModel(redemption, behaviour.split(' ')[0] ?? '', refusal);
  doubtModel(redemption, garbled ? 'INVALID_ACTIVATION_RESPONSE' : 'UNKNOWN', asked);
}
