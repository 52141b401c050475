// Counts of a day, for people who look at their business.
import { type Clock, DAY_MS } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Games } from '../games.ts';
import { eachOutcome } from './counted-days.ts';

/**
 * Of one UTC day and game: redemptions from the code database by the denomination asked for, direct ones by the amount
 * of their receipt; failures by denomination; 0 where it is not known.
 */
export interface DayStatistics {
  /** YYYY-MM-DD */
  date: string;
  activations: Map<number, number>;
  errors: Map<number, number>;
}

export type ReadDayStatistics = (
  actor: AccountActor,
  of: { gameId: string; date?: string },
) => Promise<DayStatistics>;

/**
 * `date` is YYYY-MM-DD in UTC, default today; the game may be any of the catalogue. Throws CoreError FORBIDDEN,
 * INVALID_INPUT. What is open counts as an error.
 */
export function createDayStatistics({
  store,
  games,
  clock,
}: {
  store: Store;
  games: Games;
  clock: Clock;
}): ReadDayStatistics {
  return async (actor, { gameId, date = new Date(clock.now()).toISOString().slice(0, 10) }) => {
    requirePermission(actor, 'seeStatistics');
    const from = Date.parse(`${date}T00:00:00.000Z`);
    if (Number.isNaN(from) || new Date(from).toISOString().slice(0, 10) !== date) {
      throw new CoreError('INVALID_INPUT', 'A date is written YYYY-MM-DD.');
    }
    const game = games.find(gameId);
    if (!game) throw new CoreError('INVALID_INPUT', `There is no game ${gameId}.`);
    const known = [0, ...game.denominations];
    const activations = new Map(known.map((amount) => [amount, 0]));
    const errors = new Map(activations);
    await eachOutcome(store, actor.accountId, { from, until: from + DAY_MS }, (outcome) => {
      if (outcome.gameId !== gameId) return;
      const { state, amount, denomination } = outcome;
      const [counts, key] =
        state === 'redeemed' ? [activations, denomination || amount] : [errors, denomination];
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    return { date, activations, errors };
  };
}
