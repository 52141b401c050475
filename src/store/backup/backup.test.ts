// Backups: made beside a running service, proven before they have their name, for their owner alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestStore } from '../../../test/harness/store.ts';
import { numberedCodes, openTradedStore, type Trader } from '../../../test/harness/traded-store.ts';
import { backup } from './backup.ts';
import { checkConservation } from './conservation.ts';
import { createSecrets } from '../engine/secrets.ts';

let fixture: TestStore;
let trader: Trader;
let folder: string;
let file: string;

beforeEach(async () => {
  ({ fixture, trader } = await openTradedStore());
  fixture.allowDrift();
  folder = join(dirname(fixture.store.path), 'backups');
  mkdirSync(folder);
  file = join(folder, 'backup.db');
});

afterEach(() => fixture.close());

/** Changes one bit in the sealed value of one row. */
function flipBit(connection: Database.Database, table: string, column: string, where: string): void {
  const row = connection
    .prepare(`select rowid as id, ${column} as sealed from ${table} where ${where} limit 1`)
    .get() as { id: number; sealed: Buffer };
  row.sealed.writeUInt8(row.sealed.readUInt8(row.sealed.length - 1) ^ 1, row.sealed.length - 1);
  connection.prepare(`update ${table} set ${column} = @sealed where rowid = @id`).run(row);
}

const make = () => backup(fixture.store.path, file, { secrets: fixture.store.secrets, now: 1 });

test('a backup is one file for its owner alone, with everything that was committed', async () => {
  await make();
  expect(readdirSync(folder)).toEqual(['backup.db']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = new Database(file, { readonly: true });
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete');
  const { drift, counts } = checkConservation(copy, { secrets: fixture.store.secrets });
  copy.close();
  expect(drift).toBe(0);
  expect(counts.added).toBe(15);
});

test('a backup made while the service writes has no drift', async () => {
  let writing = true;
  const writer = (async () => {
    for (let batch = 0; writing; batch += 1) await trader.addCodes(numberedCodes(`W${batch}x`, 20));
  })();
  await make();
  writing = false;
  await writer;
  const copy = new Database(file, { readonly: true });
  expect(checkConservation(copy).drift).toBe(0);
  copy.close();
});

test.each(['at the beginning', 'meanwhile'])('a file that is there %s is never overwritten', async (when) => {
  const making = when === 'meanwhile' ? make() : undefined;
  writeFileSync(file, 'precious');
  await expect(making ?? make()).rejects.toThrow(/exists already/);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect(readdirSync(folder)).toEqual(['backup.db']);
});

test('a folder that does not exist is refused in a sentence', async () => {
  await expect(
    backup(fixture.store.path, join(folder, 'no/such.db'), { secrets: fixture.store.secrets, now: 1 }),
  ).rejects.toThrow(/cannot be written there/);
});

test('the wrong key makes no backup', async () => {
  const wrong = createSecrets(Buffer.alloc(32, 1));
  await expect(backup(fixture.store.path, file, { secrets: wrong, now: 1 })).rejects.toThrow(
    /key is not the one/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('a database that contradicts itself is kept as it is, and it is told where', async () => {
  const connection = new Database(fixture.store.path);
  connection.exec("delete from codes where id = (select max(id) from codes where state = 'available')");
  connection.close();
  const { drift, unreadable, rows } = await make();
  expect([drift, unreadable]).toEqual([2, 0]);
  expect(rows.map(({ check }) => check).sort()).toEqual(['batchCount', 'stockCount']);
  expect(readdirSync(folder)).toEqual(['backup.db']);
});

test('one flipped bit costs its own row, never the backup', async () => {
  const connection = new Database(fixture.store.path);
  flipBit(connection, 'codes', 'code_secret', "state = 'available'");
  flipBit(connection, 'redemptions', 'credentials_secret', 'credentials_secret is not null');
  connection.close();
  const { drift, unreadable, rows } = await make();
  expect([drift, unreadable]).toEqual([0, 2]);
  expect(rows).toMatchObject([
    { check: 'sealed', table: 'codes', column: 'code_secret' },
    { check: 'sealed', table: 'redemptions', column: 'credentials_secret' },
  ]);
  expect(readdirSync(folder)).toEqual(['backup.db']);
});

test('a page that SQLite cannot read makes no backup, in a sentence', async () => {
  const connection = new Database(fixture.store.path);
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const page = connection
    .prepare("select rootpage from sqlite_schema where name = 'codes'")
    .pluck()
    .get() as number;
  connection.close();
  const bytes = readFileSync(fixture.store.path);
  bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 64);
  writeFileSync(fixture.store.path, bytes);
  await expect(make()).rejects.toThrow(/damaged|cannot be read/);
  expect(readdirSync(folder)).toEqual([]);
});

test('a database that is not there is not made', async () => {
  const nowhere = join(folder, 'nowhere.db');
  await expect(backup(nowhere, file, { secrets: fixture.store.secrets, now: 1 })).rejects.toThrow(
    /cannot be read/,
  );
  expect(existsSync(nowhere)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
