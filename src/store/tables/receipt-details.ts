// Receipt details, read beside a redemption: its usage, who began it, and the players an account redeemed for last.
import { desc, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { apiKeys, batches, codes, tasks, usages, redemptions } from '../schema/index.ts';

/** What a redemption was charged. */
interface UsageRow {
  at: number;
  quarters: number;
  returnedAt: number | undefined;
}

export function createReceiptDetailsTable(orm: Orm) {
  const { findUsage, findBatch, listMessages } = prepareStory(orm);
  const findOffered = prepareOffered(orm);
  const findPrefix = orm
    .select({ prefix: apiKeys.prefix })
    .from(apiKeys)
    .where(sql`${apiKeys.id} = ${ph('id')} and ${apiKeys.accountId} = ${ph('accountId')}`)
    .prepare();
  const listPlayers = orm
    .select({
      actor: redemptions.actor,
      gameId: redemptions.gameId,
      playerId: redemptions.playerId,
      playerName: redemptions.playerName,
      denomination: redemptions.denomination,
    })
    .from(redemptions)
    .where(
      sql`id in (select id from redemptions where account_id = ${ph('accountId')}+0
          order by created_at desc, id desc limit ${ph('limit')}) and state = 'redeemed'`,
    )
    .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
    .prepare();
  const listOfPlayer = orm
    .select({
      id: redemptions.id,
      actor: redemptions.actor,
      gameId: redemptions.gameId,
      denomination: redemptions.denomination,
      amount: redemptions.amount,
      state: redemptions.state,
      createdAt: redemptions.createdAt,
    })
    .from(redemptions)
    .where(sql`account_id = ${ph('accountId')} and player_id = ${ph('playerId')}`)
    .orderBy(desc(redemptions.id))
    .limit(ph('limit'))
    .prepare();

  return {
    /** undefined: nothing was ever charged. Quarters of an activation. */
    findUsage(id: number): UsageRow | undefined {
      const row = findUsage.get({ id });
      if (!row || row.usageId === null) return undefined;
      const { at, daily, purchased, returnedAt } = row;
      return { at: at ?? 0, quarters: (daily ?? 0) + (purchased ?? 0), returnedAt: returnedAt ?? undefined };
    },
    /** Of the code of the database that it took; undefined where it took none. */
    findBatch: (id: number) => findBatch.get({ id }),
    /** Tasks that wait for it, or have waited, whatever became of them: a few, and nothing that is sealed. */
    listMessages: (waitsFor: string) => listMessages.all({ waitsFor }),
    /** Whether the code of this redemption is one that the stock offers now. */
    isCodeOffered: (id: number): boolean => findOffered.get({ id }) !== undefined,
    findApiKeyPrefix: (accountId: number, id: number): string | undefined =>
      findPrefix.get({ accountId, id })?.prefix,
    /** The newest redemptions of one player in an account, whatever became of them. */
    listOfPlayer: (accountId: number, playerId: string, limit: number) =>
      listOfPlayer.all({ accountId, playerId, limit }),
    /** The players of the redeemed among the newest `limit` redemptions, newest first, with repetitions. */
    listPlayers: (accountId: number, limit: number) => listPlayers.all({ accountId, limit }),
  };
}

/** What a redemption was charged, where its code came from, and what is said of its end. */
const prepareStory = (orm: Orm) => ({
  findUsage: orm
    .select({
      usageId: redemptions.usageId,
      at: usages.at,
      daily: usages.daily,
      purchased: usages.purchased,
      returnedAt: usages.returnedAt,
    })
    .from(redemptions)
    .leftJoin(usages, eq(usages.id, redemptions.usageId))
    .where(eq(redemptions.id, ph('id')))
    .prepare(),
  findBatch: orm
    .select({ id: batches.id, at: batches.at, supplier: batches.supplier })
    .from(redemptions)
    .innerJoin(codes, eq(codes.id, redemptions.codeId))
    .innerJoin(batches, eq(batches.id, codes.batchId))
    .where(eq(redemptions.id, ph('id')))
    .prepare(),
  listMessages: orm
    .select({
      queue: tasks.queueKey,
      queuedAt: tasks.queuedAt,
      runAt: tasks.runAt,
      doneAt: tasks.doneAt,
      deadAt: tasks.deadAt,
      attempts: tasks.attempts,
    })
    .from(tasks)
    .where(sql`waits_for = ${ph('waitsFor')}`)
    .limit(20)
    .prepare(),
});

/** What is under way elsewhere was offered, too, unless somebody sent it by hand. */
const OFFERED =
  sql.raw(`case when codes.state in ('reserved', 'in_doubt') then codes.claimed_from else codes.state end
  in ('available', 'unverified')`);

const prepareOffered = (orm: Orm) =>
  orm
    .select({ id: codes.id })
    .from(redemptions)
    .innerJoin(codes, eq(codes.id, redemptions.codeId))
    .where(sql`${redemptions.id} = ${ph('id')} and ${OFFERED}`)
    .prepare();
