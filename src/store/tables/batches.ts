// Batches: codes added together, and taking back what of a batch is still there.
import { asc, bound, desc, eq, ph, sql, type Orm, type SQL } from '../engine/drizzle.ts';
import { BEHIND_ALL, type CodeSeals, type SealedCode } from '../engine/secrets.ts';
import { TAKEABLE } from './codes.ts';
import { batches, codes, stockCounts } from '../schema/index.ts';

/** A place among the batches of an account: the one that was read last. */
interface BatchCursor {
  at: number;
  id: number;
}

export function createBatchesTable(orm: Orm, seals: CodeSeals) {
  const insertCode = prepareInsertCode(orm);
  const { open, grow, countAdded, find, markUndone } = prepareBatches(orm);
  const { findLastHash, takeBack, listUndone } = prepareTakingBack(orm);
  const lists = prepareLists(orm);

  return {
    open: (batch: {
      accountId: number;
      gameId: string;
      actor: string;
      supplier?: string | null;
      now: number;
    }): number => open.get({ supplier: null, ...batch }).id,
    /**
     * Adds a code as available; false when somebody has it, its batch had it, or a redemption of it is open or done.
     * One statement.
     */
    insertCode: (
      code: { accountId: number; gameId: string; denomination: number; batchId: number; now: number },
      sealed: SealedCode,
    ) => insertCode.run({ ...code, ...sealed }).changes === 1,
    /** Counts what was accepted: in the batch, the independent side of conservation, and in the stock. */
    grow(id: number, stockKey: { accountId: number; gameId: string; denomination: number }, count: number) {
      grow.run({ id, count });
      const { accountId, gameId, denomination } = stockKey;
      countAdded.run({ accountId, gameId, denomination, count });
    },
    find: (id: number) => find.get({ id }),
    /** Strictly beyond a place, the nearest first; of one actor where that is given. */
    listBeyond: lists.beyond,
    /** Those that have a supplier, added since then: newest first. */
    listOfSuppliers: (accountId: number, since: number, limit: number) =>
      lists.listOfSuppliers.all({ accountId, since, limit }),
    /**
     * How many of the `limit` codes after this hash, in the order of their hashes, are in each state, and when the last
     * of them changed. `last` is where the next slice begins; undefined: that was all.
     */
    countStates(id: number, after: Buffer, limit: number) {
      const last = findLastHash.get({ id, after, skipped: limit - 1 })?.hash;
      return { counts: lists.countStates.all({ id, after, until: last ?? BEHIND_ALL }), last };
    },
    /** Whether a batch has a code, whatever became of it. */
    holds: (id: number, hash: Buffer) => lists.holds.get({ id, hash }) !== undefined,
    /** Marks a batch as undone; false when it was already. */
    markUndone: (id: number, by: string, now: number) => markUndone.run({ id, by, now }).changes === 1,
    /**
     * Takes back what can still be taken of the `limit` codes after this hash, in the order of their hashes. `last` is
     * where the next slice begins; undefined: that was all.
     */
    takeBack(
      id: number,
      after: Buffer,
      limit: number,
      now: number,
    ): { denominations: number[]; last: Buffer | undefined } {
      const last = findLastHash.get({ id, after, skipped: limit - 1 })?.hash;
      const taken = takeBack.all({ id, after, until: last ?? BEHIND_ALL, now });
      return { denominations: taken.map(({ denomination }) => denomination), last };
    },
    /**
     * The codes that were taken back, after this hash, in the order of their hashes; one that does not open any more
     * has no text.
     */
    listUndone: (id: number, after: Buffer, limit: number) =>
      listUndone.all({ id, after, limit }).map(({ secret, ...row }) => ({
        ...row,
        code: seals.openIfSound({ hash: row.hash, secret }),
      })),
  };
}

function prepareBatches(orm: Orm) {
  return {
    open: orm
      .insert(batches)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        actor: ph('actor'),
        supplier: ph('supplier'),
        at: ph('now'),
      })
      .returning({ id: batches.id })
      .prepare(),
    grow: orm
      .update(batches)
      .set({ added: sql`added + ${ph('count')}` })
      .where(eq(batches.id, ph('id')))
      .prepare(),
    countAdded: orm
      .insert(stockCounts)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        state: sql`'available'`,
        count: ph('count'),
      })
      .onConflictDoUpdate({
        target: [stockCounts.accountId, stockCounts.gameId, stockCounts.denomination, stockCounts.state],
        set: { count: sql`count + excluded.count` },
      })
      .prepare(),
    find: orm
      .select()
      .from(batches)
      .where(eq(batches.id, ph('id')))
      .prepare(),
    markUndone: orm
      .update(batches)
      .set({ undoneAt: bound('now'), undoneBy: bound('by') })
      .where(sql`id = ${ph('id')} and undone_at is null`)
      .prepare(),
  };
}

function prepareLists(orm: Orm) {
  const newestFirst = [desc(batches.at), desc(batches.id)];
  const older = sql`at <= ${ph('at')}+0 and (at, id) < (${ph('at')}+0, ${ph('id')}+0)`;
  const newer = sql`at >= ${ph('at')}+0 and (at, id) > (${ph('at')}+0, ${ph('id')}+0)`;
  const list = (which: SQL, order: SQL[]) =>
    orm
      .select()
      .from(batches)
      .where(sql`account_id = ${ph('accountId')}+0 and ${which}`)
      .orderBy(...order)
      .limit(ph('limit'))
      .prepare();
  const beyond = (which: SQL, order: SQL[]) => ({
    ofAll: list(which, order),
    ofOne: list(sql`actor = ${ph('actor')} and ${which}`, order),
  });
  const lists = {
    older: beyond(older, newestFirst),
    newer: beyond(newer, [asc(batches.at), asc(batches.id)]),
  };
  return {
    beyond(
      accountId: number,
      actor: string | undefined,
      { at, id }: BatchCursor,
      direction: keyof typeof lists,
      limit: number,
    ) {
      const { ofAll, ofOne } = lists[direction];
      const place = { accountId, at, id, limit };
      return actor === undefined ? ofAll.all(place) : ofOne.all({ ...place, actor });
    },
    listOfSuppliers: orm
      .select({ id: batches.id, supplier: sql<string>`supplier` })
      .from(batches)
      .where(sql`account_id = ${ph('accountId')}+0 and at >= ${ph('since')}+0 and supplier is not null`)
      .orderBy(...newestFirst)
      .limit(ph('limit'))
      .prepare(),
    countStates: orm
      .select({
        state: codes.state,
        count: sql<number>`count(*)`,
        changedAt: sql<number>`max(changed_at)`,
      })
      .from(codes)
      .where(sql`batch_id = ${ph('id')}+0 and code_hash > ${ph('after')} and code_hash <= ${ph('until')}`)
      .groupBy(codes.state)
      .prepare(),
    holds: orm
      .select({ one: sql<number>`1` })
      .from(codes)
      .where(sql`batch_id = ${ph('id')}+0 and code_hash = +${ph('hash')}`)
      .prepare(),
  };
}

function prepareTakingBack(orm: Orm) {
  return {
    findLastHash: orm
      .select({ hash: codes.codeHash })
      .from(codes)
      .where(sql`batch_id = ${ph('id')}+0 and code_hash > ${ph('after')}`)
      .orderBy(asc(codes.codeHash))
      .limit(1)
      .offset(ph('skipped'))
      .prepare(),
    takeBack: orm
      .update(codes)
      .set({ state: sql`'undone'`, changedAt: bound('now') })
      .where(
        sql`batch_id = ${ph('id')}+0 and code_hash > ${ph('after')} and code_hash <= ${ph('until')} and ${TAKEABLE}`,
      )
      .returning({ denomination: codes.denomination })
      .prepare(),
    listUndone: orm
      .select({
        hash: codes.codeHash,
        secret: codes.codeSecret,
        denomination: codes.denomination,
        changedAt: codes.changedAt,
      })
      .from(codes)
      .where(sql`batch_id = ${ph('id')}+0 and code_hash > ${ph('after')} and state = 'undone'`)
      .orderBy(asc(codes.codeHash))
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareInsertCode(orm: Orm) {
  const columns = sql`${ph('accountId')}, ${ph('gameId')}, ${ph('denomination')}, 'available', null, ${ph('hash')},
    ${ph('secret')}, ${ph('batchId')}, null, ${ph('now')}, 0, 1`;
  return orm
    .insert(codes)
    .select(
      sql`select null, ${columns} where not exists (select 1 from redemptions where game_id = +${ph('gameId')}
          and code_hash = +${ph('hash')} and live is not null)`,
    )
    .onConflictDoNothing()
    .prepare();
}
