// Receipt details, read beside a redemption: its usage, who began it, and the players an account redeemed for last.
import type { batches, redemptions, tasks } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type RedemptionRow = typeof redemptions.$inferSelect;
type BatchRow = typeof batches.$inferSelect;
type TaskRow = typeof tasks.$inferSelect;
type OfRedemption = { id: number };

/** What a redemption was charged. */
interface UsageRow {
  at: number;
  quarters: number;
  returnedAt: number | undefined;
}

export function createReceiptDetailsTable(sql: Sql) {
  const { findUsage, findBatch, listMessages } = storyOf(sql);
  const findOffered = sql.one<OfRedemption, { id: number }>(`
    select codes.id from redemptions join codes on codes.id = code_id
    where redemptions.id = @id and ${OFFERED}`);
  const findPrefix = sql.one<{ id: number; accountId: number }, { prefix: string }>(
    'select prefix from api_keys where id = @id and account_id = @accountId',
  );
  const listPlayers = sql.all<
    { accountId: number; limit: number },
    Pick<RedemptionRow, 'actor' | 'gameId' | 'playerId' | 'playerName' | 'denomination'>
  >(`
    select actor, game_id, player_id, player_name, denomination from redemptions
    where id in (
      select id from redemptions where account_id = @accountId
      order by created_at desc, id desc limit @limit) and state = 'redeemed'
    order by created_at desc, id desc`);
  const listOfPlayer = sql.all<
    { accountId: number; playerId: string; limit: number },
    Pick<RedemptionRow, 'id' | 'actor' | 'gameId' | 'denomination' | 'amount' | 'state' | 'createdAt'>
  >(`
    select id, actor, game_id, denomination, amount, state, created_at from redemptions
    where account_id = @accountId and player_id = @playerId
    order by id desc limit @limit`);

  return {
    /** undefined: nothing was ever charged. Quarters of an activation. */
    findUsage(id: number): UsageRow | undefined {
      const row = findUsage({ id });
      return row && { ...row, returnedAt: row.returnedAt ?? undefined };
    },
    /** Of the code of the database that it took; undefined where it took none. */
    findBatch: (id: number) => findBatch({ id }),
    /** Tasks that wait for it, or have waited, whatever became of them: a few, and nothing that is sealed. */
    listMessages: (waitsFor: string) => listMessages({ waitsFor }),
    /** Whether the code of this redemption is one that the stock offers now. */
    isCodeOffered: (id: number): boolean => findOffered({ id }) !== undefined,
    findApiKeyPrefix: (accountId: number, id: number): string | undefined =>
      findPrefix({ accountId, id })?.prefix,
    /** The newest redemptions of one player in an account, whatever became of them. */
    listOfPlayer: (accountId: number, playerId: string, limit: number) =>
      listOfPlayer({ accountId, playerId, limit }),
    /** The players of the redeemed among the newest `limit` redemptions, newest first, with repetitions. */
    listPlayers: (accountId: number, limit: number) => listPlayers({ accountId, limit }),
  };
}

/** What a redemption was charged, where its code came from, and what is said of its end. */
const storyOf = (sql: Sql) => ({
  findUsage: sql.one<OfRedemption, Omit<UsageRow, 'returnedAt'> & { returnedAt: number | null }>(`
    select at, daily + purchased as quarters, returned_at
    from redemptions join usages on usages.id = usage_id
    where redemptions.id = @id`),
  findBatch: sql.one<OfRedemption, Pick<BatchRow, 'id' | 'at' | 'supplier'>>(`
    select batches.id, at, supplier
    from redemptions join codes on codes.id = code_id join batches on batches.id = batch_id
    where redemptions.id = @id`),
  listMessages: sql.all<
    { waitsFor: string },
    Pick<TaskRow, 'queuedAt' | 'runAt' | 'doneAt' | 'deadAt' | 'attempts'> & { queue: string }
  >(`
    select queue_key as queue, queued_at, run_at, done_at, dead_at, attempts
    from tasks where waits_for = @waitsFor limit 20`),
});

/** What is under way elsewhere was offered, too, unless somebody sent it by hand. */
const OFFERED = `case when codes.state in ('reserved', 'in_doubt') then codes.claimed_from else codes.state end
  in ('available', 'unverified')`;
