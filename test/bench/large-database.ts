// A database of many rows, made quickly: by the migrations and the core, then with bare inserts while the indexes are away.
import { randomFillSync } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

import { openConnection } from '../../src/store/engine/connection.ts';
import { DENOMINATION, GAME_ID, openBenchCore, type BenchAccount } from './bench-core.ts';

/** What a code and its look-up hash take, sealed. */
const SECRET_BYTES = 51;
const HASH_BYTES = 32;
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** Codes that are really sealed, at the front, where they are taken first. */
const SEALED = 1_000;

/**
 * Makes `path` with so many codes and as long a history of charges, all of the first account. In the window of the last
 * 24 hours are as many charges as it can hold.
 */
export async function makeDatabase(path: string, rows: number): Promise<BenchAccount> {
  const bench = await openBenchCore(path);
  const [account] = bench.accounts;
  if (!account) throw new Error('There is no account.');
  await bench.fill(SEALED * bench.accounts.length);
  await bench.close();
  const connection = openConnection(path);
  connection.pragma('synchronous = OFF');
  connection.pragma('foreign_keys = OFF');
  connection.pragma('cache_size = -400000');
  const indexes = takeIndexesAway(connection);
  connection.exec('BEGIN');
  insertCodes(connection, account.actor.accountId, rows - SEALED);
  insertCharges(connection, account.actor.accountId, rows);
  for (const index of indexes) connection.exec(index);
  connection.exec('COMMIT');
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  return account;
}

function takeIndexesAway(connection: Connection): string[] {
  const indexes = connection
    .prepare(
      `select name, sql from sqlite_schema where type = 'index' and tbl_name in ('codes', 'charges') and sql is not null`,
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) connection.exec(`drop index ${name}`);
  return indexes.map(({ sql }) => sql);
}

function insertCodes(connection: Connection, accountId: number, count: number): void {
  const batchId = connection
    .prepare(`insert into batches (account_id, game_id, actor, at, added) values (?, ?, 'apiKey:1', 0, ?)`)
    .run(accountId, GAME_ID, count).lastInsertRowid;
  const insert = connection.prepare(`
    insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
    values (?, ?, ?, 'available', ?, ?, ?, 0)`);
  const random = Buffer.alloc(HASH_BYTES + SECRET_BYTES);
  const hash = random.subarray(0, HASH_BYTES);
  const secret = random.subarray(HASH_BYTES);
  for (let done = 0; done < count; done += 1) {
    randomFillSync(random);
    insert.run(accountId, GAME_ID, DENOMINATION, hash, secret, batchId);
  }
}

/** A charge of a whole activation each: 300 in the window, the others an hour and more before it. */
function insertCharges(connection: Connection, accountId: number, count: number): void {
  const now = Date.now();
  const insert = connection.prepare(
    `insert into charges (account_id, at, daily, purchased, kind) values (?, ?, 4, 0, 'redeem')`,
  );
  const counted = Math.min(300, count);
  for (let left = count; left > counted; left -= 1)
    insert.run(accountId, now - WINDOW_MS - 3_600_000 - left * 250);
  for (let left = counted; left > 0; left -= 1) insert.run(accountId, now - left * 1_000);
  connection
    .prepare('update quotas set used = ?, window_start = ? where account_id = ?')
    .run(counted * 4, now - WINDOW_MS, accountId);
}
