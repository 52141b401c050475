// The last guard: what the schema itself refuses, whatever the program above it does.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';

let t: TestStore;
let connection: Database.Database;

beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
  connection = new Database(t.store.path);
  connection.pragma('foreign_keys = ON');
  connection.exec(`insert into accounts (id, name, created_at) values (1, 'A', 0), (2, 'B', 0);
    insert into batches (id, account_id, game_id, actor, at, added) values (1, 1, 'game_id_1', 'host', 0, 0);
    insert into usages (id, account_id, at, daily, purchased, kind) values (1, 1, 0, 4, 0, 'redeem');`);
});
afterEach(async () => {
  connection.close();
  await t.close();
});

let batches = 0;
/** Each in a batch of its own, unless one is named. */
const addCode = (
  state: string,
  fields: { account?: number; hash?: string; from?: string | null; batch?: number } = {},
) => {
  const { account = 1, hash = 'hash', from = null } = fields;
  const batch = fields.batch ?? openBatch();
  connection
    .prepare(
      `insert into codes (account_id, game_id, denomination, state, claimed_from, code_hash, code_secret, batch_id, changed_at)
       values (?, 'game_id_1', 60, ?, ?, ?, x'00', ?, 0)`,
    )
    .run(account, state, from, Buffer.from(hash), batch);
};
function openBatch(): number {
  batches += 1;
  connection
    .prepare(
      "insert into batches (id, account_id, game_id, actor, at, added) values (?, 1, 'game_id_1', 'host', 0, 0)",
    )
    .run(100 + batches);
  return 100 + batches;
}

const addRedemption = (
  state: string,
  fields: { hash?: string | null; errorCode?: string | null; settledAt?: number | null } = {},
) => {
  const settled = state === 'redeemed' || state === 'failed';
  const {
    hash = 'hash',
    errorCode = state === 'failed' ? 'UNKNOWN' : null,
    settledAt = settled ? 1 : null,
  } = fields;
  const begun = state === 'redeemed' ? 'pending' : state;
  const { lastInsertRowid: id } = connection
    .prepare(
      `insert into redemptions (account_id, actor, game_id, player_id, mode, code_hash, state, error_code, created_at, settled_at)
       values (1, 'host', 'game_id_1', '5170925570', 'direct', ?, ?, ?, 0, ?)`,
    )
    .run(hash === null ? null : Buffer.from(hash), begun, errorCode, begun === state ? settledAt : null);
  if (begun === state) return;
  connection
    .prepare(
      `insert into attempts (redemption_id, n, upstream, kind, reference, state, proof, begun_at, ended_at)
       values (?, 1, 'main', 'order', 'r', 'spent', 'lookup', 0, 1)`,
    )
    .run(id);
  connection
    .prepare('update redemptions set state = ?, settled_at = ? where id = ?')
    .run(state, settledAt, id);
};

describe('a code', () => {
  test.each(['available', 'unverified', 'redeemed', 'used', 'invalid'])(
    'that is %s lies nowhere a second time, in no account',
    (state) => {
      addCode(state);
      expect(() => addCode('available', { account: 2 })).toThrow(/UNIQUE/);
      expect(() => addCode('used')).toThrow(/UNIQUE/);
    },
  );

  test('that left the database can come again, once', () => {
    addCode('extracted');
    addCode('undone');
    addCode('available', { account: 2 });
    expect(() => addCode('available')).toThrow(/UNIQUE/);
  });

  test('that a batch has had never comes into it again, whatever became of it', () => {
    addCode('extracted', { batch: 1 });
    expect(() => addCode('available', { batch: 1 })).toThrow(/UNIQUE.*batch_id/);
    addCode('available');
  });

  test('has a state of the list, and returns somewhere when it is claimed', () => {
    expect(() => addCode('lost')).toThrow(/codes_state/);
    expect(() => addCode('reserved')).toThrow(/codes_claimed/);
    expect(() => addCode('in_doubt')).toThrow(/codes_claimed/);
    expect(() => addCode('reserved', { from: 'available' })).not.toThrow();
  });
});

describe('a redemption', () => {
  test.each(['pending', 'in_doubt', 'redeemed'])('of a code that has one %s cannot begin', (state) => {
    addRedemption(state);
    for (const other of ['pending', 'in_doubt', 'redeemed'])
      expect(() => addRedemption(other)).toThrow(/a code has one/);
    expect(() => addRedemption('failed')).not.toThrow();
    expect(() => addRedemption('pending', { hash: 'another' })).not.toThrow();
  });

  test('of a code that failed can begin again', () => {
    addRedemption('failed');
    addRedemption('failed');
    expect(() => addRedemption('pending')).not.toThrow();
  });

  test('is settled exactly when its state says so, and a failure has an errorCode', () => {
    expect(() => addRedemption('pending', { settledAt: 1 })).toThrow(/redemptions_settled/);
    expect(() => addRedemption('redeemed', { settledAt: null })).toThrow(/redemptions_settled/);
    expect(() => addRedemption('failed', { errorCode: null })).toThrow(/redemptions_error/);
    expect(() => addRedemption('lost', { hash: 'another' })).toThrow(/redemptions_/);
  });

  test('never gets the identifier of one that is gone', () => {
    addRedemption('failed');
    const id = () => connection.prepare('select max(id) from redemptions').pluck().get() as number;
    const first = id();
    connection.exec('drop trigger redemptions_stand; delete from redemptions');
    addRedemption('failed');
    expect(id()).toBe(first + 1);
  });
});

describe('the rest', () => {
  test('amounts of quota are never negative', () => {
    connection.exec('insert into quotas (account_id) values (1)');
    for (const sql of [
      'update quotas set purchased = -1',
      'update quotas set used = -1',
      'update usages set daily = -1',
      'update usages set purchased = -1',
    ])
      expect(() => connection.exec(sql)).toThrow(/CHECK/);
  });

  test('an idempotency key stands once an account', () => {
    const add = (account: number) =>
      connection
        .prepare(
          "insert into idempotency_keys (account_id, key_hash, request_hash, at) values (?, x'01', x'02', 0)",
        )
        .run(account);
    add(1);
    add(2);
    expect(() => add(1)).toThrow(/UNIQUE/);
  });

  test('a payment is booked once, and what refers to an account that is not there is refused', () => {
    const add = (account: number) =>
      connection
        .prepare(
          `insert into purchases (account_id, charge_id, kind, currency, amount, activations_quarters, subscription_days, paid_by, at)
           values (?, 'usage', 'activations', 'XTR', 1, 4, 0, 'host', 0)`,
        )
        .run(account);
    expect(() => add(9)).toThrow(/FOREIGN KEY/);
    add(1);
    expect(() => add(2)).toThrow(/UNIQUE/);
  });

  test('a text is not kept where a number belongs', () => {
    expect(() => connection.exec("update usages set daily = 'four'")).toThrow(/cannot store TEXT/);
  });
});

describe('a daily usage', () => {
  test('that the window does not hold is refused by the store itself', async () => {
    const usage = (daily: number) =>
      t.store.write((tables) => {
        tables.quota.roll(2, 0);
        return tables.quota.book({ accountId: 2, at: 1, start: 0, daily, purchased: 0, kind: 'redeem' });
      });
    await usage(1197);
    await expect(usage(4)).rejects.toThrow('no room');
    await usage(3);
  });
});
