// The audit log as a list: filtered by person, act and day, in pages both ways, and all of it, in slices. A page and
// what is exported are walked by one source.
import type { Clock } from '../../clock.ts';
import type { AuditRow, Store } from '../../store/index.ts';
import type { AuditedAct } from '../audit-log.ts';
import { type MemberActor, requirePermission } from '../context.ts';
import { beginSearch, mapSlices, readListPage, walkList } from '../list-walk.ts';
import type { ListOrder, ListPage, ListRequest, ListSource } from '../list-walk.ts';
import { getCurrentActor } from '../members.ts';
import { rangeOfDays, readTimeZone, type Day } from '../zones.ts';
import { toEntry, type AuditEntry } from './read-audit-log.ts';

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
