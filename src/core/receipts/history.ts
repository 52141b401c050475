// Looking back, day by day, newest first, in the account's time zone; and a redemption as a line of a list, which holds
// neither credentials nor the code.
import type { Store } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import {
  ENDS,
  readListPage,
  walkSource,
  type ListCursor,
  type ListRequest,
  type WalkDirection,
} from '../list-walk.ts';
import { dayAt, rangeOfDays, type Day } from '../zones.ts';
import { countState, noCounts, type StateCounts } from './counted-days.ts';
import { openAccount, openReceiptSource, ROWS_AT_ONCE } from './receipt-filter.ts';
import type { Redemption } from './receipts.ts';

/** A page of one day. */
export interface DayPage {
  day: Day;
  /** Newest first. */
  lines: HistoryLine[];
  /** Whether there are older ones. */
  hasMore: boolean;
  /** The nearest day before it, and after it, on which there is something; or how far it was looked for. */
  earlier?: Day | undefined;
  later?: Day | undefined;
  /** All of the day, for whoever may see their own alone; absent where that were too many to count. */
  total?: StateCounts;
}

/** Which page of a day: the first where `beside` is left out; what is redeemed meanwhile shifts no other. */
export interface DayRequest extends Pick<ListRequest, 'beside'> {
  day?: Day | undefined;
  size: number;
}

const MOST_WALKED = 500_000;
/** For a neighbouring day, and to count one's own. */
const MOST_WALKED_ASIDE = 20_000;

/**
 * A page of a day, the last on which there is something where none is named; undefined where there is nothing at all.
 * Throws CoreError FORBIDDEN.
 */
export async function findDay(
  store: Store,
  actor: AccountActor,
  asked: DayRequest,
): Promise<DayPage | undefined> {
  const account = openAccount(store, actor, 'searchHistory');
  const { accountId, timeZone, own } = account;
  const all = await openReceiptSource(account, {});
  /** Where there are none of one's own so far: how far it was looked. */
  const findNearest = async (direction: WalkDirection, from: ListCursor = ENDS[direction]) => {
    const { rows, reached } = await walkSource(
      all,
      { from, direction, count: 1 },
      stopAfter(MOST_WALKED_ASIDE),
    );
    const at = rows[0]?.createdAt ?? reached?.at;
    return at === undefined ? undefined : dayAt(timeZone, at);
  };
  const day = asked.day ?? (await findNearest('older'));
  if (!day) return undefined;
  const range = { from: day, to: day };
  const { from, until } = rangeOfDays(range, timeZone);
  const source = await openReceiptSource(account, range);
  const page = { order: 'newest', beside: asked.beside, limit: asked.size } as const;
  const { rows, next } = await readListPage(source, page, stopAfter(MOST_WALKED));
  const isWhole = { from: ENDS.older, direction: 'older', count: Infinity } as const;
  const counted =
    own === undefined ? undefined : await walkSource(source, isWhole, stopAfter(MOST_WALKED_ASIDE));
  return {
    day,
    // Behind a page that one came back to lies the one that was left.
    hasMore: next !== undefined || (asked.beside !== undefined && 'before' in asked.beside),
    lines: readLines(
      store,
      accountId,
      rows.map(({ id }) => id),
    ),
    earlier: await findNearest('older', { at: from, id: 0 }),
    later: await findNearest('newer', { at: until, id: 0 }),
    ...(counted && !counted.reached && { total: countStates(counted.rows) }),
  };
}

/** For a walk over so many rows. */
function stopAfter(most: number): () => boolean {
  let read = 0;
  return () => (read += ROWS_AT_ONCE) >= most;
}

function countStates(rows: readonly Pick<Redemption, 'state'>[]): StateCounts {
  const counts = noCounts();
  for (const row of rows) countState(counts, row);
  return counts;
}

/** Lines of redemptions as they stand now; those that are not this account's are left out. */
export function readLines(
  store: Store,
  accountId: number,
  ids: readonly number[],
  own?: string,
): HistoryLine[] {
  return store.read(({ redemptions }) =>
    ids
      .map((id) => redemptions.find(id))
      .filter((row) => row?.accountId === accountId && (own === undefined || row.actor === own))
      .map((row) => toLine(row!)),
  );
}

/** A line about one redemption. */
export interface HistoryLine extends Pick<
  Redemption,
  'id' | 'createdAt' | 'gameId' | 'playerId' | 'playerName' | 'amount' | 'state' | 'errorCode' | 'warning'
> {
  /** The last characters of the code, never more than half of it. */
  codeTail: string | null;
}

const SHOWN_OF_CODE = 6;

/** Its amount is the one asked for where none is known. */
function toLine(row: Redemption): HistoryLine {
  const { id, createdAt, gameId, playerId, playerName, state, errorCode, warning } = row;
  return {
    ...{ id, createdAt, gameId, playerId, playerName, state, errorCode, warning },
    amount: row.amount ?? row.denomination,
    codeTail: row.code === null ? null : tailOf(row.code),
  };
}

/** The last characters of a code, for telling codes apart without showing one. */
export function tailOf(code: string): string {
  const shown = Math.min(SHOWN_OF_CODE, Math.floor(code.length / 2));
  return shown === 0 ? '' : code.slice(-shown);
}
