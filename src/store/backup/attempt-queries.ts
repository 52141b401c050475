// The rules of the ledger of attempts as queries, as conservation-queries.ts has those of everything else.
import { DAY_MS } from '../../clock.ts';
import type { Rule } from './order-queries.ts';

/** A key that is over is a new one, and may take the same code. */
const KEYS_KEPT_MS = 30 * DAY_MS;

/** What the triggers of the ledger refuse, over all rows: a restore works beside them. */
export const ofAttempts: readonly Rule[] = [
  {
    check: 'attemptNumber',
    sql: `select redemption_id as redemptionId, max(n) as n, count(*) as count from attempts group by redemption_id
      having min(n) <> 1 or max(n) <> count(*)`,
  },
  {
    check: 'attemptTwice',
    sql: `select redemption_id as redemptionId, state, count(*) as count from attempts where state in ('open', 'spent')
      group by redemption_id, state having count(*) > 1`,
  },
  {
    check: 'attemptOrder',
    sql: `select a.redemption_id as redemptionId, a.n, b.n as earlier, b.state from attempts a
      join attempts b on b.redemption_id = a.redemption_id and b.n < a.n
      where a.kind = 'order' and (b.state <> 'not_spent' or (b.kind = 'order' and b.upstream = a.upstream))
      union all select redemption_id, n, 0, state from attempts where kind = 'resend' and n = 1`,
  },
  {
    check: 'attemptReference',
    sql: `select min(redemption_id) as redemptionId, max(redemption_id) as otherRedemptionId, count(*) as count
      from attempts where kind = 'order' and proof is not 'never_sent' group by reference, upstream
      having count(*) > 1 and max(begun_at) - min(begun_at) < ${KEYS_KEPT_MS}`,
  },
  {
    check: 'attemptRepeated',
    sql: `select redemption_id as redemptionId, n, proof from attempts a where (a.kind = 'resend' and a.n > 1
        and not exists (select 1 from attempts b where b.redemption_id = a.redemption_id and b.n < a.n and b.reference = a.reference))
      or (a.proof = 'resend'
        and not exists (select 1 from attempts b where b.redemption_id = a.redemption_id and b.kind = 'resend'))`,
  },
  {
    check: 'redemptionSpent',
    sql: `select r.id as redemptionId, r.state, count(a.n) as attempts, group_concat(a.state) as found from redemptions r
      left join attempts a on a.redemption_id = r.id group by r.id
      having total(a.state = 'spent') <> (r.state = 'redeemed') or (r.state = 'failed' and total(a.state <> 'not_spent') > 0)
        or (r.state = 'in_doubt' and total(a.state = 'unknown') = 0)`,
  },
];
