// Extractions: codes handed out of the database for good. The codes of an extraction stay readable, so that a lost
// answer loses none.
import type { codes, extractions, StockKey } from '../schema/index.ts';
import type { CodeSeals, SealedCode } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { TAKEABLE } from './codes.ts';
import { IN_QUESTION_BY_HASH } from './takeover.ts';

type ExtractionRow = typeof extractions.$inferSelect;
type NewExtraction = StockKey & Pick<ExtractionRow, 'requested' | 'actor'> & { now: number };

/**
 * The `amount` codes that are handed out next, unverified ones among them. `isKnown`: those alone that are known to be
 * unspent, since nobody can be asked about the others.
 */
type Tail = StockKey & { amount: number; isKnown?: boolean };

/** So many of either kind are walked through for those that are known. */
const WALKED = 10_000;
const walk = ({ isKnown = false, ...query }: Tail) => ({
  ...{ ...query, isKnown },
  walked: isKnown ? WALKED : query.amount,
});

export function createExtractionsTable(sql: Sql, seals: CodeSeals) {
  const rows = rowsOf(sql);
  const tail = tailOf(sql);
  return {
    find: (id: number) => rows.find({ id }),
    open: (extraction: NewExtraction): number => rows.open(extraction),
    /** Hands out those of the codes at the tail that are available; returns how many. */
    extract({ extractionId, now, ...query }: Tail & { extractionId: number; now: number }): number {
      const count = tail.extract({ ...walk(query), extractionId, now });
      if (count > 0) rows.grow({ id: extractionId, count });
      return count;
    },
    /** A code that may have been handed out before was so. */
    keep(key: StockKey, code: { extractionId: number; hash: Buffer; now: number }): void {
      rows.grow({ id: code.extractionId, count: tail.keep({ ...key, ...code }) });
    },
    /** Whether any code of a denomination can be taken. */
    hasTakeable: (stockKey: StockKey) => tail.findTakeable(stockKey) !== undefined,
    /**
     * Of an account and game the `limit` newest that began before, with what each has taken; more where a millisecond
     * holds several.
     */
    listBefore: rows.listBefore,
    /** Of an account, across its games, the `limit` newest that took any. */
    listNewest: (accountId: number, limit: number) => rows.listNewest({ accountId, limit }),
    /** Marks that nothing more is taken. */
    end: (id: number, now: number) => rows.end({ id, now }) === 1,
    /** Marks that its file was taken in a chat. */
    markSent: (id: number, now: number) => rows.markSent({ id, now }) === 1,
    /** Marks that people are told of a file that was not; false where it was, or they were told before. */
    markUnsentTold: (id: number, now: number) => rows.markUnsentTold({ id, now }) === 1,
    /** Of the codes at the tail the first few not verified since a restore. */
    listUnverified: ({ limit, ...query }: Tail & { limit: number }) =>
      tail.listUnverified({ ...walk(query), limit }).map((row) => ({ id: row.id, code: seals.open(row) })),
    /** The codes of an extraction after this row, a few at a time; undefined where one does not open any more. */
    list: (extractionId: number, afterId: number, limit: number) =>
      tail
        .listExtracted({ extractionId, afterId, limit })
        .map((row) => ({ id: row.id, returns: row.returns, code: seals.openIfSound(row) })),
    /** Of the codes at the tail those that do not open any more. */
    listUnreadable: (query: Tail): number[] =>
      tail
        .list(walk(query))
        .filter((row) => seals.openIfSound(row) === undefined)
        .map(({ id }) => id),
  };
}

const OF_GAME = 'account_id = @accountId + 0 and game_id = @gameId and at < @before + 0';

const rowsOf = (sql: Sql) => ({
  open: sql.insert<NewExtraction>(`
    insert into extractions (account_id, game_id, denomination, actor, requested, at)
    values (@accountId, @gameId, @denomination, @actor, @requested, @now)`),
  grow: sql.run<{ id: number; count: number }>(
    'update extractions set taken = taken + @count where id = @id + 0',
  ),
  end: sql.run<{ id: number; now: number }>(
    'update extractions set ended_at = @now where id = @id + 0 and ended_at is null',
  ),
  markSent: sql.run<{ id: number; now: number }>(
    'update extractions set sent_at = @now where id = @id + 0 and sent_at is null',
  ),
  markUnsentTold: sql.run<{ id: number; now: number }>(`
    update extractions set unsent_notified_at = @now
    where id = @id + 0 and sent_at is null and unsent_notified_at is null`),
  find: sql.one<{ id: number }, ExtractionRow>('select * from extractions where id = @id'),
  listNewest: sql.all<{ accountId: number; limit: number }, ExtractionRow>(`
    select * from extractions where account_id = @accountId + 0 and taken > 0
    order by at desc, id desc limit @limit + 0`),
  // Those of one millisecond are never cut apart: where a page ends is told by a time.
  listBefore: sql.all<
    { accountId: number; gameId: string; before: number; limit: number },
    Pick<ExtractionRow, 'id' | 'at' | 'denomination'> & { count: number }
  >(`
    select id, at, denomination, taken as count from extractions
    where ${OF_GAME} and at >= coalesce(
      (select at from extractions where ${OF_GAME} order by at desc limit 1 offset @limit - 1), 0)
    order by at desc, id desc`),
});

type Walk = StockKey & { amount: number; walked: number; isKnown: boolean };
type Extracted = SealedCode & Pick<typeof codes.$inferSelect, 'id'>;

function tailOf(sql: Sql) {
  const columns = 'id, code_hash as hash, code_secret as secret';
  const takeable = `account_id = @accountId + 0 and game_id = @gameId and denomination = @denomination + 0
    and ${TAKEABLE}`;
  const walked = (which: string) => `
    select id, state from (select id, state from codes where ${takeable} and ${which} limit @walked)`;
  // What a redemption gave back comes last: it lay at the head before, and a past that is lost may have handed out the
  // tail alone.
  const last = `
    select id from (
      ${walked('returns = 0 order by id desc')}
      union all
      ${walked('returns > 0 order by returns desc, id desc')}
    ) where state = 'available' or @isKnown + 0 = 0 limit @amount`;
  return {
    extract: sql.run<Walk & { extractionId: number; now: number }>(`
      update codes set state = 'extracted', extraction_id = @extractionId, changed_at = @now
      where id in (${last}) and state = 'available'`),
    keep: sql.run<StockKey & { extractionId: number; hash: Buffer; now: number }>(`
      update codes set state = 'extracted', extraction_id = @extractionId, changed_at = @now
      where ${IN_QUESTION_BY_HASH}`),
    listUnverified: sql.all<Walk & { limit: number }, Extracted>(`
      select ${columns} from codes where id in (${last}) and state = 'unverified'
      order by id desc limit @limit + 0`),
    findTakeable: sql.one<StockKey, { id: number }>(`select id from codes where ${takeable} limit 1`),
    list: sql.all<Walk, Extracted>(`select ${columns} from codes where id in (${last})`),
    listExtracted: sql.all<
      { extractionId: number; afterId: number; limit: number },
      Extracted & { returns: number }
    >(`
      select ${columns}, returns from codes
      where extraction_id = @extractionId and extraction_id is not null and id > @afterId + 0
      order by id limit @limit + 0`),
  };
}
