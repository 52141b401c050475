// What a database file keeps under a key of its own in the table `meta`, as JSON.
import type { Sql } from '../sql.ts';

export function keepsInMeta<T>(sql: Sql, key: string) {
  const find = sql.one<{ key: string }, { value: Buffer }>('select value from meta where key = @key');
  const save = sql.run<{ key: string; value: Buffer }>(`
    insert into meta (key, value) values (@key, @value) on conflict do update set value = excluded.value`);
  return {
    find(): T | undefined {
      const value = find({ key })?.value;
      return value && (JSON.parse(value.toString()) as T);
    },
    save: (value: T) => void save({ key, value: Buffer.from(JSON.stringify(value)) }),
  };
}

/** What the host was told of and is not over (core/alerts/host-alerts.ts). */
export const createHostAlertsTable = (sql: Sql) => keepsInMeta<object>(sql, 'host_alerts');

/** Why, and since when in ms UTC, nothing is sent to an upstream. */
interface KeptPause {
  at: number;
  by: 'host' | 'service';
  reason: string;
}

/** Upstreams that are paused, by their names. */
export function createUpstreamPausesTable(sql: Sql) {
  const { find, save } = keepsInMeta<Record<string, KeptPause>>(sql, 'upstream_pauses');
  return { find: () => find() ?? {}, save };
}

/** How far the list of Stars was compared. */
export interface StarPlace {
  /** So many of its transactions, from the oldest on. */
  count: number;
  /** The identifier of the last of them. */
  last: string;
  /** When the whole list was compared. */
  wholeAt: number;
}

export const createStarPlaceTable = (sql: Sql) => keepsInMeta<StarPlace>(sql, 'star_place');
