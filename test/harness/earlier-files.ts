// Databases as earlier versions left them.
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

/** Brings an empty file to where these migrations brought it, as their program did. */
export function writeAsOf(file: Database, ...tags: string[]): void {
  file.exec('create table migrations (tag text primary key, written integer not null) strict');
  for (const tag of tags) {
    file.exec(readFileSync(new URL(`../../drizzle/${tag}.sql`, import.meta.url), 'utf8'));
    file.prepare('insert into migrations values (?, 0)').run(tag);
  }
}
