// What a restore must not forget although it goes back in time: what left the house, what was paid, who may come in.
// Runs on the replaced database's connection, with the restored one attached as `fresh`. Both stem from one file
// (the same canary, byte for byte), so equal ids are the same thing.
import type { Database as Connection } from 'better-sqlite3';

/** Whether the attached database and this one have one origin: an encrypted canary is made once and never twice alike. */
export function isSameOrigin(connection: Connection): boolean {
  const canary = (schema: string) =>
    connection.prepare(`select value from ${schema}.meta where key = 'canary'`).pluck().get() as
      Buffer | undefined;
  const replaced = canary('main');
  return replaced !== undefined && canary('fresh')?.equals(replaced) === true;
}

/** Never gives an identifier again that was given: receipts, accounts, everything that counts up. */
export function carryIdentifiers(connection: Connection): void {
  connection.exec(`
    insert into fresh.sqlite_sequence (name, seq) select name, 0 from main.sqlite_sequence
      where name not in (select name from fresh.sqlite_sequence);
    update fresh.sqlite_sequence set seq = max(seq, coalesce((select seq from main.sqlite_sequence newer
      where newer.name = fresh.sqlite_sequence.name), 0));`);
}

/** Carries every fact; call it inside a transaction. */
export function carryFacts(connection: Connection): void {
  carryAccess(connection);
  carryPurchases(connection);
  carryDepartures(connection);
}

/** Accounts, subscriptions, members, invitations and keys stand as they are now: a revoked key stays revoked. */
function carryAccess(connection: Connection): void {
  connection.exec(`
    insert into fresh.accounts select * from main.accounts where id not in (select id from fresh.accounts);
    update fresh.accounts as a set name = newer.name, subscription_expires_at = newer.subscription_expires_at
      from main.accounts newer where newer.id = a.id;`);
  for (const table of ['members', 'invitations', 'api_keys']) {
    connection.exec(`delete from fresh.${table}; insert into fresh.${table} select * from main.${table};`);
  }
}

/** Payments and refunds since the backup. What was spent of them since is not counted again: in the customer's favour. */
function carryPurchases(connection: Connection): void {
  const missing = 'charge_id not in (select charge_id from fresh.purchases)';
  connection.exec(`
    insert or ignore into fresh.quotas (account_id) select account_id from main.purchases where ${missing};
    update fresh.quotas as q set purchased = purchased + coalesce((select sum(activations_quarters - refunded_quarters)
      from main.purchases where account_id = q.account_id and ${missing}), 0);
    insert into fresh.purchases select * from main.purchases where ${missing};`);
  const refunds = connection
    .prepare(
      `select newer.id, newer.account_id as accountId, newer.refunded_at as at, newer.refunded_quarters as quarters
       from main.purchases newer join fresh.purchases old on old.charge_id = newer.charge_id
       where newer.refunded_at is not null and old.refunded_at is null`,
    )
    .all() as { id: number; accountId: number; at: number; quarters: number }[];
  const balance = connection.prepare('select purchased from fresh.quotas where account_id = ?').pluck();
  const takeBack = connection.prepare(
    'update fresh.quotas set purchased = purchased - ? where account_id = ?',
  );
  const mark = connection.prepare(
    'update fresh.purchases set refunded_at = ?, refunded_quarters = ? where id = ?',
  );
  for (const { id, accountId, at, quarters } of refunds) {
    const taken = Math.min(quarters, (balance.get(accountId) as number | undefined) ?? 0);
    takeBack.run(taken, accountId);
    mark.run(at, taken, id);
  }
}

/**
 * Codes that left since the backup are not put back: extracted and undone ones stay so, redeemed and used ones are kept as
 * used. One that the backup holds for an open redemption returns as used, should that redemption turn out not to have spent it.
 */
function carryDepartures(connection: Connection): void {
  const gone = "newer.state in ('extracted', 'undone', 'redeemed', 'used')";
  connection.exec(`
    insert into fresh.extractions select * from main.extractions where id not in (select id from fresh.extractions);
    update fresh.batches as b set undone_at = newer.undone_at
      from main.batches newer where newer.id = b.id and newer.undone_at is not null;
    update fresh.codes as c set changed_at = newer.changed_at, extraction_id = newer.extraction_id,
        state = case newer.state when 'redeemed' then 'used' else newer.state end
      from main.codes newer where newer.id = c.id and c.state in ('available', 'unverified') and ${gone};
    update fresh.codes as c set claimed_from = 'used'
      from main.codes newer where newer.id = c.id and c.state in ('reserved', 'in_doubt') and ${gone};`);
}
