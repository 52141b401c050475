// The everyday backup: its pages and its key are proven, and no row; whole ones prove every row.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestStore } from '../../../test/harness/store.ts';
import { openTradedStore } from '../../../test/harness/traded-store.ts';
import { createSecrets } from '../engine/secrets.ts';
import { backup } from './backup.ts';

let fixture: TestStore;
let made: number;

beforeEach(async () => {
  ({ fixture } = await openTradedStore());
  fixture.allowDrift();
  made = 0;
});
afterEach(() => fixture.close());

const make = (everyday = true, secrets = fixture.store.secrets) =>
  backup(fixture.store.path, join(dirname(fixture.store.path), `backup-${(made += 1)}.db`), {
    ...{ secrets, now: fixture.clock.now(), everyday },
  });

function change(sql: string): void {
  const connection = new Database(fixture.store.path);
  connection.exec(sql);
  connection.close();
}

test('a row that does not open, or contradicts others, is told by a whole one', async () => {
  change('update codes set code_secret = zeroblob(40) where id = 1');
  change("update usages set kind = 'character' where id = (select min(usage_id) from redemptions)");
  expect(await make()).toEqual({ proof: 'everyday', unreadable: 0, drift: 0, rows: [] });
  expect(await make(false)).toMatchObject({ proof: 'whole', unreadable: 1, drift: 1 });
});

test('a page that is damaged makes no everyday backup either', async () => {
  change('pragma wal_checkpoint(truncate)');
  const connection = new Database(fixture.store.path, { readonly: true });
  const sql = "select rootpage from sqlite_schema where name = 'redemptions'";
  const page = connection.prepare(sql).pluck().get() as number;
  connection.close();
  const bytes = readFileSync(fixture.store.path);
  bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 64);
  writeFileSync(fixture.store.path, bytes);
  await expect(make()).rejects.toThrow(/damaged|cannot be read/);
});

test('another key makes no everyday backup either', async () => {
  await expect(make(true, createSecrets(Buffer.alloc(32, 9)))).rejects.toThrow(/key is not the one/);
});

test('of a database that is yet to be upgraded the pages are proven', async () => {
  change('delete from migrations where tag = (select max(tag) from migrations)');
  expect(await make()).toMatchObject({ proof: 'everyday', rows: [] });
});
