// Charges, payments and what follows from them, carried over a restore: whatever was paid is there, whatever was spent is
// counted. Totals are never carried: they are the sum of what was.
import {
  copyRows,
  newOf,
  numberTheRest,
  recogniseBy,
  recogniseByNumber,
  to,
  type Carrying,
} from './carrying.ts';
import { MONEY_PAPERS, readdressOrder } from './money-papers.ts';

/**
 * Carries the ledger. A charge of a redemption is known by it; one of a look-up by its number, kind and amount, and where two
 * pasts both went on also by its moment (which a calendar that went back moves). Needs redemptions recognised, and runs before
 * they are carried.
 */
export function carryCharges(carrying: Carrying): void {
  const { connection, descends } = carrying;
  const account_id = to('accounts', 'n.account_id');
  recogniseByNumber(
    carrying,
    'charges',
    `o.account_id = ${account_id} and o.kind = n.kind and o.daily = n.daily and o.purchased = n.purchased
       ${descends ? '' : "and (n.kind = 'redeem' or n.at = o.at)"}`,
  );
  connection.exec(`
    insert or ignore into temp.charges_map (from_id) select n.charge_id from ${newOf('redemptions')} where n.charge_id is not null;
    insert or replace into temp.charges_map (from_id, to_id) select n.charge_id, o.charge_id
      from main.redemptions n cross join fresh.redemptions o on o.id = ${to('redemptions', 'n.id')} and o.reference = n.reference
      where n.charge_id <> o.charge_id;`);
  numberTheRest(carrying, 'charges');
  copyRows(carrying, 'charges', newOf('charges'), { id: to('charges', 'n.id'), account_id });
  // Where both pasts went on, the charge of a redemption goes with the past that knows more of it; one that gave way to another of
  // its code has lost it in the other past.
  const known = `select coalesce(o.charge_id, ${to('charges', 'n.charge_id')}) from temp.redemptions_further f
    join fresh.redemptions o on o.id = f.id join main.redemptions n on n.id = f.from_id`;
  connection.exec(`
    update fresh.charges as o set at = n.at, returned_at = n.returned_at from main.charges n
    where o.id = ${to('charges', 'n.id')} and (n.at <> o.at or n.returned_at is not o.returned_at)
      and (${descends ? 'true' : `o.kind <> 'redeem' or o.id in (${known})`})`);
}

/** Carries payments and refunds, by the payment provider's charge. */
export function carryPurchases(carrying: Carrying): void {
  recogniseByNumber(carrying, 'purchases', 'o.charge_id = n.charge_id');
  recogniseBy(
    carrying,
    'purchases',
    'select o.id from main.purchases n join fresh.purchases o on o.charge_id = n.charge_id where n.id = m.from_id',
  );
  numberTheRest(carrying, 'purchases');
  const refunded_after = `case when n.refunded_quarters = n.activations_quarters then n.refunded_after else
    max(n.refunded_after, coalesce((select max(${to('charges', 'c.id')}) from main.charges c
      where c.account_id = n.account_id and c.id <= n.refunded_after), 0)) end`;
  carrying.connection.exec(`
    update fresh.purchases as o set refunded_at = n.refunded_at, refunded_quarters = n.refunded_quarters, refunded_after = ${refunded_after}
    from main.purchases n where o.charge_id = n.charge_id and n.refunded_at is not null
      and (o.refunded_at is null or n.refunded_quarters > o.refunded_quarters)`);
  copyRows(carrying, 'purchases', newOf('purchases'), {
    id: to('purchases', 'n.id'),
    account_id: to('accounts', 'n.account_id'),
    refunded_after,
  });
}

/** Carries orders, by their id, with what is known of their payment: they may be paid yet, and told of a year later. */
export function carryPurchaseOrders(carrying: Carrying): void {
  const { connection } = carrying;
  connection.exec(`
    update fresh.purchase_orders as o set charge_id = n.charge_id from main.purchase_orders n
    where n.id = o.id and n.charge_id is not null and o.charge_id is null`);
  const account_id = to('accounts', 'n.account_id');
  copyRows(carrying, 'purchase_orders', 'main.purchase_orders n', { account_id }, 'or ignore');
}

/** Carries what was told of charges that are not booked, by the charge. */
export function carryChargeNotes(carrying: Carrying): void {
  copyRows(carrying, 'charge_notes', 'main.charge_notes n', {}, 'or ignore');
}

/** Carries orders of an earlier version, which are drafts, and its notes of charges and refunds that could not be booked. */
export function carryMoneyPapers(carrying: Carrying): void {
  const { connection, secrets } = carrying;
  const isPaper = `n.action in (${MONEY_PAPERS})`;
  copyRows(carrying, 'drafts', `main.drafts n where ${isPaper}`, {}, 'or ignore');
  const moved = new Map(
    connection.prepare('select from_id, to_id from temp.accounts_map where from_id <> to_id').raw().all() as [
      number,
      number,
    ][],
  );
  if (moved.size === 0) return;
  const orders = connection.prepare(
    "select n.id, n.payload_secret as sealed from main.drafts n where n.action = 'invoice'",
  );
  const readdress = connection.prepare('update fresh.drafts set payload_secret = ? where id = ?');
  for (const order of orders.all() as { id: string; sealed: Buffer }[]) {
    const sealed = readdressOrder(secrets, order, moved);
    if (sealed) readdress.run(sealed, order.id);
  }
}

/** Makes the totals of every account what its charges and purchases say. `gift` names the charge of what is forgiven. */
export function sumUp(carrying: Carrying, gift: string): void {
  const { connection } = carrying;
  const account_id = to('accounts', 'n.account_id');
  connection.exec(`
    insert or ignore into fresh.quotas (account_id) select ${account_id} from main.quotas n;
    insert or ignore into fresh.quotas (account_id) select account_id from fresh.purchases union select account_id from fresh.charges;
    update fresh.quotas as o set window_start = max(o.window_start, n.window_start),
      noticed_80_at = max(o.noticed_80_at, n.noticed_80_at), noticed_100_at = max(o.noticed_100_at, n.noticed_100_at)
    from main.quotas n where o.account_id = ${account_id};
    update fresh.quotas as q set used = coalesce((select sum(c.daily) from fresh.charges c
      where c.account_id = q.account_id and c.returned_at is null and c.daily > 0 and c.at > q.window_start), 0);
    insert or replace into fresh.meta (key, value) select key, value from main.meta where key = 'calendar_ahead';
    drop table if exists temp.balances;
    create temp table balances (account_id integer primary key, quarters integer not null);
    insert into temp.balances select account_id, sum(quarters) from (
      select account_id, sum(activations_quarters) - sum(refunded_quarters) as quarters from fresh.purchases group by 1
      union all select account_id, -sum(purchased) from fresh.charges where returned_at is null group by 1) group by 1;`);
  takeBack(carrying);
  forgive(carrying, gift);
  connection.exec(`
    update fresh.quotas as q set purchased = coalesce(
      (select max(0, b.quarters) from temp.balances b where b.account_id = q.account_id), 0)`);
}

// What one past gave back and the other returned is left with nobody: it goes to the refunds that took less than was bought.
function takeBack({ connection }: Carrying): void {
  connection.exec(`
    drop table if exists temp.takings;
    create temp table takings as
      select p.id, max(0, min(p.activations_quarters - p.refunded_quarters, b.quarters - coalesce(s.paid, 0) - coalesce(sum(
          p.activations_quarters - p.refunded_quarters) over (partition by p.account_id order by p.id rows between unbounded preceding
          and 1 preceding), 0))) as quarters, p.account_id
      from fresh.purchases p join temp.balances b on b.account_id = p.account_id
        join (select account_id, sum(activations_quarters) filter (where refunded_at is null) as paid from fresh.purchases group by 1) s
          on s.account_id = p.account_id
      where p.refunded_at is not null and b.quarters > coalesce(s.paid, 0);
    update fresh.purchases as p set refunded_quarters = refunded_quarters + t.quarters from temp.takings t where t.id = p.id;
    update temp.balances as b set quarters = b.quarters - (select coalesce(sum(t.quarters), 0) from temp.takings t
      where t.account_id = b.account_id);`);
}

// Two pasts may have spent the same activations: the second time is a gift, booked like every other.
function forgive({ connection, now }: Carrying, gift: string): void {
  connection
    .prepare(
      `insert into fresh.purchases (account_id, charge_id, kind, currency, amount, activations_quarters, subscription_days, paid_by, at)
       select account_id, @gift || ':' || account_id, 'activations', 'HOST', 0, -quarters, 0, 'host', @now
       from temp.balances where quarters < 0`,
    )
    .run({ gift, now });
}
