// The rules of conservation as queries: each selects the rows that break it, so none means that it holds.
// What a failure means for code and usage repeats the core's table of outcomes; a test holds the two together.
import { DAY_MS } from '../../clock.ts';

/** A rule of conservation. */
export interface Rule {
  check: string;
  /** Selects nothing but ids, counts, states and times: what it finds is printed. */
  sql: string;
}

/**
 * Failures by what becomes of the code and of the usage. `held` ones fail only once the platform said "not redeemed".
 */
export const FAILURES = {
  none: ['NO_CODES_AVAILABLE'],
  back: ['CHARACTER_NOT_FOUND', 'NO_ACCOUNTS_AVAILABLE', 'LOGIN_FAILED', 'RISK_CONTROL', 'NETWORK_ERROR'],
  kept: ['INVALID_CODE', 'CODE_USED'],
  held: ['INVALID_ACTIVATION_RESPONSE', 'UNKNOWN'],
  charged: ['CODE_USED', 'RISK_CONTROL'],
  uncharged: ['NO_CODES_AVAILABLE', 'NO_ACCOUNTS_AVAILABLE', 'LOGIN_FAILED', 'NETWORK_ERROR'],
} as const;

const list = (...values: readonly string[]) => `(${values.map((value) => `'${value}'`).join(', ')})`;
const RETURNING = list(...FAILURES.back, ...FAILURES.held);
const KNOWN = list(...FAILURES.none, ...FAILURES.back, ...FAILURES.kept, ...FAILURES.held);

const LIVE = "state in ('pending', 'in_doubt', 'redeemed')";
const OWNED = "state not in ('extracted', 'undone')";

/** What is promised is counted and there, and each code of an order is what its redemption says. */
const ofOrdersOfCodes: readonly Rule[] = [
  {
    check: 'promiseCount',
    sql: `select account_id as accountId, game_id as gameId, denomination, sum(kept) as count, sum(found) as counted,
        sum(patient) as patient, sum(waits) as countedPatient from (
        select account_id, game_id, denomination, count as kept, patient, 0 as found, 0 as waits from stock_promises
        union all select account_id, game_id, denomination, 0, 0, count(*), sum(promised = 2) from order_items
          where promised > 0 group by 1, 2, 3)
      group by account_id, game_id, denomination having sum(kept) <> sum(found) or sum(patient) <> sum(waits)`,
  },
  {
    check: 'promisedMore',
    sql: `select * from (select p.account_id as accountId, p.game_id as gameId, p.denomination, p.count,
        coalesce((select c.count from stock_counts c where c.account_id = p.account_id and c.game_id = p.game_id
          and c.denomination = p.denomination and c.state = 'available'), 0) as available
      from stock_promises p) where count > available`,
  },
  {
    check: 'orderEnd',
    sql: `select o.id as orderId, o.state, i.n, i.state as itemState, r.state as redemptionState
      from orders o join order_items i on i.order_id = o.id left join redemptions r on r.id = i.redemption_id
      where (o.ended_at is not null and (i.state in ('waiting', 'open') or r.state in ('pending', 'in_doubt')))
        or (o.ended_at is null and i.state = 'missing') or (o.state = 'done' and i.state <> 'redeemed')`,
  },
  {
    check: 'orderItemCount',
    sql: `select o.id as orderId, o.items, count(i.n) as counted, max(i.n) as last from orders o
      left join order_items i on i.order_id = o.id group by o.id
      having o.items <> count(i.n) or o.items <> coalesce(max(i.n), 0)`,
  },
  {
    check: 'orderItem',
    sql: `select i.order_id as orderId, i.n, i.state, i.redemption_id as redemptionId, r.state as redemptionState
      from order_items i join orders o on o.id = i.order_id left join redemptions r on r.id = i.redemption_id
      where i.account_id <> o.account_id or i.game_id <> o.game_id or (i.state in ('open', 'redeemed', 'failed') and r.id is null)
        or (i.state = 'redeemed') > (r.state = 'redeemed') or (i.state = 'failed') > (r.state = 'failed')
        or r.account_id <> o.account_id or r.game_id <> o.game_id or r.player_id <> o.player_id
        or (i.denomination is not null and r.denomination is not i.denomination and r.id is not null)`,
  },
  {
    check: 'claim',
    sql: `select c.id as claimId, c.state, o.id as orderId, o.state as orderState from claims c
      left join orders o on o.id = c.order_id
      where o.id is null or o.account_id <> c.account_id or not case c.state
        when 'open' then o.state = 'unclaimed'
        when 'confirmed' then o.state in ('running', 'waiting')
        when 'settled' then o.state = 'done'
        when 'stuck' then iif(c.confirmed_at is null, o.state = 'unclaimed', o.state in ('stopped', 'cancelled'))
        else o.state = 'cancelled' and o.player_id = '' end`,
  },
  {
    check: 'orderOfNobody',
    sql: `select o.id as orderId, o.state from orders o left join claims c on c.order_id = o.id
      where o.player_id = '' and c.id is null`,
  },
];

/** A key that is over is a new one, and may take the same code. */
const KEYS_KEPT_MS = 30 * DAY_MS;

/** What the triggers of the ledger refuse, over all rows: a restore works beside them. */
const ofAttempts: readonly Rule[] = [
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

const ofStock: readonly Rule[] = [
  {
    check: 'batchCount',
    sql: `select b.id as batchId, b.added, count(c.id) as counted from batches b left join codes c on c.batch_id = b.id
      group by b.id having b.added <> count(c.id)`,
  },
  {
    check: 'codeOfBatch',
    sql: `select c.id as codeId, c.batch_id as batchId from codes c left join batches b on b.id = c.batch_id
      where b.id is null or b.account_id <> c.account_id or b.game_id <> c.game_id`,
  },
  {
    check: 'codeOwnedTwice',
    sql: `select min(id) as codeId, max(id) as otherCodeId, count(*) as count from codes where ${OWNED}
      group by game_id, code_hash having count(*) > 1`,
  },
  {
    check: 'codeTwiceInBatch',
    sql: `select batch_id as batchId, min(id) as codeId, max(id) as otherCodeId, count(*) as count from codes
      group by batch_id, code_hash having count(*) > 1`,
  },
  {
    check: 'stockCount',
    sql: `select account_id as accountId, game_id as gameId, denomination, state, sum(kept) as count, sum(found) as counted from (
        select account_id, game_id, denomination, state, count as kept, 0 as found from stock_counts
        union all select account_id, game_id, denomination, state, 0, count(*) from codes group by 1, 2, 3, 4)
      group by account_id, game_id, denomination, state having sum(kept) <> sum(found)`,
  },
  {
    check: 'codeOwned',
    sql: `select id as codeId, state, owned from codes where (owned is not null and not ${OWNED})
      or (owned is null and ${OWNED} and not exists (select 1 from sqlite_schema where name = 'codes_owned'))`,
  },
  {
    check: 'codeState',
    sql: `select id as codeId, state from codes where state not in ('available', 'unverified', 'in_question', 'reserved',
      'in_doubt', 'redeemed', 'used', 'invalid', 'extracted', 'undone')`,
  },
  {
    check: 'codeClaimedFrom',
    sql: `select id as codeId, state, claimed_from as claimedFrom from codes where state in ('reserved', 'in_doubt')
      and coalesce(claimed_from, '') not in ('available', 'unverified', 'in_question', 'used', 'invalid')`,
  },
  {
    check: 'takeableOfUndone',
    sql: `select c.id as codeId, c.state, c.batch_id as batchId from codes c join batches b on b.id = c.batch_id
      where c.state in ('available', 'unverified') and b.undone_at is not null`,
  },
  {
    check: 'codeExtraction',
    sql: `select c.id as codeId, c.state, c.extraction_id as extractionId
      from codes c left join extractions e on e.id = c.extraction_id
      where (c.state = 'extracted') <> (e.id is not null) or e.account_id <> c.account_id or e.game_id <> c.game_id
        or e.denomination <> c.denomination`,
  },
];

// Slices are forgotten two days after their job, the first ones first: only where all are there, they must add up.
const ofJobs: readonly Rule[] = [
  {
    check: 'jobEnd',
    sql: `select id as jobId, kind, state, done, total, ended_at as endedAt from jobs
      where (state = 'running') <> (ended_at is null) or done < 0 or done > total`,
  },
  {
    check: 'jobSubject',
    sql: `select j.id as jobId, j.kind, j.subject_id as subjectId from jobs j
        left join batches b on j.kind <> 'extract' and b.id = j.subject_id
        left join extractions e on j.kind = 'extract' and e.id = j.subject_id
      where coalesce(b.account_id, e.account_id) is not j.account_id
        or (j.kind = 'undo' and j.state = 'done' and b.undone_at is null)`,
  },
  {
    check: 'jobSlices',
    sql: `select j.id as jobId, b.id as batchId, b.added, sum(s.added) as counted, count(*) - count(s.added) as open
      from jobs j join batches b on b.id = j.subject_id join job_slices s on s.job_id = j.id
      where j.kind = 'add' and j.state = 'done' group by j.id
      having count(s.added) < count(*) or sum(s.added) > b.added
        or (sum(s.added) < b.added and min(s.position) = 0 and count(*) = max(s.position) + 1)`,
  },
  {
    check: 'extractionCount',
    sql: `select e.id as extractionId, e.requested, e.taken, count(c.id) as counted from extractions e
      left join codes c on c.extraction_id = e.id and c.extraction_id is not null group by e.id
      having count(c.id) > e.requested or count(c.id) <> e.taken`,
  },
  {
    check: 'extractionEnd',
    sql: `select e.id as extractionId, e.ended_at as endedAt, j.id as jobId, j.state from extractions e
        left join jobs j on j.kind = 'extract' and j.subject_id = e.id
      where (e.ended_at is null) <> (coalesce(j.state, 'done') = 'running')`,
  },
];

const ofClaims: readonly Rule[] = [
  {
    check: 'codeWithoutRedemption',
    // As sets: no index leads from a code to its redemption.
    sql: `select id as codeId, state from codes where state in ('reserved', 'in_doubt', 'redeemed')
      except select code_id, case state when 'pending' then 'reserved' else state end from redemptions where ${LIVE}`,
  },
  {
    check: 'redemptionCode',
    sql: `select r.id as redemptionId, r.state, r.mode, r.code_id as codeId, c.state as codeState
      from redemptions r left join codes c on c.id = r.code_id
      where r.${LIVE} and (r.code_hash is null or coalesce(r.code_secret, c.code_secret) is null or (r.mode = 'database' and r.code_id is null)
        or (r.mode = 'direct') <> (r.code_secret is not null)
        or (r.code_id is not null and (c.id is null or c.game_id <> r.game_id or c.code_hash <> r.code_hash
          or c.state <> case r.state when 'pending' then 'reserved' else r.state end
          or (r.mode = 'database' and (c.account_id <> r.account_id or c.denomination is not r.denomination)))))`,
  },
  {
    check: 'spendableWhileRedeemed',
    // By the index of what is live, whose marks redemptionLive proves.
    sql: `select id as codeId, state from codes c where state in ('available', 'unverified', 'in_question')
      and exists (select 1 from redemptions r where r.code_hash = c.code_hash and r.live is not null and r.game_id = c.game_id)`,
  },
  {
    check: 'redemptionLive',
    sql: `select id as redemptionId, state, live from redemptions where (live is not null and not ${LIVE})
      or (live is null and ${LIVE} and not exists (select 1 from sqlite_schema where name = 'redemptions_live'))`,
  },
  {
    check: 'redeemedTwice',
    sql: `select min(id) as redemptionId, max(id) as otherRedemptionId, count(*) as count from redemptions
      where ${LIVE} and code_hash is not null group by game_id, code_hash having count(*) > 1`,
  },
  {
    check: 'failure',
    sql: `select id as redemptionId, state, mode, error_code as errorCode, code_reset as codeReset, code_id as codeId
      from redemptions where (state = 'failed' and error_code not in ${KNOWN})
        or (state = 'redeemed' and error_code is not null)
        or (code_reset = 1 and (state <> 'failed' or mode <> 'database' or code_id is null or error_code not in ${RETURNING}))
        or (code_reset = 0 and state = 'failed' and mode = 'database' and code_id is not null and error_code in ${RETURNING})
        or (state = 'failed' and code_id is not null and error_code in ${list(...FAILURES.none)})`,
  },
  {
    check: 'doubtForgotten',
    sql: `select id as redemptionId from redemptions where state = 'in_doubt' and not exists (
      select 1 from tasks where job_key = 'doubt:' || redemptions.id and done_at is null and dead_at is null)`,
  },
];

/** Used in a time that a restore has lost, and sent as it was since nobody could be asked: it costs nothing. */
const WAS_LOST = `r.error_code = 'CODE_USED' and r.mode = 'database' and exists (select 1 from meta where key = 'lost')`;

const ofUsages: readonly Rule[] = [
  {
    check: 'usage',
    sql: `select r.id as redemptionId, r.state, r.error_code as errorCode, r.usage_id as usageId, c.returned_at as returnedAt
      from redemptions r left join usages c on c.id = r.usage_id
      where (r.usage_id is not null and (c.id is null or c.account_id <> r.account_id or c.kind <> 'redeem'))
        or (r.actor = 'lost' and c.id is not null)
        or (r.${LIVE} and r.actor <> 'lost' and (c.id is null or c.returned_at is not null))
        or (r.state = 'failed' and r.error_code in ${list(...FAILURES.charged)} and c.returned_at is not null
          and not (${WAS_LOST}))
        or (r.state = 'failed' and r.error_code in ${list(...FAILURES.uncharged, ...FAILURES.held)}
          and c.id is not null and c.returned_at is null)`,
  },
  {
    check: 'usageTwice',
    sql: `select usage_id as usageId, min(id) as redemptionId, max(id) as otherRedemptionId, count(*) as count
      from redemptions where usage_id is not null group by usage_id having count(*) > 1`,
  },
  {
    check: 'usageAlone',
    sql: `select id as usageId, account_id as accountId from usages where kind = 'redeem' and returned_at is null
      and id not in (select usage_id from redemptions where usage_id is not null)`,
  },
  {
    check: 'quotaUsed',
    sql: `select * from (select a.id as accountId, coalesce(q.used, 0) as used, (select coalesce(sum(c.daily), 0) from usages c
        where c.account_id = a.id and c.returned_at is null and c.daily > 0 and c.at > coalesce(q.window_start, 0)) as charged
      from accounts a left join quotas q on q.account_id = a.id) where used <> charged`,
  },
  {
    check: 'quotaPurchased',
    sql: `with bought as (select account_id, sum(activations_quarters) - sum(refunded_quarters) as quarters
        from purchases group by account_id),
      spent as (select account_id, sum(purchased) as quarters from usages where returned_at is null group by account_id)
      select * from (select a.id as accountId, coalesce(q.purchased, 0) as purchased,
          coalesce(b.quarters, 0) - coalesce(s.quarters, 0) as left
        from accounts a left join quotas q on q.account_id = a.id left join bought b on b.account_id = a.id
          left join spent s on s.account_id = a.id) where purchased <> left`,
  },
];

const ofOrders: readonly Rule[] = [
  {
    check: 'orderCharge',
    sql: `select o.id as orderId, o.account_id as accountId, p.id as purchaseId
      from purchase_orders o left join purchases p on p.charge_id = o.charge_id
      where o.charge_id is not null and (p.id is null or p.account_id <> o.account_id or p.kind <> o.kind
        or p.currency <> o.currency or p.amount <> o.amount)`,
  },
];

const ofReferences: readonly Rule[] = [
  {
    check: 'accountMissing',
    sql: `select 'codes' as "table", id from codes where account_id not in (select id from accounts)
      union all select 'redemptions', id from redemptions where account_id not in (select id from accounts)`,
  },
  {
    check: 'idempotencyKey',
    sql: `select k.account_id as accountId, k.redemption_id as redemptionId, k.extraction_id as extractionId, k.batch_id as batchId,
        k.order_id as orderId from idempotency_keys k left join redemptions r on r.id = k.redemption_id left join extractions e on e.id = k.extraction_id
        left join batches b on b.id = k.batch_id left join orders o on o.id = k.order_id
      where (k.redemption_id is not null and r.account_id is not k.account_id)
        or (k.extraction_id is not null and e.account_id is not k.account_id)
        or (k.batch_id is not null and b.account_id is not k.account_id)
        or (k.order_id is not null and o.account_id is not k.account_id)`,
  },
  {
    check: 'duplicate',
    sql: `select r.id as redemptionId, r.first_id as firstId, r.error_code as errorCode
      from redemptions r left join redemptions f on f.id = r.first_id where r.first_id is not null
        and (r.state <> 'failed' or r.usage_id is not null or (r.error_code = 'UNKNOWN') <> (f.state in ('pending', 'in_doubt') or f.actor = 'lost'))`,
  },
  {
    check: 'foreignKey',
    sql: `select "table", rowid, parent from pragma_foreign_key_check`,
  },
];

/** Every rule, in the order they are told. */
export const RULES: readonly Rule[] = [
  ...ofStock,
  ...ofJobs,
  ...ofClaims,
  ...ofAttempts,
  ...ofUsages,
  ...ofOrders,
  ...ofOrdersOfCodes,
  ...ofReferences,
];
