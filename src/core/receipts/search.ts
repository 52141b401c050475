// Looking back: an account's redemptions day by day, and finding one by whatever is said of it. Who may see their
// own alone finds their own alone. Lines hold neither credentials nor codes.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import type { Day } from '../zones.ts';
import { find, type Found, type FindOptions } from './find-receipts.ts';
import { findDay, readLines, type DayPage, type DayRequest, type HistoryLine } from './history.ts';
import { openAccount } from './receipt-filter.ts';
import { readAsked } from './query.ts';

export type Search = ReturnType<typeof createSearch>;

export function createSearch(deps: { store: Store; clock: Clock }) {
  const { store, clock } = deps;
  return {
    /**
     * A page of a day in the account's time zone; of the last on which there is something where none is named.
     * undefined: there is nothing at all. Throws CoreError FORBIDDEN.
     */
    day: (actor: AccountActor, asked: DayRequest): Promise<DayPage | undefined> =>
      findDay(store, actor, asked),
    /** The one day that a text says, and nothing else; in either language. Throws CoreError FORBIDDEN. */
    readDay(actor: AccountActor, text: string): Day | undefined {
      const { timeZone } = openAccount(store, actor, 'searchHistory');
      const { days, words, state } = readAsked(text, { timeZone, now: clock.now() });
      const isDayAlone = words.length === 0 && state === undefined;
      return days && isDayAlone && days.first === days.last ? days.first : undefined;
    },
    /**
     * Finds by words side by side: a receipt or player identifier, four digits and more of either end of a player's,
     * six characters and more of either end of a code, a part of a player's name, a day or two, failed or in doubt,
     * who began it; among what the filter asks for. Never holds the event loop for long. A brief one walks through
     * what no index knows for 30 ms, as a page of a list does, and tells what it reached. Throws CoreError FORBIDDEN.
     */
    find: (actor: AccountActor, text: string, options: FindOptions = {}): Promise<Found> =>
      find(deps, actor, text, options),
    /**
     * Lines of what was found, as they stand now; those that this actor may not see are left out. Throws CoreError
     * FORBIDDEN.
     */
    read(actor: AccountActor, ids: readonly number[]): HistoryLine[] {
      const { accountId, own } = openAccount(store, actor, 'searchHistory');
      return readLines(store, accountId, ids, own);
    },
  };
}
