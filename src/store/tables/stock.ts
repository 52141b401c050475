// How many codes there are, by denomination and state, and the alerts when they run low.
import { and, eq, sql, type Orm } from '../engine/drizzle.ts';
import { TAKEABLE } from './codes.ts';
import { codes, redemptions, stockAlerts, type CodeState } from '../schema/index.ts';

const ph = sql.placeholder;

type Lot = {
  accountId: number;
  gameId: string;
  denomination: number;
};

export function createStockTable(orm: Orm) {
  const { countTakeable, countReserved, countInDoubt, countSpent, isBelow } = prepareCounts(orm);
  const { setAlert, findAlert, markTold, listAlerts } = prepareAlerts(orm);

  return {
    countTakeable: (accountId: number, gameId: string) => countTakeable.all({ accountId, gameId }),
    /** Codes that open redemptions have claimed, by denomination and state. */
    countClaimed: (accountId: number, gameId: string) =>
      [...countReserved.all({ accountId, gameId }), ...countInDoubt.all({ accountId, gameId })].map(
        (row) => ({
          ...row,
          state: row.state as CodeState,
        }),
      ),
    /** Codes of the database that redemptions of the account, begun since then, spent. */
    countSpent: (accountId: number, gameId: string, since: number) =>
      countSpent.all({ accountId, gameId, since }),
    /** Whether fewer than `threshold` (> 0) codes can be taken; its cost grows with the threshold, not with the stock. */
    isBelow: (query: Lot & { threshold: number }) =>
      isBelow.get({ ...query, skipped: query.threshold - 1 }) === undefined,
    setAlert: (alert: Lot & { threshold: number }) => void setAlert.run(alert),
    findAlert: (lot: Lot) => findAlert.get(lot),
    listAlerts: (accountId: number) => listAlerts.all({ accountId }),
    markTold: (lot: Lot, told: boolean) => void markTold.run({ ...lot, told: told ? 1 : 0 }),
  };
}

function prepareCounts(orm: Orm) {
  const countOpen = (state: 'pending' | 'in_doubt') =>
    orm
      .select({ denomination: codes.denomination, state: codes.state, count: sql<number>`count(*)` })
      .from(redemptions)
      .innerJoin(codes, eq(codes.id, redemptions.codeId))
      .where(
        sql`redemptions.state = ${sql.raw(`'${state}'`)} and +codes.account_id = ${ph('accountId')}+0
            and +redemptions.game_id = ${ph('gameId')} and +codes.state in ('reserved', 'in_doubt')`,
      )
      .groupBy(codes.denomination, codes.state)
      .prepare();
  return {
    countTakeable: orm
      .select({ denomination: codes.denomination, count: sql<number>`count(*)` })
      .from(codes)
      .where(sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')} and ${TAKEABLE}`)
      .groupBy(codes.denomination)
      .prepare(),
    // Who claimed a code is an open redemption (of any account: a direct one claims whoever's it is), and those are few: the
    // codes themselves are never gone through.
    countReserved: countOpen('pending'),
    countInDoubt: countOpen('in_doubt'),
    countSpent: orm
      .select({ denomination: codes.denomination, count: sql<number>`count(*)` })
      .from(redemptions)
      .innerJoin(codes, eq(codes.id, redemptions.codeId))
      .where(
        sql`${redemptions.accountId} = ${ph('accountId')}+0 and ${redemptions.createdAt} >= ${ph('since')}+0
            and ${redemptions.gameId} = ${ph('gameId')} and ${redemptions.state} = 'redeemed'`,
      )
      .groupBy(codes.denomination)
      .prepare(),
    isBelow: orm
      .select({ id: codes.id })
      .from(codes)
      .where(
        sql`account_id = ${ph('accountId')}+0 and game_id = +${ph('gameId')}
            and denomination = ${ph('denomination')}+0 and ${TAKEABLE}
            order by id limit 1 offset +${ph('skipped')}`,
      )
      .prepare(),
  };
}

function prepareAlerts(orm: Orm) {
  const ofLot = and(
    eq(stockAlerts.accountId, ph('accountId')),
    eq(stockAlerts.gameId, ph('gameId')),
    eq(stockAlerts.denomination, ph('denomination')),
  );
  return {
    setAlert: orm
      .insert(stockAlerts)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        threshold: ph('threshold'),
      })
      .onConflictDoUpdate({
        target: [stockAlerts.accountId, stockAlerts.gameId, stockAlerts.denomination],
        set: { threshold: sql`excluded.threshold`, told: 0 },
      })
      .prepare(),
    findAlert: orm.select().from(stockAlerts).where(ofLot).prepare(),
    listAlerts: orm
      .select()
      .from(stockAlerts)
      .where(eq(stockAlerts.accountId, ph('accountId')))
      .prepare(),
    markTold: orm
      .update(stockAlerts)
      .set({ told: sql`${ph('told')}` })
      .where(ofLot)
      .prepare(),
  };
}
