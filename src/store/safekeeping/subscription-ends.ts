// When subscriptions end, after two pasts were joined: whoever paid for days has them, whichever past they were paid in.
import { to, type Carrying } from './carrying.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What one past did to a subscription and the other does not know. */
interface Change {
  side: 'main' | 'fresh';
  accountId: number;
  at: number;
  /** Less than nothing for what was paid back, or taken back by the host. */
  days: number;
}

/**
 * Sets the end of every subscription of the restored database. Where the replaced one is what became of it, that has the last
 * word; else each end is moved by what only the other past knows, and the later one holds. Runs before purchases are carried.
 */
export function carrySubscriptionEnds(carrying: Carrying): void {
  const { connection, descends } = carrying;
  const ends = connection
    .prepare(
      `select o.id as accountId, o.subscription_expires_at as backup, n.subscription_expires_at as replaced
       from main.accounts n join fresh.accounts o on o.id = ${to('accounts', 'n.id')}`,
    )
    .all() as { accountId: number; backup: number | null; replaced: number | null }[];
  const known = Map.groupBy(descends ? [] : listChanges(carrying), ({ side }) => side);
  const ofBackup = Map.groupBy(known.get('fresh') ?? [], ({ accountId }) => accountId);
  const ofReplaced = Map.groupBy(known.get('main') ?? [], ({ accountId }) => accountId);
  const set = connection.prepare('update fresh.accounts set subscription_expires_at = ? where id = ?');
  for (const { accountId, backup, replaced } of ends) {
    const joined = [move(backup, ofReplaced.get(accountId)), move(replaced, ofBackup.get(accountId))];
    const end = descends ? replaced : Math.max(...joined.map((each) => each ?? 0)) || null;
    if (end !== backup) set.run(end, accountId);
  }
}

// A payment that only one of them knows, unless it was paid back there; and what of a payment that both know one paid back.
function listChanges({ connection }: Carrying): Change[] {
  const listOf = (side: Change['side'], other: Change['side']) => {
    const accountId = side === 'main' ? to('accounts', 'p.account_id') : 'p.account_id';
    const isKnown = `select 1 from ${other}.purchases k where k.charge_id = p.charge_id`;
    return `
      select '${side}' as side, ${accountId} as accountId, p.at, p.subscription_days as days from ${side}.purchases p
        where p.subscription_days <> 0 and p.refunded_at is null and not exists (${isKnown})
      union all select '${side}', ${accountId}, p.refunded_at, -p.subscription_days from ${side}.purchases p
        where p.subscription_days > 0 and p.refunded_at is not null and exists (${isKnown} and k.refunded_at is null)`;
  };
  const sql = `${listOf('main', 'fresh')} union all ${listOf('fresh', 'main')} order by at`;
  return connection.prepare(sql).all() as Change[];
}

/** As a payment extends a subscription, and a refund shortens it. */
function move(end: number | null, changes: readonly Change[] = []): number | null {
  return changes.reduce<number | null>((reached, { at, days }) => {
    if (days > 0) return Math.max(reached ?? 0, at) + days * DAY_MS;
    return reached === null ? null : Math.min(reached, Math.max(at, reached + days * DAY_MS));
  }, end);
}
