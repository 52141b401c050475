// The one place that loads drizzle: through `require`, because its ES modules cost seven times the time and memory. Its statements
// are prepared when they are first run; hot ones without its mappings, which cost a redemption as much as a statement or two.
import type * as Orms from 'drizzle-orm';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import type * as Core from 'drizzle-orm/sqlite-core';
import { createRequire } from 'node:module';
import type { Database } from 'better-sqlite3';

const require = createRequire(import.meta.url);
const orm = require('drizzle-orm') as typeof Orms;
const core = require('drizzle-orm/sqlite-core') as typeof Core;
const driver = require('drizzle-orm/better-sqlite3') as typeof Driver;

export const { and, asc, desc, eq, getTableColumns, sql } = orm;
export const { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } = core;

const { is, Param, Placeholder } = orm;

export type SQL = Orms.SQL;

interface Statement {
  run(values?: Record<string, unknown>): unknown;
  get(values?: Record<string, unknown>): unknown;
  all(values?: Record<string, unknown>): unknown;
}

interface Builder {
  prepare(): Statement;
}

let atOnce = false;
const { SQLiteSelectBase, SQLiteInsertBase, SQLiteUpdateBase, SQLiteDeleteBase } = core;
for (const { prototype } of [SQLiteSelectBase, SQLiteInsertBase, SQLiteUpdateBase, SQLiteDeleteBase])
  prepareWhenRun(prototype);

/** A table has statements for every occasion, and a process runs few of them: drizzle writes and prepares each at its first run. */
function prepareWhenRun(builder: Builder): void {
  const { prepare } = builder;
  builder.prepare = function (this: Builder) {
    return whenRun(() => prepare.call(this));
  };
}

/** The statement that `make` returns, made at its first run. */
function whenRun(make: () => Statement): Statement {
  let made = atOnce ? make() : undefined;
  const get = () => (made ??= make());
  return {
    run: (values) => get().run(values),
    get: (values) => get().get(values),
    all: (values) => get().all(values),
  };
}

/** Runs `work`, in which statements are prepared when they are written: whoever wants to see them all. */
export function preparingAtOnce<T>(work: () => T): T {
  atOnce = true;
  try {
    return work();
  } finally {
    atOnce = false;
  }
}

/** A drizzle database over one better-sqlite3 connection. */
export type Orm = ReturnType<typeof openOrm>;

export function openOrm(connection: Database) {
  return driver.drizzle(connection);
}

/** What drizzle's builders are, as far as it matters here. */
interface Query {
  toSQL(): { sql: string; params: unknown[] };
  prepare(): { run(values?: Values): unknown; get(values?: Values): unknown; all(values?: Values): unknown };
}

type Values = Record<string, unknown>;
type Verbs = { [verb in 'run' | 'get' | 'all']: (values?: Values) => unknown };
type Prepared<Q extends Query> = Pick<ReturnType<Q['prepare']>, 'run' | 'get' | 'all'>;

/**
 * In place of `query.prepare()`, with the same verbs and types. Values are bound and rows told as they lie in the file, so only
 * for columns without a mapping (numbers, texts, bytes); a row's fields are named by its columns, `code_hash` is `codeHash`.
 */
export function prepareHot<Q extends Query>(orm: Orm, query: Q): Prepared<Q> {
  return whenRun(() => prepareNow(orm, query));
}

function prepareNow(orm: Orm, query: Query): Verbs {
  const { sql, params } = query.toSQL();
  const statement = orm.$client.prepare(sql);
  const slots = params.map(toSlot);
  const bind = (values: Values = {}) =>
    slots.map(({ name, value }) => (name === undefined ? value : values[name]));
  const names = statement.reader ? statement.columns().map(({ name }) => toField(name)) : [];
  if (statement.reader) statement.raw(true);
  const toRow = (row: unknown[]) => {
    const named: Values = {};
    for (const [index, name] of names.entries()) named[name] = row[index];
    return named;
  };
  return {
    run: (values) => statement.run(...bind(values)),
    get(values) {
      const row = statement.get(...bind(values)) as unknown[] | undefined;
      return row && toRow(row);
    },
    all: (values) => (statement.all(...bind(values)) as unknown[][]).map(toRow),
  };
}

interface Slot {
  /** Of the placeholder; undefined where the value is part of the statement. */
  name: string | undefined;
  value: unknown;
}

function toSlot(param: unknown): Slot {
  if (is(param, Placeholder)) return { name: param.name, value: undefined };
  if (is(param, Param)) return toSlot(param.value);
  return { name: undefined, value: param };
}

/** As the schema names them: `noticed_80_at` is `noticed80At`. */
function toField(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
