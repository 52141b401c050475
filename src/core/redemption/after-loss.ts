// What an order waits for after a takeover, before anything is begun: the sweep of its stock key, and whether it is the
// repetition of one that the lost time carried out. Years later it costs nothing: a key that was swept long ago is
// remembered.
import { useKey } from '../idempotency.ts';
import { momentOf } from '../../clock.ts';
import { within } from '../../waiting.ts';
import {
  createFindOpenids,
  createFindRepeated,
  findOwnUnnamed,
  GIVEN_WITHIN_MS,
  type DatabaseOrder,
  type FindOpenids,
  type Repeated,
} from './recovered.ts';
import { createSweepStock, type SweepDeps } from './sweep.ts';

/**
 * Undefined at once where there is nothing to wait for. `described`: what the order's key stands for. Throws CoreError
 * IDEMPOTENCY_KEY_REUSED.
 */
export type CheckAfterLoss = (
  order: DatabaseOrder,
  described: string,
  withinMs: number,
) => Promise<Repeated> | undefined;

const UNCLEAR: Repeated = { status: 'unclear' };

export function createCheckAfterLoss(deps: SweepDeps): CheckAfterLoss {
  const { store, clock, inFlight } = deps;
  const sweepStock = createSweepStock(deps);
  const findRepeated = createFindRepeated(deps);
  /** Keys of which nothing is given any more. */
  const past = new Set<string>();

  return (order, described, withinMs) => {
    const { accountId, gameId, denomination } = order;
    const name = JSON.stringify([accountId, gameId, denomination]);
    const findOpenids = createFindOpenids(deps, order);
    if (past.has(name)) return findOwn(order, findOpenids, withinMs);
    const sweep = store.read(({ takeover }) => takeover.findSweep({ accountId, gameId, denomination }));
    if (!sweep || (sweep.endedAt !== null && clock.now() - sweep.endedAt > GIVEN_WITHIN_MS)) {
      past.add(name);
      return findOwn(order, findOpenids, withinMs);
    }
    return findAny(order, described, findOpenids, withinMs);
  };

  /** A resumed order takes what is its own, whenever it comes. */
  function findOwn(
    order: DatabaseOrder,
    findOpenids: FindOpenids,
    withinMs: number,
  ): Promise<Repeated> | undefined {
    if (!order.takesRecovered) return undefined;
    return ask((signal) => findOwnUnnamed(deps, order, findOpenids, signal), withinMs);
  }

  /** Each that is asked may take its time; who waits for the answer does not. */
  function ask(work: (signal: AbortSignal) => Promise<Repeated>, withinMs: number): Promise<Repeated> {
    return within(work, withinMs, { signal: inFlight.giveUp.signal, late: () => UNCLEAR });
  }

  async function findAny(
    order: DatabaseOrder,
    described: string,
    findOpenids: FindOpenids,
    withinMs: number,
  ): Promise<Repeated> {
    const { accountId, gameId, denomination, idempotencyKey } = order;
    const { earlier, tries } = store.read((tables) =>
      useKey(tables, accountId, idempotencyKey, described, momentOf(clock)),
    );
    // What it began is its answer.
    if (typeof earlier?.redemptionId === 'number') return { status: 'none' };
    const until = clock.elapsed() + withinMs;
    const isSwept = await sweepStock({ accountId, gameId, denomination }, withinMs);
    if (!isSwept) return UNCLEAR;
    const own = await findOwn(order, findOpenids, until - clock.elapsed());
    if (own && own.status !== 'none') return own;
    return ask((signal) => findRepeated(order, tries, findOpenids, signal), until - clock.elapsed());
  }
}
