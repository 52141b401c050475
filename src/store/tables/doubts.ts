// Redemptions in doubt as the host sees them: how many, since when, and which are asked about next. The queries
// go over the small index of what is in doubt, whoever's it is.
import type { redemptions } from '../schema/index.ts';
import type { Sql } from '../sql.ts';
import { HELD } from './redemptions.ts';

/** Looked through for those of one account: no answer grows with what all the others have in doubt. */
const LOOKED_THROUGH = 2_000;

type RedemptionRow = typeof redemptions.$inferSelect;

export interface DoubtRow extends Pick<
  RedemptionRow,
  'id' | 'accountId' | 'actor' | 'gameId' | 'playerId' | 'denomination' | 'createdAt' | 'looks'
> {
  accountName: string;
  /** Whether it waits for a person. */
  isHeld: boolean;
}

export function createDoubtsTable(sql: Sql) {
  const doubts = doubtsOf(sql);
  return {
    /** When the one that is open for longest was begun; undefined where none is. */
    oldestAt: (): number | undefined => doubts.findOldest()?.createdAt,
    /**
     * Leaves a doubt to a person, who alone, or clocks that have changed, has it asked about again, and says why; false
     * when it is none any more. `looksTold`: what all looks said.
     */
    hold: (id: number, message: string, looksTold: string): boolean =>
      doubts.hold({ id, message, looksTold }) === 1,
    countHeld: (): number => doubts.countHeld()?.count ?? 0,
    /** Those that wait for a person, the oldest first. */
    listHeld: (limit: number): DoubtRow[] => doubts.listHeld({ limit }).map(toDoubt),
    /** Has all of them asked about once more. */
    makeHeldDue: (now: number) => void doubts.makeHeldDue({ now }),
    /** undefined where it is in doubt no more. */
    find(id: number): DoubtRow | undefined {
      const row = doubts.find({ id });
      return row && toDoubt(row);
    },
    /** Those of one account, or of all, among the next to be asked about, oldest first; `isPart`: there may be more. */
    listOf(accountId?: number): { rows: DoubtRow[]; isPart: boolean } {
      const all = doubts.list();
      const isOf = (row: Brief) => accountId === undefined || row.accountId === accountId;
      const rows = all.filter(isOf).sort((a, b) => a.id - b.id);
      return { rows: rows.map(toDoubt), isPart: all.length === LOOKED_THROUGH };
    },
    /** Those that are asked about later than `now`, the next first. */
    listLater: (now: number, limit: number): number[] => doubts.listLater({ now, limit }).map(({ id }) => id),
    /** Has it asked about now; false where it is not in doubt any more, or due already. */
    makeDue: (id: number, now: number): boolean => doubts.makeDue({ id, now }) === 1,
  };
}

type Brief = Omit<DoubtRow, 'isHeld'> & { isHeld: number };
const toDoubt = (row: Brief): DoubtRow => ({ ...row, isHeld: row.isHeld === 1 });

type OfId = Pick<RedemptionRow, 'id'>;

const doubtsOf = (sql: Sql) => {
  const isHeld = `state = 'in_doubt' and next_look_at = ${HELD}`;
  const list = <Args>(which: string) =>
    sql.all<Args, Brief>(`
      select id, account_id, (select name from accounts where accounts.id = account_id) as account_name, actor, game_id,
        player_id, denomination, created_at, looks, next_look_at = ${HELD} as is_held
      from redemptions where ${which}`);
  const find = list<OfId>("id = @id + 0 and state = 'in_doubt'");
  return {
    // Numbers go up with time; `min(id)` is read from the index alone.
    findOldest: sql.one<void, Pick<RedemptionRow, 'createdAt'>>(`
      select created_at from redemptions where id = (
        select min(r.id) from redemptions r indexed by redemptions_in_doubt where r.state = 'in_doubt')`),
    list: list<void>(`state = 'in_doubt' order by next_look_at limit ${LOOKED_THROUGH}`),
    find: (id: OfId) => find(id)[0],
    listLater: sql.all<{ now: number; limit: number }, OfId>(`
      select id from redemptions where state = 'in_doubt' and next_look_at > @now + 0
      order by next_look_at limit @limit + 0`),
    makeDue: sql.run<OfId & { now: number }>(`
      update redemptions set next_look_at = @now
      where id = @id + 0 and state = 'in_doubt' and next_look_at > @now`),
    hold: sql.run<OfId & { message: string; looksTold: string }>(`
      update redemptions
      set error_message = @message, looks_told = @looksTold, looks = looks + 1, next_look_at = ${HELD}
      where id = @id + 0 and state = 'in_doubt'`),
    countHeld: sql.one<void, { count: number }>(`select count(*) as count from redemptions where ${isHeld}`),
    listHeld: list<{ limit: number }>(`${isHeld} order by id limit @limit + 0`),
    makeHeldDue: sql.run<{ now: number }>(`update redemptions set next_look_at = @now where ${isHeld}`),
  };
};
