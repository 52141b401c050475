// How rows of the replaced database (`main`) come into the restored one (`fresh`). They are recognised by what they are, never
// by their number alone: two files of one origin may have given one number to different things. Rows that the restored one
// does not have keep their number where it is free, and get a new one where it is not; whatever refers to them follows.
import type { Database as Connection } from 'better-sqlite3';

import type { Kinship } from './epochs.ts';
import type { Secrets } from '../engine/secrets.ts';

export interface Carrying extends Kinship {
  /** The replaced database, with the restored one attached as `fresh`. */
  connection: Connection;
  secrets: Secrets;
  now: number;
}

/** Tables with a number, whose rows something refers to. */
export type Numbered =
  | 'accounts'
  | 'api_keys'
  | 'batches'
  | 'charges'
  | 'codes'
  | 'extractions'
  | 'jobs'
  | 'purchases'
  | 'redemptions'
  | 'webhooks';

/**
 * Begins to recognise the rows of a table. `same` is a condition on `n`, a row of the replaced database, and `o`, the restored
 * one's of the same number: where it holds they are one thing. The others wait in `temp.<table>_map` to be told apart.
 */
export function recogniseByNumber({ connection }: Carrying, table: Numbered, same: string): void {
  connection.exec(`
    drop table if exists temp.${table}_map;
    create temp table ${table}_map (from_id integer primary key, to_id integer, is_new integer not null default 0);
    insert into temp.${table}_map (from_id) select n.id from main.${table} n
      where not exists (select 1 from fresh.${table} o where o.id = n.id and ${same});`);
}

/** Recognises rows that wait by something else: `found` selects the number that `m.from_id` has in the restored database. */
export function recogniseBy({ connection }: Carrying, table: Numbered, found: string): void {
  connection.exec(`update temp.${table}_map as m set to_id = (${found}) where to_id is null`);
}

/**
 * Recognises rows that wait by a column that is never twice alike. Looks only at those of the restored database that have no
 * counterpart of their number: as a rule there are none.
 */
export function recogniseByColumn(carrying: Carrying, table: Numbered, column: string): void {
  carrying.connection.exec(`
    drop table if exists temp.left_over;
    create temp table left_over (mark primary key, id integer not null) without rowid;
    insert or ignore into temp.left_over select o.${column}, o.id from fresh.${table} o
      where not exists (select 1 from main.${table} n where n.id = o.id and n.${column} = o.${column});`);
  recogniseBy(
    carrying,
    table,
    `select l.id from main.${table} n join temp.left_over l on l.mark = n.${column} where n.id = m.from_id`,
  );
}

/** What nobody recognised is new: it keeps its number where that is free. */
export function numberTheRest({ connection }: Carrying, table: Numbered): void {
  connection.exec(`
    update temp.${table}_map set is_new = 1, to_id = from_id
      where to_id is null and from_id not in (select id from fresh.${table});
    update temp.${table}_map as m set is_new = 1, to_id = turn.id from (
      select from_id, row_number() over (order by from_id) + max((select coalesce(max(seq), 0) from main.sqlite_sequence where name = '${table}'),
        (select coalesce(max(seq), 0) from fresh.sqlite_sequence where name = '${table}')) as id
      from temp.${table}_map where to_id is null) turn where turn.from_id = m.from_id;`);
}

/** A number of the replaced database, as the restored one has it. */
export const to = (table: Numbered, number: string) =>
  `coalesce((select to_id from temp.${table}_map where from_id = ${number}), ${number})`;

/** A join with what of a table is new. */
export const newOf = (table: Numbered) =>
  `main.${table} n join temp.${table}_map fresh_number on fresh_number.from_id = n.id and fresh_number.is_new = 1`;

/** Whether a time lies in one of these stretches; `before the end`: and is not the last moment of it. */
export function isIn(time: string, stretches: Kinship['knownToBackup'], until?: 'before the end'): string {
  const ends = until ? '<' : '<=';
  return `(${stretches.map(([start, end]) => `(${time} >= ${start} and ${time} ${ends} ${end})`).join(' or ')})`;
}

/** Whoever did something, as a text: API keys are named by their number. */
export const toActor = (actor: string) =>
  `coalesce((select 'apiKey:' || to_id from temp.api_keys_map where 'apiKey:' || from_id = ${actor}), ${actor})`;

/** Copies rows: every column as it is, but for those that are named with what they become. */
export function copyRows(
  { connection }: Carrying,
  table: string,
  from: string,
  values: Readonly<Record<string, string>>,
  conflict: '' | 'or ignore' | 'or replace' = '',
): void {
  const columns = columnsOf(connection, table);
  const selected = columns.map((column) => values[column] ?? `n.${column}`);
  connection.exec(
    `insert ${conflict} into fresh.${table} (${columns.join(', ')}) select ${selected.join(', ')} from ${from}`,
  );
}

export function columnsOf(connection: Connection, table: string): string[] {
  return connection
    .prepare(`select name from pragma_table_info(?, 'fresh') order by cid`)
    .pluck()
    .all(table) as string[];
}

/** Takes indexes of the restored database out of the way of rows that come in any order; each is put back by its name. */
export function suspendIndexes(connection: Connection, names: readonly string[]): (name: string) => void {
  const find = connection
    .prepare("select sql from fresh.sqlite_schema where type = 'index' and name = ?")
    .pluck();
  const known = new Map(names.map((name) => [name, String(find.get(name))]));
  for (const name of names) connection.exec(`drop index fresh.${name}`);
  return (name) => connection.exec(known.get(name)!.replace(/INDEX /i, 'INDEX fresh.'));
}
