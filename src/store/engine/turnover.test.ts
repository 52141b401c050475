// Files of earlier versions, turned over to the indexes of today: small ones at once, large ones a slice at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { checkConservation } from '../safekeeping/conservation.ts';
import { turnOver } from './turnover.ts';
import { writeAsOf } from '../../../test/harness/earlier-files.ts';
import { migrate } from './migrations.ts';

const UP_TO_NAMES = [
  ...['0000_initial', '0001_bot', '0002_subscription_ends', '0003_jobs_and_counts', '0004_owned_and_live'],
  ...['0005_leaner_reads', '0006_member_roles', '0007_day_counts', '0008_lanes', '0009_members_by_username'],
  '0010_key_names',
];

let folder: string;
let file: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnover-'));
  file = new Database(join(folder, 'redemption.db'));
  file.pragma('foreign_keys = ON');
  writeAsOf(file, '0000_initial', '0001_bot', '0002_subscription_ends', '0003_jobs_and_counts');
  file.exec(`insert into accounts (id, name, created_at) values (1, 'Shop', 0);
    insert into batches (id, account_id, game_id, actor, at, added) values (1, 1, 'game_id_1', 'member:1', 0, 3000);
    insert into extractions (id, account_id, game_id, denomination, actor, at, wanted, ended_at)
      values (1, 1, 'game_id_1', 60, 'member:1', 7, 1000, 7);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
    insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, extraction_id, changed_at)
      select 1, 'game_id_1', 60, case when i % 3 = 0 then 'extracted' else 'available' end, cast(printf('%016d%016d', i, i) as blob),
        x'00', 1, case when i % 3 = 0 then 1 end, 0 from n;
    insert into stock_counts select account_id, game_id, denomination, state, count(*) from codes group by 1, 2, 3, 4`);
  migrate(file);
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const indexes = () =>
  file
    .prepare("select name from sqlite_schema where name in ('codes_owned', 'codes_by_hash') order by name")
    .pluck()
    .all();
const addAgain = (code: number, table = 'codes') =>
  file
    .prepare(
      `insert into ${table} (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
       select 1, 'game_id_1', 60, 'available', cast(printf('%016d%016d', ?, ?) as blob), x'00', id, 0 from batches where id = 2`,
    )
    .run(code, code);

test('a small file is turned over when it is opened', () => {
  expect(turnOver(file, { alone: true }).isDone).toBe(true);
  expect(indexes()).toEqual(['codes_by_hash']);
  expect(checkConservation(file).rows).toEqual([]);
});

test('a large one goes on in slices; the old index decides until the last is in, and goes at the next start', () => {
  file.exec(
    "insert into batches (id, account_id, game_id, actor, at, added) values (2, 1, 'game_id_1', 'member:1', 0, 0)",
  );
  const turnover = turnOver(file, { alone: true, atOnce: 10 });
  expect(turnover.isDone).toBe(false);
  for (let steps = 0; turnover.step(); steps += 1) {
    expect(() => addAgain(2_999)).toThrow(/UNIQUE/);
    expect(() => addAgain(1)).toThrow(/UNIQUE/);
    expect(checkConservation(file).rows).toEqual([]);
    expect(steps).toBeLessThan(20);
  }
  expect(indexes()).toEqual(['codes_by_hash', 'codes_owned']);
  // Interrupted and opened again, however often: nothing is filled twice, and the switch comes once.
  expect(turnOver(file, { alone: false }).isDone).toBe(false);
  expect(turnOver(file, { alone: true, atOnce: 10 }).isDone).toBe(true);
  expect(indexes()).toEqual(['codes_by_hash']);
  expect(() => addAgain(1)).toThrow(/UNIQUE.*codes_by_hash/);
  expect(addAgain(3).changes).toBe(1);
});

test('a slice is 400 rows: what people wait for comes between', () => {
  const turnover = turnOver(file, { alone: true, atOnce: 10 });
  const filled = () => file.prepare('select count(owned) from codes where id <= ?').pluck();
  const [first, second] = [400, 800].map((id) => [id, Math.ceil((id * 2) / 3)] as const);
  for (const [id, held] of [first!, second!]) {
    turnover.step();
    // A third of them was handed out, and is owned by nobody.
    expect([filled().get(id), filled().get(3_000)]).toEqual([held, held]);
  }
});

test('what goes on meanwhile keeps its columns true', () => {
  const turnover = turnOver(file, { alone: true, atOnce: 10 });
  turnover.step();
  file.exec(
    `update codes set state = 'undone' where id in (1, 2998); update codes set state = 'reserved', claimed_from = 'available' where id in (2, 2999)`,
  );
  while (turnover.step());
  expect(turnOver(file, { alone: true, atOnce: 10 }).isDone).toBe(true);
  const { rows } = checkConservation(file);
  expect(rows.filter(({ check }) => check === 'codeOwned')).toEqual([]);
});

test('a large file keeps its long hashes and what finds them; a restore makes it leaner', () => {
  const lean = () =>
    file
      .prepare("select count(*) from sqlite_schema where name like '%_by_hash' and sql like '%substr%'")
      .pluck()
      .get();
  const large = new Database(':memory:');
  writeAsOf(large, ...UP_TO_NAMES);
  large.exec(`drop index codes_owned; drop index redemptions_live;
    insert into accounts (id, name, created_at) values (1, 'Shop', 0);
    insert into batches (id, account_id, game_id, actor, at, added) values (1, 1, 'game_id_1', 'member:1', 0, 11);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 11)
    insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
      select 1, 'game_id_1', 60, 'available', cast(printf('%016d%016d', i, i) as blob), x'00', 1, 0 from n`);
  file.close();
  file = large;
  migrate(file, 10);
  expect(lean()).toBe(0);
  expect(turnOver(file, { alone: true, atOnce: 10 })).toMatchObject({ isDone: true, isLeaner: false });
  expect(turnOver(file, { alone: false, atOnce: Infinity })).toMatchObject({
    isLeaner: false,
  });
  expect(lean()).toBe(0);
  expect(turnOver(file, { alone: true, atOnce: Infinity })).toMatchObject({ isDone: true, isLeaner: true });
  expect(lean()).toBe(2);
});
