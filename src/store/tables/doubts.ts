// Redemptions in doubt as the host sees them: how many, since when, and which are asked about next. The queries
// go over the small index of what is in doubt, whoever's it is.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import { redemptions } from '../schema/index.ts';
import { HELD } from './redemptions-queries.ts';

/** Looked through for those of one account: no answer grows with what all the others have in doubt. */
const LOOKED_THROUGH = 2_000;
const IN_DOUBT = sql.raw("state = 'in_doubt'");

export interface DoubtRow {
  id: number;
  accountId: number;
  accountName: string;
  actor: string;
  gameId: string;
  playerId: string;
  denomination: number | null;
  createdAt: number;
  looks: number;
  /** Whether it waits for a person. */
  isHeld: boolean;
}

const BRIEF = {
  id: redemptions.id,
  accountId: redemptions.accountId,
  accountName: sql<string>`(select name from accounts a where a.id = redemptions.account_id)`,
  actor: redemptions.actor,
  gameId: redemptions.gameId,
  playerId: redemptions.playerId,
  denomination: redemptions.denomination,
  createdAt: redemptions.createdAt,
  looks: redemptions.looks,
  isHeld: sql<boolean>`next_look_at = ${HELD}`.mapWith(Boolean),
};

export function createDoubtsTable(orm: Orm) {
  // Numbers go up with time; `min(id)` is read from the index alone.
  const findOldest = orm
    .select({ at: redemptions.createdAt })
    .from(redemptions)
    .where(
      sql`id = (select min(r.id) from redemptions r indexed by redemptions_in_doubt where r.state = 'in_doubt')`,
    )
    .prepare();
  const list = orm
    .select(BRIEF)
    .from(redemptions)
    .where(IN_DOUBT)
    .orderBy(redemptions.nextLookAt)
    .limit(LOOKED_THROUGH)
    .prepare();
  const find = orm
    .select(BRIEF)
    .from(redemptions)
    .where(sql`id = ${ph('id')}+0 and ${IN_DOUBT}`)
    .prepare();
  const makeDue = orm
    .update(redemptions)
    .set({ nextLookAt: bound('now') })
    .where(sql`id = ${ph('id')}+0 and ${IN_DOUBT} and next_look_at > ${ph('now')}`)
    .prepare();
  const listLater = orm
    .select({ id: redemptions.id })
    .from(redemptions)
    .where(sql`${IN_DOUBT} and next_look_at > ${ph('now')}+0`)
    .orderBy(redemptions.nextLookAt)
    .limit(ph('limit'))
    .prepare();

  return {
    /** When the one that is open for longest was begun; undefined where none is. */
    oldestAt: (): number | undefined => findOldest.get()?.at,
    ...createHeld(orm),
    /** undefined where it is in doubt no more. */
    find: (id: number): DoubtRow | undefined => find.get({ id }),
    /** Those of one account, or of all, among the next to be asked about, oldest first; `isPart`: there may be more. */
    listOf(accountId?: number): { rows: DoubtRow[]; isPart: boolean } {
      const all = list.all();
      const isOf = (row: DoubtRow) => accountId === undefined || row.accountId === accountId;
      const rows = all.filter(isOf).sort((a, b) => a.id - b.id);
      return { rows, isPart: all.length === LOOKED_THROUGH };
    },
    /** Those that are asked about later than `now`, the next first. */
    listLater: (now: number, limit: number): number[] => listLater.all({ now, limit }).map(({ id }) => id),
    /** Has it asked about now; false where it is not in doubt any more, or due already. */
    makeDue: (id: number, now: number): boolean => makeDue.run({ id, now }).changes === 1,
  };
}

/**
 * Those that wait for a person: never due by themselves, and asked about again when the host wants it, or the clocks
 * have changed.
 */
function createHeld(orm: Orm) {
  const isHeld = sql`${IN_DOUBT} and next_look_at = ${HELD}`;
  const hold = orm
    .update(redemptions)
    .set({
      ...{ errorMessage: bound('message'), looksTold: bound('looksTold') },
      ...{ looks: sql`looks + 1`, nextLookAt: sql`${HELD}` },
    })
    .where(sql`id = ${ph('id')}+0 and ${IN_DOUBT}`)
    .prepare();
  const count = orm
    .select({ count: sql<number>`count(*)` })
    .from(redemptions)
    .where(isHeld)
    .prepare();
  const list = orm
    .select(BRIEF)
    .from(redemptions)
    .where(isHeld)
    .orderBy(redemptions.id)
    .limit(ph('limit'))
    .prepare();
  const makeDue = orm
    .update(redemptions)
    .set({ nextLookAt: bound('now') })
    .where(isHeld)
    .prepare();

  return {
    /** Leaves a doubt to a person, and says why; false when it is none any more. `looksTold`: what all looks said. */
    hold: (id: number, message: string, looksTold: string): boolean =>
      hold.run({ id, message, looksTold }).changes === 1,
    countHeld: (): number => count.get()?.count ?? 0,
    /** The oldest first. */
    listHeld: (limit: number): DoubtRow[] => list.all({ limit }),
    /** Has all of them asked about once more. */
    makeHeldDue: (now: number) => void makeDue.run({ now }),
  };
}
