// Redemptions that a lost time has carried out, found by their codes, as long as they are nobody's: their actor is `lost`.
import type { redemptions, StockKey } from '../schema/index.ts';
import type { Sql } from '../sql.ts';
import { GOES_ON } from './doubts.ts';

type RedemptionRow = typeof redemptions.$inferSelect;

const OF_KEY = `actor = 'lost' and account_id = @accountId + 0 and game_id = +@gameId and denomination = @denomination + 0`;

export function createLostTable(sql: Sql) {
  const count = sql.one<StockKey, { count: number }>(
    `select count(*) as count from redemptions where ${OF_KEY}`,
  );
  const findDoubt = sql.one<StockKey & { playerId: string; until: number }, { id: number }>(`
    select id from redemptions
    where state = 'in_doubt' and mode = 'database' and +account_id = @accountId and game_id = +@gameId
      and denomination = @denomination + 0 and +player_id = @playerId and +created_at <= @until
      and ${GOES_ON} limit 1`);
  const give = sql.run<Pick<RedemptionRow, 'id' | 'actor' | 'playerId' | 'usageId'>>(`
    update redemptions set actor = @actor, player_id = @playerId, usage_id = @usageId
    where id = @id + 0 and actor = 'lost'`);
  return {
    /** Those of a player, and those whose player was not named, which stand under their openid; oldest first. */
    list: sql.all<StockKey & { playerId: string }, Pick<RedemptionRow, 'id' | 'playerId' | 'openid'>>(`
      select id, player_id, openid from redemptions
      where ${OF_KEY} and (player_id = +@playerId or player_id = openid) order by id`),
    /**
     * Whether one of the player is in doubt since before `until` and is looked at by itself: its code may have gone back
     * in the lost time, and been taken for another order of theirs.
     */
    isInDoubt: (of: StockKey & { playerId: string; until: number }): boolean => findDoubt(of) !== undefined,
    count: (key: StockKey): number => count(key)?.count ?? 0,
    /** Makes it the redemption of whoever it is proven to be of. */
    give: (to: Parameters<typeof give>[0]): void => void give(to),
  };
}
