// How upstreams have served, and what they were sent that is not proven: counted for those who run the service, over
// the newest attempts and over what is open, however many there ever were.
import { ph, sql, type Orm } from '../engine/drizzle.ts';
import type { CodeSeals, Secrets } from '../engine/secrets.ts';
import { attempts, redemptions } from '../schema/index.ts';
import { answerIdentity } from './attempts.ts';
import { hashTail } from './code-ends.ts';

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

export function createAttemptFiguresTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const belied = prepareBelied(orm);
  const proven = prepareProven(orm);
  const listNewest = orm
    .select({
      ...{ upstream: attempts.upstream, state: attempts.state, proof: attempts.proof },
      ...{ begunAt: attempts.begunAt, endedAt: attempts.endedAt, cost: attempts.cost },
    })
    .from(attempts)
    .orderBy(sql`redemption_id desc, n desc`)
    .limit(ph('limit'))
    .prepare();
  const listServed = prepareServed(orm);
  const ofOpen = sql`${redemptions.id} in (select id from redemptions where state = 'pending' union all select id from redemptions where state = 'in_doubt')`;
  const countUnproven = orm
    .select({ upstream: attempts.upstream, state: attempts.state, count: sql<number>`count(*)` })
    .from(redemptions)
    .innerJoin(attempts, sql`${attempts.redemptionId} = ${redemptions.id}`)
    .where(sql`${ofOpen} and ${attempts.state} in ('open', 'unknown')`)
    .groupBy(sql`${attempts.upstream}, ${attempts.state}`)
    .prepare();
  const listUnclear = orm
    .select({
      ...{ redemptionId: attempts.redemptionId, n: attempts.n, upstream: attempts.upstream },
      ...{ httpStatus: attempts.httpStatus, endedAt: attempts.endedAt, rawSecret: attempts.rawSecret },
    })
    .from(attempts)
    .where(sql`raw_secret is not null and quiet_until is not null and ended_at > 0`)
    .orderBy(sql`ended_at desc`)
    .limit(ph('limit'))
    .prepare();
  return {
    /** The newest of all, at most `limit`. */
    listNewest: (limit: number): ServedAttemptRow[] => listNewest.all({ limit }),
    /** The newest of all, so many at most, in order, with whose each was and what it was answered. */
    listServed: (limit: number) => listServed.all({ limit }).reverse(),
    /**
     * Whether it has named a code of that game as used since then which another upstream had spent, and which it was
     * never sent itself.
     */
    hasProven: (witness: string, gameId: string, since: number): boolean =>
      proven.get({ witness, gameId, since }) !== undefined,
    /**
     * Another redemption of that account than this, and the upstream that it sent the code to, which did not spend it as
     * somebody told; undefined where there is none.
     */
    findBelied: ({
      id,
      accountId,
      gameId,
      code,
    }: {
      id: number;
      accountId: number;
      gameId: string;
      code: string;
    }) => belied.get({ id, accountId, hash: seals.hash(gameId, code), tail: hashTail(secrets, code) }),
    /** By upstream: attempts that are open, and of which nobody knows. */
    countUnproven: () => countUnproven.all(),
    /** Answers by which nobody knew whether the code was spent, the newest first. */
    listUnclear: (limit: number): UnclearAnswer[] =>
      listUnclear.all({ limit }).map(({ rawSecret, ...row }) => ({
        ...row,
        text: rawSecret && secrets.open(answerIdentity(row.redemptionId, row.n), rawSecret),
      })),
  };
}

const prepareBelied = (orm: Orm) =>
  orm
    .select({ redemptionId: attempts.redemptionId, upstream: attempts.upstream })
    .from(attempts)
    .innerJoin(redemptions, sql`${redemptions.id} = ${attempts.redemptionId}`)
    .where(
      sql`account_id = ${ph('accountId')} and code_tail_hash = +${ph('tail')} and code_hash = +${ph('hash')}
        and ${attempts.state} = 'not_spent' and proof not in ('never_sent', 'person')
        and ${redemptions.state} = 'failed' and redemption_id <> ${ph('id')}+0`,
    )
    .limit(1)
    .prepare();

const prepareProven = (orm: Orm) =>
  orm
    .select({ n: attempts.n })
    .from(attempts)
    .innerJoin(redemptions, sql`${redemptions.id} = ${attempts.redemptionId}`)
    .where(
      sql`witness = ${ph('witness')} and ${attempts.state} = 'spent' and resolved_at > ${ph('since')}+0 and game_id = ${ph('gameId')}
        and not exists (select 1 from attempts o join redemptions s on s.id = o.redemption_id
          where s.account_id = ${redemptions.accountId} and s.code_tail_hash = ${redemptions.codeTailHash}
            and s.code_hash = ${redemptions.codeHash} and o.upstream = ${ph('witness')} and o.proof is not 'never_sent')`,
    )
    .limit(1)
    .prepare();

const prepareServed = (orm: Orm) =>
  orm
    .select({
      ...{ upstream: attempts.upstream, state: attempts.state, proof: attempts.proof },
      ...{ errorCode: attempts.errorCode, httpStatus: attempts.httpStatus, endedAt: attempts.endedAt },
      accountId: redemptions.accountId,
    })
    .from(attempts)
    .innerJoin(redemptions, sql`${redemptions.id} = ${attempts.redemptionId}`)
    .orderBy(sql`redemption_id desc, n desc`)
    .limit(ph('limit'))
    .prepare();
