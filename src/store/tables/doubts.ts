// Redemptions in doubt, which each have a task (core/redemption/doubt-task.ts), as the host sees them: how many, since when,
// and which are asked about next. The queries go over the small index of what is in doubt, whoever's it is.
import type { redemptions } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

/** Looked through for those of one account: no answer grows with what all the others have in doubt. */
const LOOKED_THROUGH = 2_000;

type RedemptionRow = typeof redemptions.$inferSelect;

export interface DoubtRow extends Pick<
  RedemptionRow,
  'id' | 'accountId' | 'actor' | 'gameId' | 'playerId' | 'denomination' | 'createdAt' | 'looks'
> {
  accountName: string;
  /** When it is asked about; null: it waits for a person. */
  nextLookAt: number | null;
}

export function createDoubtsTable(sql: Sql) {
  const doubts = doubtsOf(sql);
  return {
    /** When the one that is open for longest was begun; undefined where none is. */
    oldestAt: (): number | undefined => doubts.findOldest()?.createdAt,
    countHeld: (): number => doubts.countHeld()?.count ?? 0,
    /** Those that wait for a person, the oldest first. */
    listHeld: (limit: number): DoubtRow[] => doubts.listHeld({ limit }),
    /** undefined where it is in doubt no more. */
    find: (id: number): DoubtRow | undefined => doubts.find({ id })[0],
    /** Those of one account, or of all, among the oldest; `isPart`: there may be more. */
    listOf(accountId?: number): { rows: DoubtRow[]; isPart: boolean } {
      const all = doubts.list();
      const rows = all.filter((row) => accountId === undefined || row.accountId === accountId);
      return { rows, isPart: all.length === LOOKED_THROUGH };
    },
    /** Those without a task that is not over. */
    listForgotten: (limit: number): number[] => doubts.listForgotten({ limit }).map(({ id }) => id),
  };
}

type OfId = Pick<RedemptionRow, 'id'>;

const OF_TASK = "job_key = 'doubt:' || redemptions.id and done_at is null and dead_at is null";

/** Of a doubt that is asked about by itself. */
export const GOES_ON = `exists (select 1 from tasks where ${OF_TASK} and run_at is not null)`;

const doubtsOf = (sql: Sql) => {
  const isHeld = `state = 'in_doubt' and not ${GOES_ON}`;
  const nextLookAt = `(select run_at from tasks where ${OF_TASK})`;
  const list = <Args>(which: string) =>
    sql.all<Args, DoubtRow>(`
      select id, account_id, (select name from accounts where accounts.id = account_id) as account_name, actor, game_id,
        player_id, denomination, created_at, looks, ${nextLookAt} as next_look_at
      from redemptions where ${which}`);
  return {
    // Numbers go up with time; `min(id)` is read from the index alone.
    findOldest: sql.one<void, Pick<RedemptionRow, 'createdAt'>>(`
      select created_at from redemptions where id = (
        select min(r.id) from redemptions r indexed by redemptions_in_doubt where r.state = 'in_doubt')`),
    list: list<void>(`state = 'in_doubt' order by id limit ${LOOKED_THROUGH}`),
    find: list<OfId>("id = @id + 0 and state = 'in_doubt'"),
    countHeld: sql.one<void, { count: number }>(`select count(*) as count from redemptions where ${isHeld}`),
    listHeld: list<{ limit: number }>(`${isHeld} order by id limit @limit + 0`),
    listForgotten: sql.all<{ limit: number }, OfId>(`
      select id from redemptions
      where state = 'in_doubt' and not exists (select 1 from tasks where ${OF_TASK}) limit @limit + 0`),
  };
};
