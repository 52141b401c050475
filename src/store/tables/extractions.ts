// Extractions: codes handed out of the database for good. The codes of an extraction stay readable, so that a lost
// answer loses none.
import { asc, bound, desc, eq, ph, sql, type Orm, type SQL } from '../engine/drizzle.ts';
import type { CodeSeals } from '../engine/secrets.ts';
import { TAKEABLE } from './codes.ts';
import { codes, extractions, type StockKey } from '../schema/index.ts';

/**
 * The `amount` codes that are handed out next, unverified ones among them. `isKnown`: those alone that are known to be
 * unspent, since nobody can be asked about the others.
 */
type Tail = StockKey & { amount: number; isKnown?: boolean };

/** So many of either kind are walked through for those that are known. */
const WALKED = 10_000;
const walk = ({ isKnown = false, ...query }: Tail) => ({
  ...query,
  ...{ walked: isKnown ? WALKED : query.amount, isKnown: isKnown ? 1 : 0 },
});

export function createExtractionsTable(orm: Orm, seals: CodeSeals) {
  const { open, extract, list, ...looks } = prepareExtractions(orm);
  const { grow, end, find, markSent, markUnsentTold } = prepareRows(orm);
  const { hasTakeable, listUnverified, listLast } = looks;
  const listBefore = prepareListBefore(orm);
  const listNewest = prepareListNewest(orm);

  return {
    find: (id: number) => find.get({ id }),
    open: (extraction: StockKey & { requested: number; actor: string; now: number }): number =>
      open.get(extraction).id,
    /** Hands out those of the codes at the tail that are available; returns how many. */
    extract({ extractionId, now, ...tail }: Tail & { extractionId: number; now: number }): number {
      const count = extract.run({ ...walk(tail), extractionId, now }).changes;
      if (count > 0) grow.run({ id: extractionId, count });
      return count;
    },
    /** Whether any code of a denomination can be taken. */
    hasTakeable: (stockKey: StockKey) => hasTakeable.get({ ...stockKey }) !== undefined,
    /**
     * Of an account and game the `limit` newest that began before, with what each has taken; more where a millisecond
     * holds several.
     */
    listBefore: (query: { accountId: number; gameId: string; before: number; limit: number }) =>
      listBefore.all(query),
    /** Of an account, across its games, the `limit` newest that took any. */
    listNewest: (accountId: number, limit: number) => listNewest.all({ accountId, limit }),
    /** Marks that nothing more is taken. */
    end: (id: number, now: number) => end.run({ id, now }).changes === 1,
    /** Marks that its file was taken in a chat. */
    markSent: (id: number, now: number) => markSent.run({ id, now }).changes === 1,
    /** Marks that people are told of a file that was not; false where it was, or they were told before. */
    markUnsentTold: (id: number, now: number) => markUnsentTold.run({ id, now }).changes === 1,
    /** Of the codes at the tail the first few not verified since a restore. */
    listUnverified: ({ limit, ...tail }: Tail & { limit: number }) =>
      listUnverified.all({ ...walk(tail), limit }).map((row) => ({ id: row.id, code: seals.open(row) })),
    /** The codes of an extraction after this row, a few at a time; undefined where one does not open any more. */
    list: (extractionId: number, afterId: number, limit: number) =>
      list
        .all({ extractionId, afterId, limit })
        .map((row) => ({ id: row.id, returns: row.returns, code: seals.openIfSound(row) })),
    /** Of the codes at the tail those that do not open any more. */
    listUnreadable: (tail: Tail): number[] =>
      listLast
        .all(walk(tail))
        .filter((row) => seals.openIfSound(row) === undefined)
        .map(({ id }) => id),
  };
}

const columns = { id: codes.id, hash: codes.codeHash, secret: codes.codeSecret };

function prepareExtractions(orm: Orm) {
  const takeable = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')}
    and denomination = ${ph('denomination')}+0 and ${TAKEABLE}`;
  const walked = (which: SQL) =>
    sql`select id, state from (select id, state from codes where ${takeable} and ${which} limit ${ph('walked')})`;
  // What a redemption gave back comes last: it lay at the head before, and a past that is lost may have handed out the
  // tail alone.
  const last = sql`select id from (
      ${walked(sql`returns = 0 order by id desc`)}
      union all
      ${walked(sql`returns > 0 order by returns desc, id desc`)}
    ) where state = 'available' or ${ph('isKnown')}+0 = 0 limit ${ph('amount')}`;
  return {
    open: orm
      .insert(extractions)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        actor: ph('actor'),
        requested: ph('requested'),
        at: ph('now'),
      })
      .returning({ id: extractions.id })
      .prepare(),
    extract: orm
      .update(codes)
      .set({
        state: sql`'extracted'`,
        extractionId: bound('extractionId'),
        changedAt: bound('now'),
      })
      .where(sql`id in (${last}) and state = 'available'`)
      .prepare(),
    listUnverified: orm
      .select(columns)
      .from(codes)
      .where(sql`id in (${last}) and state = 'unverified'`)
      .orderBy(desc(codes.id))
      .limit(ph('limit'))
      .prepare(),
    hasTakeable: orm.select({ id: codes.id }).from(codes).where(takeable).limit(1).prepare(),
    listLast: orm
      .select(columns)
      .from(codes)
      .where(sql`id in (${last})`)
      .prepare(),
    list: orm
      .select({ ...columns, returns: codes.returns })
      .from(codes)
      .where(
        sql`extraction_id = ${ph('extractionId')} and extraction_id is not null and id > ${ph('afterId')}+0`,
      )
      .orderBy(asc(codes.id))
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareRows(orm: Orm) {
  return {
    grow: orm
      .update(extractions)
      .set({ taken: sql`taken + ${ph('count')}` })
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    end: orm
      .update(extractions)
      .set({ endedAt: bound('now') })
      .where(sql`id = ${ph('id')}+0 and ended_at is null`)
      .prepare(),
    markSent: orm
      .update(extractions)
      .set({ sentAt: bound('now') })
      .where(sql`id = ${ph('id')}+0 and sent_at is null`)
      .prepare(),
    markUnsentTold: orm
      .update(extractions)
      .set({ unsentNotifiedAt: bound('now') })
      .where(sql`id = ${ph('id')}+0 and sent_at is null and unsent_notified_at is null`)
      .prepare(),
    find: orm
      .select()
      .from(extractions)
      .where(eq(extractions.id, ph('id')))
      .prepare(),
  };
}

function prepareListNewest(orm: Orm) {
  return orm
    .select()
    .from(extractions)
    .where(sql`account_id = ${ph('accountId')}+0 and taken > 0`)
    .orderBy(desc(extractions.at), desc(extractions.id))
    .limit(ph('limit'))
    .prepare();
}

/** Those of one millisecond are never cut apart: where a page ends is told by a time. */
function prepareListBefore(orm: Orm) {
  const ofGame = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')} and at < ${ph('before')}+0`;
  return orm
    .select({
      id: extractions.id,
      at: extractions.at,
      denomination: extractions.denomination,
      count: extractions.taken,
    })
    .from(extractions)
    .where(
      sql`${ofGame} and at >= coalesce(
        (select at from extractions where ${ofGame} order by at desc limit 1 offset ${ph('limit')} - 1), 0)`,
    )
    .orderBy(desc(extractions.at), desc(extractions.id))
    .prepare();
}
