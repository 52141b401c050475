// The audit log as the owner of an account reads it: newest first, a page at a time, with whoever acted by name.
import type { AuditRow, Store, Tables } from '../../store/index.ts';
import type { AuditedAct } from '../audit-log.ts';
import { type MemberActor, requirePermission } from '../context.ts';
import { getCurrentActor } from '../members.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';

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
export function toEntry(
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
