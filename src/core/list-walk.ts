// Pages of a list that is walked by an index, in either direction, with filters that the index does not know: a turn
// reads a slice, and a page that takes too long ends with what there is and the place that was reached.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { runTime, type Clock } from '../clock.ts';
import { takeTurn, waitUntilIdle } from '../turns.ts';
import { pause } from '../waiting.ts';
import type { AccountActor } from './context.ts';
import { CoreError } from './errors.ts';

/** A place in a list: a row of it, or one that was passed over. `at`: ms UTC. */
export interface ListCursor {
  at: number;
  id: number;
}

export type ListOrder = 'newest' | 'oldest';
export type WalkDirection = 'older' | 'newer';

/** Which part of a list is read: beside a place in it, or from its beginning. */
export interface ListRequest {
  order: ListOrder;
  /** Strictly behind that place, or before it, in the order of the list. */
  beside?: { after: ListCursor } | { before: ListCursor } | undefined;
  /** 1 to 200. */
  limit: number;
}

/** `isMore`: there are more than so many; how many more is not counted. */
export interface ListTotal {
  count: number;
  isMore: boolean;
}

export interface ListPage<Row> {
  rows: Row[];
  /** Behind which there are more, and before which; absent at either end. */
  next?: ListCursor;
  previous?: ListCursor;
  /** How far it was searched, ms UTC, where the time was over before the page was full. */
  searchedTo?: number;
}

/** What is walked. */
export interface ListSource<Row> {
  /** The nearest rows strictly beyond a place in that direction, nearest first; fewer than `limit`: there are no more. */
  read(beyond: ListCursor, direction: WalkDirection, limit: number): Row[];
  placeOf(row: Row): ListCursor;
  fits(row: Row): boolean;
  /** How many are read in one turn. */
  rowsAtOnce: number;
}

const LONGEST_LIST_PAGE = 200;
/** For one page, with its count. */
const SEARCH_MS = 30;
const MOST_COUNTED = 10_000;
export const ENDS: Record<WalkDirection, ListCursor> = {
  older: { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER },
  newer: { at: -1, id: -1 },
};

const directionOf = (order: ListOrder): WalkDirection => (order === 'newest' ? 'older' : 'newer');
const opposite = (direction: WalkDirection): WalkDirection => (direction === 'older' ? 'newer' : 'older');

/** When the time for a page is over. */
export function beginSearch({ elapsed }: Pick<Clock, 'elapsed'>): () => boolean {
  const until = elapsed() + SEARCH_MS;
  return () => elapsed() >= until;
}

interface Walked<Row> {
  rows: Row[];
  /** Of the last row that was read, where the walk ended before the list. */
  reached?: ListCursor;
}

/** A page, nearest to the place first. Throws CoreError INVALID_INPUT. */
export async function readListPage<Row>(
  source: ListSource<Row>,
  { order, beside, limit }: ListRequest,
  isOver: () => boolean,
): Promise<ListPage<Row>> {
  if (!Number.isInteger(limit) || limit < 1 || limit > LONGEST_LIST_PAGE)
    throw new CoreError('INVALID_INPUT', `A page has 1 to ${LONGEST_LIST_PAGE} rows.`);
  const onward = directionOf(order);
  const isBack = beside !== undefined && 'before' in beside;
  const direction = isBack ? opposite(onward) : onward;
  const from = beside === undefined ? ENDS[direction] : 'before' in beside ? beside.before : beside.after;
  const walked = await walkSource(source, { from, direction, count: limit + 1 }, isOver);
  const isFull = walked.rows.length > limit;
  const rows = walked.rows.slice(0, limit);
  const [nearest, furthest] = [rows[0], rows.at(-1)].map((row) => row && source.placeOf(row));
  const beyond = isFull ? furthest : walked.reached;
  const behind = beside === undefined ? undefined : nearest;
  const [next, previous] = isBack ? [behind, beyond] : [beyond, behind];
  return {
    rows: isBack ? rows.reverse() : rows,
    next,
    previous,
    ...(!isFull && walked.reached && { searchedTo: walked.reached.at }),
  };
}

/** A page, with how many there are in all. Throws CoreError INVALID_INPUT. */
export async function readCountedPage<Row>(
  source: ListSource<Row>,
  request: ListRequest,
  isOver: () => boolean,
): Promise<ListPage<Row> & { total: ListTotal }> {
  const page = await readListPage(source, request, isOver);
  const isAll = page.next === undefined && page.previous === undefined;
  const total = isAll ? { count: page.rows.length, isMore: false } : await countList(source, isOver);
  return { ...page, total };
}

/** So long after a slice as it took, times this, and no longer: whoever redeems meanwhile finds the loop free. */
const REST_SHARE = 4;
const LONGEST_REST_MS = 10;
/** Where somebody always redeems, it goes on nevertheless. */
const LONGEST_WAIT_MS = 20;

/**
 * All of it, in slices of at most `openedAtOnce` rows, between which everybody else has the loop: nobody waits for a
 * whole list by the millisecond. What is made of a slice before the next is asked for counts as its time. Where nothing
 * fits, more is read in a turn, up to the `rowsAtOnce` of a page; its slice is empty, so that whoever asks can leave.
 */
export async function* walkList<Row>(
  source: ListSource<Row>,
  { order, openedAtOnce }: { order: ListOrder; openedAtOnce: number },
): AsyncGenerator<Row[]> {
  const direction = directionOf(order);
  const turn = takeTurnsWithRests();
  let [from, limit] = [ENDS[direction], openedAtOnce];
  for (;;) {
    await turn();
    const rows = source.read(from, direction, limit);
    const fitting = rows.filter((row) => source.fits(row));
    yield fitting.slice(0, openedAtOnce);
    for (let at = openedAtOnce; at < fitting.length; at += openedAtOnce) {
      await turn();
      yield fitting.slice(at, at + openedAtOnce);
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    from = source.placeOf(last);
    limit = fitting.length > 0 ? openedAtOnce : Math.min(limit * 2, source.rowsAtOnce);
  }
}

/** Resolves when the next slice may begin; the first time at once. */
function takeTurnsWithRests(): () => Promise<void> {
  let began: number | undefined;
  return async () => {
    if (began !== undefined) {
      await pause(Math.min((runTime() - began) * REST_SHARE, LONGEST_REST_MS));
      await waitUntilIdle(LONGEST_WAIT_MS);
    }
    await takeTurn();
    began = runTime();
  };
}

/** Each slice, as something else. */
export async function* mapSlices<Row, Told>(
  slices: AsyncIterable<Row[]>,
  tell: (rows: Row[]) => Told[] | Promise<Told[]>,
): AsyncGenerator<Told[]> {
  for await (const rows of slices) yield await tell(rows);
}

/** How many there are, as far as they can be counted. */
async function countList<Row>(source: ListSource<Row>, isOver: () => boolean): Promise<ListTotal> {
  const whole = { from: ENDS.older, direction: 'older', count: MOST_COUNTED + 1 } as const;
  const { rows, reached } = await walkSource(source, whole, isOver);
  return {
    count: Math.min(rows.length, MOST_COUNTED),
    isMore: reached !== undefined || rows.length > MOST_COUNTED,
  };
}

/** The next `count` rows that fit; `reached`: where it was over before the list was. */
export async function walkSource<Row>(
  { read, placeOf, fits, rowsAtOnce }: ListSource<Row>,
  { from, direction, count }: { from: ListCursor; direction: WalkDirection; count: number },
  isOver: () => boolean,
): Promise<Walked<Row>> {
  const rows: Row[] = [];
  let at = from;
  for (;;) {
    const slice = read(at, direction, rowsAtOnce);
    for (const row of slice) {
      if (!fits(row)) continue;
      rows.push(row);
      if (rows.length === count) return { rows };
    }
    const last = slice.at(-1);
    if (!last || slice.length < rowsAtOnce) return { rows };
    at = placeOf(last);
    if (isOver()) return { rows, reached: at };
    await nextTurn();
  }
}

/** A filtered list whose rows are told as records. */
export interface RecordList<Filter, Told> {
  /** A page, with how many there are. Throws CoreError FORBIDDEN, INVALID_INPUT. */
  page(
    actor: AccountActor,
    filter: Filter,
    request: ListRequest,
  ): Promise<ListPage<Told> & { total: ListTotal }>;
  /** All of them, in slices between turns. Throws CoreError FORBIDDEN before the first. */
  walk(actor: AccountActor, filter: Filter, order: ListOrder): AsyncIterable<Told[]>;
}

/** For records that are made of more rows than their own. */
const OPENED_AT_ONCE = 25;

/** `open`: what this actor may see of it; throws CoreError FORBIDDEN. */
export function createRecordList<Filter, Row, Told>(
  clock: Pick<Clock, 'elapsed'>,
  open: (actor: AccountActor, filter: Filter) => ListSource<Row>,
  tell: (rows: readonly Row[]) => Told[],
): RecordList<Filter, Told> {
  return {
    async page(actor, filter, request) {
      const { rows, ...places } = await readCountedPage(open(actor, filter), request, beginSearch(clock));
      return { rows: tell(rows), ...places };
    },
    walk(actor, filter, order) {
      return mapSlices(walkList(open(actor, filter), { order, openedAtOnce: OPENED_AT_ONCE }), tell);
    },
  };
}
