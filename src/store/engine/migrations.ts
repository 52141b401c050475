// Bringing the file to the schema of this program: the migrations of drizzle/ that it does not have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable } from './connection.ts';
import { StoreRefusal } from './refusal.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../drizzle', import.meta.url));

interface Migration {
  tag: string;
  when: number;
  statements: string[];
}

/**
 * Applies the migrations of drizzle/ that the file does not have: all or none, in one transaction.
 * Throws StoreRefusal when the file was written by a newer program.
 */
export function migrate(connection: Connection): void {
  const migrations = readMigrations();
  if (findMissing(connection, migrations).length === 0) return;
  const apply = connection.transaction(() => {
    connection.exec(
      'create table if not exists migrations (tag text primary key, written integer not null) strict',
    );
    for (const migration of findMissing(connection, migrations)) {
      for (const statement of migration.statements) connection.exec(statement);
      connection
        .prepare('insert into migrations (tag, written) values (?, ?)')
        .run(migration.tag, migration.when);
    }
  });
  apply.immediate();
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
