// Redeeming as the surfaces ask for it: begin (one transaction) → carry out → answer. What happens to a code on the way is in
// begin.ts, carry-out.ts and settle.ts.
import type { Ids } from '../../ids.ts';
import { prepareBegin, type Beginning, type Begun, type RedemptionRequest } from './begin.ts';
import { carryOut, describeOpen, type CarryOutDeps } from './execute.ts';
import type { AccountActor, InTransaction } from '../context.ts';
import { ANSWER_WITHIN_MS } from '../deadlines.ts';
import { CoreError } from '../errors.ts';
import { foldCode, foldWritten } from '../folding.ts';
import type { Game, Games } from '../games.ts';
import type { IdempotencyKey } from '../idempotency.ts';
import { refuseOverload } from '../overload.ts';
import { requirePermission } from '../permissions.ts';
import type { QuotaExceeded } from '../quota/charges.ts';
import type { Refusals, TooManyRefusals } from '../refusals.ts';
import type { SameBefore, UnlessSame } from './duplicates.ts';
import { toRedemption, type Redemption } from '../receipts/receipts.ts';
import { momentOf, type CoreClock } from '../steady.ts';
import type { Tally } from './outcome-metrics.ts';

export interface RedeemRequest {
  gameId: string;
  playerId: string;
  /** Exactly one of `denomination` (from the code database) and `code` (direct). */
  denomination?: number;
  code?: string;
  /** As a person confirmed it: shown until the platform's receipt names the player, and where there never is one. */
  playerName?: string;
  idempotencyKey?: IdempotencyKey;
  /** Called in the transaction that begins it, with the redemption that began, now or earlier under the same key. */
  inTransaction?: InTransaction<{ redemptionId: number }>;
}

export type RedeemAnswer =
  /** A redemption began, now or earlier under the same key: the record as it stands. */
  { status: 'answered'; redemption: Redemption; replayed: boolean } | QuotaExceeded | TooManyRefusals;

/** An order of a person, who was shown what they order. */
export interface ChatRedeemRequest extends RedeemRequest {
  /** Nothing begins where the player has just got the same, beyond what they were warned of. */
  unlessSame?: UnlessSame;
}

export type BegunAnswer =
  | { status: 'begun'; redemptionId: number; replayed: boolean }
  | { status: 'sameBefore'; same: SameBefore }
  | QuotaExceeded
  | TooManyRefusals;

export interface Redemptions {
  /**
   * Redeems one code for a player and waits for the end, at most 55 s. While the process stops it is recorded as failed, and
   * nothing is sent. Throws CoreError (FORBIDDEN, INVALID_INPUT,
   * CODE_OVERRIDE_REQUIRED, SUBSCRIPTION_EXPIRED, IDEMPOTENCY_KEY_REUSED, OVERLOADED) only where nothing was begun.
   * Repeating is safe under an idempotency key.
   */
  redeem(actor: AccountActor, request: RedeemRequest): Promise<RedeemAnswer>;
  /** The same without waiting for the end, and STOPPING while the process stops: resolves when the beginning is on disk. The record is read from receipts. */
  begin(actor: AccountActor, request: ChatRedeemRequest): Promise<BegunAnswer>;
  /** Resolves when this process has carried it out as far as it could: settled or in doubt. */
  ended(redemptionId: number): Promise<void>;
}

export interface RedeemDeps extends CarryOutDeps {
  clock: CoreClock;
  games: Games;
  ids: Ids;
  refusals: Refusals;
  isStopping: () => boolean;
  tally: Pick<Tally, 'ended'>;
}

/** The verbs of a redemption, over what this process has under way. */
export function createRedemptions(deps: RedeemDeps): Redemptions {
  const { store, clock, ids, running } = deps;

  return {
    async redeem(actor, request) {
      const deadline = clock.elapsed() + ANSWER_WITHIN_MS;
      const beginning = await begin(actor, { ...request, isLate: deps.isStopping() }, deadline);
      const answer = describeBeginning(beginning);
      if (answer.status === 'sameBefore') throw new Error('Only a person is warned.');
      if (answer.status !== 'begun') return answer;
      if (beginning.status === 'refused')
        return { status: 'answered', replayed: false, redemption: beginning.redemption };
      const begun = beginning.status === 'begun' ? beginning.begun : undefined;
      return {
        status: 'answered',
        replayed: answer.replayed,
        redemption: await waitForEnd(deps, answer.redemptionId, begun, deadline),
      };
    },
    async begin(actor, request) {
      refuseStopping(deps);
      return describeBeginning(await begin(actor, request, clock.elapsed() + ANSWER_WITHIN_MS));
    },
    async ended(redemptionId) {
      await running.promises.get(redemptionId);
    },
  };

  async function begin(actor: AccountActor, request: Asked, deadline: number): Promise<Beginning> {
    requirePermission(actor, 'redeem');
    const game = requireGame(deps.games, request);
    refuseOverload(store);

    const prepared = prepareBegin(deps, toRedemptionRequest(actor, game, request), ids.uuid());
    // The redemption is registered as running in the turn its beginning is known, before anyone can ask for it again.
    return store
      .write((tables) => {
        const beginning = prepared(tables, momentOf(clock));
        const answer = describeBeginning(beginning);
        if (answer.status === 'begun') request.inTransaction?.(tables, { redemptionId: answer.redemptionId });
        return beginning;
      })
      .then((beginning) => {
        if (beginning.status === 'begun') start(actor, beginning.begun, game, deadline);
        if (beginning.status === 'refused') deps.tally.ended(actor, beginning.redemption);
        return beginning;
      });
  }

  function start(actor: AccountActor, begun: Begun, game: Game, deadline: number): void {
    const promise = carryOut(deps, begun, game, deadline);
    running.promises.set(begun.id, promise);
    void promise.then((redemption) => {
      running.promises.delete(begun.id);
      deps.tally.ended(actor, redemption);
    });
  }
}

/** The record at its end, or as it stands at the deadline. Never throws for what this call itself began. */
async function waitForEnd(
  { running, clock, store }: RedeemDeps,
  id: number,
  begun: Begun | undefined,
  deadline: number,
): Promise<Redemption> {
  const promise = running.promises.get(id);
  const ended = promise && (await within(promise, deadline - clock.elapsed()));
  if (ended) return ended;
  try {
    return toRedemption(store.readOne((tables) => tables.redemptions.get(id)));
  } catch (error) {
    if (!begun) throw error;
    return describeOpen(begun, clock.now());
  }
}

/** `isLate`: it came while the process stops. */
type Asked = ChatRedeemRequest & { isLate?: boolean };

function refuseStopping({ isStopping }: Pick<RedeemDeps, 'isStopping'>): void {
  if (isStopping()) throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');
}

function toRedemptionRequest(
  actor: AccountActor,
  game: Game,
  { playerId, playerName, denomination, code, idempotencyKey, unlessSame, isLate = false }: Asked,
): RedemptionRequest {
  return {
    actor,
    game,
    playerId: foldWritten(playerId),
    ...(denomination !== undefined && { denomination }),
    ...(code !== undefined && { code: foldCode(code, game.codePattern) }),
    ...(playerName !== undefined && { playerName }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(unlessSame && { unlessSame }),
    isLate,
  };
}

function describeBeginning(beginning: Beginning): BegunAnswer {
  switch (beginning.status) {
    case 'quotaExceeded':
    case 'tooManyRefusals':
    case 'sameBefore':
      return beginning;
    case 'begun':
      return { status: 'begun', redemptionId: beginning.begun.id, replayed: false };
    case 'refused':
      return { status: 'begun', redemptionId: beginning.redemption.id, replayed: false };
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

/**
 * Waits for a promise that never rejects, at most so long; undefined when it takes longer. A plain timer: ending one of
 * timers/promises makes an error with its stack, at every redemption.
 */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
