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

export interface KnownBot {
  /** What stands before the `:` of its token. */
  id: string;
  username: string;
  /** In ms UTC. */
  since: number;
}

/** Which bots the tokens of this file were of, in turn: another has updates, messages, files and menus of its own. */
export function createBotsTable(sql: Sql) {
  const { find, save } = keepsInMeta<readonly KnownBot[]>(sql, 'bots');
  const forgetting = [
    sql.run<void>("update imports set shown_in = null where state = 'collecting'"),
    // What is pasted there follows what was pasted here, whatever numbers its messages have.
    sql.run<void>(`
      update import_pieces set position = position - 4294967296
      where import_id in (select id from imports where state = 'collecting')`),
    sql.run<void>('update confirmations set made_of = null where made_of is not null'),
    // What is left of it is the language: the next word of whoever it is sets the menu.
    sql.run<void>('update preferences set menu = substr(menu, 1, 3)'),
  ];
  return {
    /** The last of them is the one of now; one may come again. */
    list: (): readonly KnownBot[] => find() ?? [],
    save,
    /** Where something stands in the chats of another bot. */
    forgetPlaces: () => forgetting.forEach((each) => void each()),
  };
}
