// The everyday backup: what is newer than the last whole proof is held against the rules, and all of it again once a
// week.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestStore } from '../../../test/harness/store.ts';
import { numberedCodes, openTradedStore, type Trader } from '../../../test/harness/traded-store.ts';
import { backup } from './backup.ts';

const DAY_MS = 24 * 60 * 60_000;

let fixture: TestStore;
let trader: Trader;
let made: number;

beforeEach(async () => {
  ({ fixture, trader } = await openTradedStore());
  made = 0;
});
afterEach(() => fixture.close());

const nameIt = () => join(dirname(fixture.store.path), `backup-${(made += 1)}.db`);

/** `earlier`: what the newest backup is, days after the first. */
async function make(earlier?: string, days = 0) {
  const file = nameIt();
  const now = fixture.clock.now() + days * DAY_MS;
  const options = { secrets: fixture.store.secrets, now, everyday: { earlier } };
  return { file, ...(await backup(fixture.store.path, file, options)) };
}

function change(sql: string, path = fixture.store.path): void {
  const connection = new Database(path);
  connection.exec(sql);
  connection.close();
}

const OLD_CODE = 'update codes set code_secret = zeroblob(40) where id = 1';
const NEW_CODE = 'update codes set code_secret = zeroblob(40) where id = (select max(id) from codes)';

test('without an earlier one everything is proven, then what is newer, for a week after the whole proof', async () => {
  const first = await make();
  const second = await make(first.file, 1);
  const last = await make(second.file, 6.9);
  expect([first.proof, second.proof, last.proof]).toEqual(['whole', 'everyday', 'everyday']);
  expect((await make(last.file, 7)).proof).toBe('whole');
});

test('a new row that does not open, or contradicts others, is told by the everyday one, an old one by the whole', async () => {
  const first = await make();
  await trader.addCodes(numberedCodes('N', 2));
  change('update codes set changed_at = 0 where id = 1');
  change(`${OLD_CODE}; ${NEW_CODE}`);
  change("update usages set kind = 'character' where id = (select min(usage_id) from redemptions)");
  await trader.begin();
  change("update usages set kind = 'character' where id = (select max(usage_id) from redemptions)");
  const { proof, unreadable, drift, rows } = await make(first.file, 1);
  expect([proof, unreadable, drift]).toEqual(['everyday', 1, 1]);
  expect(rows.map(({ check }) => check)).toEqual(['usage', 'sealed']);
  expect(await make(first.file, 7)).toMatchObject({ proof: 'whole', unreadable: 2, drift: 2 });
});

test('what was still open at the last proof is newer than it, however it ends', async () => {
  await trader.begin();
  const first = await make();
  await trader.begin();
  change(
    `drop trigger redemptions_proven; update redemptions set state = 'failed', error_code = 'NONSENSE', settled_at = 1 where id = (select min(id) from redemptions where state = 'pending')`,
  );
  const { proof, rows } = await make(first.file, 1);
  expect(proof).toBe('everyday');
  expect(rows.map(({ check }) => check)).toContain('failure');
});

test('a page that is damaged makes no everyday backup either', async () => {
  const first = await make();
  change('pragma wal_checkpoint(truncate)');
  const connection = new Database(fixture.store.path, { readonly: true });
  const sql = "select rootpage from sqlite_schema where name = 'redemptions'";
  const page = connection.prepare(sql).pluck().get() as number;
  connection.close();
  const bytes = readFileSync(fixture.store.path);
  bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 64);
  writeFileSync(fixture.store.path, bytes);
  await expect(make(first.file, 1)).rejects.toThrow(/damaged|cannot be read/);
});

test.each([
  ['is no database', (file: string) => writeFileSync(file, 'nothing of the kind '.repeat(300))],
  ['knows of no proof', (file: string) => change("delete from meta where key = 'proven'", file)],
  ['is of another database', (file: string) => mend(file, 'origin', 'another')],
  ['is of before a restore', (file: string) => mend(file, 'epochs', 'another')],
  ['is of a time to come', (file: string) => mend(file, 'at', 4e12)],
])('an earlier one that %s is none: everything is proven', async (_, spoil) => {
  const first = await make();
  spoil(first.file);
  expect((await make(first.file, 1)).proof).toBe('whole');
});

function mend(file: string, name: string, value: string | number): void {
  const set = `json_set(cast(value as text), '$.${name}', ${JSON.stringify(value).replaceAll('"', "'")})`;
  change(`update meta set value = cast(${set} as blob) where key = 'proven'`, file);
}

test('of a database that is yet to be upgraded the pages are proven, and what was proven before stays known', async () => {
  const first = await make();
  change('delete from migrations where tag = (select max(tag) from migrations)');
  const old = await make(first.file, 1);
  expect(old).toMatchObject({ proof: 'everyday', unreadable: 0, drift: 0, rows: [] });
  const proven = (file: string) => {
    const connection = new Database(file, { readonly: true });
    const value = connection.prepare("select value from meta where key = 'proven'").pluck().get();
    connection.close();
    return value;
  };
  expect(proven(old.file)).toEqual(proven(first.file));
});
