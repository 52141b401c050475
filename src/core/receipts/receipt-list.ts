// The list of an account's redemptions, filtered: its pages, with how many there are, and all of it, in slices. A page
// and what is exported are walked by one source, so that they cannot differ. And the export of its last days, for a
// chat. What is exported of a receipt is the same in every surface.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { BriefRow, HistoryCursor, Store, Tables } from '../../store/index.ts';
import { eachSlice } from '../../turns.ts';
import { record } from '../audit-log.ts';
import { requirePermission, type AccountActor, type InTransaction } from '../context.ts';
import {
  beginSearch,
  mapSlices,
  readCountedPage,
  walkList,
  type ListOrder,
  type ListPage,
  type ListRequest,
  type ListTotal,
} from '../list-walk.ts';
import { getCurrentActor } from '../members.ts';
import { startOfDay, toIsoTime } from '../zones.ts';
import { firstOfDays } from './counted-days.ts';
import { tailOf } from './history.ts';
import { openAccount, openReceiptSource, type ReceiptFilter, type SeenAccount } from './receipt-filter.ts';
import { toActorLabel, type ActorLabel, type Redemption } from './receipts.ts';
import type { CsvCell } from '../../csv.ts';

/** The longest export, in days. */
export const MOST_EXPORT_DAYS = 366;
/** Rows of one file, from either door. */
export const MOST_EXPORTED = 100_000;

/** A redemption without what only a full export holds. */
export interface ExportedRedemption extends Redemption {
  /** The last characters of the code; the code itself is null but in a full export, and so are credentials. */
  codeTail: string | null;
  actorLabel: ActorLabel;
}

/** `at`: the day and moment that it ends with, now without it. */
export interface ExportRange {
  days: number;
  full: boolean;
  at?: number;
}

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
  /**
   * Today and the days before it in the time zone of the account, oldest first, in slices. Throws CoreError FORBIDDEN,
   * INVALID_INPUT before the first.
   */
  walkDays(actor: AccountActor, range: ExportRange): AsyncIterable<ExportedRedemption[]>;
  /**
   * To be called before a full walk, before anything is handed out: writes down who hands out codes and credentials, of
   * what, and why. Throws FORBIDDEN.
   */
  orderFull(
    actor: AccountActor,
    order: { days: number } | { filter: string; reason: string },
    inTransaction?: InTransaction<undefined>,
  ): Promise<void>;
}

const EXPORTED_AT_ONCE = 100;

export function createReceiptList({ store, clock }: { store: Store; clock: Clock }): ReceiptList {
  return {
    async page(actor, filter, request) {
      const account = openAccount(store, actor, 'searchHistory');
      const isOver = beginSearch(clock);
      const source = await openReceiptSource(account, filter, isOver);
      const { rows, ...places } = await readCountedPage(source, request, isOver);
      return { rows: await readPage(account, rows), ...places };
    },
    async walk(actor, filter, { order, full }) {
      const account = openAccount(store, actor, 'exportReceipts');
      if (full) requirePermission(actor, 'exportCredentials');
      const slices = walkList(await openReceiptSource(account, filter), {
        order,
        openedAtOnce: WALKED_AT_ONCE,
      });
      return mapSlices(slices, (rows) => readRows(account, rows, full));
    },
    walkDays(actor, { days, full, at = clock.now() }) {
      const account = openAccount(store, actor, 'exportReceipts');
      if (full) requirePermission(actor, 'exportCredentials');
      const { accountId, timeZone } = account;
      const from = startOfDay(timeZone, firstOfDays(timeZone, at, days, MOST_EXPORT_DAYS));
      const stretch = { accountId, direction: 'newer', end: at + 1, limit: EXPORTED_AT_ONCE } as const;
      const list = ({ createdAt, id }: HistoryCursor = { createdAt: from, id: 0 }) =>
        store.read(({ history }) => history.listBriefs({ ...stretch, createdAt, id }));
      return mapSlices(eachSlice(list, EXPORTED_AT_ONCE, nextTurn), (rows) => readRows(account, rows, full));
    },
    orderFull: (actor, order, inTransaction) =>
      store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'exportCredentials');
        const { reason, ...after } = { reason: undefined, ...order };
        record(tables, actor, 'credentialsExported', { after, reason }, clock.now());
        inTransaction?.(tables, undefined);
      }),
  };
}

/** Read and written in one turn: a code is opened for each. */
const OPENED_AT_ONCE = 50;

async function readPage(account: SeenAccount, rows: readonly BriefRow[]): Promise<ExportedRedemption[]> {
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
  { store, accountId }: SeenAccount,
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
      const redemption = tables.redemptions.get(id);
      return { ...toExported(redemption, full), actorLabel: labelOf(tables, redemption.actor) };
    }),
  );
}

/** Without what only a full export holds, unless it is one. */
function toExported(redemption: Redemption, full: boolean): Omit<ExportedRedemption, 'actorLabel'> {
  const codeTail = redemption.code === null ? null : tailOf(redemption.code);
  return { ...redemption, codeTail, ...(!full && { code: null, credentials: null }) };
}

export type ReceiptColumn = readonly [
  name: string,
  value: (redemption: ExportedRedemption, timeZone: string) => CsvCell,
];

/** Names as in the interface, so that programs and people speak of the same things. */
export const RECEIPT_COLUMNS: readonly ReceiptColumn[] = [
  ['receiptId', ({ id }) => id],
  ['createdAt', ({ createdAt }, timeZone) => toIsoTime(createdAt, timeZone)],
  ['settledAt', ({ settledAt }, timeZone) => (settledAt === null ? null : toIsoTime(settledAt, timeZone))],
  ['state', ({ state }) => state],
  ['gameId', ({ gameId }) => gameId],
  ['playerId', ({ playerId }) => playerId],
  ['playerName', ({ playerName }) => playerName],
  ['region', ({ region }) => region],
  ['productName', ({ productName }) => productName],
  ['mode', ({ mode }) => mode],
  ['denomination', ({ denomination }) => denomination],
  ['amount', ({ amount }) => amount],
  ['codeEnding', ({ codeTail }) => codeTail],
  ['errorCode', ({ errorCode }) => errorCode],
  ['codeReset', ({ codeReset }) => codeReset],
  ['warning', ({ warning }) => warning],
  ['by', ({ actor }) => actor],
];
/** With what a full export alone holds. */
export const FULL_RECEIPT_COLUMNS: readonly ReceiptColumn[] = [
  ...RECEIPT_COLUMNS,
  ['code', ({ code }) => code],
  ['uid', ({ credentials }) => credentials?.uid],
  ['email', ({ credentials }) => credentials?.email],
  ['password', ({ credentials }) => credentials?.password],
];
