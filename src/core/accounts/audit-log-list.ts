// The audit log as the owner of an account reads it, with whoever acted by name: a list, filtered by person, act and day,
// in pages both ways, and all of it, in slices; and for a chat the newest.
import type { Clock } from '../../clock.ts';
import type { AuditRow, Store, Tables } from '../../store/index.ts';
import type { AuditedAct } from '../audit-log.ts';
import { type MemberActor, requirePermission } from '../context.ts';
import {
  beginSearch,
  mapSlices,
  readListPage,
  walkList,
  type ListOrder,
  type ListPage,
  type ListRequest,
  type ListSource,
} from '../list-walk.ts';
import { getCurrentActor } from '../members.ts';
import { rangeOfDays, readTimeZone, type Day } from '../zones.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';

/** What is left out is not asked for. */
export interface AuditFilter {
  /** Who did it, or whom it was done to, by the Telegram id. */
  telegramId?: number | undefined;
  acts?: readonly AuditedAct[] | undefined;
  /** The first and the last day, in the time zone of the account. */
  from?: Day | undefined;
  to?: Day | undefined;
}

export interface AuditLogList {
  /** Throws CoreError FORBIDDEN, INVALID_INPUT. What is rare ends after 30 ms with what there is. */
  page(actor: MemberActor, filter: AuditFilter, request: ListRequest): Promise<ListPage<AuditEntry>>;
  /** All of them, in slices between turns. Throws CoreError FORBIDDEN before the first. */
  walk(actor: MemberActor, filter: AuditFilter, order: ListOrder): AsyncIterable<AuditEntry[]>;
}

const ROWS_AT_ONCE = 200;
/** For a CSV, between whose slices others redeem. */
const NAMED_AT_ONCE = 20;

export function createAuditLogList({ store, clock }: { store: Store; clock: Clock }): AuditLogList {
  function open(actor: MemberActor, filter: AuditFilter): ListSource<AuditRow> {
    store.read((tables) => requirePermission(getCurrentActor(tables, actor), 'readLog'));
    const { accountId } = actor;
    const zone = readTimeZone(store, accountId);
    return {
      read: ({ id }, direction, limit) =>
        store.read(({ auditLog }) =>
          direction === 'older'
            ? auditLog.listBefore({ accountId, before: id, limit })
            : auditLog.listAfter({ accountId, after: id, limit }),
        ),
      placeOf: ({ at, id }) => ({ at, id }),
      fits: createMatcher(filter, zone),
      rowsAtOnce: ROWS_AT_ONCE,
    };
  }
  const name = (accountId: number, rows: readonly AuditRow[]): AuditEntry[] =>
    store.read((tables) => rows.map((row) => toEntry(tables, accountId, row)));

  return {
    async page(actor, filter, request) {
      const { rows, ...places } = await readListPage(open(actor, filter), request, beginSearch(clock));
      return { rows: name(actor.accountId, rows), ...places };
    },
    walk(actor, filter, order) {
      const slices = walkList(open(actor, filter), { order, openedAtOnce: NAMED_AT_ONCE });
      return mapSlices(slices, (rows) => name(actor.accountId, rows));
    },
  };
}

function createMatcher({ telegramId, acts, ...days }: AuditFilter, timeZone: string) {
  const { from, until } = rangeOfDays(days, timeZone);
  const person = telegramId === undefined ? undefined : [`member:${telegramId}`, `host:${telegramId}`];
  return ({ at, what, actor, object }: AuditRow): boolean =>
    at >= from &&
    at < until &&
    (acts === undefined || acts.some((act) => act === what)) &&
    (person === undefined || person.includes(actor) || person.includes(object ?? ''));
}

/** `actorLabel` is absent where the service or the payment provider acted by itself. */
export interface AuditEntry extends Pick<
  AuditRow,
  'id' | 'at' | 'door' | 'object' | 'before' | 'after' | 'reason'
> {
  what: AuditedAct;
  actorLabel?: ActorLabel;
  /** Whom it was done to, where that is a member by its number. */
  person?: ActorLabel;
}

/** Those before an entry, the newest without one. Throws CoreError FORBIDDEN. */
export type ReadAuditLog = (
  actor: MemberActor,
  page: { before?: number | undefined; limit: number },
) => { entries: AuditEntry[]; hasMore: boolean };

export function createReadAuditLog({ store }: { store: Store }): ReadAuditLog {
  return (actor, { before = Number.MAX_SAFE_INTEGER, limit }) =>
    store.read((tables) => {
      requirePermission(getCurrentActor(tables, actor), 'readLog');
      const { accountId } = actor;
      const rows = tables.auditLog.listBefore({ accountId, before, limit: limit + 1 });
      const entries = rows.slice(0, limit).map((row) => toEntry(tables, accountId, row));
      return { entries, hasMore: rows.length > limit };
    });
}

const BY_ITSELF: readonly string[] = ['service', 'paymentSystem'];

/** With whoever acted by name. */
function toEntry(
  tables: Tables,
  accountId: number,
  { actor, accountId: _own, ...row }: AuditRow,
): AuditEntry {
  const isPerson = row.object?.startsWith('member:') === true;
  return {
    ...row,
    what: row.what as AuditedAct,
    ...(!BY_ITSELF.includes(actor) && { actorLabel: toActorLabel(tables, accountId, actor) }),
    ...(isPerson && { person: toActorLabel(tables, accountId, row.object ?? '') }),
  };
}
