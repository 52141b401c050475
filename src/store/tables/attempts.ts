// Attempts: the ledger of what was sent to upstreams, one row for each time. A row begins open, just before its code is sent, and ends in
// the transaction that settles its redemption or leaves it in doubt; triggers refuse whatever else happens to it.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import { attempts, type AttemptProof } from '../schema/index.ts';

/** Of those of a redemption, the ones that may have spent its code, as far as is known. */
const UNPROVEN = sql`redemption_id = ${ph('redemptionId')}+0 and state in ('open', 'unknown')`;

export interface SentOrder {
  redemptionId: number;
  /** The name of the upstream. */
  upstream: string;
  /** Ours there, a UUID. */
  reference: string;
  now: number;
}

interface Answered {
  errorCode: string;
  message: string | null;
}

export function createAttemptsTable(orm: Orm) {
  const { insert, insertSpent, doubt, prove, findSpent, listOpen } = prepareAttempts(orm);
  return {
    /** Writes down that its code is sent now, for the first time. Throws where it was sent before, or the redemption is not open. */
    begin: (order: SentOrder) => void insert.run({ ...order }),
    /** Writes down what was sent at `begunAt`, in a time that nobody knows of, and is found spent now. */
    insertSpent: ({ now, begunAt, ...order }: SentOrder & { begunAt: number }) =>
      void insertSpent.run({ ...order, begunAt, now }),
    /** What was open is unknown, and may be carried out until `quietUntil`; what is unknown, no shorter than that. */
    doubt: (redemptionId: number, answered: Answered, quietUntil: number, now: number) =>
      void doubt.run({ redemptionId, ...answered, quietUntil, now }),
    /** The code is spent by what was open or unknown. */
    spend: (redemptionId: number, proof: AttemptProof, now: number) =>
      void prove.run({ redemptionId, state: 'spent', proof, errorCode: null, message: null, now }),
    /** What was open or unknown did not spend the code; what was answered before stays where nothing is told now. */
    acquit: (redemptionId: number, proof: AttemptProof, answered: Answered | undefined, now: number) =>
      void prove.run({
        ...{ redemptionId, state: 'not_spent', proof, now },
        errorCode: answered?.errorCode ?? null,
        message: answered?.message ?? null,
      }),
    /** To whom, and under which name, what spent the code of a redemption was sent. */
    findSpent: (redemptionId: number) => findSpent.get({ redemptionId }),
    /** Redemptions that have an open one, whatever became of them: as many as are under way, and those of a process that is gone. */
    listOpen: () => listOpen.all().map(({ redemptionId }) => redemptionId),
  };
}

function prepareAttempts(orm: Orm) {
  const first = {
    redemptionId: ph('redemptionId'),
    n: sql`1`,
    upstream: ph('upstream'),
    kind: sql`'order'`,
    reference: ph('reference'),
  };
  return {
    insert: orm
      .insert(attempts)
      .values({ ...first, state: sql`'open'`, begunAt: ph('now') })
      .prepare(),
    insertSpent: orm
      .insert(attempts)
      .values({
        ...first,
        ...{ state: sql`'spent'`, proof: sql`'lookup'`, begunAt: ph('begunAt'), endedAt: ph('now') },
      })
      .prepare(),
    doubt: orm
      .update(attempts)
      .set({
        state: sql`'unknown'`,
        errorCode: sql`coalesce(error_code, ${ph('errorCode')})`,
        message: sql`coalesce(message, ${ph('message')})`,
        endedAt: sql`coalesce(ended_at, ${ph('now')})`,
        quietUntil: sql`max(coalesce(quiet_until, 0), ${ph('quietUntil')})`,
      })
      .where(UNPROVEN)
      .prepare(),
    prove: orm
      .update(attempts)
      .set({
        state: bound('state'),
        proof: bound('proof'),
        errorCode: sql`coalesce(${ph('errorCode')}, error_code)`,
        message: sql`coalesce(${ph('message')}, message)`,
        endedAt: sql`coalesce(ended_at, ${ph('now')})`,
        resolvedAt: sql`case state when 'unknown' then ${ph('now')} end`,
      })
      .where(UNPROVEN)
      .prepare(),
    findSpent: orm
      .select({ upstream: attempts.upstream, reference: attempts.reference })
      .from(attempts)
      .where(sql`redemption_id = ${ph('redemptionId')}+0 and state = 'spent'`)
      .prepare(),
    listOpen: orm
      .select({ redemptionId: attempts.redemptionId })
      .from(attempts)
      .where(sql`state = 'open'`)
      .prepare(),
  };
}
