// After a restore over a lost database: how far the codes of each stock key were asked about, and the codes at the tail
// of a key that the lost time may have handed out; and what that time has carried out.
import type { CodeSeals, SealedCode } from '../engine/secrets.ts';
import type { StockKey, sweeps, redemptions } from '../schema/index.ts';
import type { Sql } from '../sql.ts';
import { IS_UNDONE, TAKEABLE } from './codes.ts';
import { GOES_ON } from './doubts.ts';

type SweepRow = typeof sweeps.$inferSelect;

/** A place in the order of taking. */
type Place = { returns: number; id: number };

/** `needed`: so many in a row that are unspent end it. */
export type OpenSweep = StockKey & Pick<SweepRow, 'needed' | 'unspent'>;

type Back = { as: 'available' | 'unverified'; limit: number; now: number };

const OF_KEY = 'account_id = @accountId + 0 and game_id = @gameId and denomination = @denomination + 0';

/** A code by its hash, while it may have been handed out. */
export const IN_QUESTION_BY_HASH = `
  code_hash = +@hash and owned is not null and state = 'in_question'
  and account_id = @accountId and game_id = @gameId and denomination = @denomination`;

export function createTakeoverTable(sql: Sql, seals: CodeSeals) {
  const { findSweep, listEnds, listOpen, end, advance, putBack, findInQuestion, countInQuestion, ...untold } =
    statementsOf(sql);
  const open = ({ id, returns, isHeld, ...sealed }: Untold) => ({
    ...{ id, returns, isHeld: isHeld === 1 },
    code: seals.openIfSound(sealed),
  });
  return {
    findSweep,
    /** When those of an account have ended; null: it has not. */
    listSweepEnds: (accountId: number): (number | null)[] =>
      listEnds({ accountId }).map(({ endedAt }) => endedAt),
    /** Whether there is a stock key of which codes have yet to be asked about. */
    hasOpenSweep: (): boolean => listOpen({ limit: 1 }).length > 0,
    /** Stock keys of which codes have yet to be asked about, and how many in a row are unspent so far. */
    listOpenSweeps: (limit: number): OpenSweep[] => listOpen({ limit }),
    /**
     * Nothing of any stock key is asked about before it is taken, and none in a row is needed any more; of how many that
     * is new.
     */
    endSweeps: (now: number): number => end({ now }),
    /**
     * Codes behind a place that are unverified, in question or in doubt, in the order of taking; undefined where one
     * does not open any more. What was redeemed may reach into what may have been handed out, where there was little;
     * and what was in doubt may have gone back and been taken for another. `isHeld`: nobody takes it now.
     */
    listUntold(key: StockKey, after: Place, limit: number) {
      const place = { ...key, afterReturns: after.returns, afterId: after.id, limit };
      return [untold.listUnverified, untold.listInQuestion, untold.listInDoubt]
        .flatMap((list) => list(place))
        .toSorted((a, b) => a.returns - b.returns || a.id - b.id)
        .slice(0, limit)
        .map(open);
    },
    /** Those alone that are in question. */
    listInQuestion: (key: StockKey, after: Place, limit: number) =>
      untold.listInQuestion({ ...key, afterReturns: after.returns, afterId: after.id, limit }).map(open),
    isInQuestion: (key: StockKey, hash: Buffer): boolean => findInQuestion({ ...key, hash }) !== undefined,
    /**
     * Notes the code that was asked about last, and how many in a row are unspent; `endedAt`: nothing is left to ask.
     * One that was ended meanwhile stays so.
     */
    advance: (
      key: StockKey,
      { last, ...to }: { last: Place; unspent: number; endedAt: number | null },
    ): void => void advance({ ...key, ...to, ...last }),
    /** Of an account, of all games. */
    countInQuestion: (accountId: number): number => countInQuestion({ accountId })?.count ?? 0,
    /** Lets up to `limit` codes in question be taken again, as what they are now; how many. */
    putBack: (key: StockKey, to: Back): number => putBack({ ...key, ...to }),
  };
}

type Untold = Place & SealedCode & { isHeld: number };

function statementsOf(sql: Sql) {
  const listUntold = (states: string) =>
    sql.all<StockKey & { afterReturns: number; afterId: number; limit: number }, Untold>(`
      select id, returns, code_hash as hash, code_secret as secret, state <> 'unverified' as is_held from codes
      where ${OF_KEY} and ${states} and (returns, id) > (@afterReturns + 0, @afterId + 0)
      order by returns, id limit @limit + 0`);
  return {
    findSweep: sql.one<StockKey, SweepRow>(`select * from sweeps where ${OF_KEY}`),
    listEnds: sql.all<Pick<StockKey, 'accountId'>, Pick<SweepRow, 'endedAt'>>(
      'select ended_at from sweeps where account_id = @accountId + 0',
    ),
    listOpen: sql.all<{ limit: number }, OpenSweep>(`
      select account_id, game_id, denomination, needed, unspent from sweeps where ended_at is null
      limit @limit + 0`),
    end: sql.run<{ now: number }>('update sweeps set ended_at = @now, needed = 0 where ended_at is null'),
    listUnverified: listUntold(`${TAKEABLE} and state = 'unverified'`),
    listInQuestion: listUntold("state = 'in_question'"),
    listInDoubt: listUntold(
      "state = 'in_doubt' and id in (select code_id from redemptions where state = 'in_doubt')",
    ),
    advance: sql.run<StockKey & Place & Pick<SweepRow, 'unspent' | 'endedAt'>>(`
      update sweeps set unspent = @unspent, after_returns = @returns, after_id = @id, ended_at = @endedAt
      where ${OF_KEY} and ended_at is null`),
    countInQuestion: sql.one<Pick<StockKey, 'accountId'>, { count: number }>(`
      select coalesce(sum(count), 0) as count from stock_counts
      where account_id = @accountId + 0 and state = 'in_question'`),
    findInQuestion: sql.one<StockKey & { hash: Buffer }, { id: number }>(
      `select id from codes where ${IN_QUESTION_BY_HASH}`,
    ),
    putBack: sql.run<StockKey & Back>(`
      update codes set state = case when ${IS_UNDONE} then 'undone' else @as end, changed_at = @now
      where id in (select id from codes where ${OF_KEY} and state = 'in_question' limit @limit)`),
  };
}

type RedemptionRow = typeof redemptions.$inferSelect;

const LOST_OF_KEY = `actor = 'lost' and account_id = @accountId + 0 and game_id = +@gameId and denomination = @denomination + 0`;

/** Redemptions of the lost time, found by their codes, as long as they are nobody's: their actor is `lost`. */
export function createLostTable(sql: Sql) {
  const count = sql.one<StockKey, { count: number }>(
    `select count(*) as count from redemptions where ${LOST_OF_KEY}`,
  );
  const players = sql.all<StockKey, Pick<RedemptionRow, 'playerId'> & { isNamed: number }>(
    `select player_id, player_id is not openid as is_named from redemptions where ${LOST_OF_KEY}`,
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
      where ${LOST_OF_KEY} and (player_id = +@playerId or player_id = openid) order by id`),
    /**
     * Whether one of the player is in doubt since before `until` and is looked at by itself: its code may have gone back
     * in the lost time, and been taken for another order of theirs.
     */
    isInDoubt: (of: StockKey & { playerId: string; until: number }): boolean => findDoubt(of) !== undefined,
    /** For whom each is; `isNamed`: by the ID of a player, not by an openid. */
    listPlayers: (key: StockKey) =>
      players(key).map(({ playerId, isNamed }) => ({ playerId, isNamed: isNamed === 1 })),
    count: (key: StockKey): number => count(key)?.count ?? 0,
    /** Makes it the redemption of whoever it is proven to be of. */
    give: (to: Parameters<typeof give>[0]): void => void give(to),
  };
}
