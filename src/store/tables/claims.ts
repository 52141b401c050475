// Claim links. Every move is a compare-and-set of the state that it leaves: of two that come at once one happens.
import type { Secrets } from '../engine/secrets.ts';
import type { claims, ClaimState, ClaimTrouble } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

export type ClaimRow = typeof claims.$inferSelect;

type NewClaim = Pick<
  ClaimRow,
  | 'name'
  | 'accountId'
  | 'orderId'
  | 'tokenHash'
  | 'issueHash'
  | 'n'
  | 'reference'
  | 'language'
  | 'createdBy'
  | 'expiresAt'
> & { now: number };

type OfId = Pick<ClaimRow, 'id'>;
type Issue = Pick<ClaimRow, 'accountId' | 'issueHash'>;
type Page = Pick<ClaimRow, 'accountId'> & { before: number; limit: number };
export type IssueCounts = Record<'open' | 'used' | 'stuck' | 'revoked' | 'expired' | 'unused', number>;
type Look = Pick<ClaimRow, 'looks' | 'misses' | 'lookedAt'>;
type Player = { playerId: string | null; playerName: string | null };

export function createClaimsTable(sql: Sql, secrets: Secrets) {
  const [found, moves] = [findingOf(sql), movesOf(sql)];
  return {
    hashToken: (token: string) => secrets.hash('claim-token', token),
    hashIssue: (key: string) => secrets.hash('claim-issue', key),
    hashBrowser: (cookie: string) => secrets.hash('claim-browser', cookie),
    /** Keeps one that is open; its number. */
    insert: sql.insert<NewClaim>(`
      insert into claims (name, account_id, order_id, token_hash, issue_hash, n, state, reference, language,
        created_by, created_at, expires_at)
      values (@name, @accountId, @orderId, @tokenHash, @issueHash, @n, 'open', @reference, @language,
        @createdBy, @now, @expiresAt)`),
    find: (id: number) => found.one({ id }),
    findByName: (name: string) => found.byName({ name }),
    findByToken: (tokenHash: Buffer) => found.byToken({ tokenHash }),
    findOfOrder: (orderId: number) => found.ofOrder({ orderId }),
    /** Those that one key has made, from the nth on. */
    listOfIssue: (issue: Issue, from: number, limit: number) => found.ofIssue({ ...issue, from, limit }),
    /** How those stand that one key has made; there is one at least. `unused`: open, or stuck without an order. */
    countOfIssue(issue: Issue): IssueCounts {
      const counts = found.countOfIssue(issue);
      if (!counts) throw new Error('A sum is a row.');
      return counts;
    },
    /** Of an account, the first that each key has made, the newest first. */
    listFirst: (accountId: number, limit: number) => found.first({ accountId, limit }),
    /** Of an account, the newest first, before that number. */
    list({
      state,
      reference,
      ...page
    }: Page & { state?: ClaimState | undefined; reference?: string | undefined }) {
      if (reference !== undefined) return found.byReference({ ...page, reference, state: state ?? null });
      return state === undefined ? found.before(page) : found.byState({ ...page, state });
    },
    /** Of an account, whatever became of them, strictly beyond a number, the nearest first. */
    listBeyond: (accountId: number, id: number, direction: 'older' | 'newer', limit: number) =>
      direction === 'older'
        ? found.before({ accountId, before: id, limit })
        : found.since({ accountId, after: id, limit }),
    /** Of an account, those that a restore found open and nobody has come with since, behind that number. */
    listRestored: (accountId: number, after: number, limit: number) =>
      found.restored({ accountId, after, limit }),
    /** Those whose time is over and that nobody has confirmed. */
    listDue: (until: number, limit: number) => found.due({ until, limit }),
    /** Counts one that is to be looked up, or gives it back. */
    look: (id: number, look: Look) => void moves.look({ id, ...look }),
    /** Who was found, to be confirmed; null: nobody. False where it is not open any more. */
    name: (id: number, player: Player) => moves.name({ id, ...player }) === 1,
    /** False where it is not open any more. */
    stick: (id: number, trouble: ClaimTrouble) => moves.stick({ id, trouble }) === 1,
    /** Nobody can tell whether a lost time has used it. */
    doubt: (id: number) => void moves.doubt({ id }),
    /** False where it is not open any more. */
    confirm: (id: number, by: { browserHash: Buffer | null; now: number }) =>
      moves.confirm({ id, ...by }) === 1,
    /** Its order is done, has ended without all of it (`stuck`), or goes on with the rest (`confirmed`). */
    follow: (id: number, state: 'confirmed' | 'settled' | 'stuck') => void moves.follow({ id, state }),
    /** Open once more, for that order; false where it is not stuck. */
    reopen: (id: number, orderId: number) => moves.reopen({ id, orderId }) === 1,
    /** False where somebody has confirmed it, or it is over. */
    end: (id: number, state: 'revoked' | 'expired') => moves.end({ id, state }) === 1,
    /** By how many the player was found and is not confirmed: by none any more. */
    forget: (playerId: string) => moves.forget({ playerId }),
  };
}

const findingOf = (sql: Sql) => {
  const page = <Also = object>(which: string) =>
    sql.all<Page & Also, ClaimRow>(`
      select * from claims where account_id = @accountId + 0 and ${which} and id < @before + 0
      order by id desc limit @limit + 0`);
  const onward = (which: string) =>
    sql.all<Pick<ClaimRow, 'accountId'> & { after: number; limit: number }, ClaimRow>(`
      select * from claims where account_id = @accountId + 0 and ${which} and id > @after + 0
      order by id limit @limit + 0`);
  return {
    one: sql.one<OfId, ClaimRow>('select * from claims where id = @id + 0'),
    byName: sql.one<{ name: string }, ClaimRow>('select * from claims where name = @name'),
    byToken: sql.one<{ tokenHash: Buffer }, ClaimRow>('select * from claims where token_hash = @tokenHash'),
    ofOrder: sql.one<{ orderId: number }, ClaimRow>('select * from claims where order_id = @orderId + 0'),
    ofIssue: sql.all<Issue & { from: number; limit: number }, ClaimRow>(`
      select * from claims where account_id = @accountId + 0 and issue_hash = @issueHash and n >= @from + 0
      order by n limit @limit + 0`),
    countOfIssue: sql.one<Issue, IssueCounts>(`
      select sum(state = 'open') as open, sum(state in ('confirmed', 'settled')) as used,
        sum(state = 'stuck') as stuck, sum(state = 'revoked') as revoked,
        sum(state = 'expired') as expired,
        sum(state in ('open', 'stuck') and confirmed_at is null) as unused
      from claims where account_id = @accountId + 0 and issue_hash = @issueHash`),
    first: sql.all<{ accountId: number; limit: number }, ClaimRow>(`
      select * from claims where account_id = @accountId + 0 and n = 1 order by id desc limit @limit + 0`),
    before: page('true'),
    byState: page<{ state: ClaimState }>('state = @state'),
    byReference: page<{ reference: string; state: ClaimState | null }>(
      'reference = @reference and coalesce(state = @state, 1)',
    ),
    since: onward('true'),
    restored: onward("state = 'stuck' and trouble = 'afterRestore' and undecided = 0"),
    due: sql.all<{ until: number; limit: number }, ClaimRow>(`
      select * from claims
      where confirmed_at is null and state in ('open', 'stuck') and expires_at <= @until + 0 limit @limit + 0`),
  };
};

const movesOf = (sql: Sql) => {
  const move = <Args = object>(from: string, set: string) =>
    sql.run<OfId & Args>(`update claims set ${set} where id = @id + 0 and ${from}`);
  return {
    look: move<Look>('true', 'looks = @looks, misses = @misses, looked_at = @lookedAt'),
    name: move<Player>("state = 'open'", 'player_id = @playerId, player_name = @playerName'),
    stick: move<{ trouble: ClaimTrouble }>("state = 'open'", "state = 'stuck', trouble = @trouble"),
    doubt: move('true', 'undecided = 1'),
    confirm: move<{ browserHash: Buffer | null; now: number }>(
      "state = 'open'",
      `state = 'confirmed', confirmed_at = @now, browser_hash = @browserHash, player_id = null, player_name = null`,
    ),
    follow: move<{ state: 'confirmed' | 'settled' | 'stuck' }>(
      'confirmed_at is not null',
      "state = @state, trouble = iif(@state = 'stuck', 'stopped', null)",
    ),
    reopen: move<{ orderId: number }>(
      "state = 'stuck'",
      `state = 'open', trouble = null, order_id = @orderId + 0, confirmed_at = null, browser_hash = null,
        player_id = null, player_name = null, looks = 0, misses = 0, looked_at = '[]'`,
    ),
    end: move<{ state: 'revoked' | 'expired' }>(
      "state in ('open', 'stuck') and confirmed_at is null",
      'state = @state, trouble = null, player_id = null, player_name = null',
    ),
    forget: sql.run<{ playerId: string }>(
      'update claims set player_id = null, player_name = null where player_id = @playerId',
    ),
  };
};
