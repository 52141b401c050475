// Until when a backup knows what happened: by whatever says when it was written.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { markBackup } from '../engine/identity.ts';
import { readAsOf } from './epochs.ts';

const TIMES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['created_at'],
  api_keys: ['created_at', 'last_used_at', 'revoked_at'],
  members: ['joined_at', 'role_at'],
  batches: ['at', 'undone_at'],
  codes: ['changed_at'],
  extractions: ['at', 'ended_at'],
  redemptions: ['created_at', 'settled_at', 'doubted_at'],
  attempts: ['begun_at', 'ended_at', 'resolved_at'],
  purchases: ['at', 'refunded_at'],
  purchase_orders: ['at'],
  charge_notes: ['at'],
  inbox: ['received_at'],
  tasks: ['queued_at', 'done_at', 'dead_at'],
  conversations: ['touched_at'],
  webhooks: ['created_at', 'removed_at'],
  webhook_messages: ['at'],
  audit_log: ['at'],
};

test.each(Object.entries(TIMES).flatMap(([table, columns]) => columns.map((column) => [table, column])))(
  'a backup knows of what is written in %s with its %s',
  (table, column) => {
    const connection = new Database(':memory:');
    for (const [each, columns] of Object.entries(TIMES))
      connection.exec(`create table ${each} (id integer primary key autoincrement, ${columns.join(', ')})`);
    connection.exec(
      `create table meta (key primary key, value); insert into ${table} (${column}) values (7000)`,
    );
    expect([5_000, 9_000].map((now) => readAsOf(connection, now))).toEqual([5_000, 7_000]);
    markBackup(connection, 8_000);
    expect(readAsOf(connection, 9_000)).toBe(8_000);
    connection.close();
  },
);
