// The one place that loads drizzle: through `require`, because its ES modules cost seven times the time and memory.
// Queries are written and prepared as drizzle's own (`orm.select()….prepare()`); `LazySession` has them cost less.
import type * as Orms from 'drizzle-orm';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import type * as Core from 'drizzle-orm/sqlite-core';
import { createRequire } from 'node:module';
import type { Database } from 'better-sqlite3';

import { assertInWrite } from '../sql.ts';

const require = createRequire(import.meta.url);
const orm = require('drizzle-orm') as typeof Orms;
const core = require('drizzle-orm/sqlite-core') as typeof Core;
const driver = require('drizzle-orm/better-sqlite3') as typeof Driver;

export const { and, asc, desc, eq, getTableColumns, sql } = orm;
export const { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } = core;

/** A value that a statement is given by this name when it is run. */
export const ph = sql.placeholder;

/** The same where a column is set to it. */
export const bound = (name: string) => sql`${ph(name)}`;

const { Column, is, Param, Placeholder, SQL: Expression } = orm;

export type SQL = Orms.SQL;
export type AnyColumn = Core.AnySQLiteColumn;

/** A drizzle database over one better-sqlite3 connection. */
export type Orm = Driver.BetterSQLite3Database;

export function openOrm(connection: Database): Orm {
  const dialect = new LazyDialect();
  return new driver.BetterSQLite3Database('sync', dialect, new LazySession(connection, dialect), undefined);
}

type Dialect = Core.SQLiteSyncDialect;
type Config<Verb extends 'Select' | 'Insert' | 'Update' | 'Delete'> = Parameters<
  Dialect[`build${Verb}Query`]
>[0];

/**
 * A table has statements for every occasion, and a process runs few of them: their SQL is written when it is first
 * read.
 */
class LazyDialect extends core.SQLiteSyncDialect {
  override buildSelectQuery = (config: Config<'Select'>) =>
    later(() => super.buildSelectQuery(withStableLimit(config)));
  override buildInsertQuery = (config: Config<'Insert'>) => later(() => super.buildInsertQuery(config));
  override buildUpdateQuery = (config: Config<'Update'>) => later(() => super.buildUpdateQuery(config));
  override buildDeleteQuery = (config: Config<'Delete'>) => later(() => super.buildDeleteQuery(config));

  override sqlToQuery(tree: SQL, source?: 'indexes'): Orms.QueryWithTypings {
    let query: Orms.QueryWithTypings | undefined;
    const write = () => (query ??= super.sqlToQuery(tree, source));
    return {
      get sql() {
        return write().sql;
      },
      get params() {
        return write().params;
      },
    };
  }
}

/** A limit that is bound as it is could change the plan: SQLite would compile the statement again at every run. */
function withStableLimit({ limit, ...config }: Config<'Select'>): Config<'Select'> {
  if (limit === undefined) return config;
  const stable = typeof limit === 'number' ? sql.raw(String(limit)) : sql`${limit}+0`;
  // drizzle takes any expression here, and its types do not tell.
  return { ...config, limit: stable as unknown as Orms.Placeholder };
}

function later(build: () => SQL): SQL {
  return Object.defineProperty(sql.empty(), 'queryChunks', { get: () => build().queryChunks });
}

type Session = Driver.BetterSQLiteSession<Record<string, never>, Record<string, never>>;
type Fields = Core.SelectedFieldsOrdered;
type Values = Record<string, unknown>;
type Verbs = { [verb in 'run' | 'get' | 'all']: (values?: Values) => unknown };

/**
 * Prepares a statement at its first run, and binds and reads without drizzle's walk over placeholders and fields at
 * each, which costs a redemption as much as a statement or two. What is bound and read is the same.
 */
class LazySession extends driver.BetterSQLiteSession<Record<string, never>, Record<string, never>> {
  readonly #connection: Database;

  constructor(connection: Database, dialect: LazyDialect) {
    super(connection, dialect, undefined);
    this.#connection = connection;
  }

  override prepareQuery(...asked: Parameters<Session['prepareQuery']>): never {
    const [query, fields] = asked;
    const prepare = (): Verbs =>
      fields?.some(({ path }) => path.length > 1)
        ? Object.assign(super.prepareQuery(...asked), { joinsNotNullableMap: lazy.joinsNotNullableMap })
        : prepareFlat(this.#connection, query, fields);
    let prepared: Verbs | undefined;
    const get = () => (prepared ??= prepare());
    // drizzle notes in it which tables of a join may have no row.
    const lazy: Verbs & { joinsNotNullableMap?: object } = {
      run: (values) => get().run(values),
      get: (values) => get().get(values),
      all: (values) => get().all(values),
    };
    return lazy as never;
  }
}

/** Of rows without objects in them. */
function prepareFlat(connection: Database, { sql, params }: Orms.Query, fields: Fields | undefined): Verbs {
  const statement = connection.prepare<unknown[], unknown[]>(sql);
  if (fields) statement.raw();
  const slots = params.map(toSlot);
  const bind = (values: Values = {}) => {
    assertInWrite(connection, statement);
    return slots.map((slot) => slot(values));
  };
  const columns = fields?.map(({ path, field }) => ({ name: path[0] ?? '', decoder: decoderOf(field) }));
  const toRow = (raw: unknown[]) => {
    if (!columns) return raw;
    const row: Values = {};
    for (const [index, { name, decoder }] of columns.entries()) {
      const value = raw[index];
      row[name] = value === null ? null : decoder.mapFromDriverValue(value);
    }
    return row;
  };
  return {
    run: (values) => statement.run(...bind(values)),
    get(values) {
      const raw = statement.get(...bind(values));
      return raw && toRow(raw);
    },
    all: (values) => statement.all(...bind(values)).map(toRow),
  };
}

/** What is bound at a place of the statement. */
function toSlot(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value } = param;
  return (values) => encoder.mapToDriverValue(values[value.name]);
}

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

function decoderOf(field: Fields[number]['field']): Decoder {
  if (is(field, Column)) return field;
  const { decoder } = (is(field, Expression) ? field : (field as Orms.SQL.Aliased).sql) as unknown as {
    decoder: Decoder;
  };
  return decoder;
}
