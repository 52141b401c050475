// Looking back: an account's redemptions day by day, and finding one by whatever is said of it. Who may see their
// own alone finds their own alone. Lines hold neither credentials nor codes.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { Store, BriefRow, HistoryCursor } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { type Day, rangeOfDays } from '../zones.ts';
import { findDay, readLines, type DayPage, type DayRequest, type HistoryLine } from './history.ts';
import { openAccount, createReceiptMatcher, ROWS_AT_ONCE, type ReceiptFilter } from './receipt-filter.ts';
import { readAsked, type SearchQuery, type AskedState } from './query.ts';
import { eachSlice } from '../../turns.ts';
import { beginSearch } from '../list-walk.ts';
import { foldName } from '../folding.ts';
import { isStrong, matches, readTerm, type Term } from './terms.ts';

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

export interface Found {
  /** Receipt identifiers, newest first. */
  ids: number[];
  /** False when there may be older ones: the search has its bounds. */
  isComplete: boolean;
  /** How far it looked back, where there may be older ones. */
  reached?: number;
  /** More codes begin or end so than were compared: more characters find it. */
  asksForMore: boolean;
  /** What was looked for, as it was understood. */
  by: MatchReason;
}

export interface MatchReason {
  /** The first and the last of them. */
  days?: [Day, Day];
  state?: AskedState;
  words: string[];
}

export const MOST_FOUND = 200;
const LONGEST_TEXT = 600;
/** So many redemptions are walked through; older ones are found by their player or code, or by a day. */
const MOST_WALKED = 500_000;
const SHORTEST_NAME = 2;
const MOST_DOUBTS = 1_000;

export interface FindOptions {
  filter?: ReceiptFilter;
  isBrief?: boolean;
}

interface Deps {
  store: Store;
  clock: Clock;
}

interface Looking {
  store: Store;
  accountId: number;
  asked: SearchQuery;
  /** What each must be beside. */
  fits: (row: BriefRow) => boolean;
  /** Of the days that are asked for. */
  from: number;
  until: number;
  isOver: () => boolean;
}

/**
 * What is found is what the filter asks, too. `isBrief`: ends when the time for a page is over. Throws CoreError
 * FORBIDDEN.
 */
async function find(
  { store, clock }: Deps,
  actor: AccountActor,
  text: string,
  { filter = {}, isBrief = false }: FindOptions,
): Promise<Found> {
  const { accountId, timeZone, own } = openAccount(store, actor, 'searchHistory');
  const asked = readAsked(text.slice(0, LONGEST_TEXT), { timeZone, now: clock.now() });
  const { days } = asked;
  const range = rangeOfDays(filter, timeZone);
  const looking: Looking = {
    ...{ store, accountId, asked, fits: createReceiptMatcher(filter, { timeZone, own }) },
    from: Math.max(range.from, days?.from ?? 0),
    until: Math.min(range.until, days?.until ?? Number.MAX_SAFE_INTEGER),
    isOver: () => false,
  };
  const terms = await readTerms(looking);
  if (isBrief) looking.isOver = beginSearch(clock);
  if (!saysEnough(asked, terms)) return { ...NOTHING, by: describe(asked, asked.words) };
  const found = await collect(looking, sourceOf(looking, terms), (row) =>
    terms.every((term) => matches(term, row)),
  );
  return {
    ...found,
    by: describe(
      asked,
      terms.map(({ word }) => word),
    ),
    asksForMore: terms.some(({ asksForMore }) => asksForMore),
  };
}

const NOTHING = { ids: [], isComplete: true, asksForMore: false };

function describe({ days, state }: SearchQuery, words: string[]): MatchReason {
  return {
    ...(days && { days: [days.first, days.last] }),
    ...(state && { state }),
    words,
  };
}

async function readTerms({ store, accountId, asked: { words, ...beside } }: Looking): Promise<Term[]> {
  const visible = words.filter((word) => foldName(word).trim() !== '');
  const terms: Term[] = [];
  const isAlone = visible.length === 1 && Object.keys(beside).length === 0;
  for (const word of new Set(visible)) terms.push(await readTerm(store, accountId, word, { isAlone }));
  return terms;
}

function saysEnough({ days, state }: SearchQuery, terms: readonly Term[]): boolean {
  if (days ?? state) return true;
  if (terms.some((term) => isStrong(term) || term.actors.size > 0)) return true;
  const said = terms.map(({ folded }) => folded).join('');
  return said.length >= SHORTEST_NAME && /\p{L}|\p{N}|\p{S}|\p{P}/u.test(said);
}

type Rows = AsyncIterable<BriefRow[]>;

/** Where what is asked can be, newest first but for doubts. */
function sourceOf(looking: Looking, terms: readonly Term[]): Rows {
  const strong = terms.filter(isStrong);
  const narrowest = strong.find(({ rows }) => rows.length > 0) ?? strong[0];
  if (narrowest) return rowsOf(looking, narrowest);
  if (looking.asked.state === 'in_doubt') return doubts(looking);
  return past(
    looking,
    terms.flatMap(({ rows }) => rows),
  );
}

async function* rowsOf(looking: Looking, { rows, players }: Term): Rows {
  yield rows;
  for (const playerId of players) yield* ofPlayer(looking, playerId);
}

const ofPlayer = ({ store, accountId, isOver }: Looking, playerId: string): Rows =>
  walk(isOver, (last: Pick<BriefRow, 'id'> = { id: Number.MAX_SAFE_INTEGER }) =>
    store.read(({ history }) =>
      history.listOfPlayer({
        ...{ accountId, playerId, id: last.id, limit: ROWS_AT_ONCE },
        direction: 'older',
      }),
    ),
  );

async function* doubts({ store, accountId }: Looking): Rows {
  const rows = store.read(({ history }) => history.listInDoubt(accountId, MOST_DOUBTS));
  yield await Promise.resolve(rows.sort((a, b) => b.id - a.id));
  if (rows.length === MOST_DOUBTS) yield STOPPED;
}

/** `known` by an index, however old. */
async function* past({ store, accountId, from, until, isOver }: Looking, known: BriefRow[]): Rows {
  yield known;
  const stretch = { accountId, direction: 'older', end: from, limit: ROWS_AT_ONCE } as const;
  yield* walk(isOver, ({ createdAt, id }: HistoryCursor = { createdAt: until, id: 0 }) =>
    store.read(({ history }) => history.listBriefs({ ...stretch, createdAt, id })),
  );
}

/** As far as there is time. */
async function* walk(isOver: () => boolean, list: (last: BriefRow | undefined) => BriefRow[]): Rows {
  let read = 0;
  for await (const rows of eachSlice(list, ROWS_AT_ONCE, nextTurn)) {
    yield rows;
    read += rows.length;
    if (rows.length < ROWS_AT_ONCE || (read < MOST_WALKED && !isOver())) continue;
    yield STOPPED;
    return;
  }
}

/** What a source ends with that stopped before the oldest. */
const STOPPED: BriefRow[] = [];

async function collect(
  { asked, fits: fitsFilter }: Looking,
  source: Rows,
  isOne: (row: BriefRow) => boolean,
): Promise<Pick<Found, 'ids' | 'isComplete' | 'reached'>> {
  const { days, state } = asked;
  const fits = (row: BriefRow) =>
    fitsFilter(row) &&
    (!days || (row.createdAt >= days.from && row.createdAt < days.until)) &&
    (state === undefined || row.state === state);
  const ids = new Set<number>();
  let isComplete = true;
  let reached: number | undefined;
  for await (const rows of source) {
    if (rows === STOPPED) isComplete = false;
    for (const row of rows) if (fits(row) && isOne(row)) ids.add(row.id);
    reached = rows.at(-1)?.createdAt ?? reached;
    if (ids.size > MOST_FOUND) isComplete = false;
    if (!isComplete) break;
  }
  const newestFirst = [...ids].sort((a, b) => b - a);
  return {
    ids: newestFirst.slice(0, MOST_FOUND),
    isComplete,
    ...(!isComplete && reached !== undefined && { reached }),
  };
}
