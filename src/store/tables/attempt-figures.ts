// How upstreams have served, and what they were sent that is not proven: counted for those who run the service, over
// the newest attempts and over what is open, however many there ever were.
import type { attempts } from '../schema/index.ts';
import type { CodeSeals, Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { answerIdentity } from './attempts.ts';
import { hashTail } from './code-ends.ts';

type AttemptRow = typeof attempts.$inferSelect;

/** An attempt as its upstream served it. Times in ms UTC. */
export interface ServedAttemptRow {
  upstream: string;
  state: 'open' | 'spent' | 'not_spent' | 'unknown';
  proof: string | null;
  begunAt: number;
  endedAt: number | null;
  /** As "0.30 USD". */
  cost: string | null;
}

/** An answer that decided nothing, as it was kept. */
export interface UnclearAnswer {
  redemptionId: number;
  n: number;
  upstream: string;
  httpStatus: number | null;
  endedAt: number | null;
  /** Without its secrets; null where none was kept. */
  text: string | null;
}

export function createAttemptFiguresTable(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  const figures = figuresOf(sql);
  const proofs = proofsOf(sql);
  return {
    /** The newest of all, at most `limit`. */
    listNewest: (limit: number): ServedAttemptRow[] => figures.listNewest({ limit }),
    /**
     * Whether it has named a code of that game as used since then which another upstream had spent, and which it was
     * never sent itself.
     */
    hasProven: (witness: string, gameId: string, since: number): boolean =>
      proofs.findProven({ witness, gameId, since }) !== undefined,
    /**
     * Another redemption of that account than this, and the upstream that it sent the code to, which did not spend it as
     * somebody told; undefined where there is none.
     */
    findBelied: ({
      code,
      gameId,
      ...query
    }: {
      id: number;
      accountId: number;
      gameId: string;
      code: string;
    }) => proofs.findBelied({ ...query, hash: seals.hash(gameId, code), tail: hashTail(secrets, code) }),
    /** By upstream: attempts that are open, and of which nobody knows. */
    countUnproven: figures.countUnproven,
    /** Answers by which nobody knew whether the code was spent, the newest first. */
    listUnclear: (limit: number): UnclearAnswer[] =>
      figures.listUnclear({ limit }).map(({ rawSecret, ...row }) => ({
        ...row,
        text: rawSecret && secrets.open(answerIdentity(row.redemptionId, row.n), rawSecret),
      })),
  };
}

type Newest = { limit: number };

const figuresOf = (sql: Sql) => ({
  listNewest: sql.all<Newest, ServedAttemptRow>(`
    select upstream, state, proof, begun_at, ended_at, cost from attempts
    order by redemption_id desc, n desc limit @limit + 0`),
  countUnproven: sql.all<void, Pick<AttemptRow, 'upstream' | 'state'> & { count: number }>(`
    select attempts.upstream, attempts.state, count(*) as count
    from redemptions join attempts on attempts.redemption_id = redemptions.id
    where redemptions.id in (
        select id from redemptions where state = 'pending'
        union all select id from redemptions where state = 'in_doubt')
      and attempts.state in ('open', 'unknown')
    group by attempts.upstream, attempts.state`),
  listUnclear: sql.all<
    Newest,
    Pick<AttemptRow, 'redemptionId' | 'n' | 'upstream' | 'httpStatus' | 'endedAt' | 'rawSecret'>
  >(`
    select redemption_id, n, upstream, http_status, ended_at, raw_secret from attempts
    where raw_secret is not null and quiet_until is not null and ended_at > 0
    order by ended_at desc limit @limit + 0`),
});

const proofsOf = (sql: Sql) => ({
  findBelied: sql.one<
    { id: number; accountId: number; hash: Buffer; tail: Buffer },
    Pick<AttemptRow, 'redemptionId' | 'upstream'>
  >(`
    select attempts.redemption_id, attempts.upstream
    from attempts join redemptions on redemptions.id = attempts.redemption_id
    where account_id = @accountId and code_tail_hash = +@tail and code_hash = +@hash
      and attempts.state = 'not_spent' and proof not in ('never_sent', 'person')
      and redemptions.state = 'failed' and redemption_id <> @id + 0
    limit 1`),
  findProven: sql.one<{ witness: string; gameId: string; since: number }, Pick<AttemptRow, 'n'>>(`
    select attempts.n from attempts join redemptions on redemptions.id = attempts.redemption_id
    where witness = @witness and attempts.state = 'spent' and resolved_at > @since + 0 and game_id = @gameId
      and not exists (
        select 1 from attempts o join redemptions s on s.id = o.redemption_id
        where s.account_id = redemptions.account_id and s.code_tail_hash = redemptions.code_tail_hash
          and s.code_hash = redemptions.code_hash and o.upstream = @witness and o.proof is not 'never_sent')
    limit 1`),
});
