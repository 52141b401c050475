// Turning a file over to the columns `owned` and `live`. A small one at once; a large one in slices, while the service runs and
// the old unique indexes decide. When the last slice is in, the next start drops the old indexes and asks the new ones.
import type { Database as Connection } from 'better-sqlite3';

/** A file with fewer rows than this is turned over when it is opened: well under a second. */
const AT_ONCE = 50_000;
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
  /** Fills the next slice, inside a write; false: there is nothing (more) to fill. */
  step(): boolean;
}

/**
 * Call it after the migrations, outside any transaction. Safe to repeat, and to interrupt anywhere. Who is not `alone` with the
 * file takes no index from under the other's statements: he turns over an empty one only.
 */
export function turnOver(
  connection: Connection,
  { alone, atOnce = AT_ONCE }: { alone: boolean; atOnce?: number },
): Turnover {
  const rest = { isDone: true, step: () => false };
  if (!hasOldIndexes(connection)) return rest;
  const most = alone && readProgress(connection).isFilled ? Infinity : alone ? atOnce : 0;
  if (countRows(connection) > most) return { isDone: false, step: () => alone && fillSlice(connection) };
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

function countRows(connection: Connection): number {
  const last = (table: string) =>
    connection.prepare(`select coalesce(max(id), 0) from ${table}`).pluck().get() as number;
  return last('codes') + last('redemptions');
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
