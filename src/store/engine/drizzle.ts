// The one place that loads drizzle: through `require`, because its ES modules cost seven times the time and memory.
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

/** A drizzle database over one better-sqlite3 connection. */
export type Orm = ReturnType<typeof openOrm>;

export function openOrm(connection: Database) {
  return driver.drizzle(connection);
}
