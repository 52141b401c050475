// Column helpers: what the files of the schema are written with.
import { sql } from 'drizzle-orm';
import { blob } from 'drizzle-orm/sqlite-core';

export const bytes = (name: string) => blob(name, { mode: 'buffer' });

/** A check that a column holds one of a few words; `in` would have SQLite make a table of them at every statement. */
export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(values.map((value) => `${column} = '${value}'`).join(' or '));
