// Batches: codes added together, and taking back what of a batch is still there.
import type { batches, codes, StockKey } from '../schema/index.ts';
import { BEHIND_ALL, type CodeSeals, type SealedCode } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { TAKEABLE } from './codes.ts';

type BatchRow = typeof batches.$inferSelect;
type CodeRow = typeof codes.$inferSelect;

/** A place among the batches of an account: the one that was read last. */
type BatchCursor = Pick<BatchRow, 'at' | 'id'>;

type NewBatch = Pick<BatchRow, 'accountId' | 'gameId' | 'actor' | 'supplier'> & { now: number };
type NewCode = StockKey & { batchId: number; now: number };

export function createBatchesTable(sql: Sql, seals: CodeSeals) {
  const rows = rowsOf(sql);
  const slices = slicesOf(sql);
  const insertCode = createInsertCode(sql);
  return {
    open: (batch: Omit<NewBatch, 'supplier'> & { supplier?: string | null }): number =>
      rows.open({ ...batch, supplier: batch.supplier ?? null }),
    /**
     * Adds a code as available; false when somebody has it, its batch had it, or a redemption of it is open or done.
     * One statement.
     */
    insertCode: (code: NewCode, sealed: SealedCode) => insertCode({ ...code, ...sealed }) === 1,
    /** Counts what was accepted: in the batch, the independent side of conservation, and in the stock. */
    grow(id: number, stockKey: StockKey, count: number) {
      rows.grow({ id, count });
      rows.countAdded({ ...stockKey, count });
    },
    find: (id: number) => rows.find({ id }),
    /** Strictly beyond a place, the nearest first; of one actor where that is given. */
    listBeyond: createListBeyond(sql),
    /** Those that have a supplier, added since then: newest first. */
    listOfSuppliers: (accountId: number, since: number, limit: number) =>
      rows.listOfSuppliers({ accountId, since, limit }),
    /**
     * How many of the `limit` codes after this hash, in the order of their hashes, are in each state, and when the last
     * of them changed. `last` is where the next slice begins; undefined: that was all.
     */
    countStates(id: number, after: Buffer, limit: number) {
      const last = slices.findLastHash({ id, after, skipped: limit - 1 })?.codeHash;
      return { counts: slices.countStates({ id, after, until: last ?? BEHIND_ALL }), last };
    },
    /** Whether a batch has a code, whatever became of it. */
    holds: (id: number, hash: Buffer) => slices.holds({ id, hash }) !== undefined,
    /** Marks a batch as undone; false when it was already. */
    markUndone: (id: number, by: string, now: number) => rows.markUndone({ id, by, now }) === 1,
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
      const last = slices.findLastHash({ id, after, skipped: limit - 1 })?.codeHash;
      const taken = slices.takeBack({ id, after, until: last ?? BEHIND_ALL, now });
      return { denominations: taken.map(({ denomination }) => denomination), last };
    },
    /**
     * The codes that were taken back, after this hash, in the order of their hashes; one that does not open any more
     * has no text.
     */
    listUndone: (id: number, after: Buffer, limit: number) =>
      slices.listUndone({ id, after, limit }).map(({ secret, ...row }) => ({
        ...row,
        code: seals.openIfSound({ hash: row.hash, secret }),
      })),
  };
}

const rowsOf = (sql: Sql) => ({
  open: sql.insert<NewBatch>(`
    insert into batches (account_id, game_id, actor, supplier, at)
    values (@accountId, @gameId, @actor, @supplier, @now)`),
  grow: sql.run<{ id: number; count: number }>('update batches set added = added + @count where id = @id'),
  countAdded: sql.run<StockKey & { count: number }>(`
    insert into stock_counts (account_id, game_id, denomination, state, count)
    values (@accountId, @gameId, @denomination, 'available', @count)
    on conflict do update set count = count + excluded.count`),
  find: sql.one<{ id: number }, BatchRow>('select * from batches where id = @id'),
  markUndone: sql.run<{ id: number; by: string; now: number }>(
    'update batches set undone_at = @now, undone_by = @by where id = @id and undone_at is null',
  ),
  listOfSuppliers: sql.all<
    { accountId: number; since: number; limit: number },
    { id: number; supplier: string }
  >(`
    select id, supplier from batches
    where account_id = @accountId + 0 and at >= @since + 0 and supplier is not null
    order by at desc, id desc limit @limit + 0`),
});

const OLDER = `at <= @at + 0 and (at, id) < (@at + 0, @id + 0)
    order by at desc, id desc`;
const NEWER = `at >= @at + 0 and (at, id) > (@at + 0, @id + 0)
    order by at, id`;

function createListBeyond(sql: Sql) {
  type Place = BatchCursor & { accountId: number; limit: number };
  const list = <Args>(which: string) =>
    sql.all<Args, BatchRow>(`
      select * from batches
      where account_id = @accountId + 0 and ${which} limit @limit + 0`);
  const beyond = (which: string) => ({
    ofAll: list<Place>(which),
    ofOne: list<Place & { actor: string }>(`actor = @actor and ${which}`),
  });
  const lists = { older: beyond(OLDER), newer: beyond(NEWER) };
  return (
    accountId: number,
    actor: string | undefined,
    { at, id }: BatchCursor,
    direction: keyof typeof lists,
    limit: number,
  ) => {
    const { ofAll, ofOne } = lists[direction];
    const place = { accountId, at, id, limit };
    return actor === undefined ? ofAll(place) : ofOne({ ...place, actor });
  };
}

type Slice = { id: number; after: Buffer; until: Buffer };
const IN_SLICE = 'batch_id = @id + 0 and code_hash > @after and code_hash <= @until';

/** Codes of a batch, in the order of their hashes. */
const slicesOf = (sql: Sql) => ({
  findLastHash: sql.one<{ id: number; after: Buffer; skipped: number }, { codeHash: Buffer }>(`
    select code_hash from codes where batch_id = @id + 0 and code_hash > @after
    order by code_hash limit 1 offset @skipped`),
  countStates: sql.all<Slice, Pick<CodeRow, 'state' | 'changedAt'> & { count: number }>(`
    select state, count(*) as count, max(changed_at) as changed_at from codes
    where ${IN_SLICE} group by state`),
  holds: sql.one<{ id: number; hash: Buffer }, { one: number }>(
    'select 1 as one from codes where batch_id = @id + 0 and code_hash = +@hash',
  ),
  takeBack: sql.all<Slice & { now: number }, Pick<CodeRow, 'denomination'>>(`
    update codes set state = 'undone', changed_at = @now where ${IN_SLICE} and ${TAKEABLE}
    returning denomination`),
  listUndone: sql.all<
    { id: number; after: Buffer; limit: number },
    Pick<CodeRow, 'denomination' | 'changedAt'> & SealedCode
  >(`
    select code_hash as hash, code_secret as secret, denomination, changed_at from codes
    where batch_id = @id + 0 and code_hash > @after and state = 'undone'
    order by code_hash limit @limit + 0`),
});

// What is bound wears `+`: a bulk runs it for each of its codes, and codes and redemptions have partial indexes.
const createInsertCode = (sql: Sql) =>
  sql.run<NewCode & SealedCode>(`
    insert into codes (
      account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at, returns, owned)
    select @accountId, @gameId, @denomination, 'available', @hash, @secret, @batchId, @now, 0, 1
    where not exists (
      select 1 from redemptions where game_id = +@gameId and code_hash = +@hash and live is not null)
    on conflict do nothing`);
