// Adding codes in batches, and taking back what of a batch is still there.
import { eq, sql, type Orm } from '../engine/drizzle.ts';
import type { SealedCode } from '../engine/code-seals.ts';
import { TAKEABLE } from './codes.ts';
import { batches, codes } from '../schema/index.ts';

const ph = sql.placeholder;

export function createBatchesTable(orm: Orm) {
  const insertCode = prepareInsertCode(orm);
  const open = orm
    .insert(batches)
    .values({ accountId: ph('accountId'), gameId: ph('gameId'), actor: ph('actor'), at: ph('now') })
    .returning({ id: batches.id })
    .prepare();
  const grow = orm
    .update(batches)
    .set({ added: sql`added + ${ph('count')}` })
    .where(eq(batches.id, ph('id')))
    .prepare();
  const find = orm
    .select()
    .from(batches)
    .where(eq(batches.id, ph('id')))
    .prepare();
  const markUndone = orm
    .update(batches)
    .set({ undoneAt: sql`${ph('now')}` })
    .where(sql`id = ${ph('id')} and undone_at is null`)
    .prepare();
  const takeBack = orm
    .update(codes)
    .set({ state: sql`'undone'`, changedAt: sql`${ph('now')}` })
    .where(
      sql`id in (select id from codes where batch_id = ${ph('id')} and ${TAKEABLE} limit ${ph('limit')})`,
    )
    .prepare();

  const countUndone = orm
    .select({ denomination: codes.denomination, count: sql<number>`count(*)` })
    .from(codes)
    .where(sql`batch_id = ${ph('id')} and state = 'undone'`)
    .groupBy(codes.denomination)
    .prepare();

  return {
    open: (batch: { accountId: number; gameId: string; actor: string; now: number }): number =>
      open.get(batch).id,
    /** Adds a code as available; false when somebody has it, or a redemption of it is open or done. One statement. */
    insertCode: (
      code: { accountId: number; gameId: string; denomination: number; batchId: number; now: number },
      sealed: SealedCode,
    ) => insertCode.run({ ...code, hash: sealed.hash, secret: sealed.secret }).changes === 1,
    /** Counts what was accepted: the independent side of conservation. */
    grow: (id: number, count: number) => void grow.run({ id, count }),
    find: (id: number) => find.get({ id }),
    /** Marks a batch as undone; false when it was already. */
    markUndone: (id: number, now: number) => markUndone.run({ id, now }).changes === 1,
    /** What was taken back of a batch, by denomination. */
    countUndone: (id: number) => countUndone.all({ id }),
    /** Takes back up to `limit` codes of a batch that can still be taken; returns how many. */
    takeBack: (id: number, limit: number, now: number) => takeBack.run({ id, limit, now }).changes,
  };
}

function prepareInsertCode(orm: Orm) {
  const columns = sql`${ph('accountId')}, ${ph('gameId')}, ${ph('denomination')}, 'available', null, ${ph('hash')},
    ${ph('secret')}, ${ph('batchId')}, null, ${ph('now')}`;
  return orm
    .insert(codes)
    .select(
      sql`select null, ${columns} where not exists (select 1 from redemptions where game_id = +${ph('gameId')}
          and code_hash = +${ph('hash')} and state in ('pending', 'in_doubt', 'redeemed'))`,
    )
    .onConflictDoNothing()
    .prepare();
}
