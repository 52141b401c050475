// Recount of codes after a whole file was worked over; the triggers that count every move are suspended
// meanwhile, because they would take longer, and the one that lets nothing begin but what is sent now.
import type { Database as Connection } from 'better-sqlite3';

/** Runs `work` beside these triggers, and counts anew. Call it inside a transaction. */
export function recounting(connection: Connection, work: () => void): void {
  const triggers = connection
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_schema where type = 'trigger' and name in ('codes_counted', 'attempts_begun')",
    )
    .all();
  for (const { name } of triggers) connection.exec(`drop trigger ${name}`);
  work();
  connection.exec(RECOUNT);
  for (const { sql } of triggers) connection.exec(sql);
}

const RECOUNT = `
  delete from stock_counts;
  insert into stock_counts (account_id, game_id, denomination, state, count)
    select account_id, game_id, denomination, state, count(*) from codes group by 1, 2, 3, 4;
  delete from stock_promises;
  insert into stock_promises (account_id, game_id, denomination, count, patient)
    select account_id, game_id, denomination, count(*), sum(promised = 2) from order_items where promised > 0 group by 1, 2, 3;
  update extractions set taken = (select count(*) from codes where extraction_id = extractions.id and extraction_id is not null);`;
