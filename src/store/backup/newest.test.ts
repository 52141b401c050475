// Until when a backup knows what happened: by when it was made, else by its newest code, redemption or act.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { markBackup } from '../engine/identity.ts';
import { readAsOf } from './restored.ts';

const TIMES = { codes: 'changed_at', redemptions: 'created_at', audit_log: 'at' };

test.each(Object.entries(TIMES))('a backup knows of what is written in %s with its %s', (table, column) => {
  const connection = new Database(':memory:');
  for (const [each, time] of Object.entries(TIMES)) connection.exec(`create table ${each} (${time})`);
  connection.exec(
    `create table meta (key primary key, value); insert into ${table} (${column}) values (7000)`,
  );
  expect([5_000, 9_000].map((now) => readAsOf(connection, now))).toEqual([5_000, 7_000]);
  markBackup(connection, 8_000);
  expect(readAsOf(connection, 9_000)).toBe(8_000);
  connection.close();
});
