// Whom programs of an account are told at, carried over a restore: it stands as it is now. An address that was removed in either
// past is told nothing more. What is still owed is that of the backup (closing.ts).
import {
  copyRows,
  isIn,
  newOf,
  numberTheRest,
  recogniseByColumn,
  recogniseByNumber,
  to,
  toActor,
  type Carrying,
} from './carrying.ts';

/** Carries addresses. Needs accounts and keys recognised and carried. */
export function carryWebhooks(carrying: Carrying): void {
  const { connection, descends, knownToBackup, knownToReplaced, now } = carrying;
  connection.exec(`
    update fresh.webhooks as o set failing_since = n.failing_since, disabled_at = n.disabled_at,
      removed_at = coalesce(n.removed_at, o.removed_at)
    from main.webhooks n where o.reference = n.reference;
    update fresh.webhooks as o set removed_at = ${now} where removed_at is null
      and not exists (select 1 from main.webhooks n where n.reference = o.reference)
      and ${descends ? 'true' : isIn('o.created_at', knownToReplaced)}`);
  recogniseByNumber(carrying, 'webhooks', 'o.reference = n.reference');
  recogniseByColumn(carrying, 'webhooks', 'reference');
  numberTheRest(carrying, 'webhooks');
  // What the backup does not have, although it knows the time when it came, was removed there.
  const isStanding = descends ? 'true' : `not ${isIn('n.created_at', knownToBackup, 'before the end')}`;
  copyRows(carrying, 'webhooks', `${newOf('webhooks')} where ${isStanding}`, {
    id: to('webhooks', 'n.id'),
    account_id: to('accounts', 'n.account_id'),
    created_by: toActor('n.created_by'),
  });
}
