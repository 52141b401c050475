// Places of the file that nobody reads are found by what stands in them, and written over; every row stays as it is.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database as Connection } from 'better-sqlite3';

import { createSeededRandom } from '../../../test/harness/seeded-random.ts';
import { openConnection } from './connection.ts';
import { migrate } from './migrations.ts';
import { eraseTraces } from './traces.ts';

let folder: string;
let path: string;
let connection: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traces-'));
  path = join(folder, 'redemption.db');
  connection = openConnection(path);
  connection.pragma('foreign_keys = OFF');
  migrate(connection);
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const PLAYERS = Array.from({ length: 800 }, (_, n) => String(5_100_000_000 + 7_919 * n));
const ERASED = PLAYERS.slice(0, 200);

/** Rows that grow where they are, in no order, as redemptions do when they end: pages are split again and again. */
function fill(rows: number): void {
  const { between } = createSeededRandom(1);
  const pick = (count: number) => between(0, count - 1);
  const insert = connection.prepare(
    `insert into redemptions (account_id, actor, game_id, player_id, mode, code_hash, code_tail_hash, state, created_at)
      values (?, 'apiKey:1', 'game_id_1', ?, 'direct', ?, ?, 'pending', 0)`,
  );
  const grow = connection.prepare(
    'update redemptions set openid = ?, player_name = ?, credentials_secret = ? where id = ?',
  );
  const open: [id: number, player: string][] = [];
  connection.transaction(() => {
    for (let n = 1; n <= rows; n += 1) {
      const player = PLAYERS[pick(PLAYERS.length)]!;
      insert.run(1 + (n % 2), player, randomBytes(16), randomBytes(8));
      open.push([n, player]);
      if (open.length <= 30) continue;
      const [[id, known]] = open.splice(pick(open.length), 1) as [[number, string]];
      grow.run(`openid-${known}`, `Name ${known}${'x'.repeat(pick(20))}`, randomBytes(90), id);
    }
  })();
}

const erase = () =>
  connection
    .prepare(
      `update redemptions set player_id = 'gone', openid = null, player_name = null
        where player_id in (select value from json_each(?))`,
    )
    .run(JSON.stringify(ERASED));

const countLeft = () => {
  const bytes = readFileSync(path);
  return ERASED.filter((player) => bytes.includes(player)).length;
};
const readRows = () => connection.prepare('select * from redemptions order by id').all();

test('what pages keep of rows that were moved is gone, and the rows are as they were', async () => {
  fill(20_000);
  erase();
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const rows = readRows();
  // Else this test would show nothing.
  expect(countLeft()).toBeGreaterThan(0);
  expect(await eraseTraces(connection, path, ERASED)).toBe(true);
  expect(countLeft()).toBe(0);
  expect(readRows()).toEqual(rows);
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('what is in no table of people is gone, too', async () => {
  connection.exec('create table plain (id integer primary key, word text) strict');
  const insert = connection.prepare('insert into plain (word) values (?)');
  const grow = connection.prepare('update plain set word = word || ? where id = ?');
  connection.transaction(() => {
    for (let n = 0; n < 4_000; n += 1) insert.run(PLAYERS[n % PLAYERS.length]);
    for (let n = 0; n < 4_000; n += 1) grow.run('x'.repeat(n % 300), 1 + ((n * 1_721) % 4_000));
    connection.exec("update plain set word = 'gone'");
  })();
  connection.pragma('wal_checkpoint(TRUNCATE)');
  expect(countLeft()).toBeGreaterThan(0);
  expect(await eraseTraces(connection, path, ERASED)).toBe(true);
  expect(countLeft()).toBe(0);
});

test('what stands in a row is left to whoever put it there', async () => {
  fill(100);
  const rows = readRows();
  expect(await eraseTraces(connection, path, ERASED)).toBe(true);
  expect(readRows()).toEqual(rows);
});
