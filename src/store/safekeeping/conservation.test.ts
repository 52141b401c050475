// Conservation: a store with a past of every kind has no drift, and every kind of drift planted in it is named.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { openTrader, tradeEverything, type Trader } from '../../../test/harness/traded-store.ts';
import { ERROR_CODES, fateOf } from '../../core/outcomes.ts';
import { FAILURES, RULES } from './conservation-queries.ts';
import { checkConservation } from './conservation.ts';
import { openReader } from '../engine/connection.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

let fixture: TestStore;
let trader: Trader;

beforeEach(async () => {
  fixture = openTestStore();
  trader = await openTrader(
    () => fixture.store,
    () => fixture.clock.now(),
  );
  await tradeEverything(fixture.store, trader);
});

afterEach(() => fixture.close());

function check(deep = true) {
  const reader = openReader(fixture.store.path);
  try {
    return checkConservation(reader, deep ? { secrets: fixture.store.secrets } : {});
  } finally {
    reader.close();
  }
}

/** Breaks the rules of the schema, as only a bug or a damaged file can. */
function plant(...statements: string[]): void {
  const connection = new Database(fixture.store.path);
  connection.pragma('foreign_keys = OFF');
  connection.pragma('ignore_check_constraints = ON');
  for (const statement of statements) connection.exec(statement);
  connection.close();
}

test('a store with redemptions of every state has no drift, and its counts add up', () => {
  const { drift, rows, counts } = check();
  expect(rows).toEqual([]);
  expect(drift).toBe(0);
  expect(counts.codes).toEqual({
    available: 4,
    unverified: 0,
    reserved: 1,
    in_doubt: 1,
    redeemed: 2,
    used: 1,
    invalid: 1,
    extracted: 2,
    undone: 3,
  });
  expect(Object.values(counts.codes).reduce((sum, count) => sum + count, 0)).toBe(counts.added);
  expect(counts.redemptions).toEqual({ pending: 1, in_doubt: 1, redeemed: 3, failed: 5 });
  // Codes, those that came with a request, credentials, a notice, a piece of an import, and the slices of three jobs.
  expect(counts.sealed).toBe(15 + 2 + 3 + 1 + 1 + 3);
});

const SOME_AVAILABLE = "(select id from codes where state = 'available' limit 1)";
const SOME_REDEEMED = "(select id from redemptions where state = 'redeemed' and mode = 'database' limit 1)";
const INSERT_CODE = `insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
  select account_id, game_id, denomination, 'available', code_hash, code_secret, batch_id, 0 from codes`;
const DROP_LIVE = 'drop index redemptions_by_hash';

const PLANTED: [check: string, what: string, ...statements: string[]][] = [
  ['batchCount', 'a code that vanished', `delete from codes where id = ${SOME_AVAILABLE}`],
  ['batchCount', 'a code that was never accepted', 'update batches set added = added - 1 where id = 1'],
  [
    'codeOfBatch',
    'a code that changed its owner',
    `update codes set account_id = 99 where id = ${SOME_AVAILABLE}`,
  ],
  [
    'codeOwnedTwice',
    'a code that lies there twice',
    'drop index codes_by_hash',
    'drop index codes_in_batch',
    `${INSERT_CODE} where id = ${SOME_AVAILABLE}`,
  ],
  [
    'codeOwned',
    'a code that left and is still counted as had',
    'drop trigger codes_departed',
    `update codes set state = 'undone' where id = ${SOME_AVAILABLE}`,
  ],
  [
    'codeOwned',
    'a code that is there for nobody',
    `update codes set owned = null where id = ${SOME_AVAILABLE}`,
  ],
  [
    'redemptionLive',
    'a receipt that lets its code be redeemed again',
    `update redemptions set live = null where id = ${SOME_REDEEMED}`,
  ],
  [
    'codeTwiceInBatch',
    'a code that was handed out and taken in again by its own batch',
    'drop index codes_in_batch',
    `${INSERT_CODE} where id = (select min(id) from codes where state = 'extracted')`,
    'update batches set added = added + 1 where id = 1',
  ],
  [
    'stockCount',
    'a stock that counts a code too many',
    "update stock_counts set count = count + 1 where state = 'available'",
  ],
  ['stockCount', 'a stock that forgot a state', "delete from stock_counts where state = 'extracted'"],
  [
    'stockCount',
    'a stock of codes that are not there',
    "insert into stock_counts (account_id, game_id, denomination, state, count) values (1, 'game_id_1', 325, 'available', 5)",
  ],
  [
    'stockCount',
    'a code that moved uncounted',
    'drop trigger codes_counted',
    `update codes set state = 'used' where id = ${SOME_AVAILABLE}`,
  ],
  ['jobEnd', 'a job that ended and runs', "update jobs set ended_at = 1 where state = 'running'"],
  ['jobEnd', 'a job that did more than there was', "update jobs set done = total + 1 where kind = 'extract'"],
  ['jobSubject', 'a job for nothing', "update jobs set subject_id = 99 where state = 'running'"],
  [
    'jobSubject',
    'an undo that is done of a batch that is not',
    "update batches set undone_at = null where id = (select subject_id from jobs where kind = 'undo')",
  ],
  [
    'jobSlices',
    'a slice that was left out',
    "update job_slices set added = null where job_id = (select min(id) from jobs where kind = 'add')",
  ],
  [
    'jobSlices',
    'a slice that was gone through twice',
    "update job_slices set added = added * 2 where job_id = (select min(id) from jobs where kind = 'add')",
  ],
  [
    'extractionCount',
    'an extraction that took more than was asked for',
    'update extractions set wanted = wanted - 1',
  ],
  ['extractionEnd', 'an extraction that nobody carries on', 'update extractions set ended_at = null'],
  [
    'extractionEnd',
    'an extraction that ended before its job',
    "update jobs set state = 'running', ended_at = null where kind = 'extract'",
  ],
  [
    'codeState',
    'a code in a state of its own',
    `update codes set state = 'lost' where id = ${SOME_AVAILABLE}`,
  ],
  [
    'codeClaimedFrom',
    'a reserved code that returns nowhere',
    "update codes set claimed_from = 'redeemed' where state = 'reserved'",
  ],
  [
    'codeExtraction',
    'an extracted code of no extraction',
    "update codes set extraction_id = null where state = 'extracted'",
  ],
  [
    'codeExtraction',
    'an extracted code that came back',
    "update codes set state = 'available' where state = 'extracted'",
  ],
  [
    'codeWithoutRedemption',
    'a code reserved for nobody',
    `update codes set state = 'reserved', claimed_from = 'available' where id = ${SOME_AVAILABLE}`,
  ],
  [
    'codeWithoutRedemption',
    'a redeemed code without a receipt',
    `delete from redemptions where id = ${SOME_REDEEMED}`,
  ],
  [
    'redemptionCode',
    'a redeemed code put back',
    "update codes set state = 'available' where state = 'redeemed'",
  ],
  [
    'redemptionCode',
    'a doubtful code that was released',
    "update codes set state = 'available' where state = 'in_doubt'",
  ],
  [
    'redemptionCode',
    'a pending redemption whose code was extracted',
    "update codes set state = 'extracted' where state = 'reserved'",
  ],
  [
    'redemptionCode',
    'a receipt that lost its code',
    `update redemptions set code_id = null where id = ${SOME_REDEEMED}`,
  ],
  [
    'redemptionCode',
    'a receipt of another code',
    `update redemptions set code_hash = x'00' where id = ${SOME_REDEEMED}`,
  ],
  [
    'spendableWhileRedeemed',
    'a code available although it was redeemed directly',
    `update codes set code_hash = (select code_hash from redemptions where mode = 'direct' and code_id is null and state = 'redeemed')
      where id = ${SOME_AVAILABLE}`,
  ],
  [
    'redeemedTwice',
    'two receipts of one code',
    DROP_LIVE,
    `update redemptions set code_hash = (select code_hash from redemptions where id = ${SOME_REDEEMED}) where state = 'in_doubt'`,
  ],
  [
    'failure',
    'a code said to be back although it was used',
    "update redemptions set code_reset = 1 where error_code = 'CODE_USED'",
  ],
  [
    'failure',
    'a code that came back unsaid',
    "update redemptions set code_reset = 0 where error_code = 'NETWORK_ERROR'",
  ],
  [
    'failure',
    'an errorCode outside the set',
    "update redemptions set error_code = 'OTHER' where error_code = 'RISK_CONTROL'",
  ],
  [
    'dayCount',
    'a day that counts too many',
    "update day_counts set count = count + 1 where outcome = 'failed'",
  ],
  ['dayCount', 'a day that is gone', 'delete from day_counts'],
  [
    'dayCount',
    'a receipt of another day',
    `update redemptions set created_at = 0 where id = ${SOME_REDEEMED}`,
  ],
  [
    'doubtForgotten',
    'a doubt that nobody looks at',
    "update redemptions set next_look_at = null where state = 'in_doubt'",
  ],
  [
    'charge',
    'a receipt whose charge was returned',
    `update charges set returned_at = 1 where id = (select charge_id from redemptions where id = ${SOME_REDEEMED})`,
  ],
  [
    'charge',
    'a receipt that cost nothing',
    `update redemptions set charge_id = null where id = ${SOME_REDEEMED}`,
  ],
  [
    'charge',
    'a refusal of the risk control that was returned',
    "update charges set returned_at = 1 where id = (select charge_id from redemptions where error_code = 'RISK_CONTROL')",
  ],
  [
    'charge',
    'a network error that was charged',
    "update charges set returned_at = null where id = (select charge_id from redemptions where error_code = 'NETWORK_ERROR')",
  ],
  [
    'charge',
    'a charge of another account',
    `update charges set account_id = 99 where id = (select charge_id from redemptions where id = ${SOME_REDEEMED})`,
  ],
  [
    'chargeTwice',
    'one charge for two receipts',
    "update redemptions set charge_id = (select min(charge_id) from redemptions) where state = 'redeemed'",
  ],
  [
    'chargeAlone',
    'a charge for nothing',
    "insert into charges (account_id, at, daily, purchased, kind) values (1, 1, 4, 0, 'redeem')",
  ],
  ['quotaUsed', 'a total that counts too little', 'update quotas set used = used - 4'],
  ['quotaUsed', 'a total that is gone', 'delete from quotas'],
  ['quotaPurchased', 'activations that nobody bought', 'update quotas set purchased = purchased + 4'],
  [
    'quotaPurchased',
    'a refund that was not taken off',
    'update purchases set refunded_quarters = 40, refunded_at = 1',
  ],
  [
    'orderCharge',
    'an order paid by a charge that nobody booked',
    `insert into purchase_orders (id, account_id, ordered_by, kind, count, currency, amount, at, charge_id)
     values ('order', 1, 7, 'activations', 1, 'XTR', 770, 0, 'charge')`,
  ],
  [
    'orderCharge',
    'an order paid with another amount',
    `insert into purchase_orders (id, account_id, ordered_by, kind, count, currency, amount, at, charge_id)
     select 'order', account_id, 7, kind, 1, currency, amount + 1, 0, charge_id from purchases limit 1`,
  ],
  [
    'twin',
    'a twin that was redeemed itself',
    `insert into twins (redemption_id, first_id, settled_at)
     select id, id, 1 from redemptions where state = 'redeemed' limit 1`,
  ],
  ['accountMissing', 'an account that is gone', 'delete from accounts'],
  ['idempotencyKey', 'a key for a redemption of nobody', 'update idempotency_keys set redemption_id = 99999'],
  [
    'idempotencyKey',
    'a key for a batch of nobody',
    'update idempotency_keys set redemption_id = null, batch_id = 99999',
  ],
  ['foreignKey', 'a notice for an account that is not there', 'update notices set account_id = 99'],
  [
    'sealed',
    'two codes that were swapped',
    "update codes set code_secret = (select code_secret from codes where state = 'used') where state = 'invalid'",
  ],
  [
    'sealed',
    'a damaged byte in the credentials',
    'update redemptions set credentials_secret = cast(substr(credentials_secret, 1, 40) || zeroblob(8) || substr(credentials_secret, 49) as blob)',
  ],
  [
    'sealed',
    'a receipt under another reference',
    `update redemptions set reference = 'other' where id = ${SOME_REDEEMED}`,
  ],
  ['sealed', 'a notice of another kind', "update notices set kind = 'other'"],
  ['sealed', 'a slice of another place', 'update job_slices set position = position + 1'],
  ['sealed', 'a piece of another import', "update import_pieces set piece_key = 'two'"],
  [
    'sealed',
    'a look-up hash of another game',
    `update codes set game_id = 'game_id_2' where id = ${SOME_AVAILABLE}`,
  ],
];

describe('planted drift is named', () => {
  test.each(PLANTED)('%s: %s', (name, _what, ...statements) => {
    plant(...statements);
    const { drift, rows } = check();
    expect(drift).toBeGreaterThan(0);
    expect(rows.map((row) => row.check)).toContain(name);
  });

  test('every rule is tried', () => {
    expect(new Set(PLANTED.map(([name]) => name))).toEqual(
      new Set([...RULES.map((rule) => rule.check), 'sealed']),
    );
  });
});

test('what is told of a drift holds nothing but names, numbers and states', () => {
  plant(
    ...PLANTED.filter(([name]) => name === 'redemptionCode').flatMap(([, , ...statements]) => statements),
  );
  const { rows } = check();
  expect(rows.length).toBeGreaterThan(0);
  for (const value of rows.flatMap((row) => Object.values(row))) {
    expect(['string', 'number', 'object']).toContain(typeof value);
    expect(value).not.toBeInstanceOf(Buffer);
  }
});

test('no rule goes through a table once for every row of another', () => {
  const connection = openReader(fixture.store.path);
  for (const { check: name, sql } of RULES) {
    type Step = { id: number; parent: number; detail: string };
    const plan = connection.prepare(`explain query plan ${sql}`).all() as Step[];
    const repeated = new Set(
      plan.filter(({ detail }) => detail.startsWith('CORRELATED')).map(({ id }) => id),
    );
    const isScan = ({ detail }: Step) => /^SCAN \w+( USING .*)?$/.test(detail);
    // The first of a join is gone through once; what follows is looked up.
    const wrong = plan.filter((step) => {
      const isFirst =
        plan.find(({ parent, detail }) => parent === step.parent && /^(SCAN|SEARCH)/.test(detail)) === step;
      return isScan(step) && (repeated.has(step.parent) || !isFirst);
    });
    expect([name, wrong]).toEqual([name, []]);
  }
  connection.close();
});

test('a hundred rows of a rule are told and all are counted', () => {
  plant(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
     insert into charges (account_id, at, daily, purchased, kind) select 1, 1, 0, 0, 'redeem' from n`,
  );
  const { drift, rows } = check();
  expect([drift, rows.length]).toEqual([150, 100]);
});

test('without the key the sealed values are left alone', () => {
  plant("update notices set kind = 'other'");
  const { drift, counts } = check(false);
  expect([drift, counts.sealed]).toEqual([0, 0]);
});

test('every sealed column of the schema is opened', () => {
  const connection = new Database(fixture.store.path, { readonly: true });
  const columns = connection
    .prepare(
      `select t.name || '.' || c.name from sqlite_schema t join pragma_table_info(t.name) c
       where t.type = 'table' and c.name like '%\\_secret' escape '\\'`,
    )
    .pluck()
    .all() as string[];
  connection.close();
  expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(columns.sort());
});

test('the failures of the rules are those of the table of outcomes', () => {
  const byFate = (fates: string[]) =>
    ERROR_CODES.filter((code) => fates.includes(fateOf(code, true).code)).sort();
  expect(byFate(['none'])).toEqual([...FAILURES.none].sort());
  expect(byFate(['back'])).toEqual([...FAILURES.back].sort());
  expect(byFate(['used', 'invalid'])).toEqual([...FAILURES.kept].sort());
  expect(byFate(['held'])).toEqual([...FAILURES.held].sort());
  const settled = ERROR_CODES.filter((code) => fateOf(code, true).code !== 'held');
  const always = (charged: boolean) =>
    settled.filter((code) => [true, false].every((asked) => fateOf(code, asked).charged === charged)).sort();
  expect(always(true)).toEqual([...FAILURES.charged].sort());
  expect(always(false)).toEqual([...FAILURES.uncharged].sort());
});
