// Pages of an account's past, newest first, over a day in the account's time zone. Whoever sees
// their own alone has those of others left out as rows are read, in slices.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { BriefRow, HistoryCursor, Store } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { readTimeZone, dayAt, rangeOfDays, type Day } from '../zones.ts';
import { ROWS_AT_ONCE } from './find-receipts.ts';
import { toLine, type HistoryLine } from './history-entry.ts';

export interface HistoryPage {
  /** Newest first. */
  lines: HistoryLine[];
  /** Whether there are older ones. */
  hasMore: boolean;
}

/** A page of one day. */
export interface DayPage extends HistoryPage {
  day: Day;
  /** The nearest day before it, and after it, on which there is something; or how far it was looked for. */
  earlier?: Day;
  later?: Day;
  /** All of the day, for whoever may see their own alone; absent where that were too many to count. */
  total?: DayTotal;
}

type DayTotal = Record<'redeemed' | 'failed' | 'open', number>;

/** Beside which line a page lies: what is redeemed meanwhile shifts nothing. */
export type PageAnchor = { olderThan: HistoryCursor } | { newerThan: HistoryCursor };

const MOST_WALKED = 500_000;
/** For a neighbouring day of one's own. */
const MOST_WALKED_ASIDE = 20_000;
const NEWEST = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

interface Reading {
  store: Store;
  accountId: number;
  /** Who may see their own alone. */
  own: string | undefined;
}

function open(store: Store, actor: AccountActor): Reading {
  const grant = requirePermission(actor, 'searchHistory');
  return { store, accountId: actor.accountId, own: grant === 'own' ? nameActor(actor) : undefined };
}

/**
 * A page of a day, the last on which there is something where none is named; undefined where there is nothing at all.
 * Throws CoreError FORBIDDEN.
 */
export async function findDay(
  store: Store,
  actor: AccountActor,
  asked: { day?: Day | undefined; beside?: PageAnchor | undefined; size: number },
): Promise<DayPage | undefined> {
  const reading = open(store, actor);
  const timeZone = readTimeZone(store, actor.accountId);
  const day = asked.day ?? (await findDayBefore(reading, timeZone, NEWEST));
  if (!day) return undefined;
  const { from, until } = rangeOfDays({ from: day, to: day }, timeZone);
  const newest = { olderThan: { createdAt: until, id: 0 } };
  const page = await readBeside(reading, asked.beside ?? newest, asked.size, { from, until });
  const earlier = await findDayBefore(reading, timeZone, { createdAt: from, id: 0 });
  const later = await findDayAfter(reading, timeZone, { createdAt: until, id: 0 });
  const total = await countOwn(reading, { from, until });
  return { day, ...page, ...(earlier && { earlier }), ...(later && { later }), ...(total && { total }) };
}

async function countOwn(
  { store, accountId, own }: Reading,
  { from, until }: { from: number; until: number },
): Promise<DayTotal | undefined> {
  if (own === undefined) return undefined;
  const total: DayTotal = { redeemed: 0, failed: 0, open: 0 };
  let cursor: HistoryCursor = { createdAt: until, id: 0 };
  for (let read = 0; read < MOST_WALKED_ASIDE; read += ROWS_AT_ONCE) {
    const before = cursor;
    const rows = store.read(({ history }) => history.listBriefs(accountId, before, from, ROWS_AT_ONCE));
    for (const { actor, state } of rows)
      if (actor === own) total[state === 'redeemed' || state === 'failed' ? state : 'open'] += 1;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return total;
    cursor = last;
    await nextTurn();
  }
  return undefined;
}

async function readBeside(
  reading: Reading,
  beside: PageAnchor,
  size: number,
  { from, until }: { from: number; until: number },
): Promise<HistoryPage> {
  if ('newerThan' in beside) {
    const { ids } = await walkOn(reading, {
      cursor: beside.newerThan,
      until,
      count: size,
      most: MOST_WALKED,
    });
    return { ...toPage(reading, ids.reverse(), size), hasMore: true };
  }
  const cursor = beside.olderThan;
  const { ids } = await walkBack(reading, { cursor, from, count: size + 1, most: MOST_WALKED });
  return toPage(reading, ids, size);
}

function toPage({ store, accountId }: Reading, ids: readonly number[], size: number): HistoryPage {
  const lines = readLines(store, accountId, ids.slice(0, size));
  return { lines, hasMore: ids.length > size };
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

/** Where there are none of one's own so far back: how far it was looked. */
async function findDayBefore(
  reading: Reading,
  timeZone: string,
  cursor: HistoryCursor,
): Promise<Day | undefined> {
  const { reached } = await walkBack(reading, { cursor, from: 0, count: 1, most: MOST_WALKED_ASIDE });
  return reached === undefined ? undefined : dayAt(timeZone, reached);
}

async function findDayAfter(
  reading: Reading,
  timeZone: string,
  cursor: HistoryCursor,
): Promise<Day | undefined> {
  const { reached } = await walkOn(reading, {
    cursor,
    until: Number.MAX_SAFE_INTEGER,
    count: 1,
    most: MOST_WALKED_ASIDE,
  });
  return reached === undefined ? undefined : dayAt(timeZone, reached);
}

interface Walked {
  ids: number[];
  /** The moment of the last that was taken; of the last that was read where the walk stopped before the end. */
  reached?: number;
}

type Walk = { cursor: HistoryCursor; count: number; most: number };

const walkBack = (reading: Reading, walk: Walk & { from: number }) =>
  walkThrough(reading, walk, (cursor, limit) =>
    reading.store.read(({ history }) => history.listBriefs(reading.accountId, cursor, walk.from, limit)),
  );

const walkOn = (reading: Reading, walk: Walk & { until: number }) =>
  walkThrough(reading, walk, (cursor, limit) =>
    reading.store.read(({ history }) => history.listBriefsFrom(reading.accountId, cursor, walk.until, limit)),
  );

async function walkThrough(
  { own }: Reading,
  { cursor, count, most }: Walk,
  list: (cursor: HistoryCursor, limit: number) => BriefRow[],
): Promise<Walked> {
  const ids: number[] = [];
  let reached: number | undefined;
  let at = cursor;
  for (let read = 0; read < most; read += ROWS_AT_ONCE) {
    const limit = own === undefined ? Math.min(count - ids.length, ROWS_AT_ONCE) : ROWS_AT_ONCE;
    const rows = list(at, limit);
    for (const row of rows) {
      if (own !== undefined && row.actor !== own) continue;
      ids.push(row.id);
      reached = row.createdAt;
      if (ids.length === count) return { ids, reached };
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { ids, ...(reached !== undefined && { reached }) };
    at = last;
    await nextTurn();
  }
  return { ids, reached: reached ?? at.createdAt };
}
