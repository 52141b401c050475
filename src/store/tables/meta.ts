// What a database file keeps under a key of its own in the table `meta`.
import { bound, sql, type Orm } from '../engine/drizzle.ts';
import { meta } from '../schema/index.ts';

export function prepareMeta(orm: Orm, name: string) {
  const key = sql.raw(`'${name}'`);
  return {
    find: orm
      .select({ value: meta.value })
      .from(meta)
      .where(sql`key = ${key}`)
      .prepare(),
    save: orm
      .insert(meta)
      .values({ key: sql`${key}`, value: bound('value') })
      .onConflictDoUpdate({ target: meta.key, set: { value: sql`excluded.value` } })
      .prepare(),
    remove: orm
      .delete(meta)
      .where(sql`key = ${key}`)
      .prepare(),
  };
}

/** What the host was told of and is not over (core/alerts/host-alerts.ts), as JSON has it. */
export function createHostAlertsTable(orm: Orm) {
  const { find, save } = prepareMeta(orm, 'host_alerts');
  return {
    find(): unknown {
      const value = find.get()?.value;
      return value && JSON.parse(value.toString());
    },
    save: (state: object) => void save.run({ value: Buffer.from(JSON.stringify(state)) }),
  };
}

/** Why, and since when in ms UTC, nothing is sent to an upstream. */
interface KeptPause {
  at: number;
  by: 'host' | 'service';
  reason: string;
}

/** Upstreams that are paused, by their names. */
export function createUpstreamPausesTable(orm: Orm) {
  const { find, save } = prepareMeta(orm, 'upstream_pauses');
  return {
    find(): Record<string, KeptPause> {
      const value = find.get()?.value;
      return value ? (JSON.parse(value.toString()) as Record<string, KeptPause>) : {};
    },
    save: (pauses: Record<string, KeptPause>) =>
      void save.run({ value: Buffer.from(JSON.stringify(pauses)) }),
  };
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

export function createStarPlaceTable(orm: Orm) {
  const { find, save } = prepareMeta(orm, 'star_place');
  return {
    find(): StarPlace | undefined {
      const value = find.get()?.value;
      return value && (JSON.parse(value.toString()) as StarPlace);
    },
    save: (place: StarPlace) => void save.run({ value: Buffer.from(JSON.stringify(place)) }),
  };
}
