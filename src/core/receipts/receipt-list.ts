// The list of an account's redemptions, filtered: its pages, with how many there are, and all of it, in slices. A page
// and what is exported are walked by one source, so that they cannot differ.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { BriefRow, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { beginSearch, countList, mapSlices, readListPage, walkList } from '../list-walk.ts';
import type { ListOrder, ListPage, ListRequest, ListTotal } from '../list-walk.ts';
import { getCurrentActor } from '../members.ts';
import { readTimeZone } from '../zones.ts';
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
      const total = isAll ? { count: rows.length, isMore: false } : await countList(source, isOver);
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
