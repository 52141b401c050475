// The code database, one code at a time: taking the oldest, claiming a given one, and every later change of state,
// each a conditional update. Adding is in batches.ts, handing out in extractions.ts, counting in stock.ts.
import { asc, bound, ph, sql, type Orm, type SQL } from '../engine/drizzle.ts';
import { codes, type CodeState, type StockKey } from '../schema/index.ts';
import type { CodeSeals, SealedCode } from '../engine/secrets.ts';

/** A code that was taken for a redemption. `claimedFrom` is the state it returns to. */
export interface TakenCode extends SealedCode {
  id: number;
  /** undefined where it does not open any more. */
  code: string | undefined;
  claimedFrom: CodeState;
}

type Taking = { now: number; knownAfter?: number | undefined };

export const TAKEABLE = sql.raw("state in ('available', 'unverified')");

export function createCodesTable(orm: Orm, seals: CodeSeals) {
  const { takeOldest, takeKnown, claim, confirmClaim, findOwner, findStockKey } = prepareTaking(orm);
  const moves = prepareMoves(orm);
  const { listRefused, listRefusedOf } = prepareRefused(orm);
  const open = ({ secret, ...row }: RefusedRow) => ({
    ...row,
    code: seals.openIfSound({ hash: row.hash, secret }),
  });

  return {
    /**
     * Reserves the oldest code that can be taken, of those that came back refused least often; undefined when there is
     * none. `knownAfter`: before all others one that is known to be unspent, of those added after this id.
     */
    takeOldest({ knownAfter, ...query }: StockKey & Taking): TakenCode | undefined {
      const known = knownAfter === undefined ? undefined : takeKnown.get({ ...query, knownAfter });
      const row = known ?? takeOldest.get(query);
      const code = row && seals.openIfSound(row);
      return row && { ...row, code };
    },
    /** Reserves a given code that is not spent, whoever's it is; undefined when the database does not hold it so. */
    claim: (query: {
      gameId: string;
      hash: Buffer;
      now: number;
    }): { id: number; accountId: number; denomination: number } | undefined => claim.get(query),
    /** The platform said that a reserved code is unspent: it would return as available. */
    confirmClaim: (id: number) => void confirmClaim.run({ id }),
    /** A code in doubt is asked about, where it comes back, before it is used. */
    distrustClaim: (id: number) => void moves.distrust.run({ id }),
    /** Who has this code now; undefined when nobody has. */
    findOwner: (
      gameId: string,
      hash: Buffer,
    ): { accountId: number; state: CodeState; batchId: number } | undefined =>
      findOwner.get({ gameId, hash }),
    /** Whose stock a code is in, in which batch, and how it stands. */
    findStockKey: (id: number) => findStockKey.get({ id }),
    /**
     * Codes of a denomination that were refused, after this id, in order; undefined where one does not open any more.
     */
    listRefused: (stockKey: StockKey, afterId: number, limit: number) =>
      listRefused.all({ ...stockKey, afterId, limit }).map(open),
    /** The same of a batch, after this hash. */
    listRefusedOf: (batchId: number, after: Buffer, limit: number) =>
      listRefusedOf.all({ batchId, after, limit }).map(open),
    // Each of these moves one code, and says whether it was in a state that allows it.
    hold: (id: number, now: number) => moves.hold.run({ id, now }).changes === 1,
    /** Back to where it was taken from; where its batch was taken back meanwhile, it goes there, too. */
    giveBack: (id: number, now: number) => moves.giveBack.run({ id, now }).changes === 1,
    /** As `giveBack`, behind the others of its denomination. */
    stepBack: (id: number, now: number) => moves.stepBack.run({ id, now }).changes === 1,
    redeem: (id: number, now: number) => moves.redeem.run({ id, now }).changes === 1,
    markUsed: (id: number, now: number) => moves.markUsed.run({ id, now }).changes === 1,
    markInvalid: (id: number, now: number) => moves.markInvalid.run({ id, now }).changes === 1,
    /** Behind the others of its denomination, as it is. */
    stepAside: (id: number, now: number) => moves.stepAside.run({ id, now }).changes === 1,
    verify: (id: number, now: number) => moves.verify.run({ id, now }).changes === 1,
    discardAsUsed: (id: number, now: number) => moves.discardAsUsed.run({ id, now }).changes === 1,
    discardAsInvalid: (id: number, now: number) => moves.discardAsInvalid.run({ id, now }).changes === 1,
    /** It was carried out in the time that a restore has lost. */
    recover: (id: number, now: number) => moves.recover.run({ id, now }).changes === 1,
    /** What was refused is in question again; not where its batch was taken back. */
    question: (id: number, now: number) => moves.question.run({ id, now }).changes === 1,
  };
}

// The states are literals, bound integers wear `+0` and texts a `+`: a bound value that could change the plan of a
// statement over a partial index makes SQLite compile it anew at every call.
function prepareTaking(orm: Orm) {
  const claimed = { state: sql`'reserved'`, claimedFrom: sql`state`, changedAt: bound('now') };
  const take = (also: SQL) =>
    orm
      .update(codes)
      .set(claimed)
      .where(
        sql`id = (select id from codes where account_id = ${ph('accountId')}+0 and game_id = +${ph('gameId')}
            and denomination = ${ph('denomination')}+0 and ${TAKEABLE} ${also} order by returns, id limit 1)`,
      )
      .returning({
        id: codes.id,
        hash: codes.codeHash,
        secret: codes.codeSecret,
        claimedFrom: sql<CodeState>`claimed_from`,
      })
      .prepare();
  return {
    takeOldest: take(sql``),
    takeKnown: take(sql`and state = 'available' and (returns, id) > (0, ${ph('knownAfter')}+0)`),
    claim: orm
      .update(codes)
      .set(claimed)
      .where(
        sql`game_id = ${ph('gameId')} and code_hash = +${ph('hash')} and owned is not null
            and state in ('available', 'unverified', 'in_question', 'used', 'invalid')`,
      )
      .returning({ id: codes.id, accountId: codes.accountId, denomination: codes.denomination })
      .prepare(),
    confirmClaim: orm
      .update(codes)
      .set({ claimedFrom: sql`'available'` })
      .where(sql`id = ${ph('id')}+0 and state = 'reserved' and claimed_from = 'unverified'`)
      .prepare(),
    findOwner: orm
      .select({ accountId: codes.accountId, state: codes.state, batchId: codes.batchId })
      .from(codes)
      .where(sql`game_id = ${ph('gameId')} and code_hash = +${ph('hash')} and owned is not null`)
      .prepare(),
    findStockKey: orm
      .select({
        accountId: codes.accountId,
        gameId: codes.gameId,
        denomination: codes.denomination,
        batchId: codes.batchId,
        state: codes.state,
      })
      .from(codes)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
  };
}

/** Its batch was taken back, or is just being. */
const IS_UNDONE = `exists (select 1 from batches b where b.id = codes.batch_id and (b.undone_at is not null
  or exists (select 1 from jobs j where j.kind = 'undo' and j.subject_id = b.id and j.state = 'running')))`;
const REFUSED = "state in ('used', 'invalid')";

type RefusedRow = {
  id: number;
  hash: Buffer;
  secret: Buffer;
  denomination: number;
  state: CodeState;
  changedAt: number;
};

function prepareRefused(orm: Orm) {
  const ofStockKey = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')}
    and denomination = ${ph('denomination')}+0 and ${sql.raw(REFUSED)}`;
  const columns = {
    id: codes.id,
    hash: codes.codeHash,
    secret: codes.codeSecret,
    denomination: codes.denomination,
    state: codes.state,
    changedAt: codes.changedAt,
  };
  return {
    listRefused: orm
      .select(columns)
      .from(codes)
      .where(sql`${ofStockKey} and id > ${ph('afterId')}+0`)
      .orderBy(asc(codes.id))
      .limit(ph('limit'))
      .prepare(),
    listRefusedOf: orm
      .select(columns)
      .from(codes)
      .where(sql`batch_id = ${ph('batchId')}+0 and code_hash > ${ph('after')} and ${sql.raw(REFUSED)}`)
      .orderBy(asc(codes.codeHash))
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareMoves(orm: Orm) {
  const move = (from: string, to: string, also: { returns?: SQL } = {}) =>
    orm
      .update(codes)
      .set({ state: sql.raw(to), changedAt: bound('now'), ...also })
      .where(sql`id = ${ph('id')}+0 and ${sql.raw(from)}`)
      .prepare();
  const claimed = "state in ('reserved', 'in_doubt')";
  const back = `case when claimed_from in ('available', 'unverified') and ${IS_UNDONE} then 'undone' else claimed_from end`;
  return {
    hold: move("state = 'reserved'", "'in_doubt'"),
    distrust: orm
      .update(codes)
      .set({ claimedFrom: sql`'unverified'` })
      .where(sql`id = ${ph('id')}+0 and state = 'in_doubt' and claimed_from = 'available'`)
      .prepare(),
    giveBack: move(claimed, back),
    stepBack: move(claimed, back, { returns: sql`returns + 1` }),
    redeem: move(claimed, "'redeemed'"),
    markUsed: move(claimed, "'used'"),
    markInvalid: move(claimed, "'invalid'"),
    stepAside: move("state = 'unverified'", "'unverified'", { returns: sql`returns + 1` }),
    verify: move("state = 'unverified'", "'available'"),
    discardAsUsed: move("state in ('unverified', 'in_question')", "'used'"),
    discardAsInvalid: move("state in ('available', 'unverified')", "'invalid'"),
    recover: move("state in ('unverified', 'reserved', 'in_question', 'in_doubt')", "'redeemed'"),
    question: move(`${REFUSED} and not ${IS_UNDONE}`, "'unverified'"),
  };
}
