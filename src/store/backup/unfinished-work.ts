// Closing of unfinished work in a restored database: the backup does not know how it ended, and doing it again would do
// it twice. What is open towards the platform stays open: the platform can be asked how it ended.
import { randomUUID } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

import type { Secrets } from '../engine/secrets.ts';

/** Closes everything that was left unfinished. Call it inside a transaction, on a file that nobody else uses. */
export function closeUnfinished(connection: Connection, secrets: Secrets, now: number): void {
  closeImports(connection);
  closeJobs(connection, now);
  closeConversations(connection, secrets, now);
  closeOrders(connection);
  closeDeliveries(connection, now);
  doubtAttempts(connection, now);
  questionCodes(connection);
}

// Pasted codes are with whoever pasted them. An import whose batch has codes has come to an end, only a shorter one.
function closeImports(connection: Connection): void {
  connection.exec(`
    update imports set state = case when state = 'committing' and exists (select 1 from codes c where c.batch_id = imports.batch_id)
      then 'committed' else 'cancelled' end where state in ('collecting', 'committing');
    delete from import_pieces;`);
}

// Codes that a job was still to add are with whoever gave them; what became of those it has added stays readable, for
// the request that is repeated. An extraction ends with what it has. An undo is forgotten: its batch can be undone
// anew.
function closeJobs(connection: Connection, now: number): void {
  connection.prepare(`update extractions set ended_at = @now where ended_at is null`).run({ now });
  connection.exec(`
    delete from job_slices where added is null and job_id in (select id from jobs where state = 'running');
    delete from jobs where state = 'running' and kind = 'undo';`);
  connection
    .prepare(
      `update jobs set state = 'cancelled', ended_at = @now,
         problem = 'A backup was restored, and the rest was not done.' where state = 'running'`,
    )
    .run({ now });
}

// An update that waits may have been carried out since, and a message may have been sent. Confirmations that were
// pressed could be pressed again; a conversation would go on where nobody stands any more. Notices stay: they tell
// facts that stand, too, and being told twice harms nobody. An update that says that money moved stays as well: it is
// booked once, by its charge.
function closeConversations(connection: Connection, secrets: Secrets, now: number): void {
  const waiting = connection.prepare<[], { updateId: number; secret: Buffer }>(
    "select update_id as updateId, update_secret as secret from inbox where state = 'waiting'",
  );
  const setAside = connection.prepare("update inbox set state = 'set_aside' where update_id = ?");
  for (const row of waiting.all()) {
    if (!saysThatMoneyMoved(secrets, row.updateId, row.secret)) setAside.run(row.updateId);
  }
  connection.exec(`
    delete from conversations;
    delete from confirmations;`);
  // What shows an open redemption, or open orders, waits for its end still.
  connection.exec(`
    update tasks set run_at = null, locked_at = null where run_at is not null and (waits_for like 'order-news:%'
      or waits_for like 'redemption:%' and exists (select 1 from redemptions r
        where r.id = cast(substr(waits_for, 12) as integer) and r.state in ('pending', 'in_doubt')))`);
  // What waits for a closed chat stays.
  connection
    .prepare(
      `update tasks set dead_at = @now, run_at = null, locked_at = null, last_error = 'A backup was restored.'
       where task in ('answer', 'result', 'notice') and (run_at is not null or waits_for like 'job:%')
         and done_at is null and dead_at is null`,
    )
    .run({ now });
}

/**
 * Whoever ordered may have gone on with the rest since: nothing more of it begins. One ends when nothing of it is open,
 * which the service says; until then nothing is promised to it. A link that was open may have been used since: nobody
 * uses it until the account says so, whatever it said of an earlier restore.
 */
function closeOrders(connection: Connection): void {
  connection
    .prepare(
      "update orders set ending = coalesce(ending, 'RESTORED') where ended_at is null and player_id <> ''",
    )
    .run();
  connection.exec('update claims set undecided = 0 where undecided <> 0');
  connection.exec("update claims set state = 'stuck', trouble = 'afterRestore' where state = 'open'");
  connection.exec('update order_items set promised = 0 where promised <> 0');
}

export interface StoppedOrders {
  accountId: number;
  orders: number;
}

/** Whose orders that stopped, where the service has not ended them yet. */
export function listStoppedOrders(connection: Connection): StoppedOrders[] {
  return connection
    .prepare<[], StoppedOrders>(
      `select account_id as accountId, count(*) as orders from orders
       where ended_at is null and ending = 'RESTORED' group by account_id order by account_id`,
    )
    .all();
}

/** Whether a stored update of Telegram says that somebody paid, or got money back. */
function saysThatMoneyMoved(secrets: Secrets, updateId: number, sealed: Buffer): boolean {
  try {
    const update = JSON.parse(secrets.open(`inbox:${updateId}`, sealed)) as {
      message?: { successful_payment?: unknown; refunded_payment?: unknown };
    };
    return update.message?.successful_payment !== undefined || update.message?.refunded_payment !== undefined;
  } catch {
    return false;
  }
}

// What was pending for programs may have been delivered since. How a redemption ended stands: it is due again, from now
// on, and whoever has it knows it by its `webhook-id`. All else may not be so any more; each can be ordered once more.
function closeDeliveries(connection: Connection, now: number): void {
  const stands = "(select id from webhook_messages where type = 'redemption.settled')";
  connection
    .prepare(
      `update webhook_deliveries set attempts = 0, next_at = @now, pending_since = @now
       where state = 'waiting' and message_id in ${stands}`,
    )
    .run({ now });
  connection.exec(`
    update webhook_deliveries set state = 'failed', next_at = null,
      problem = 'A backup was restored: it is not known whether this was delivered.'
      where state = 'waiting' and message_id not in ${stands}`);
}

// What was under way, or about to be, may have been carried out since, by whom the last one was. Until when it still
// may be, the start says, which knows the platform.
function doubtAttempts(connection: Connection, now: number): void {
  connection
    .prepare(
      `update attempts set state = 'unknown', ended_at = @now, quiet_until = @now, error_code = 'UNKNOWN' where state = 'open'`,
    )
    .run({ now });
  const unsent = connection
    .prepare(
      `select id as redemptionId, created_at as begunAt from redemptions where state in ('pending', 'in_doubt')
         and id not in (select redemption_id from attempts)`,
    )
    .all() as object[];
  const newest = connection
    .prepare('select upstream from attempts order by redemption_id desc, n desc limit 1')
    .pluck();
  const insert = connection.prepare(
    `insert into attempts (redemption_id, n, upstream, kind, reference, state, error_code, begun_at, ended_at, quiet_until)
     values (@redemptionId, 1, @upstream, 'order', @reference, 'unknown', 'UNKNOWN', @begunAt, @now, @now)`,
  );
  const upstream = newest.get() ?? 'main';
  for (const row of unsent) insert.run({ ...row, upstream, now, reference: randomUUID() });
}

// A code may have been spent in the time that is not known: the platform is asked about it before it is used. That
// holds, too, for one whose redemption is open and may turn out not to have spent it.
function questionCodes(connection: Connection): void {
  connection.exec(`
    update codes set state = 'unverified' where state = 'available';
    update codes set claimed_from = 'unverified' where state in ('reserved', 'in_doubt') and claimed_from = 'available';`);
}
