// What upstreams have to answer for, under a key of the table `meta`; and what an account had sent of a code before, and
// believed not spent.
import { ph, sql, type Orm } from '../engine/drizzle.ts';
import type { CodeSeals, Secrets } from '../engine/secrets.ts';
import { attempts, redemptions } from '../schema/index.ts';
import { hashTail } from './code-beginnings.ts';
import { prepareMeta } from './meta.ts';

/**
 * In one redemption. `usedAfter`: its code was used by somebody else once the upstream had it; `wasSpent`: a code was
 * spent that it had not spent, it was said. `at` in ms UTC.
 */
export interface UpstreamCase {
  redemptionId: number;
  why: 'usedAfter' | 'wasSpent';
  at: number;
}

/** The newest of each, by their names. */
export function createUpstreamCasesTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const { find, save } = prepareMeta(orm, 'upstream_cases');
  const findBelied = orm
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
  return {
    find(): Record<string, UpstreamCase[]> {
      const value = find.get()?.value;
      return value ? (JSON.parse(value.toString()) as Record<string, UpstreamCase[]>) : {};
    },
    save: (cases: Record<string, UpstreamCase[]>) =>
      void save.run({ value: Buffer.from(JSON.stringify(cases)) }),
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
    }): { redemptionId: number; upstream: string } | undefined =>
      findBelied.get({
        ...{ id, accountId },
        ...{ hash: seals.hash(gameId, code), tail: hashTail(secrets, code) },
      }),
  };
}
