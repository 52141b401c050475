// After a restore over a lost database: how far the codes of each stock key were asked about, what the lost time turned out to have
// redeemed, and the codes at the tail of a key that it may have handed out.
import { asc, sql, type Orm } from '../engine/drizzle.ts';
import type { CodeSeals } from '../engine/secrets.ts';
import { TAKEABLE } from './codes.ts';
import { codes, recoveredRedemptions, redemptions, sweeps, type StockKey } from '../schema/index.ts';

const ph = sql.placeholder;

/** A place in the order of taking. */
type Place = { returns: number; id: number };

const OF_KEY = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')} and denomination = ${ph('denomination')}+0`;

export function createTakeoverTable(orm: Orm, seals: CodeSeals) {
  const { findSweep, listUnverified, advance } = prepareSweeps(orm);
  const { insert, listRecovered, countRecovered, give, namePlayer } = prepareRecovered(orm);
  const release = prepareReleasing(orm);
  return {
    findSweep: (key: StockKey) => findSweep.get({ ...key }),
    /** Unverified codes behind a place, in the order of taking; undefined where one does not open any more. */
    listUnverified: (key: StockKey, after: Place, limit: number) =>
      listUnverified
        .all({ ...key, afterReturns: after.returns, afterId: after.id, limit })
        .map(({ id, returns, ...sealed }) => ({ id, returns, code: seals.openIfSound(sealed) })),
    /** Notes the code that was asked about last, and how many in a row are unspent; `endedAt`: nothing is left to ask. */
    advance: (key: StockKey, to: { last: Place; unspent: number; endedAt: number | null }) =>
      void advance.run({ ...key, ...to, returns: to.last.returns, id: to.last.id }),
    insertRecovered(
      redemptionId: number,
      row: StockKey & { playerId: string | null; openid: string; now: number },
    ): void {
      insert.run({ redemptionId, ...row });
    },
    /** Those of a player that are nobody's answer yet, and those whose player was not named; oldest first. */
    listRecovered: (key: StockKey, playerId: string) => listRecovered.all({ ...key, playerId }),
    countRecovered: (key: StockKey): number => countRecovered.get({ ...key })?.count ?? 0,
    /** Makes it the answer to an order, once; where the platform named no player, it is that order's. */
    give(redemptionId: number, playerId: string, now: number): boolean {
      if (give.run({ redemptionId, now }).changes !== 1) return false;
      namePlayer.run({ redemptionId, playerId });
      return true;
    },
    /** Lets up to `limit` codes in question be asked about and taken again; how many. */
    release: (key: StockKey, limit: number, now: number) => release.run({ ...key, limit, now }).changes,
  };
}

function prepareSweeps(orm: Orm) {
  return {
    findSweep: orm.select().from(sweeps).where(OF_KEY).prepare(),
    listUnverified: orm
      .select({ id: codes.id, returns: codes.returns, hash: codes.codeHash, secret: codes.codeSecret })
      .from(codes)
      .where(
        sql`${OF_KEY} and ${TAKEABLE} and state = 'unverified'
          and (returns, id) > (${ph('afterReturns')}+0, ${ph('afterId')}+0)`,
      )
      .orderBy(asc(codes.returns), asc(codes.id))
      .limit(ph('limit'))
      .prepare(),
    advance: orm
      .update(sweeps)
      .set({
        unspent: sql`${ph('unspent')}`,
        afterReturns: sql`${ph('returns')}`,
        afterId: sql`${ph('id')}`,
        endedAt: sql`${ph('endedAt')}`,
      })
      .where(OF_KEY)
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
      .where(sql`${OF_KEY} and given_at is null and (player_id = ${ph('playerId')} or player_id is null)`)
      .prepare(),
    countRecovered: orm
      .select({ count: sql<number>`count(*)` })
      .from(table)
      .where(sql`${OF_KEY} and given_at is null`)
      .prepare(),
    give: orm
      .update(table)
      .set({ givenAt: sql`${ph('now')}` })
      .where(sql`redemption_id = ${ph('redemptionId')}+0 and given_at is null`)
      .prepare(),
    namePlayer: orm
      .update(redemptions)
      .set({ playerId: sql`${ph('playerId')}` })
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
          then 'undone' else 'unverified' end`,
      changedAt: sql`${ph('now')}`,
    })
    .where(sql`id in (select id from codes where ${questioned} limit ${ph('limit')})`)
    .prepare();
}
