// Turning a file over to the columns `owned` and `live`. A small one at once; a large one in slices, while the service runs and
// the old unique indexes decide. When the last slice is in, the next start drops the old indexes and asks the new ones.
// Hashes of 16 bytes need indexes that are built of all rows at once, which takes 3 s for a million redemptions: a large file
// goes on with the long ones, and with their indexes, until it is restored.
import type { Database as Connection } from 'better-sqlite3';

import { countRows, isLeaner, LARGE, makeLeaner } from './migrations.ts';

/** Rows looked at in one transaction. */
const SLICE = 400;
const KEY = 'turnover';

/** How far it came: all up to these ids has its column. */
interface Progress {
  codes: number;
  redemptions: number;
  isFilled: boolean;
}

export interface Turnover {
  /** Whether the new indexes decide; until then the old ones do. */
  isDone: boolean;
  /** Whether the new ones know the beginnings of hashes, so that short ones are written (code-seals.ts). */
  isLeaner: boolean;
  /** Fills the next slice, inside a write; false: there is nothing (more) to fill. */
  step(): boolean;
}

/**
 * Call it after the migrations, outside any transaction. Safe to repeat, and to interrupt anywhere. Who is not `alone` with the
 * file takes no index from under the other's statements: he turns over an empty one only.
 */
export function turnOver(
  connection: Connection,
  { alone, atOnce = LARGE }: { alone: boolean; atOnce?: number },
): Turnover {
  const rows = countRows(connection);
  if (alone && rows <= atOnce && !isLeaner(connection)) {
    connection.transaction(() => makeLeaner(connection)).immediate();
  }
  const rest = { isDone: true, isLeaner: isLeaner(connection), step: () => false };
  if (!hasOldIndexes(connection)) return rest;
  const most = alone && readProgress(connection).isFilled ? Infinity : alone ? atOnce : 0;
  if (rows > most) return { isDone: false, isLeaner: false, step: () => alone && fillSlice(connection) };
  connection
    .transaction(() => {
      while (fillSlice(connection));
      connection.exec('drop index codes_owned; drop index redemptions_live');
      connection.prepare('delete from meta where key = ?').run(KEY);
    })
    .immediate();
  return rest;
}

function hasOldIndexes(connection: Connection): boolean {
  return connection.prepare("select 1 from sqlite_schema where name = 'codes_owned'").get() !== undefined;
}

function fillSlice(connection: Connection): boolean {
  const progress = readProgress(connection);
  if (progress.isFilled) return false;
  const codes = fill(
    connection,
    'codes',
    "owned = 1 where owned is null and state not in ('extracted', 'undone')",
    progress.codes,
  );
  const redemptions =
    codes === undefined
      ? fill(
          connection,
          'redemptions',
          "live = 1 where live is null and state <> 'failed'",
          progress.redemptions,
        )
      : progress.redemptions;
  const next: Progress = {
    codes: codes ?? progress.codes,
    redemptions: redemptions ?? progress.redemptions,
    isFilled: codes === undefined && redemptions === undefined,
  };
  connection
    .prepare('insert into meta (key, value) values (?, ?) on conflict do update set value = excluded.value')
    .run(KEY, Buffer.from(JSON.stringify(next)));
  return !next.isFilled;
}

/** The id up to which rows are filled now; undefined: there are none after `after`. */
function fill(connection: Connection, table: string, set: string, after: number): number | undefined {
  const until = connection
    .prepare(`select max(id) from (select id from ${table} where id > ? order by id limit ${SLICE})`)
    .pluck()
    .get(after) as number | null;
  if (until === null) return undefined;
  connection.prepare(`update ${table} set ${set} and id > ? and id <= ?`).run(after, until);
  return until;
}

function readProgress(connection: Connection): Progress {
  const value = connection.prepare('select value from meta where key = ?').pluck().get(KEY) as
    Buffer | undefined;
  if (!value) return { codes: 0, redemptions: 0, isFilled: false };
  return JSON.parse(value.toString('utf8')) as Progress;
}
