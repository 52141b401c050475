// What rows 1 and 6 are held against stands on: a file of round 1's schema with its pragmas, accounts that can pay and
// codes to take. Frozen: nothing of it comes from src/, so that a leaner schema and cheaper statements of ours
// count.
import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';

import { ACCOUNTS, DENOMINATION, GAME_ID } from '../terms.ts';

const SCHEMA = new URL('round-1.sql', import.meta.url);

/** What round 1 kept of a code: a hash of 32 bytes, and 16 characters sealed under a head of 32. */
export const HASH_BYTES = 32;
export const SECRET_BYTES = 51;

interface YardstickFile {
  connection: Connection;
  accountIds: number[];
}

/** A new file with so many codes, spread evenly over the accounts. */
export function openYardstick(path: string, codes: number): YardstickFile {
  const connection = new Database(path);
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'trusted_schema = OFF',
  ])
    connection.pragma(pragma);
  for (const pragma of ['wal_autocheckpoint = 1000', 'cache_size = -16000', 'temp_store = MEMORY'])
    connection.pragma(pragma);
  connection.exec(readFileSync(SCHEMA, 'utf8'));
  const accountIds = connection.transaction(() => openAccounts(connection))();
  const each = Math.ceil(codes / accountIds.length);
  connection.transaction(() => {
    for (const accountId of accountIds) insertCodes(connection, accountId, each);
  })();
  connection.pragma('wal_checkpoint(TRUNCATE)');
  return { connection, accountIds };
}

function openAccounts(connection: Connection): number[] {
  const account = connection.prepare(
    `insert into accounts (name, created_at, subscription_expires_at) values ('Shop', 0, 4102444800000)`,
  );
  const quota = connection.prepare('insert into quotas (account_id, purchased) values (?, 4000000)');
  return Array.from({ length: ACCOUNTS }, () => {
    const accountId = Number(account.run().lastInsertRowid);
    quota.run(accountId);
    return accountId;
  });
}

export function openBatch(connection: Connection, accountId: number): number {
  const batch = connection.prepare(
    `insert into batches (account_id, game_id, actor, at) values (?, ?, 'apiKey:1', 0)`,
  );
  return Number(batch.run(accountId, GAME_ID).lastInsertRowid);
}

export function prepareInsertCode(connection: Connection) {
  return connection.prepare(`
    insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
    values (?, ?, ?, 'available', ?, ?, ?, ?)`);
}

function insertCodes(connection: Connection, accountId: number, count: number): void {
  const batchId = openBatch(connection, accountId);
  const insert = prepareInsertCode(connection);
  const random = Buffer.alloc(HASH_BYTES + SECRET_BYTES);
  for (let done = 0; done < count; done += 1) {
    randomFillSync(random);
    const [hash, secret] = [random.subarray(0, HASH_BYTES), random.subarray(HASH_BYTES)];
    insert.run(accountId, GAME_ID, DENOMINATION, hash, secret, batchId, 0);
  }
}
