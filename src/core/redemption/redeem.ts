// A redemption: begin (one transaction) → call the platform → check → settle (one transaction) → answer.
// Once a code is taken nothing throws any more: what is not certain is in doubt, and reconcile.ts finds the truth.
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Platform } from '../../platform/port.ts';
import type { Store, StoredReceipt, StoredRedemption, Tables } from '../../store/index.ts';
import { attemptRedemption, type CheckedOutcome } from './attempt.ts';
import { prepareBegin, type Beginning, type Begun } from './begin.ts';
import type { QuotaExceeded } from '../quota/charges.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Game, Games } from '../games.ts';
import type { IdempotencyKey } from '../idempotency.ts';
import type { CoreLog } from '../log.ts';
import { writeNotice } from '../notices/notices.ts';
import { requirePermission } from '../permissions.ts';
import { toRedemption, type Redemption } from '../receipts/receipts.ts';
import { fallInDoubt, settleFailed, settleRedeemed } from './settle.ts';
import { toStoredReceipt } from './stored-receipt.ts';
import { verifyCode } from './verify.ts';

export interface RedeemRequest {
  gameId: string;
  playerId: string;
  /** Exactly one of `denomination` (from the code database) and `code` (direct). */
  denomination?: number;
  code?: string;
  /** As a person confirmed it: shown until the platform's receipt names the player, and where there never is one. */
  playerName?: string;
  idempotencyKey?: IdempotencyKey;
}

export type RedeemAnswer =
  /** A redemption began, now or earlier under the same key: the record as it stands. */
  { status: 'answered'; redemption: Redemption; replayed: boolean } | QuotaExceeded;

export type BegunAnswer = { status: 'begun'; redemptionId: number; replayed: boolean } | QuotaExceeded;

export interface Redemptions {
  /**
   * Redeems one code for a player and waits for the end, at most 55 s. Throws CoreError (FORBIDDEN, INVALID_INPUT,
   * CODE_OVERRIDE_REQUIRED, SUBSCRIPTION_EXPIRED, IDEMPOTENCY_KEY_REUSED, STOPPING) only where nothing was begun.
   * Repeating is safe under an idempotency key.
   */
  redeem(actor: AccountActor, request: RedeemRequest): Promise<RedeemAnswer>;
  /** The same without waiting for the end: resolves when the beginning is on disk. The record is read from receipts. */
  begin(actor: AccountActor, request: RedeemRequest): Promise<BegunAnswer>;
}

/** What this process has under way, so that repeats wait for it and `stop` waits and then gives it up. */
export interface Running {
  /** Redemptions, by id. */
  promises: Map<number, Promise<StoredRedemption>>;
  /** Look-ups that a person waits for. */
  lookUps: Set<Promise<unknown>>;
  /** Fires when the process stops: what still runs is left in doubt. */
  giveUp: AbortController;
}

export interface RedeemDeps {
  store: Store;
  platform: Platform;
  games: Games;
  clock: Clock;
  ids: Ids;
  log: CoreLog;
  running: Running;
  platformTimeoutMs: number;
  isStopping: () => boolean;
}

/** Every answer comes within this, since clients give up at 60 s and would repeat. */
const ANSWER_WITHIN_MS = 55_000;

/** The verbs of a redemption, over what this process has under way. */
export function createRedemptions(deps: RedeemDeps): Redemptions {
  const { store, clock, ids, running } = deps;

  return {
    async redeem(actor, request) {
      const deadline = clock.elapsed() + ANSWER_WITHIN_MS;
      const beginning = await begin(actor, request, deadline);
      return beginning.status === 'begun' ? answered(beginning, deadline) : beginning;
    },
    begin: (actor, request) => begin(actor, request, clock.elapsed() + ANSWER_WITHIN_MS),
  };

  async function begin(actor: AccountActor, request: RedeemRequest, deadline: number): Promise<BegunAnswer> {
    requirePermission(actor, 'redeem');
    const game = requireGame(deps.games, request);
    if (deps.isStopping()) throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');

    const { playerId, playerName, denomination, idempotencyKey } = request;
    const code = request.code?.trim();
    const prepared = prepareBegin(
      store,
      {
        actor,
        game,
        playerId,
        ...(denomination !== undefined && { denomination }),
        ...(code !== undefined && { code }),
        ...(playerName !== undefined && { playerName }),
        ...(idempotencyKey && { idempotencyKey }),
      },
      ids.uuid(),
    );
    // The redemption is registered as running in the turn its beginning is known, before anyone can ask for it again.
    return store
      .write((tables) => prepared(tables, clock.now()))
      .then((beginning) => {
        if (beginning.status === 'begun') start(beginning.begun, game, deadline);
        return describeBeginning(beginning);
      });
  }

  function start(begun: Begun, game: Game, deadline: number): void {
    const promise = carryOut(deps, begun, game, deadline);
    running.promises.set(begun.id, promise);
    void promise.finally(() => running.promises.delete(begun.id));
  }

  async function answered(
    { redemptionId: id, replayed }: { redemptionId: number; replayed: boolean },
    deadline: number,
  ): Promise<RedeemAnswer> {
    const promise = running.promises.get(id);
    if (promise) {
      const stored = await within(promise, deadline - clock.elapsed());
      if (stored) return { status: 'answered', redemption: toRedemption(stored), replayed };
    }
    const stored = store.read((tables) => tables.redemptions.find(id));
    if (!stored) throw new Error(`Redemption ${id} is not there.`);
    return { status: 'answered', redemption: toRedemption(stored), replayed };
  }
}

function describeBeginning(beginning: Beginning): BegunAnswer {
  switch (beginning.status) {
    case 'quotaExceeded':
      return beginning;
    case 'begun':
      return { status: 'begun', redemptionId: beginning.begun.id, replayed: false };
    case 'refused':
      return { status: 'begun', redemptionId: beginning.redemptionId, replayed: false };
    case 'repeated':
      return { status: 'begun', redemptionId: beginning.redemptionId, replayed: true };
  }
}

function requireGame(games: Games, request: RedeemRequest): Game {
  const game = games.find(request.gameId);
  if (!game) {
    const known = games.all.map(({ id }) => id).join(', ');
    throw new CoreError('INVALID_INPUT', `There is no such game. Send one of: ${known}.`);
  }
  if (request.code !== undefined && request.denomination !== undefined) {
    throw new CoreError('INVALID_INPUT', 'Send either a denomination or a code, not both.');
  }
  if (request.code !== undefined) return game;
  if (!game.database) {
    throw new CoreError(
      'CODE_OVERRIDE_REQUIRED',
      `${game.id} has no code database: send the code with the request.`,
    );
  }
  if (request.denomination === undefined || !game.denominations.includes(request.denomination)) {
    throw new CoreError(
      'INVALID_INPUT',
      `${game.id} has these denominations: ${game.denominations.join(', ')}.`,
    );
  }
  return game;
}

/** Waits for a promise that never rejects, at most so long; undefined when it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** From begun to settled or in doubt. Never rejects. */
async function carryOut(
  deps: RedeemDeps,
  begun: Begun,
  game: Game,
  deadline: number,
): Promise<StoredRedemption> {
  const { platform, clock, running, log } = deps;
  const limits = {
    platformTimeoutMs: deps.platformTimeoutMs,
    deadline: deadline - 500,
    signal: running.giveUp.signal,
  };
  let order = begun;
  try {
    const verified = await verifyCode(deps, begun, limits);
    if (verified.status === 'settled') return verified.redemption;
    order = verified.begun;
    const outcome = await attemptRedemption(platform, clock, order, game, limits);
    return await settle(deps, order, game, outcome);
  } catch (error) {
    // The row stays pending on disk; reconcile.ts finds it there.
    log.error({ err: error, redemptionId: begun.id }, 'a redemption could not be settled');
    return describeUnsettled(order, clock.now());
  }
}

async function settle(
  deps: RedeemDeps,
  begun: Begun,
  game: Game,
  outcome: CheckedOutcome,
): Promise<StoredRedemption> {
  const { store, clock } = deps;
  return store.write((tables) => {
    const now = clock.now();
    const redeemed = record(deps, tables, begun, game, outcome, now);
    if (redeemed) return describe(begun, { ...redeemed, state: 'redeemed', settledAt: now }, now);
    const stored = tables.redemptions.find(begun.id);
    if (!stored) throw new Error(`Redemption ${begun.id} is not there.`);
    return stored;
  });
}

/** The receipt, when this call has settled with one: then the row is known without reading and decrypting it again. */
function record(
  { platform }: RedeemDeps,
  tables: Tables,
  begun: Begun,
  game: Game,
  outcome: CheckedOutcome,
  now: number,
): StoredReceipt | undefined {
  switch (outcome.status) {
    case 'redeemed': {
      const receipt = toStoredReceipt(outcome.receipt, outcome.warning, game);
      return settleRedeemed(tables, begun, receipt, now) ? receipt : undefined;
    }
    case 'refused': {
      const { errorCode, message, asked, hostNotice } = outcome;
      if (hostNotice)
        writeNotice(tables, { kind: 'platformTrouble', accountId: null, sentence: hostNotice }, now);
      // "Used" right after an attempt of ours that nobody knows the end of means "ask", not "failed".
      const hash = tables.redemptions.hashOf(begun.gameId, begun.code);
      if (
        errorCode === 'CODE_USED' &&
        tables.redemptions.findFirstDoubt(begun.gameId, hash, begun.playerId) !== undefined
      ) {
        fallInDoubt(tables, begun, { errorCode: 'UNKNOWN', message }, now + platform.lookPauseMs, now);
        return undefined;
      }
      settleFailed(tables, begun, { errorCode, message, asked }, now);
      return undefined;
    }
    case 'unknown':
      fallInDoubt(tables, begun, outcome, now + platform.lookPauseMs, now);
      return undefined;
  }
}

/** What is answered when even the settlement could not be written: unknown, the code held. */
function describeUnsettled(begun: Begun, now: number): StoredRedemption {
  const errorMessage = 'The outcome could not be recorded yet.';
  return { ...describe(begun, { state: 'pending', errorCode: 'UNKNOWN', errorMessage }, now), tookMs: 0 };
}

/** A redemption as it stands in the store, from what is known of its begin and its end. */
function describe(begun: Begun, end: Partial<StoredRedemption>, now: number): StoredRedemption {
  return {
    ...begun,
    state: 'pending',
    errorCode: null,
    errorMessage: null,
    codeReset: false,
    warning: false,
    openid: null,
    playerName: null,
    region: null,
    productName: null,
    amount: null,
    credentials: null,
    settledAt: null,
    tookMs: Math.max(0, now - begun.createdAt),
    doubtedAt: null,
    looks: 0,
    nextLookAt: null,
    ...end,
  };
}
