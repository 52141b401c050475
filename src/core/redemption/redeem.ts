// The verbs of a redemption: begin it (begin.ts, one transaction), execute it (execute.ts), answer. The file that shows
// the way.
import type { Ids } from '../../ids.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import type { Games } from '../games.ts';
import { ANSWER_WITHIN_MS } from '../idempotency.ts';
import type { Redemption } from '../receipts/receipts.ts';
import type { BadRequestLimit } from '../bad-request-limit.ts';
import { momentOf, type CoreClock } from '../../clock.ts';
import { within } from '../../waiting.ts';
import { describeRequest, prepareBegin, type Beginning, type Begun } from './begin.ts';
import { describeOpen, execute, type ExecuteDeps } from './execute.ts';
import type { OutcomeMetrics } from './outcome-metrics.ts';
import type { FindRepeated } from './repeated.ts';
import { readRequest, type Answered, type HasBegun, type NotBegun, type RedeemRequest } from './request.ts';

export interface Redemptions {
  /**
   * Redeems one code for a player and waits for the end, at most 55 s. While the process stops it is recorded as
   * failed, and nothing is sent. Throws CoreError (FORBIDDEN, INVALID_INPUT, CODE_OVERRIDE_REQUIRED,
   * SUBSCRIPTION_EXPIRED, IDEMPOTENCY_KEY_REUSED, OVERLOADED) only where nothing was begun. Repeating is safe under an
   * idempotency key.
   */
  redeem(actor: AccountActor, request: RedeemRequest): Promise<Answered | NotBegun>;
  /**
   * The same without waiting for the end: resolves when the beginning is on disk, and throws STOPPING while the process
   * stops. How it goes on is read from receipts.
   */
  begin(actor: AccountActor, request: RedeemRequest): Promise<HasBegun | NotBegun>;
}

export interface RedeemDeps extends ExecuteDeps {
  clock: CoreClock;
  games: Games;
  ids: Ids;
  badRequestLimit: BadRequestLimit;
  isStopping: () => boolean;
  outcomeMetrics: Pick<OutcomeMetrics, 'ended'>;
  findRepeated: FindRepeated;
}

/** The verbs of a redemption, over what this process has in flight. */
export function createRedemptions(deps: RedeemDeps): Redemptions {
  const { store, clock, ids, inFlight } = deps;

  return {
    async redeem(actor, request) {
      const deadline = clock.elapsed() + ANSWER_WITHIN_MS;
      const until = { deadline, waitsUntil: deadline - EXECUTED_WITHIN_MS, isLate: deps.isStopping() };
      const { answer, begun, failed } = await begin(actor, request, until);
      if (answer.status !== 'begun') return answer;
      const { redemptionId, replayed } = answer;
      const redemption = failed ?? (await waitForEnd(deps, redemptionId, begun, deadline));
      return { status: 'answered', redemption, replayed };
    },
    async begin(actor, request) {
      if (deps.isStopping())
        throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');
      const now = clock.elapsed();
      const until = { deadline: now + ANSWER_WITHIN_MS, waitsUntil: now + PERSON_WAITS_MS };
      return (await begin(actor, request, until)).answer;
    },
  };

  async function begin(
    actor: AccountActor,
    asked: RedeemRequest,
    { deadline, waitsUntil, isLate = false }: Until,
  ): Promise<Beginning> {
    requirePermission(actor, 'redeem');
    const { game, request } = readRequest(deps.games, asked);
    const write = refuseOverload(store, actor);
    const repeated = isLate
      ? undefined
      : await deps.findRepeated(
          actor.accountId,
          request,
          describeRequest(request),
          waitsUntil - clock.elapsed(),
        );
    const prepared = prepareBegin(deps, { actor, game, request, isLate, repeated }, ids.uuid());
    // It is in flight in the turn its beginning is known, before anyone can ask for it again.
    return write((tables) => prepared(tables, momentOf(clock))).then((beginning) => {
      const { begun, failed } = beginning;
      if (begun) run(begun.id, execute(deps, begun, game, deadline));
      if (failed) deps.outcomeMetrics.ended(actor, failed);
      return beginning;
    });

    function run(id: number, executed: Promise<Redemption>): void {
      inFlight.redemptions.set(id, executed);
      void executed.then((redemption) => {
        inFlight.redemptions.delete(id);
        deps.outcomeMetrics.ended(actor, redemption);
      });
    }
  }
}

/** By the elapsed clock: when the answer must be there, and how long is waited before anything is begun. */
interface Until {
  deadline: number;
  waitsUntil: number;
  isLate?: boolean;
}

/** What executing needs of a program's patience. */
const EXECUTED_WITHIN_MS = 25_000;
const PERSON_WAITS_MS = 3_000;

/** The record at its end, or as it stands at the deadline. Never throws for what this call itself began. */
async function waitForEnd(
  { inFlight, clock, store }: RedeemDeps,
  id: number,
  begun: Begun | undefined,
  deadline: number,
): Promise<Redemption> {
  const promise = inFlight.redemptions.get(id);
  const ended = promise && (await within(promise, deadline - clock.elapsed()));
  if (ended) return ended;
  try {
    return store.read((tables) => tables.redemptions.get(id));
  } catch (error) {
    if (!begun) throw error;
    return describeOpen(begun, clock.now());
  }
}
