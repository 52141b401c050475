// Bringing the file to the schema of this program: the migrations of drizzle/ that it does not have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable } from './connection.ts';
import { StoreRefusal } from './refusal.ts';

/** A file with more rows than this is large: what walks through them takes longer than a start may. */
export const LARGE = 50_000;
/** Migrations that only make a file leaner, and walk through its rows: a large one stays as it is, until turnover.ts does them. */
const ONLY_LEANER = ['0011_leaner_rows'];
const MIGRATIONS = fileURLToPath(new URL('../../../drizzle', import.meta.url));

interface Migration {
  tag: string;
  when: number;
  statements: string[];
}

/**
 * Applies the migrations of drizzle/ that the file does not have: all or none, in one transaction. `large`: how many rows.
 * Throws StoreRefusal when the file was written by a newer program.
 */
export function migrate(connection: Connection, large = LARGE): void {
  const migrations = readMigrations();
  if (findMissing(connection, migrations).length === 0) return;
  const apply = connection.transaction(() => {
    connection.exec(
      'create table if not exists migrations (tag text primary key, written integer not null) strict',
    );
    for (const migration of findMissing(connection, migrations)) {
      const isLeft = ONLY_LEANER.includes(migration.tag) && countRows(connection) > large;
      if (!isLeft) applyStatements(connection, migration);
      connection
        .prepare('insert into migrations (tag, written) values (?, ?)')
        .run(migration.tag, migration.when);
    }
  });
  apply.immediate();
}

/** Whether 0011_leaner_rows is in the file: its unique indexes hold the beginnings of hashes. */
export function isLeaner(connection: Connection): boolean {
  const indexes = "name in ('codes_by_hash', 'redemptions_by_hash') and sql like '%substr(%'";
  return connection.prepare(`select 1 from sqlite_schema where ${indexes}`).all().length === 2;
}

/** Does what `migrate` left; call it in a transaction. It walks through all rows. */
export function makeLeaner(connection: Connection): void {
  for (const migration of readMigrations()) {
    if (ONLY_LEANER.includes(migration.tag)) applyStatements(connection, migration);
  }
}

/** About how many rows there are to walk through. */
export function countRows(connection: Connection): number {
  const last = (table: string) =>
    connection.prepare(`select coalesce(max(id), 0) from ${table}`).pluck().get() as number;
  return last('codes') + last('redemptions');
}

function applyStatements(connection: Connection, { statements }: Migration): void {
  for (const statement of statements) connection.exec(statement);
}

/** Whether the file has every migration. Throws StoreRefusal as `migrate` does. */
export function isCurrent(connection: Connection): boolean {
  return findMissing(connection, readMigrations()).length === 0;
}

function findMissing(connection: Connection, migrations: Migration[]): Migration[] {
  if (!hasTable(connection, 'migrations')) return migrations;
  const applied = new Set(connection.prepare('select tag from migrations').pluck().all() as string[]);
  const unknown = [...applied].filter((tag) => !migrations.some((migration) => migration.tag === tag));
  if (unknown.length > 0) {
    throw new StoreRefusal(
      `The database was written by a newer version of this program (${unknown.join(', ')}). Start that version, or restore an older backup.`,
    );
  }
  return migrations.filter((migration) => !applied.has(migration.tag));
}

function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  return journal.entries.map(({ tag, when }) => ({
    tag,
    when,
    statements: readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
  }));
}
