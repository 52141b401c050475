// The table `meta`: what a database file knows of itself, a value by its key.
import type { Database as Connection } from 'better-sqlite3';

/** Undefined where nothing was written. */
export const readMeta = (connection: Connection, key: string): string | undefined =>
  readMetaBytes(connection, key)?.toString('utf8');

/** The same of what is no text. */
export const readMetaBytes = (connection: Connection, key: string): Buffer | undefined =>
  connection.prepare<[string], Buffer>('select value from meta where key = ?').pluck().get(key);

export function writeMeta(connection: Connection, key: string, value: string | Buffer): void {
  connection
    .prepare(
      'insert into meta (key, value) values (?, ?) on conflict do update set value = excluded.value where value <> excluded.value',
    )
    .run(key, typeof value === 'string' ? Buffer.from(value) : value);
}

/** Whether there was one. */
export const deleteMeta = (connection: Connection, key: string): boolean =>
  connection.prepare('delete from meta where key = ?').run(key).changes > 0;
