// How SQLite finds what each statement of the store asks for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createStore } from './index.ts';
import { texts } from './sql.ts';

/** What may walk a whole table, or sort: by how the statement begins, and why that does not grow. */
const ALLOWED: readonly [begins: string, why: string][] = [
  ['select 1 from sqlite_schema', 'the schema'],
  ['select tag from migrations', 'the migrations'],
  ['select total_changes()', 'no table'],
  [
    'select queue_key from (with recursive queues',
    'from one queue in which something waits to the next, by the index',
  ],
  ['select * from preferences order by', 'at start: whose menus differ'],
  ['select * from members where account_id', 'the members of one account are sorted'],
  ['select id from api_keys where prefix', 'the keys of all accounts: for a host, who asks seldom'],
  ['select piece_key from import_pieces', 'the pieces of one import are sorted'],
  ['select length(text_secret) as bytes from import_pieces', 'the pieces of one import are sorted'],
  [
    'select denomination, coalesce(sum(added), 0) as added from job_slices',
    'the slices of one job are sorted',
  ],
  ['select id, code_hash as hash, code_secret as secret from codes where id in', 'at most a slice is sorted'],
  ['select actor, game_id, player_id', 'at most a few of the newest are sorted'],
  ['select id, state, account_id from redemptions', 'the redemptions of one code are sorted'],
  [
    "update codes set state = 'extracted', extraction_id",
    'a slice of either kind, at most 10,000 are walked',
  ],
  [
    "select id, returns, code_hash as hash, code_secret as secret, state <> 'unverified' as is_held from codes where account_id = ? + 0 and game_id = ? and denomination = ? + 0 and state = 'in_doubt'",
    'what is in doubt is sorted',
  ],
  [
    'select order_id, n, on_shortage, waits_for from order_items join orders on orders.id = order_id where orders.account_id',
    'what has lost its promise of the open orders of an account, 1,000 at most',
  ],
  [
    'select account_id, game_id, denomination, needed, unspent from sweeps where ended_at is null',
    'a row for each stock key, once a minute',
  ],
  [
    'update sweeps set ended_at = ?, needed = 0 where ended_at is null',
    'a row for each stock key, by a person',
  ],
  ['update imports set shown_in = null where state', 'what is collected, where the token is of another bot'],
  ['update import_pieces set position', 'what is collected, where the token is of another bot'],
  ['update confirmations set made_of', 'what is asked, where the token is of another bot'],
  ['update preferences set menu = substr', 'a row for each person, where the token is of another bot'],
  ['select state, count(*) as count, max(changed_at)', 'a slice of the codes of a batch is grouped'],
  ['select game_id, denomination, state, sum(count)', 'a slice of the counts is sorted'],
  ['select id, account_id, actor, game_id, mode', 'what is pending, once a start'],
  ['select redemptions.id, idempotency_key_secret', 'a player is forgotten: every account, by its index'],
  ['select sum(seq) from sqlite_sequence', 'a row for each table'],
  ['select upstream, state, proof', 'the newest attempts, from the end of the key'],
  [
    'select attempts.upstream, attempts.state, attempts.proof',
    'the newest attempts, from the end of the key',
  ],
  ['select attempts.upstream, attempts.state, count(*)', 'what is open is counted by upstream'],
];
/** Walks over an index of only what is asked for: what waits, runs, is set aside, or in doubt. */
const SMALL_INDEXES =
  /SCAN \w+ USING (COVERING )?INDEX (imports_committing|inbox_waiting|inbox_set_aside|tasks_by_task|tasks_locked|redemptions_pending|redemptions_in_doubt|jobs_running|redemptions_waiting|attempts_open)\b/;
/** What is bound, as a row of its own. */
const BOUND_ROW = /^SCAN (CONSTANT ROW|asked)$/;

let folder: string;
let plans: { sql: string; details: string[] }[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plans-'));
  const statements = new Set<string>();
  const prepare = Object.getOwnPropertyDescriptor(Database.prototype, 'prepare')?.value as (
    sql: string,
  ) => Database.Statement;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    statements.add(sql);
    return prepare.call(this, sql);
  } as typeof Database.prototype.prepare;
  const path = join(folder, 'redemption.db');
  try {
    const store = createStore({ path, exclusive: true });
    // Every table, with its statements.
    store.read((tables) => Object.values(tables));
    await store.close();
  } finally {
    Database.prototype.prepare = prepare as typeof Database.prototype.prepare;
  }
  const file = new Database(path);
  for (const text of texts) statements.add(text.replace(/@\w+/g, '?'));
  plans = [...statements]
    .filter((sql) => /^\s*(select|update|delete|insert)/i.test(sql))
    .map((sql) => {
      const values = Array.from({ length: sql.match(/\?/g)?.length ?? 0 }, () => 1);
      const rows = file.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[];
      return { sql: sql.replace(/\s+/g, ' ').trim(), details: rows.map(({ detail }) => detail) };
    });
  file.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('no statement of the store walks a whole table or sorts what grows', () => {
  const bad = plans.flatMap(({ sql, details }) => {
    if (ALLOWED.some(([begins]) => sql.startsWith(begins))) return [];
    // What an insert or delete shows of other tables are its foreign keys, looked at only where one is open.
    const own = /^(insert|delete)/i.test(sql)
      ? details.filter((detail) => detail.includes('SUBQUERY'))
      : details;
    const walks = own.filter((detail) => /SCAN|TEMP B-TREE/.test(detail) && !BOUND_ROW.test(detail));
    const grows = walks.filter((detail) => !SMALL_INDEXES.test(detail));
    return grows.length > 0 ? [`${sql}: ${grows.join(' | ')}`] : [];
  });
  expect(bad).toEqual([]);
});

test('the statements of a redemption find what they want by an index', () => {
  const planOf = (begins: string) => plans.find(({ sql }) => sql.startsWith(begins))?.details.join(' | ');
  expect(planOf(`update codes set state = 'reserved'`)).toContain('codes_takeable');
  expect(planOf('select used, purchased')).toContain('usages_in_window');
  expect(planOf('select id, state, account_id from redemptions where game_id')).toContain(
    'redemptions_by_hash',
  );
  expect(planOf('select id, account_id, denomination, state, batch_id from codes')).toContain(
    'codes_by_hash',
  );
  expect(planOf('insert into codes')).toContain('redemptions_by_hash');
  expect(planOf('select count from stock_counts')).toContain('PRIMARY KEY');
  expect(planOf('select order_id, n, on_shortage')).toContain('order_items_wanting');
});
