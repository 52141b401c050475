// What OR REPLACE takes away without a word, and what else would put a row in the place of another: tried from outside,
// by whoever opens the file with a shell, where no trigger of DELETE hears of a row that is replaced.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';

let t: TestStore;
let connection: Database.Database;

const REDEMPTION =
  'redemptions (id, account_id, actor, game_id, player_id, mode, code_hash, code_secret, state, created_at, live)';
const ATTEMPT =
  'attempts (redemption_id, n, upstream, kind, reference, state, proof, begun_at, ended_at, quiet_until)';
const ENTRY = 'audit_log (id, account_id, actor, door, what, at)';
const ORDER =
  'orders (id, name, account_id, actor, game_id, player_id, on_shortage, on_bad_code, state, created_at)';
const ITEM =
  'order_items (order_id, n, account_id, game_id, denomination, state, promised, tries, redemption_id)';
const CLAIM =
  'claims (id, name, account_id, order_id, token_hash, issue_hash, n, state, created_by, created_at, expires_at)';
const MEMBER = 'members (telegram_id, account_id, role, name, joined_at)';

/** 1: unknown and sent again; 2: spent when it was sent again; 3: failed. */
const PAST = `
  insert into accounts (id, name, created_at) values (1, 'A', 0), (2, 'B', 0);
  insert into ${MEMBER} values (71, 1, 'owner', 'O', 0), (72, 1, 'support', 'S', 0), (73, 2, 'owner', 'P', 0);
  insert into ${REDEMPTION} values (1, 1, 'host', 'g', '51', 'direct', x'01', x'02', 'pending', 0, 1),
    (2, 1, 'host', 'g', '52', 'direct', x'03', x'04', 'in_doubt', 0, 1), (3, 1, 'host', 'g', '53', 'direct', x'05', x'06', 'pending', 0, 1),
    (4, 1, 'host', 'g', '54', 'direct', x'07', x'08', 'pending', 0, 1);
  insert into ${ATTEMPT} values (1, 1, 'u', 'order', 'r1', 'open', null, 0, null, null);
  update attempts set state = 'unknown', ended_at = 1, quiet_until = 2;
  insert into ${ATTEMPT} values (1, 2, 'u', 'resend', 'r1', 'open', null, 3, null, null), (2, 1, 'u', 'order', 'r2', 'open', null, 0, null, null);
  update attempts set state = 'unknown', ended_at = 1, quiet_until = 2 where redemption_id = 2;
  insert into ${ATTEMPT} values (2, 2, 'u', 'resend', 'r2', 'open', null, 3, null, null);
  update attempts set state = 'spent', proof = 'answer', ended_at = 4 where redemption_id = 2 and n = 2;
  update redemptions set state = 'failed', error_code = 'UNKNOWN', settled_at = 1 where id = 3;
  insert into ${ENTRY} values (1, 1, 'host', 'cli', 'one', 0), (2, 1, 'host', 'cli', 'two', 1);
  insert into ${ORDER} values (1, 'ord_1', 1, 'host', 'g', '51', 'wait', 'stop', 'running', 0), (2, 'ord_2', 1, 'host', 'g', '54', 'wait', 'stop', 'running', 0);
  insert into ${ITEM} values (1, 1, 1, 'g', 60, 'open', 0, 1, 1), (1, 2, 1, 'g', 60, 'waiting', 2, 0, null), (2, 1, 1, 'g', 60, 'open', 0, 1, 4);
  insert into ${CLAIM} values (1, 'clm_1', 1, 1, x'01', x'02', 1, 'open', 'host', 0, 1);`;

beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
  // As a shell opens it.
  connection = new Database(t.store.path);
  for (const pragma of ['foreign_keys', 'recursive_triggers']) connection.pragma(`${pragma} = OFF`);
  connection.exec(PAST);
});
afterEach(async () => {
  connection.close();
  await t.close();
});

const TABLES = [
  'attempts',
  'audit_log',
  'claims',
  'members',
  'order_items',
  'orders',
  'redemptions',
  'stock_promises',
];
const readAll = () => TABLES.map((table) => connection.prepare(`select * from ${table}`).all());

test.each([
  // Of the ledger.
  `into ${ATTEMPT} values (1, 1, 'v', 'order', 'r9', 'open', null, 0, null, null)`,
  `into ${ATTEMPT} values (1, 2, 'v', 'resend', 'r1', 'open', null, 9, null, null)`,
  `into ${ATTEMPT} values (1, 3, 'v', 'resend', 'r1', 'open', null, 9, null, null)`,
  `into ${ATTEMPT} values (2, 3, 'v', 'resend', 'r2', 'spent', 'lookup', 9, 10, null)`,
  // Of redemptions: by id, by code, and by a code that a trigger would notice as live.
  `into ${REDEMPTION} values (1, 1, 'host', 'g', '99', 'direct', x'01', x'02', 'pending', 0, 1)`,
  `into ${REDEMPTION} values (1, 1, 'host', 'g', '51', 'direct', x'99', x'02', 'pending', 0, 1)`,
  `into ${REDEMPTION} values (null, 1, 'host', 'g', '99', 'direct', x'01', x'02', 'pending', 0, 1)`,
  `into ${REDEMPTION} values (null, 1, 'host', 'g', '99', 'direct', x'01', x'02', 'pending', 0, null)`,
  `into redemptions (_rowid_, account_id, actor, game_id, player_id, mode, state, error_code, settled_at, created_at)
    values (1, 1, 'host', 'g', '51', 'direct', 'failed', 'UNKNOWN', 1, 0)`,
  // Of the log.
  `into ${ENTRY} values (1, 1, 'host', 'cli', 'other', 0)`,
  `into ${ENTRY} values (0, 1, 'host', 'cli', 'other', 0)`,
  `into ${ENTRY} values (-1, 1, 'host', 'cli', 'other', 0)`,
  // Of orders.
  `into ${ORDER} values (1, 'ord_9', 1, 'host', 'g', '99', 'wait', 'stop', 'running', 0)`,
  `into ${ORDER} values (null, 'ord_1', 1, 'host', 'g', '99', 'wait', 'stop', 'running', 0)`,
  `into ${ITEM} values (1, 2, 1, 'g', 325, 'waiting', 0, 0, null)`,
  `into ${ITEM} values (1, 3, 1, 'g', 60, 'open', 0, 1, 1)`,
  `into order_items (rowid, order_id, n, account_id, game_id, denomination, state) values (1, 1, 3, 1, 'g', 60, 'waiting')`,
  // Of claims: by id, name, token, place among those of its key, and order.
  `into ${CLAIM} values (1, 'clm_9', 1, 2, x'99', x'99', 9, 'open', 'host', 0, 1)`,
  `into ${CLAIM} values (null, 'clm_1', 1, 2, x'99', x'99', 9, 'open', 'host', 0, 1)`,
  `into ${CLAIM} values (null, 'clm_9', 1, 2, x'01', x'99', 9, 'open', 'host', 0, 1)`,
  `into ${CLAIM} values (null, 'clm_9', 1, 2, x'99', x'02', 1, 'open', 'host', 0, 1)`,
  `into ${CLAIM} values (null, 'clm_9', 1, 1, x'99', x'99', 9, 'open', 'host', 0, 1)`,
  // Of members.
  `into ${MEMBER} values (72, 1, 'admin', 'S', 0)`,
  `into ${MEMBER} values (72, 2, 'support', 'S', 0)`,
  `into ${MEMBER} values (79, 1, 'owner', 'S', 0)`,
])('nothing is replaced by an insert %s', (rest) => {
  const before = readAll();
  const verbs = ['insert or replace', 'replace', 'insert or ignore', 'insert or fail', 'insert'];
  for (const statement of [
    ...verbs.map((verb) => `${verb} ${rest}`),
    `insert ${rest} on conflict do nothing`,
  ])
    expect(() => connection.exec(statement)).toThrow(/one is open|place of no other|only added to|numbered/);
  expect(readAll()).toEqual(before);
});

test.each([
  "attempts set state = 'spent', proof = 'lookup', resolved_at = 9 where redemption_id = 2 and n = 1",
  'attempts set n = 1 where redemption_id = 1 and n = 2',
  'attempts set redemption_id = 1 where redemption_id = 2',
  'redemptions set id = 2 where id = 1',
  'redemptions set rowid = 2 where id = 1',
  'redemptions set oid = 99 where id = 1',
  "redemptions set code_hash = x'03' where id = 4",
  "redemptions set code_hash = x'03', state = 'pending', settled_at = null where id = 3",
  "redemptions set code_hash = x'03', live = 1 where id = 3",
  "redemptions set mode = 'database' where id = 1",
  'redemptions set account_id = 2 where id = 1',
  'redemptions set denomination = 60 where id = 1',
  'audit_log set rowid = 2 where id = 1',
  'audit_log set id = 9 where id = 1',
  'orders set id = 2 where id = 1',
  'orders set _rowid_ = 2 where id = 1',
  "orders set name = 'ord_2' where id = 1",
  'order_items set rowid = 1 where rowid = 2',
  'order_items set n = 1 where n = 2',
  'order_items set order_id = 2 where order_id = 1 and n = 1',
  'order_items set redemption_id = 4 where redemption_id = 1',
  'claims set id = 9 where id = 1',
  "claims set name = 'clm_9' where id = 1",
  "claims set token_hash = x'99' where id = 1",
  'members set telegram_id = 72 where telegram_id = 71',
  'members set rowid = 99 where telegram_id = 71',
  "members set role = 'owner' where telegram_id = 72",
  'members set account_id = 2 where telegram_id = 71',
])('nothing is replaced by an update of %s', (rest) => {
  const before = readAll();
  for (const verb of ['update or replace', 'update or fail', 'update'])
    expect(() => connection.exec(`${verb} ${rest}`)).toThrow(
      /has spent|stands|stays with|place of no other|only added to/,
    );
  expect(readAll()).toEqual(before);
});

test.each(['attempts', 'redemptions', 'orders', 'order_items', 'claims', 'audit_log'])(
  'nothing of %s is deleted',
  (table) => {
    expect(() => connection.exec(`delete from ${table}`)).toThrow(/deleted|kept for/);
  },
);

test('an open redemption keeps its player', () => {
  expect(() => connection.exec("update redemptions set player_id = '99' where id = 1")).toThrow('stays with');
});

test('a denomination that is paused at once has no promise', () => {
  connection.exec("replace into stock_pauses values (1, 'g', 60, 3, 1)");
  expect(connection.prepare('select count(*) from order_items where promised > 0').pluck().get()).toBe(0);
});

test('what is new is added as ever', () => {
  connection.exec(`insert into ${ENTRY} values (null, 1, 'host', 'cli', 'three', 2);
    insert into ${ORDER} values (null, 'ord_3', 1, 'host', 'g', '51', 'wait', 'stop', 'running', 0);
    insert into ${ITEM} values (3, 1, 1, 'g', 60, 'waiting', 0, 0, null);
    insert into ${REDEMPTION} values (null, 1, 'host', 'g', '51', 'direct', x'05', x'06', 'pending', 0, 1);
    insert into ${MEMBER} values (79, 2, 'support', 'S', 0);`);
  expect(connection.prepare('select items from orders').pluck().all()).toEqual([2, 1, 1]);
});
