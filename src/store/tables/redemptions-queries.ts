// The prepared statements of redemptions.ts. States are literals and bound integers of hot statements are written with
// `+0`, so that SQLite never compiles them anew because of a partial index.
import { asc, bound, desc, getTableColumns, ph, sql, type Orm } from '../engine/drizzle.ts';
import { codes, redemptions } from '../schema/index.ts';

const OPEN = sql.raw("state in ('pending', 'in_doubt')");
const WAITING = sql`first_id = ${ph('firstId')}+0 and error_code = 'UNKNOWN'`;

/**
 * A redemption as it is read. A code of the database is kept once, sealed in its own row, which is never deleted: its
 * secret and the hash that opens it are read from there.
 */
export const WHOLE = {
  ...getTableColumns(redemptions),
  codeHash: ofCode('code_hash'),
  codeSecret: ofCode('code_secret'),
};

function ofCode(column: string) {
  const own = sql.raw(`redemptions.${column}`);
  return sql<Buffer | null>`case when redemptions.code_secret is null and redemptions.code_id is not null
    then (select ${sql.raw(`c.${column}`)} from ${codes} c where c.id = redemptions.code_id) else ${own} end`;
}

/** The life of one redemption. */
export function prepareRedemptions(orm: Orm) {
  const findKey = orm
    .select({ secret: redemptions.idempotencyKeySecret })
    .from(redemptions)
    .where(sql`id = ${ph('id')}+0`)
    .prepare();
  const saveKey = orm
    .update(redemptions)
    .set({ idempotencyKeySecret: bound('secret') })
    .where(sql`id = ${ph('id')}+0`)
    .prepare();
  return {
    insert: prepareInsert(orm),
    ...prepareSettling(orm),
    ...prepareDuplicates(orm),
    saveKey,
    findKey,
  };
}

function prepareInsert(orm: Orm) {
  return orm
    .insert(redemptions)
    .values({
      accountId: ph('accountId'),
      actor: ph('actor'),
      gameId: ph('gameId'),
      playerId: ph('playerId'),
      playerName: ph('playerName'),
      mode: ph('mode'),
      denomination: ph('denomination'),
      codeId: ph('codeId'),
      codeHash: ph('codeHash'),
      codeSecret: ph('codeSecret'),
      codeHeadHash: ph('head'),
      codeTailHash: ph('tail'),
      state: ph('state'),
      errorCode: ph('errorCode'),
      errorMessage: ph('errorMessage'),
      usageId: ph('usageId'),
      createdAt: ph('createdAt'),
      settledAt: ph('settledAt'),
      live: ph('live'),
      firstId: ph('firstId'),
    })
    .prepare();
}

function prepareSettling(orm: Orm) {
  return {
    replaceCode: orm
      .update(redemptions)
      .set({
        codeId: bound('codeId'),
        codeHash: bound('hash'),
        codeSecret: sql`null`,
        codeHeadHash: bound('head'),
        codeTailHash: bound('tail'),
      })
      .where(sql`id = ${ph('id')}+0 and state = 'pending'`)
      .prepare(),
    settleRedeemed: orm
      .update(redemptions)
      .set({
        state: sql`'redeemed'`,
        errorCode: sql`null`,
        errorMessage: sql`null`,
        openid: bound('openid'),
        playerName: bound('playerName'),
        region: bound('region'),
        productName: bound('productName'),
        amount: bound('amount'),
        warning: bound('warning'),
        credentialsSecret: bound('credentialsSecret'),
        settledAt: bound('now'),
        tookMs: sql`max(0, ${ph('now')} - created_at)`,
        nextLookAt: sql`null`,
      })
      .where(sql`id = ${ph('id')}+0 and ${OPEN}`)
      .prepare(),
    settleFailed: orm
      .update(redemptions)
      .set({
        state: sql`'failed'`,
        errorCode: bound('errorCode'),
        errorMessage: bound('errorMessage'),
        codeReset: bound('codeReset'),
        settledAt: bound('now'),
        tookMs: sql`max(0, ${ph('now')} - created_at)`,
        nextLookAt: sql`null`,
      })
      .where(sql`id = ${ph('id')}+0 and ${OPEN}`)
      .prepare(),
    find: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
  };
}

function prepareDuplicates(orm: Orm) {
  return {
    listDuplicates: orm
      .select({ id: redemptions.id, accountId: redemptions.accountId })
      .from(redemptions)
      .where(WAITING)
      .prepare(),
    settleDuplicates: orm
      .update(redemptions)
      .set({ errorCode: bound('errorCode'), errorMessage: bound('errorMessage'), settledAt: bound('now') })
      .where(WAITING)
      .prepare(),
  };
}

/** What is open or was: doubts, and the one live attempt a code may have. */
export function prepareOpen(orm: Orm) {
  return { ...prepareAttempts(orm), ...prepareDoubts(orm) };
}

function prepareAttempts(orm: Orm) {
  const brief = { id: redemptions.id, state: redemptions.state, accountId: redemptions.accountId };
  return {
    findLive: orm
      .select(brief)
      .from(redemptions)
      .where(sql`game_id = ${ph('gameId')} and code_hash = +${ph('hash')} and live is not null`)
      .prepare(),
    findOfCode: orm
      .select(brief)
      .from(redemptions)
      .where(
        sql`account_id = ${ph('accountId')} and code_tail_hash = +${ph('tail')} and code_hash = +${ph('hash')}`,
      )
      .orderBy(sql`live is not null desc`, desc(redemptions.id))
      .limit(1)
      .prepare(),
    findDoubtful: orm
      .select({
        own: sql<number | null>`max(account_id = ${ph('accountId')} and player_id = ${ph('playerId')}
          and created_at >= ${ph('since')} and doubted_at is not null)`,
        others: sql<number | null>`max(account_id <> ${ph('accountId')} and (doubted_at is not null
          or exists (select 1 from attempts where redemption_id = redemptions.id)))`,
      })
      .from(redemptions)
      .where(
        sql`game_id = ${ph('gameId')} and code_hash = +${ph('hash')} and (doubted_at is not null or live is null)
            and id <> ${ph('id')}+0`,
      )
      .prepare(),
    findReturned: orm
      .select(brief)
      .from(redemptions)
      .where(
        sql`game_id = (select game_id from redemptions where id = ${ph('id')}+0)
            and code_hash = (select code_hash from redemptions where id = ${ph('id')}+0)
            and (doubted_at is not null or live is null) and doubted_at is not null and state = 'failed' and id < ${ph('id')}+0`,
      )
      .prepare(),
  };
}

/** When a doubt is looked at next that waits for a person. */
export const HELD = sql.raw(String(Number.MAX_SAFE_INTEGER));

function prepareDoubts(orm: Orm) {
  return {
    doubt: orm
      .update(redemptions)
      .set({
        state: sql`'in_doubt'`,
        errorCode: bound('errorCode'),
        errorMessage: bound('errorMessage'),
        doubtedAt: bound('now'),
        nextLookAt: bound('nextLookAt'),
        tookMs: sql`max(0, ${ph('now')} - created_at)`,
      })
      .where(sql`id = ${ph('id')}+0 and state = 'pending'`)
      .prepare(),
    postpone: orm
      .update(redemptions)
      .set({ looks: sql`looks + 1`, nextLookAt: bound('nextLookAt'), looksTold: bound('looksTold') })
      .where(sql`id = ${ph('id')}+0 and state = 'in_doubt'`)
      .prepare(),
    listPending: orm
      .select({
        id: redemptions.id,
        accountId: redemptions.accountId,
        actor: redemptions.actor,
        gameId: redemptions.gameId,
        mode: redemptions.mode,
        denomination: redemptions.denomination,
        codeId: redemptions.codeId,
        usageId: redemptions.usageId,
        wasSent: sql<boolean>`exists (select 1 from attempts where redemption_id = redemptions.id)`.mapWith(
          Boolean,
        ),
      })
      .from(redemptions)
      // By the few that are pending, not by the id over all that ever were.
      .where(sql`state = 'pending' and +id > ${ph('after')}`)
      .orderBy(sql`+id`)
      .limit(ph('limit'))
      .prepare(),
    listDue: orm
      .select({ id: redemptions.id, looks: redemptions.looks })
      .from(redemptions)
      .where(
        sql`state = 'in_doubt' and (next_look_at <= ${ph('now')}+0 or (next_look_at > ${ph('now')} + ${ph('longestPauseMs')} and next_look_at < ${HELD}))`,
      )
      .orderBy(asc(redemptions.nextLookAt))
      .limit(ph('limit'))
      .prepare(),
    // Each runs over its own small index; one condition with `or` would go through every row.
    countPending: orm
      .select({ count: sql<number>`count(*)` })
      .from(redemptions)
      .where(sql`state = 'pending'`)
      .prepare(),
    countInDoubt: orm
      .select({ count: sql<number>`count(*)` })
      .from(redemptions)
      .where(sql`state = 'in_doubt'`)
      .prepare(),
  };
}

/** What is read of an account's past. */
export function prepareHistory(orm: Orm) {
  const ofAccount = sql`account_id = ${ph('accountId')}+0`;
  return {
    listBefore: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`${ofAccount} and created_at < ${ph('before')}+0`)
      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
    listAfter: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`${ofAccount} and created_at > ${ph('after')}+0`)
      .orderBy(asc(redemptions.createdAt), asc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
    listAt: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`${ofAccount} and created_at = ${ph('at')}+0`)
      .orderBy(asc(redemptions.id))
      .prepare(),
  };
}
