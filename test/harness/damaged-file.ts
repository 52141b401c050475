// What a disk does to a database file.
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** No program can read it any more. */
export const makeUnreadable = (path: string): void =>
  writeFileSync(path, 'no database any more '.repeat(400));

/** The first page of a table or an index is gone; everything else can be read. */
export function damagePage(path: string, name: string): void {
  const connection = new Database(path);
  // Whatever is in its log would lie over the damage.
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const select = connection.prepare<[string], [page: number, size: number]>(
    'select rootpage, page_size from sqlite_schema, pragma_page_size where name = ?',
  );
  const [page, size] = select.raw().get(name)!;
  connection.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, (page - 1) * size, (page - 1) * size + 64);
  writeFileSync(path, bytes);
}
