// After a restore over a lost database: how far the codes of each stock key were asked about, what the lost time turned
// out to have redeemed, and the codes at the tail of a key that it may have handed out.
import { asc, bound, ph, sql, type Orm, type SQL } from '../engine/drizzle.ts';
import type { CodeSeals } from '../engine/secrets.ts';
import { TAKEABLE } from './codes.ts';
import { codes, recoveredRedemptions, redemptions, sweeps, type StockKey } from '../schema/index.ts';

/** A place in the order of taking. */
type Place = { returns: number; id: number };

/** `needed`: so many in a row that are unspent end it. */
export type OpenSweep = StockKey & { needed: number; unspent: number };

type Released = { as: 'available' | 'unverified'; limit: number; now: number };

interface Given {
  playerId: string;
  isProven: boolean;
  now: number;
}

const OF_KEY = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')} and denomination = ${ph('denomination')}+0`;

export function createTakeoverTable(orm: Orm, seals: CodeSeals) {
  const { findSweep, listEnds, listOpen, end, advance, ...untold } = prepareSweeps(orm);
  const { insert, listRecovered, countRecovered, give, namePlayer } = prepareRecovered(orm);
  const release = prepareReleasing(orm);
  return {
    findSweep: (key: StockKey) => findSweep.get({ ...key }),
    /** When those of an account have ended; null: it has not. */
    listSweepEnds: (accountId: number): (number | null)[] =>
      listEnds.all({ accountId }).map(({ endedAt }) => endedAt),
    /** Whether there is a stock key of which codes have yet to be asked about. */
    hasOpenSweep: (): boolean => listOpen.get({ limit: 1 }) !== undefined,
    /** Stock keys of which codes have yet to be asked about, and how many in a row are unspent so far. */
    listOpenSweeps: (limit: number): OpenSweep[] => listOpen.all({ limit }),
    /**
     * Nothing of any stock key is asked about before it is taken, and none in a row is needed any more; of how many that
     * is new.
     */
    endSweeps: (now: number): number => end.run({ now }).changes,
    /**
     * Codes behind a place that are unverified, in question or in doubt, in the order of taking; undefined where one
     * does not open any more. What was redeemed may reach into what may have been handed out, where there was little;
     * and what was in doubt may have gone back and been taken for another. `isHeld`: nobody takes it now.
     */
    listUntold(key: StockKey, after: Place, limit: number) {
      const place = { ...key, afterReturns: after.returns, afterId: after.id, limit };
      return [untold.listUnverified, untold.listInQuestion, untold.listInDoubt]
        .flatMap((list) => list.all(place))
        .toSorted((a, b) => a.returns - b.returns || a.id - b.id)
        .slice(0, limit)
        .map(({ id, returns, isHeld, ...sealed }) => ({
          ...{ id, returns, isHeld: isHeld === 1 },
          code: seals.openIfSound(sealed),
        }));
    },
    /**
     * Notes the code that was asked about last, and how many in a row are unspent; `endedAt`: nothing is left to ask.
     * One that was ended meanwhile stays so.
     */
    advance: (key: StockKey, to: { last: Place; unspent: number; endedAt: number | null }) =>
      void advance.run({ ...key, ...to, returns: to.last.returns, id: to.last.id }),
    insertRecovered(
      redemptionId: number,
      row: StockKey & { playerId: string | null; openid: string; now: number },
    ): void {
      insert.run({ redemptionId, ...row });
    },
    /** Those of a player that are nobody's proven answer yet, and those whose player was not named; oldest first. */
    listRecovered: (key: StockKey, playerId: string) => listRecovered.all({ ...key, playerId }),
    countRecovered: (key: StockKey): number => countRecovered.get({ ...key })?.count ?? 0,
    /**
     * Makes it the answer to an order, once; where the platform named no player, it is that order's. What is proven
     * takes it from what is only alike.
     */
    give(redemptionId: number, { playerId, isProven, now }: Given): boolean {
      if (give.run({ redemptionId, now, isProven: isProven ? 1 : 0 }).changes !== 1) return false;
      namePlayer.run({ redemptionId, playerId });
      return true;
    },
    /** Lets up to `limit` codes in question be taken again, as what they are now; how many. */
    release: (key: StockKey, to: Released): number => release.run({ ...key, ...to }).changes,
  };
}

function prepareSweeps(orm: Orm) {
  const listUntold = (states: SQL) =>
    orm
      .select({
        id: codes.id,
        returns: codes.returns,
        hash: codes.codeHash,
        secret: codes.codeSecret,
        isHeld: sql<number>`state <> 'unverified'`,
      })
      .from(codes)
      .where(sql`${OF_KEY} and ${states} and (returns, id) > (${ph('afterReturns')}+0, ${ph('afterId')}+0)`)
      .orderBy(asc(codes.returns), asc(codes.id))
      .limit(ph('limit'))
      .prepare();
  return {
    findSweep: orm.select().from(sweeps).where(OF_KEY).prepare(),
    listEnds: orm
      .select({ endedAt: sweeps.endedAt })
      .from(sweeps)
      .where(sql`account_id = ${ph('accountId')}+0`)
      .prepare(),
    listOpen: orm
      .select({
        accountId: sweeps.accountId,
        gameId: sweeps.gameId,
        denomination: sweeps.denomination,
        needed: sweeps.needed,
        unspent: sweeps.unspent,
      })
      .from(sweeps)
      .where(sql`ended_at is null`)
      .limit(ph('limit'))
      .prepare(),
    end: orm
      .update(sweeps)
      .set({ endedAt: bound('now'), needed: sql`0` })
      .where(sql`ended_at is null`)
      .prepare(),
    listUnverified: listUntold(sql`${TAKEABLE} and state = 'unverified'`),
    listInQuestion: listUntold(sql`state = 'in_question'`),
    listInDoubt: listUntold(
      sql`state = 'in_doubt' and id in (select code_id from redemptions where state = 'in_doubt')`,
    ),
    advance: orm
      .update(sweeps)
      .set({
        unspent: bound('unspent'),
        afterReturns: bound('returns'),
        afterId: bound('id'),
        endedAt: bound('endedAt'),
      })
      .where(sql`${OF_KEY} and ended_at is null`)
      .prepare(),
  };
}

function prepareRecovered(orm: Orm) {
  const table = recoveredRedemptions;
  return {
    insert: orm
      .insert(table)
      .values({
        redemptionId: ph('redemptionId'),
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        playerId: ph('playerId'),
        openid: ph('openid'),
        foundAt: ph('now'),
      })
      .prepare(),
    listRecovered: orm
      .select()
      .from(table)
      .where(sql`${OF_KEY} and is_proven = 0 and (player_id = ${ph('playerId')} or player_id is null)`)
      .prepare(),
    countRecovered: orm
      .select({ count: sql<number>`count(*)` })
      .from(table)
      .where(sql`${OF_KEY} and given_at is null`)
      .prepare(),
    give: orm
      .update(table)
      .set({ givenAt: bound('now'), isProven: bound('isProven') })
      .where(
        sql`redemption_id = ${ph('redemptionId')}+0 and is_proven = 0 and (given_at is null or ${ph('isProven')}+0 = 1)`,
      )
      .prepare(),
    namePlayer: orm
      .update(redemptions)
      .set({ playerId: bound('playerId') })
      .where(
        sql`id = (select redemption_id from recovered_redemptions where redemption_id = ${ph('redemptionId')}+0 and player_id is null)`,
      )
      .prepare(),
  };
}

function prepareReleasing(orm: Orm) {
  const questioned = sql`${OF_KEY} and state = 'in_question'`;
  return orm
    .update(codes)
    .set({
      // Its batch may have been taken back meanwhile.
      state: sql`case when exists (select 1 from batches b where b.id = codes.batch_id and b.undone_at is not null)
          then 'undone' else ${ph('as')} end`,
      changedAt: bound('now'),
    })
    .where(sql`id in (select id from codes where ${questioned} limit ${ph('limit')})`)
    .prepare();
}
