// What came of redemptions, counted one by one, a slice at a time, so that however many there are nobody else waits.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { HistoryCursor, Outcome, Store } from '../../store/index.ts';
import { eachSlice } from '../../turns.ts';
import { CoreError } from '../errors.ts';
import { addDays, dayAt, type Day } from '../zones.ts';

const AT_ONCE = 500;

/** Calls `add` with every redemption that began between the two moments, oldest first. */
export async function eachOutcome(
  store: Store,
  accountId: number,
  { from, until }: { from: number; until: number },
  add: (outcome: Outcome) => void,
): Promise<void> {
  const list = (last: HistoryCursor = { createdAt: from, id: 0 }) =>
    store.read(({ history }) => history.listOutcomes(accountId, last, until, AT_ONCE));
  await nextTurn();
  for await (const outcomes of eachSlice(list, AT_ONCE, nextTurn)) outcomes.forEach(add);
}

/** `open`: under way, or in doubt. */
export type StateCounts = Record<'redeemed' | 'failed' | 'open', number>;

export const noCounts = (): StateCounts => ({ redeemed: 0, failed: 0, open: 0 });

export function countState(counts: StateCounts, { state }: Pick<Outcome, 'state'>): void {
  counts[state === 'redeemed' || state === 'failed' ? state : 'open'] += 1;
}

/** The first of so many days that end with the one it is at a moment. Throws CoreError INVALID_INPUT. */
export function firstOfDays(timeZone: string, now: number, days: number, most: number): Day {
  if (!Number.isInteger(days) || days < 1 || days > most) {
    throw new CoreError('INVALID_INPUT', `The number of days must be a whole number from 1 to ${most}.`);
  }
  return addDays(dayAt(timeZone, now), 1 - days);
}
