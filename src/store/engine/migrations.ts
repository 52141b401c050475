// Bringing the file to the schema of this program: the migrations of drizzle/ that it does not have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';

import { asset } from '../../files.ts';
import { hasTable } from './connection.ts';
import { StoreRefusal, WRITTEN_BEFORE } from './refusal.ts';

const MIGRATIONS = asset('drizzle');

interface Migration {
  tag: string;
  when: number;
}

/**
 * Applies the migrations of drizzle/ that the file does not have, in one transaction: all or none.
 * Throws StoreRefusal when the file was written by a newer program.
 */
export function migrate(connection: Connection, folder = MIGRATIONS): void {
  const migrations = readMigrations(folder);
  if (findMissing(connection, migrations).length === 0) return;
  const apply = connection.transaction(() => {
    connection.exec(
      'create table if not exists migrations (tag text primary key, written integer not null) strict',
    );
    for (const { tag, when } of findMissing(connection, migrations)) {
      for (const statement of readStatements(folder, tag)) connection.exec(statement);
      connection.prepare('insert into migrations (tag, written) values (?, ?)').run(tag, when);
    }
  });
  apply.immediate();
}

/** Whether the file has every migration. Throws StoreRefusal as `migrate` does. */
export function isCurrent(connection: Connection, folder = MIGRATIONS): boolean {
  return findMissing(connection, readMigrations(folder)).length === 0;
}

function findMissing(connection: Connection, migrations: Migration[]): Migration[] {
  if (!hasTable(connection, 'migrations')) return migrations;
  const applied = new Set(connection.prepare<[], string>('select tag from migrations').pluck().all());
  const unknown = [...applied].filter((tag) => !migrations.some((migration) => migration.tag === tag));
  if (unknown.length > 0) {
    throw new StoreRefusal(
      applied.has(migrations[0]?.tag ?? '')
        ? `The database was written by a newer version of this program (${unknown.join(', ')}). Start that version, or restore an older backup.`
        : WRITTEN_BEFORE,
    );
  }
  return migrations.filter((migration) => !applied.has(migration.tag));
}

function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: Migration[];
  };
  return journal.entries;
}

const readStatements = (folder: string, tag: string): string[] =>
  readFileSync(join(folder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint');
