// The counts of the stock while a whole file is worked over: counting every move would take longer than counting once after.
import type { Database as Connection } from 'better-sqlite3';

/** Takes away what counts codes as they move; what is returned puts it back, on whichever connection to the file. */
export function suspendCounting(connection: Connection): (connection: Connection) => void {
  const triggers = connection
    .prepare("select name, sql from sqlite_schema where type = 'trigger' and name = 'codes_counted'")
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) connection.exec(`drop trigger ${name}`);
  return (later) => {
    for (const { sql } of triggers) later.exec(sql);
  };
}

/** Counts anew. */
export function recountStock(connection: Connection): void {
  connection.exec(`
    delete from stock_counts;
    insert into stock_counts (account_id, game_id, denomination, state, count)
      select account_id, game_id, denomination, state, count(*) from codes group by 1, 2, 3, 4;`);
}
