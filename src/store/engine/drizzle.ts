// The one place that loads drizzle: through `require`, because its ES modules cost seven times the time and memory. Its statements
// are prepared when they are first run.
import { createRequire } from 'node:module';
import type { Database } from 'better-sqlite3';
import type * as Orms from 'drizzle-orm';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import type * as Core from 'drizzle-orm/sqlite-core';

const require = createRequire(import.meta.url);
const orm = require('drizzle-orm') as typeof Orms;
const core = require('drizzle-orm/sqlite-core') as typeof Core;
const driver = require('drizzle-orm/better-sqlite3') as typeof Driver;

export const { and, asc, desc, eq, getTableColumns, is, Param, Placeholder, sql } = orm;
export const { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } = core;

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
export function whenRun(make: () => Statement): Statement {
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
