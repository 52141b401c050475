// The batches of an account as a list, filtered: its pages both ways, all of it, and one of them. Who may take back their
// own alone sees their own. Batches are counted a piece at a time.
import type { Clock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { foldName } from '../folding.ts';
import { beginSearch, mapSlices, readListPage, walkList } from '../list-walk.ts';
import type { ListOrder, ListPage, ListRequest, ListSource } from '../list-walk.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';
import { rangeOfDays, readTimeZone, type Day } from '../zones.ts';
import { UNDO_WITHIN_MS } from './undo-batch.ts';

interface Batch {
  id: number;
  gameId: string;
  /** How many codes it got. */
  added: number;
  /** undefined while it was not taken back, or is just being. */
  undoneAt: number | undefined;
  /** It is just being taken back. */
  isBeingUndone: boolean;
}

/** How many of its codes were gone through. */
export interface BatchInProgress extends Batch {
  /** undefined: all of them. */
  done: number | undefined;
}

/**
 * What became of the codes of a batch; `available` can be taken, `held` are being redeemed, `spent` cannot be used any
 * more.
 */
export interface BatchFate {
  available: number;
  redeemed: number;
  held: number;
  inDoubt: number;
  /** Perhaps handed out in a time that a restore lost: to be released. */
  inQuestion: number;
  extracted: number;
  undone: number;
  /** Used elsewhere, or no codes in truth. */
  spent: number;
}

/** As they are told. */
export const BATCH_FATES = [
  'available',
  'redeemed',
  'held',
  'inDoubt',
  'inQuestion',
  'extracted',
  'undone',
  'spent',
] as const satisfies readonly (keyof BatchFate)[];

export interface BatchSummary extends Batch {
  actorLabel: ActorLabel;
  at: number;
  supplier: string | undefined;
  fate: BatchFate;
  /** Whether this actor may take it back now. */
  canBeUndone: boolean;
}

/** Without `fate` where there was no time to count it. */
export type ListedBatch = Omit<BatchSummary, 'fate'> & { fate?: BatchFate };

/** What is left out is not asked for. */
interface BatchFilter {
  /** The first and the last day, in the time zone of the account. */
  from?: Day | undefined;
  to?: Day | undefined;
  gameId?: string | undefined;
  /** By its name, however that is written. */
  supplier?: string | undefined;
}

export interface BatchListing {
  /** Throws CoreError FORBIDDEN, INVALID_INPUT. What is rare ends after 30 ms with what there is. */
  list(actor: AccountActor, request: ListRequest, filter?: BatchFilter): Promise<ListPage<BatchSummary>>;
  /** The same for a screen: what became of the codes is told of the first, 10,000 codes of all of them at most. */
  page(actor: AccountActor, request: ListRequest, filter: BatchFilter): Promise<ListPage<ListedBatch>>;
  /** All of them, in slices between turns. Throws CoreError FORBIDDEN before the first. */
  walk(actor: AccountActor, order: ListOrder, filter: BatchFilter): AsyncIterable<BatchSummary[]>;
  /** One that would be in the list; undefined where there is none. Throws CoreError FORBIDDEN. */
  read(actor: AccountActor, batchId: number): Promise<BatchSummary | undefined>;
}

type Row = NonNullable<ReturnType<Tables['batches']['find']>>;

const ROWS_AT_ONCE = 100;
/** The codes of each are counted. */
const COUNTED_AT_ONCE = 10;
/** For one screen: a code takes microseconds. */
const MOST_COUNTED = 10_000;

export function createBatchListing(
  { store, clock }: { store: Store; clock: Clock },
  countFate: (batchId: number) => Promise<BatchFate>,
): BatchListing {
  function open(actor: AccountActor, filter: BatchFilter): ListSource<Row> {
    const { accountId } = actor;
    const own = ownName(actor);
    const { from, until } = rangeOfDays(filter, readTimeZone(store, accountId));
    const { gameId } = filter;
    const supplier = filter.supplier === undefined ? undefined : foldName(filter.supplier);
    return {
      rowsAtOnce: ROWS_AT_ONCE,
      placeOf: ({ at, id }) => ({ at, id }),
      read: (beyond, direction, limit) =>
        store.read(({ batches }) => batches.listBeyond(accountId, own, beyond, direction, limit)),
      fits: (row) =>
        row.at >= from &&
        row.at < until &&
        (gameId === undefined || row.gameId === gameId) &&
        (supplier === undefined || (row.supplier !== null && foldName(row.supplier) === supplier)),
    };
  }

  const { describeWhole, describeAll, describeInTime } = createDescribing({ store, clock }, countFate);
  const find = (actor: AccountActor, filter: BatchFilter, request: ListRequest) =>
    readListPage(open(actor, filter), request, beginSearch(clock));

  return {
    async list(actor, request, filter = {}) {
      const { rows, ...places } = await find(actor, filter, request);
      return { rows: await describeAll(rows), ...places };
    },
    async page(actor, request, filter) {
      const { rows, ...places } = await find(actor, filter, request);
      return { rows: await describeInTime(rows), ...places };
    },
    walk: (actor, order, filter) =>
      mapSlices(walkList(open(actor, filter), { order, openedAtOnce: COUNTED_AT_ONCE }), describeAll),
    async read(actor, batchId) {
      const own = ownName(actor);
      const row = store.read(({ batches }) => batches.find(batchId));
      const isThere = row?.accountId === actor.accountId && (own === undefined || row.actor === own);
      return isThere ? describeWhole(row) : undefined;
    },
  };
}

/** A row with whose it is, and what became of its codes. */
function createDescribing(
  { store, clock }: { store: Store; clock: Clock },
  countFate: (batchId: number) => Promise<BatchFate>,
) {
  function describe(row: Row): Omit<BatchSummary, 'fate'> {
    const { id, accountId, gameId, added, at, undoneAt, supplier } = row;
    const { actorLabel, undoing } = store.read((tables) => ({
      actorLabel: toActorLabel(tables, accountId, row.actor),
      undoing: tables.jobs.findOfSubject('undo', id),
    }));
    const isInTime = clock.now() - at <= UNDO_WITHIN_MS;
    return {
      ...{ id, gameId, added, at, undoneAt: undoneAt ?? undefined, supplier: supplier ?? undefined },
      isBeingUndone: undoing?.state === 'running',
      canBeUndone: undoneAt === null && undoing === undefined && isInTime,
      actorLabel,
    };
  }
  const describeWhole = async (row: Row): Promise<BatchSummary> => ({
    ...describe(row),
    fate: await countFate(row.id),
  });
  async function describeAll(rows: readonly Row[]): Promise<BatchSummary[]> {
    const described: BatchSummary[] = [];
    for (const row of rows) described.push(await describeWhole(row));
    return described;
  }
  async function describeInTime(rows: readonly Row[]): Promise<ListedBatch[]> {
    const described: ListedBatch[] = [];
    let left = MOST_COUNTED;
    for (const row of rows) {
      left -= row.added;
      described.push(left < 0 ? describe(row) : await describeWhole(row));
    }
    return described;
  }
  return { describeWhole, describeAll, describeInTime };
}

/** undefined: of everybody. Throws CoreError FORBIDDEN. */
const ownName = (actor: AccountActor): string | undefined =>
  requirePermission(actor, 'undoImport') === 'own' ? nameActor(actor) : undefined;
