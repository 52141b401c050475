// Which redemptions a list is of: what each must be, and where those are found. A player, a code, an identifier and what
// is open have an index; everything else is compared as rows are read, newest first or oldest first.
import { HOUR_MS } from '../../clock.ts';
import type { BriefRow, Store } from '../../store/index.ts';
import { walkBatchCodes, type CodesOfState } from '../batch-codes.ts';
import { nameActor, requirePermission, type AccountActor } from '../context.ts';
import { foldName, foldWritten } from '../folding.ts';
import type { ListCursor, ListSource, WalkDirection } from '../list-walk.ts';
import { rangeOfDays, readTimeZone, type Day } from '../zones.ts';
import { findByCode } from './terms.ts';

/** `open`: under way or in doubt, as statistics count them. */
export const LISTED_STATES = ['redeemed', 'failed', 'open', 'in_doubt', 'pending'] as const;
type ListedState = (typeof LISTED_STATES)[number];

/** What is left out is not asked for. */
export interface ReceiptFilter {
  state?: ListedState | undefined;
  /** The first and the last day, in the time zone of the account. */
  from?: Day | undefined;
  to?: Day | undefined;
  gameId?: string | undefined;
  /** Redeemed, or asked for; 0: not known. As statistics count it. */
  amount?: number | undefined;
  playerId?: string | undefined;
  /** A part of a player's name. */
  name?: string | undefined;
  /** Six characters and more of either end of a code. */
  code?: string | undefined;
  /** The receipt identifier. */
  id?: number | undefined;
  /** Who began it: a key by its number, a member by the Telegram id. */
  apiKeyId?: number | undefined;
  telegramId?: number | undefined;
  errorCode?: string | undefined;
  /** Of which its code is. */
  batchId?: number | undefined;
}

/** Whether a row is what is asked for. `own`: who may see their own alone. */
export function createReceiptMatcher(
  filter: ReceiptFilter,
  { timeZone, own }: { timeZone: string; own: string | undefined },
): (row: BriefRow) => boolean {
  const { from, until } = rangeOfDays(filter, timeZone);
  const { state, gameId, amount, playerId, id, apiKeyId, telegramId, errorCode } = filter;
  const name = filter.name === undefined ? undefined : foldName(filter.name);
  const isIn = (row: BriefRow) => row.createdAt >= from && row.createdAt < until;
  const isOf = (row: BriefRow) =>
    (own === undefined || row.actor === own) &&
    (apiKeyId === undefined || row.actor === `apiKey:${apiKeyId}`) &&
    (telegramId === undefined || row.actor === `member:${telegramId}`) &&
    (playerId === undefined || row.playerId === playerId) &&
    (id === undefined || row.id === id);
  return (row) =>
    isIn(row) &&
    isOf(row) &&
    (state === undefined || isListed(row, state)) &&
    (gameId === undefined || row.gameId === gameId) &&
    (errorCode === undefined || row.errorCode === errorCode) &&
    (amount === undefined || unitsOf(row) === amount) &&
    (name === undefined || (row.playerName !== null && foldName(row.playerName).includes(name)));
}

const isListed = (row: BriefRow, state: ListedState): boolean =>
  state === 'open' ? row.state === 'pending' || row.state === 'in_doubt' : row.state === state;

/** As a day is counted: what was redeemed, else what was asked for. */
const unitsOf = ({ state, amount, denomination }: BriefRow): number =>
  (state === 'redeemed' ? amount : 0) || denomination || 0;

/** An index entry and its row, each on a page of its own in a large file. */
export const ROWS_AT_ONCE = 200;
/** So many that are open are put in order; more are walked to like everything else. */
const MOST_OPEN = 1_000;

/** An account as somebody sees it. `own`: who may see their own alone. */
export interface SeenAccount {
  store: Store;
  accountId: number;
  timeZone: string;
  own: string | undefined;
}

/** Throws CoreError FORBIDDEN. */
export function openAccount(
  store: Store,
  actor: AccountActor,
  permission: 'searchHistory' | 'exportReceipts',
): SeenAccount {
  const isOwn = requirePermission(actor, permission) === 'own';
  const { accountId } = actor;
  return {
    store,
    accountId,
    timeZone: readTimeZone(store, accountId),
    own: isOwn ? nameActor(actor) : undefined,
  };
}

/** By the narrowest index that there is. `isOver`: the time for what may be left out is over. */
export async function openReceiptSource(
  account: SeenAccount,
  filter: ReceiptFilter,
  isOver?: () => boolean,
): Promise<ListSource<BriefRow>> {
  const { store, accountId } = account;
  const placeOf = ({ createdAt, id }: BriefRow): ListCursor => ({ at: createdAt, id });
  const matches = createReceiptMatcher(filter, account);
  const fits = (row: BriefRow) => matches(row) && isOfBatch(store, row, filter.batchId);
  const common = { placeOf, fits, rowsAtOnce: ROWS_AT_ONCE };
  const few = await findFew(account, filter);
  if (few) return { ...common, read: readSorted(few.filter(common.fits), placeOf) };
  const { playerId } = filter;
  if (playerId !== undefined)
    return {
      ...common,
      read: ({ id }, direction, limit) =>
        store.read(({ history }) => history.listOfPlayer({ accountId, playerId, id, direction, limit })),
    };
  return { ...common, read: readPast(account, await findSpan(account, filter, isOver)) };
}

const isOfBatch = (store: Store, { codeId }: BriefRow, batchId: number | undefined): boolean =>
  batchId === undefined ||
  (codeId !== null && store.read(({ codes }) => codes.findStockKey(codeId))?.batchId === batchId);

/** Between which moments, ms UTC. */
interface Span {
  from: number;
  until: number;
}

/** A clock may have been wrong by so much. */
const SLACK_MS = HOUR_MS;

/** What is of a batch is between its import and the last change of its codes. */
async function findSpan(
  { store, accountId, timeZone }: SeenAccount,
  { batchId, ...filter }: ReceiptFilter,
  isOver?: () => boolean,
): Promise<Span> {
  const days = rangeOfDays(filter, timeZone);
  if (batchId === undefined) return days;
  const batch = store.read(({ batches }) => batches.find(batchId));
  if (batch?.accountId !== accountId) return { from: 0, until: 0 };
  let lastAt = 0;
  const note = ({ changedAt }: CodesOfState) => void (lastAt = Math.max(lastAt, changedAt));
  const isTold = (await walkBatchCodes(store, batchId, note, isOver)) === 'all';
  const until = isTold ? lastAt + SLACK_MS : Infinity;
  return { from: Math.max(days.from, batch.at - SLACK_MS), until: Math.min(days.until, until) };
}

/** What there are only a few of, whatever else is asked. */
async function findFew(
  { store, accountId }: SeenAccount,
  { id, code, state }: ReceiptFilter,
): Promise<BriefRow[] | undefined> {
  if (id !== undefined) {
    const row = store.read(({ redemptions }) => redemptions.find(id));
    return row?.accountId === accountId ? [row] : [];
  }
  if (code !== undefined) {
    const { rows } = await findByCode(store, accountId, foldWritten(code));
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  }
  if (state === undefined || state === 'redeemed' || state === 'failed') return undefined;
  const open = store.read(({ history }) => [
    ...(state === 'pending' ? [] : history.listInDoubt(accountId, MOST_OPEN)),
    ...(state === 'in_doubt' ? [] : history.listPending(accountId, MOST_OPEN)),
  ]);
  return open.length < MOST_OPEN ? open : undefined;
}

/** Of rows in memory. */
function readSorted<Row>(rows: Row[], placeOf: (row: Row) => ListCursor): ListSource<Row>['read'] {
  const compare = (a: ListCursor, b: ListCursor) => a.at - b.at || a.id - b.id;
  const oldestFirst = rows.toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  return (beyond, direction, limit) => {
    const isBeyond = (row: Row) => compare(placeOf(row), beyond) * (direction === 'older' ? -1 : 1) > 0;
    const inOrder = direction === 'older' ? oldestFirst.toReversed() : oldestFirst;
    return inOrder.filter(isBeyond).slice(0, limit);
  };
}

/** The past of an account between two moments. */
function readPast({ store, accountId }: SeenAccount, { from, until }: Span) {
  return ({ at, id }: ListCursor, direction: WalkDirection, limit: number): BriefRow[] => {
    const [begin, end] = direction === 'older' ? [until, from] : [from, until];
    const isWithin = direction === 'older' ? at < begin : at >= begin;
    const cursor = isWithin ? { createdAt: at, id } : { createdAt: begin, id: 0 };
    return store.read(({ history }) => history.listBriefs({ accountId, ...cursor, direction, end, limit }));
  };
}
