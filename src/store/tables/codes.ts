// The code database, one code at a time: taking the oldest, claiming a given one, and every later change of state,
// each a conditional update. Adding is in batches.ts, handing out in extractions.ts, counting in stock.ts.
import type { codes, CodeState, StockKey } from '../schema/index.ts';
import type { CodeSeals, SealedCode } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';

type CodeRow = typeof codes.$inferSelect;

/** A code that was taken for a redemption. `claimedFrom` is the state it returns to. */
export interface TakenCode extends SealedCode {
  id: number;
  /** undefined where it does not open any more. */
  code: string | undefined;
  claimedFrom: CodeState;
}

type Taking = { now: number; knownAfter?: number | undefined };

export const TAKEABLE = "state in ('available', 'unverified')";

export function createCodesTable(sql: Sql, seals: CodeSeals) {
  const taking = takingOf(sql);
  const refused = refusedOf(sql);
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
      const known = knownAfter === undefined ? undefined : taking.takeKnown({ ...query, knownAfter });
      const row = known ?? taking.takeOldest(query);
      const code = row && seals.openIfSound(row);
      return row && { ...row, code };
    },
    /** Reserves a given code that is not spent, whoever's it is; undefined when the database does not hold it so. */
    claim: taking.claim,
    /** The platform said that a reserved code is unspent: it would return as available. */
    confirmClaim: (id: number) => void taking.confirmClaim({ id }),
    /** A code in doubt is asked about, where it comes back, before it is used. */
    distrustClaim: (id: number) => void taking.distrustClaim({ id }),
    /** Who has this code now; undefined when nobody has. */
    findOwner: (gameId: string, hash: Buffer) => taking.findOwner({ gameId, hash }),
    /** Whose stock a code is in, in which batch, and how it stands. */
    findStockKey: (id: number) => taking.findStockKey({ id }),
    /**
     * Codes of a denomination that were refused, after this id, in order; undefined where one does not open any more.
     */
    listRefused: (stockKey: StockKey, afterId: number, limit: number) =>
      refused.list({ ...stockKey, afterId, limit }).map(open),
    /** The same of a batch, after this hash. */
    listRefusedOf: (batchId: number, after: Buffer, limit: number) =>
      refused.listOfBatch({ batchId, after, limit }).map(open),
    ...createMoves(sql),
  };
}

type Hashed = { gameId: string; hash: Buffer };

// The states are literals, bound integers wear `+ 0` and texts a `+`: a bound value that could change the plan of a
// statement over a partial index makes SQLite compile it anew at every call.
function takingOf(sql: Sql) {
  const claimed = "state = 'reserved', claimed_from = state, changed_at = @now";
  const take = <Args>(also: string) =>
    sql.one<Args, { id: number; claimedFrom: CodeState } & SealedCode>(`
      update codes set ${claimed}
      where id = (
        select id from codes
        where account_id = @accountId + 0 and game_id = +@gameId and denomination = @denomination + 0
          and ${TAKEABLE} ${also}
        order by returns, id limit 1)
      returning id, code_hash as hash, code_secret as secret, claimed_from`);
  return {
    takeOldest: take<StockKey & { now: number }>(''),
    takeKnown: take<StockKey & { now: number; knownAfter: number }>(
      "and state = 'available' and (returns, id) > (0, @knownAfter + 0)",
    ),
    claim: sql.one<Hashed & { now: number }, Pick<CodeRow, 'id' | 'accountId' | 'denomination'>>(`
      update codes set ${claimed}
      where game_id = @gameId and code_hash = +@hash and owned is not null
        and state in ('available', 'unverified', 'in_question', 'used', 'invalid')
      returning id, account_id, denomination`),
    confirmClaim: sql.run<{ id: number }>(`
      update codes set claimed_from = 'available'
      where id = @id + 0 and state = 'reserved' and claimed_from = 'unverified'`),
    distrustClaim: sql.run<{ id: number }>(`
      update codes set claimed_from = 'unverified'
      where id = @id + 0 and state = 'in_doubt' and claimed_from = 'available'`),
    findOwner: sql.one<Hashed, Pick<CodeRow, 'id' | 'accountId' | 'denomination' | 'state' | 'batchId'>>(`
      select id, account_id, denomination, state, batch_id from codes
      where game_id = @gameId and code_hash = +@hash and owned is not null`),
    findStockKey: sql.one<{ id: number }, StockKey & Pick<CodeRow, 'batchId' | 'state'>>(
      'select account_id, game_id, denomination, batch_id, state from codes where id = @id + 0',
    ),
  };
}

/** Its batch was taken back, or is just being. */
export const IS_UNDONE = `exists (
  select 1 from batches b
  where b.id = codes.batch_id and (b.undone_at is not null or exists (
    select 1 from jobs j where j.kind = 'undo' and j.subject_id = b.id and j.state = 'running')))`;
const REFUSED = "state in ('used', 'invalid')";

type RefusedRow = Pick<CodeRow, 'id' | 'denomination' | 'state' | 'changedAt'> & SealedCode;

function refusedOf(sql: Sql) {
  const columns = 'id, code_hash as hash, code_secret as secret, denomination, state, changed_at';
  return {
    list: sql.all<StockKey & { afterId: number; limit: number }, RefusedRow>(`
      select ${columns} from codes
      where account_id = @accountId + 0 and game_id = @gameId and denomination = @denomination + 0
        and ${REFUSED} and id > @afterId + 0
      order by id limit @limit + 0`),
    listOfBatch: sql.all<{ batchId: number; after: Buffer; limit: number }, RefusedRow>(`
      select ${columns} from codes
      where batch_id = @batchId + 0 and code_hash > @after and ${REFUSED}
      order by code_hash limit @limit + 0`),
  };
}

/** Each moves one code, and says whether it was in a state that allows it. */
function createMoves(sql: Sql) {
  const move = (from: string, to: string, also = '') => {
    const run = sql.run<{ id: number; now: number }>(
      `update codes set state = ${to}, changed_at = @now ${also} where id = @id + 0 and ${from}`,
    );
    return (id: number, now: number) => run({ id, now }) === 1;
  };
  const claimed = "state in ('reserved', 'in_doubt')";
  const back = `case when claimed_from in ('available', 'unverified') and ${IS_UNDONE} then 'undone' else claimed_from end`;
  return {
    hold: move("state = 'reserved'", "'in_doubt'"),
    /** Back to where it was taken from; where its batch was taken back meanwhile, it goes there, too. */
    giveBack: move(claimed, back),
    /** As `giveBack`, behind the others of its denomination. */
    stepBack: move(claimed, back, ', returns = returns + 1'),
    redeem: move(claimed, "'redeemed'"),
    markUsed: move(claimed, "'used'"),
    markInvalid: move(claimed, "'invalid'"),
    /** Behind the others of its denomination, as it is. */
    stepAside: move("state = 'unverified'", "'unverified'", ', returns = returns + 1'),
    verify: move("state = 'unverified'", "'available'"),
    discardAsUsed: move("state in ('unverified', 'in_question')", "'used'"),
    discardAsInvalid: move("state in ('available', 'unverified')", "'invalid'"),
    /** It was carried out in the time that a restore has lost. */
    recover: move("state in ('unverified', 'reserved', 'in_question', 'in_doubt')", "'redeemed'"),
    /** What was refused is in question again; not where its batch was taken back. */
    question: move(`${REFUSED} and not ${IS_UNDONE}`, "'unverified'"),
  };
}
