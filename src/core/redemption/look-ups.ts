// Looking a player up by ID, so that a person can confirm the name. Costs a quarter of an activation where the platform
// was asked.
import type { CharacterOutcome, CodeOutcome } from '../../platform/port.ts';
import type { Store, Tables } from '../../store/index.ts';
import { foldCode, foldWritten } from '../folding.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { isPlayerId } from './request.ts';
import { bookUsage, findRoom, requireSubscription, type QuotaExceeded } from '../quota/usage.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { within } from '../../waiting.ts';
import { requireGame, type Games } from '../games.ts';
import type { Logger } from '../../log.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { refuseOverload } from '../errors.ts';
import { getCurrentActor } from '../members.ts';
import type { BadRequestLimit, TooManyBadRequests } from '../bad-request-limit.ts';
import { momentOf, type CoreClock } from '../../clock.ts';
import { type InFlight, writeUntilWritten } from './in-flight.ts';

export type CharacterAnswer =
  | { status: 'found'; gameId: string; playerId: string; openid: string; name: string }
  | { status: 'notFound' }
  | { status: 'unreachable' }
  /** The platform knows no names. */
  | { status: 'notOffered' }
  | QuotaExceeded
  | TooManyBadRequests;

export type RedemptionTimeAnswer =
  | {
      status: 'found';
      /** Milliseconds UTC. */
      redeemedAt: number;
      expiresAt: number;
      channelName: string;
      openid: string;
      amount: number;
      productName: string;
      playerId?: string;
      playerName?: string;
      /** Our own receipt for this code, if this account has one. */
      receiptId?: number;
      receiptSuccessful?: boolean;
    }
  | { status: 'notFound' }
  /** This service has it under way or in doubt, or the platform has. */
  | { status: 'underWay' }
  | { status: 'unreachable' }
  | QuotaExceeded
  | TooManyBadRequests;

interface LookUpDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'findCharacter' | 'findCode'>;
  games: Games;
  clock: CoreClock;
  log: Logger;
  platformTimeoutMs: number;
  inFlight: InFlight;
  badRequestLimit: BadRequestLimit;
}

/** A look-up for a person who waits; clients give up at 60 s. */
export const LOOK_UP_TIMEOUT_MS = 20_000;

export type FindCharacter = (
  actor: AccountActor,
  player: { gameId: string; playerId: string },
  /** The same look-up again, after a crash, costs nothing again. */
  idempotencyKey?: IdempotencyKey,
) => Promise<CharacterAnswer>;

/**
 * Throws CoreError FORBIDDEN, INVALID_INPUT (no such game), SUBSCRIPTION_EXPIRED, OVERLOADED. Not charged when
 * unreachable or malformed.
 */
export function createFindCharacter(deps: LookUpDeps): FindCharacter {
  return async (actor, { gameId, playerId: written }, idempotencyKey) => {
    const playerId = foldWritten(written);
    requirePermission(actor, 'lookUpCharacter');
    requireGame(deps.games, gameId);
    const keyed = idempotencyKey && { key: idempotencyKey, request: `character ${gameId} ${playerId}` };
    const begun = await beginLookUp(deps, actor, {
      kind: 'character',
      wellFormed: isPlayerId(playerId),
      keyed,
    });
    if (begun.status !== 'charged') return begun;
    const told = await ask<CharacterOutcome>(
      deps,
      (signal) => deps.upstreams.findCharacter({ gameId, playerId }, { signal }),
      (message) => ({ status: 'unreachable', message }),
    );
    switch (told.status) {
      case 'found':
        return { status: 'found', gameId, playerId, openid: told.openid, name: told.name };
      case 'notFound':
        return { status: 'notFound' };
      case 'notOffered':
      case 'unreachable':
        await returnUsage(deps, begun.usageId);
        return { status: told.status };
    }
  };
}

export type FindRedemptionTime = (
  actor: AccountActor,
  query: { gameId: string; code: string },
) => Promise<RedemptionTimeAnswer>;

/**
 * When a code was redeemed, and by whom. Throws as createFindCharacter's verb. Costs an activation where the platform
 * told.
 */
export function createFindRedemptionTime(deps: LookUpDeps): FindRedemptionTime {
  const { store, upstreams } = deps;
  return async (actor, query) => {
    requirePermission(actor, 'lookUpCode');
    const game = requireGame(deps.games, query.gameId);
    const code = foldCode(query.code, game.codePattern);
    const wellFormed = game.codePattern.test(code);
    const begun = await beginLookUp(deps, actor, { kind: 'redemptionTime', wellFormed });
    if (begun.status !== 'charged') return begun;
    const told = await ask<Dated>(
      deps,
      (signal) => upstreams.findCode({ gameId: game.id, code }, { signal }).then(dated),
      (message) => ({ status: 'unreachable', message }),
    );
    if (told.status === 'redeemed') {
      const { status: _status, receipt: _receipt, toldAt: _toldAt, toldBy: _by, ...redemption } = told;
      const own = store.read((tables) => tables.redemptions.findOfCode(actor.accountId, game.id, code));
      const receipt = own && { receiptId: own.id, receiptSuccessful: own.state === 'redeemed' };
      return { status: 'found', ...redemption, ...receipt };
    }
    // Asked after the platform: what we settled as redeemed meanwhile must not be told as unspent.
    const hash = store.seals.hash(game.id, code);
    const live = store.read((tables) => tables.redemptions.findLive(game.id, hash));
    const answer = live || told.status === 'underWay' ? 'underWay' : told.status;
    if (answer === 'notRedeemed') return { status: 'notFound' };
    await returnUsage(deps, begun.usageId);
    return { status: answer };
  };
}

type Dated =
  | Exclude<CodeOutcome, { status: 'redeemed' }>
  | (Extract<CodeOutcome, { status: 'redeemed' }> & { redeemedAt: number; expiresAt: number });

/** That it is redeemed, without a time, is no answer to when. */
function dated(told: CodeOutcome): Dated {
  if (told.status !== 'redeemed') return told;
  const { redeemedAt, expiresAt = redeemedAt } = told;
  if (redeemedAt === undefined || expiresAt === undefined)
    return { status: 'unreachable', message: 'The platform does not tell when.' };
  return { ...told, redeemedAt, expiresAt };
}

type BegunLookUp =
  /** No `usageId`: it was charged before. */
  | { status: 'charged'; usageId: number | undefined }
  | { status: 'notFound' }
  | QuotaExceeded
  | TooManyBadRequests;

const PERMISSIONS = { character: 'lookUpCharacter', redemptionTime: 'lookUpCode' } as const;

/** The usage is booked before the platform is asked, so that many at once cannot pass the limit together. */
function beginLookUp(
  deps: LookUpDeps,
  actor: AccountActor,
  {
    kind,
    wellFormed,
    keyed,
  }: {
    kind: keyof typeof PERMISSIONS;
    wellFormed: boolean;
    keyed?: { key: IdempotencyKey; request: string } | undefined;
  },
): Promise<BegunLookUp> {
  const write = refuseOverload(deps.store, actor);
  return write((tables): BegunLookUp => {
    const moment = momentOf(deps.clock);
    // A role that was lost since it was looked up usages nothing.
    requirePermission(getCurrentActor(tables, actor), PERMISSIONS[kind]);
    requireSubscription(tables, actor.accountId, moment);
    if (!wellFormed) return deps.badRequestLimit.count(actor.accountId) ?? { status: 'notFound' };
    const key = useKey(tables, actor.accountId, keyed?.key, keyed?.request ?? '', moment);
    if (key.earlier) return { status: 'charged', usageId: undefined };
    const room = findRoom(tables, actor, kind, moment.monotonicNow);
    if (room.status === 'quotaExceeded') return room;
    key.remember({});
    return { status: 'charged', usageId: bookUsage(tables, room, moment.now) };
  });
}

/** Nobody pays for what was not told: where the disk fails it is tried again behind the answer, until it is written. */
async function returnUsage(deps: LookUpDeps, usageId: number | undefined): Promise<void> {
  if (usageId === undefined) return;
  const { store, inFlight, clock } = deps;
  const giveBack = (tables: Tables) => tables.quota.giveBack(usageId, clock.now());
  await store.write(giveBack).catch(() => {
    const returned = writeUntilWritten(deps, { usageId }, giveBack).catch(() => false);
    inFlight.lookUps.add(returned);
    void returned.then(() => inFlight.lookUps.delete(returned));
  });
}

async function ask<T>(
  { inFlight, platformTimeoutMs }: LookUpDeps,
  call: (signal: AbortSignal) => Promise<T>,
  late: (message: string) => T,
): Promise<T> {
  const timeoutMs = Math.min(LOOK_UP_TIMEOUT_MS, platformTimeoutMs);
  const asked = within(call, timeoutMs, {
    signal: inFlight.giveUp.signal,
    late: () => late('No answer in time.'),
  });
  inFlight.lookUps.add(asked);
  try {
    return await asked;
  } finally {
    inFlight.lookUps.delete(asked);
  }
}
