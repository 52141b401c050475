// Conservation: a store with a past of every kind has no drift, and every kind of drift planted in it is named.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestStore } from '../../../test/harness/store.ts';
import { openTradedStore } from '../../../test/harness/traded-store.ts';
import { ERROR_CODES, policyOf } from '../../core/error-policy.ts';
import { FAILURES, RULES } from './conservation-queries.ts';
import { checkConservation } from './conservation.ts';
import { openReader } from '../engine/connection.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

let fixture: TestStore;

beforeEach(async () => {
  ({ fixture } = await openTradedStore());
  fixture.allowDrift();
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
    in_question: 0,
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
  // Codes, those that came with a request, credentials, a task, those of two doubts, a piece of an import, and the slices of three jobs.
  expect(counts.sealed).toBe(15 + 2 + 3 + 1 + 2 + 1 + 3);
});

const SOME_AVAILABLE = "(select id from codes where state = 'available' limit 1)";

/** What breaks the rules about columns in the clear: conservation-queries.test.ts. */
test.each([
  [
    'two codes that were swapped',
    "update codes set code_secret = (select code_secret from codes where state = 'used') where state = 'invalid'",
  ],
  [
    'a damaged byte in the credentials',
    'update redemptions set credentials_secret = cast(substr(credentials_secret, 1, 40) || zeroblob(8) || substr(credentials_secret, 49) as blob)',
  ],
  [
    'the credentials of another receipt',
    `update redemptions set credentials_secret = (select max(credentials_secret) from redemptions)`,
  ],
  ['a task of another kind', "update tasks set task = 'other'"],
  ['a slice of another place', 'update job_slices set position = position + 1'],
  ['a piece of another import', "update import_pieces set piece_key = 'two'"],
  ['a look-up hash of another game', `update codes set game_id = 'game_id_2' where id = ${SOME_AVAILABLE}`],
])('a sealed value that does not open is named: %s', (_what, statement) => {
  plant(statement);
  const { drift, rows } = check();
  expect(drift).toBeGreaterThan(0);
  expect(rows.map((row) => row.check)).toContain('sealed');
});

test('no rule goes through a table once for every row of another', () => {
  const connection = openReader(fixture.store.path);
  for (const { check: name, sql } of RULES) {
    type Step = { id: number; parent: number; detail: string };
    const plan = connection.prepare<[], Step>(`explain query plan ${sql}`).all();
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
     insert into usages (account_id, at, daily, purchased, kind) select 1, 1, 0, 0, 'redeem' from n`,
  );
  const { drift, rows } = check();
  expect([drift, rows.length]).toEqual([150, 100]);
});

test('without the key the sealed values are left alone', () => {
  plant("update tasks set task = 'other'");
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
    ERROR_CODES.filter((code) => fates.includes(policyOf(code, true).code)).sort();
  expect(byFate(['none'])).toEqual([...FAILURES.none].sort());
  expect(byFate(['back'])).toEqual([...FAILURES.back].sort());
  expect(byFate(['used', 'invalid'])).toEqual([...FAILURES.kept].sort());
  expect(byFate(['held'])).toEqual([...FAILURES.held].sort());
  const settled = ERROR_CODES.filter((code) => policyOf(code, true).code !== 'held');
  const always = (charged: boolean) =>
    settled
      .filter((code) => [true, false].every((asked) => policyOf(code, asked).charged === charged))
      .sort();
  expect(always(true)).toEqual([...FAILURES.charged].sort());
  expect(always(false)).toEqual([...FAILURES.uncharged].sort());
});
