// The rules of conservation about orders: what is promised is counted and there, and each code of an order is what its
// redemption says.
/** A rule of conservation. */
export interface Rule {
  check: string;
  /** Selects nothing but ids, counts, states and times: what it finds is printed. */
  sql: string;
}

export const ofOrdersOfCodes: readonly Rule[] = [
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
