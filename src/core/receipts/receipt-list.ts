// The list of an account's redemptions, filtered: its pages, with how many there are, and all of it, in slices. A page
// and what is exported are walked by one source, so that they cannot differ.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { DAY_MS, type Clock } from '../../clock.ts';
import type { BriefRow, DayCount, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { beginSearch, countList, mapSlices, readListPage, walkList } from '../list-walk.ts';
import type { ListOrder, ListPage, ListRequest, ListSource, ListTotal } from '../list-walk.ts';
import { getCurrentActor } from '../members.ts';
import { rangeOfDays, readTimeZone } from '../zones.ts';
import { toExported, type ExportedRedemption } from './export.ts';
import { openReceiptSource, type FilteredAccount, type ReceiptFilter } from './receipt-filter.ts';
import { toActorLabel, toRedemption, type ActorLabel } from './receipts.ts';

interface ReceiptPage extends ListPage<ExportedRedemption> {
  /** Of all pages. */
  total: ListTotal;
}

export interface ReceiptList {
  /**
   * A page; one's own alone for whoever may see no more. What is rare ends after 30 ms with what there is. Throws
   * CoreError FORBIDDEN, INVALID_INPUT.
   */
  page(actor: AccountActor, filter: ReceiptFilter, request: ListRequest): Promise<ReceiptPage>;
  /**
   * All of them, in slices between turns. Codes and credentials in a full one only. Throws CoreError FORBIDDEN before
   * the first.
   */
  walk(
    actor: AccountActor,
    filter: ReceiptFilter,
    how: { order: ListOrder; full: boolean },
  ): Promise<AsyncIterable<ExportedRedemption[]>>;
  /** To be called before a full walk: writes down who hands out codes and credentials, and why. Throws FORBIDDEN. */
  orderFull(actor: AccountActor, order: { filter: string; reason: string }): Promise<void>;
}

export function createReceiptList({ store, clock }: { store: Store; clock: Clock }): ReceiptList {
  function open(actor: AccountActor, grant: 'yes' | 'own'): FilteredAccount {
    const { accountId } = actor;
    const own = grant === 'own' ? nameActor(actor) : undefined;
    return { store, accountId, timeZone: readTimeZone(store, accountId), own };
  }

  return {
    async page(actor, filter, request) {
      const account = open(actor, requirePermission(actor, 'searchHistory'));
      const isOver = beginSearch(clock);
      const source = await openReceiptSource(account, filter, isOver);
      const { rows, ...places } = await readListPage(source, request, isOver);
      const isAll = places.next === undefined && places.previous === undefined;
      const total = isAll
        ? { count: rows.length, isMore: false }
        : await count(account, filter, { source, isOver, now: clock.now() });
      return { rows: await readPage(account, rows), ...places, total };
    },
    async walk(actor, filter, { order, full }) {
      const account = open(actor, requirePermission(actor, 'exportReceipts'));
      if (full) requirePermission(actor, 'exportCredentials');
      const slices = walkList(await openReceiptSource(account, filter), {
        order,
        openedAtOnce: WALKED_AT_ONCE,
      });
      return mapSlices(slices, (rows) => readRows(account, rows, full));
    },
    orderFull: (actor, { filter, reason }) =>
      store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'exportCredentials');
        record(tables, actor, 'credentialsExported', { after: { filter }, reason }, clock.now());
      }),
  };
}

/** Read and written in one turn: a code is opened for each. */
const OPENED_AT_ONCE = 50;

async function readPage(account: FilteredAccount, rows: readonly BriefRow[]): Promise<ExportedRedemption[]> {
  const opened: ExportedRedemption[] = [];
  for (let at = 0; at < rows.length; at += OPENED_AT_ONCE) {
    await nextTurn();
    opened.push(...readRows(account, rows.slice(at, at + OPENED_AT_ONCE), false));
  }
  // What is made of them is a turn's work, too.
  if (rows.length > OPENED_AT_ONCE) await nextTurn();
  return opened;
}

/** A redemption has several turns, and may wait for a slice at each. */
const WALKED_AT_ONCE = 5;

/** As they stand now. */
function readRows(
  { store, accountId }: FilteredAccount,
  rows: readonly BriefRow[],
  full: boolean,
): ExportedRedemption[] {
  const labels = new Map<string, ActorLabel>();
  const labelOf = (tables: Tables, actor: string) => {
    const label = labels.get(actor) ?? toActorLabel(tables, accountId, actor);
    labels.set(actor, label);
    return label;
  };
  return store.read((tables) =>
    rows.map(({ id }) => {
      const redemption = toRedemption(tables.redemptions.get(id));
      return { ...toExported(redemption, full), actorLabel: labelOf(tables, redemption.actor) };
    }),
  );
}

interface Counting {
  source: ListSource<BriefRow>;
  isOver: () => boolean;
  now: number;
}

/** From the counts that are kept of days, where they tell what is asked; else as far as can be counted in time. */
async function count(
  account: FilteredAccount,
  filter: ReceiptFilter,
  counting: Counting,
): Promise<ListTotal> {
  const days = listCountedDays(account, filter, counting.now);
  if (!days) return countList(counting.source, counting.isOver);
  let counted = 0;
  for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
    if (at > 0) await nextTurn();
    counted += account.store.read(({ dayCounts }) =>
      days
        .slice(at, at + DAYS_AT_ONCE)
        .flatMap((day) => dayCounts.list(account.accountId, day))
        .filter((row) => isCounted(row, filter))
        .reduce((sum, row) => sum + row.count, 0),
    );
  }
  return { count: counted, isMore: false };
}

const DAYS_AT_ONCE = 50;
const MOST_COUNTED_DAYS = 1_500;
const TOLD_BY_COUNTS: readonly string[] = [
  'state',
  'from',
  'to',
  'gameId',
  'amount',
] satisfies (keyof ReceiptFilter)[];

/** The UTC days that hold all of it and nothing else; undefined where days do not tell it, or there are too many. */
function listCountedDays(
  { store, accountId, timeZone, own }: FilteredAccount,
  filter: ReceiptFilter,
  now: number,
): number[] | undefined {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (own !== undefined || asked.some(([key]) => !TOLD_BY_COUNTS.includes(key))) return undefined;
  const { from, until } = rangeOfDays(filter, timeZone);
  const isWhole = from % DAY_MS === 0 && (until === Number.MAX_SAFE_INTEGER || until % DAY_MS === 0);
  if (!isWhole) return undefined;
  const edges = store.read(({ history }) => [
    history.listBriefsFrom(accountId, { createdAt: from, id: 0 }, until, 1)[0]?.createdAt,
    history.listBriefs(accountId, { createdAt: until, id: 0 }, from, 1)[0]?.createdAt,
  ]);
  const [first, last] = edges.map((at = now) => Math.floor(at / DAY_MS));
  const length = (last ?? 0) - (first ?? 0) + 1;
  return length > MOST_COUNTED_DAYS ? undefined : Array.from({ length }, (_, index) => (first ?? 0) + index);
}

function isCounted({ outcome, gameId, amount, denomination }: DayCount, filter: ReceiptFilter): boolean {
  const isOpen = outcome === 'pending' || outcome === 'in_doubt';
  return (
    (filter.state === undefined || (filter.state === 'open' ? isOpen : outcome === filter.state)) &&
    (filter.gameId === undefined || gameId === filter.gameId) &&
    (filter.amount === undefined || (amount || denomination) === filter.amount)
  );
}
