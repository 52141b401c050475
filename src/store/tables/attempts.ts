// Attempts: the ledger of what was sent to upstreams, one row for each time. A row begins open, just before its code is
// sent, and ends in the transaction that settles its redemption, leaves it in doubt or sends it on; triggers refuse
// whatever else happens to it.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { CodeSeals, Secrets } from '../engine/secrets.ts';
import { attempts, redemptions, type AttemptProof } from '../schema/index.ts';
import { hashTail } from './code-ends.ts';

const OF_REDEMPTION = sql`redemption_id = ${ph('redemptionId')}+0`;
/** Of those of a redemption, the ones that may have spent its code, as far as is known. */
const UNPROVEN = sql`${OF_REDEMPTION} and state in ('open', 'unknown')`;

export interface SentOrder {
  redemptionId: number;
  /** The name of the upstream. */
  upstream: string;
  /** Ours there, a UUID. */
  reference: string;
  now: number;
}

export interface SentAttempt extends SentOrder {
  n: number;
  kind: 'order' | 'resend';
  /** As "0.30 USD". */
  cost?: string | undefined;
  /** "east, west": those it could be sent to, in their order, where there were more. */
  candidates?: string | undefined;
}

/** What an upstream has answered. `text`: without its secrets. */
export interface AnsweredAttempt {
  errorCode?: string | undefined;
  message?: string | null | undefined;
  httpStatus?: number | undefined;
  text?: string | undefined;
  theirId?: string | undefined;
}

/** What is known of all that were open or unknown. */
export interface AttemptsEnd {
  /** The number of the one that spent the code; undefined: none did. */
  spentBy?: number | undefined;
  proof: AttemptProof;
  /** The upstream that told, where it is another. */
  witness?: string | undefined;
  /** What the one of this number was answered; without a number, all. */
  answered?: (AnsweredAttempt & { n?: number | undefined }) | undefined;
}

/** Under which an answer is sealed. */
export const answerIdentity = (redemptionId: number, n: number): string => `attempt:${redemptionId}/${n}:raw`;

export function createAttemptsTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const { insert, insertSpent, saveJobId, doubt, end, pass, lower, ...queries } = prepareAttempts(orm);
  const heard = (redemptionId: number, n: number | undefined, told: AnsweredAttempt = {}) => ({
    answeredBy: n ?? 0,
    errorCode: told.errorCode ?? null,
    message: told.message ?? null,
    httpStatus: told.httpStatus ?? null,
    theirId: told.theirId ?? null,
    rawSecret:
      told.text === undefined || n === undefined
        ? null
        : secrets.seal(answerIdentity(redemptionId, n), told.text),
  });
  const reading = createReading(orm, secrets, seals, queries);
  return {
    /**
     * Writes down that its code is sent now. Throws where an earlier one may have spent it, or the redemption is not
     * open.
     */
    begin: ({ cost = '', candidates = '', ...sent }: SentAttempt) =>
      void insert.run({ ...sent, cost: cost || null, candidates: candidates || null }),
    /** Writes down what was sent at `begunAt`, in a time that nobody knows of, and is found spent now. */
    insertSpent: ({ now, begunAt, ...order }: SentOrder & { begunAt: number }) =>
      void insertSpent.run({ ...order, begunAt, now }),
    /** Writes down by what id the upstream tells of one that is not known yet; false where that is another's. */
    saveJobId({ redemptionId, n, ...told }: TheirId & { n: number }): boolean {
      if (reading.isAnothers({ redemptionId, ...told })) return false;
      saveJobId.run({ redemptionId, n, theirId: told.theirId });
      return true;
    },
    /** What was open is unknown, and may be carried out until `quietUntil`; what is unknown, no shorter than that. */
    doubt: (
      redemptionId: number,
      answered: AnsweredAttempt & { n?: number | undefined },
      quietUntil: number,
      now: number,
    ) => void doubt.run({ redemptionId, quietUntil, now, ...heard(redemptionId, answered.n, answered) }),
    /** What was open or unknown is known now. What was answered before stays where nothing is told now. */
    end: (redemptionId: number, { spentBy = 0, proof, witness, answered }: AttemptsEnd, now: number) =>
      void end.run({
        ...{ redemptionId, spentBy, proof, now, witness: witness ?? null },
        ...heard(redemptionId, answered?.n, answered),
      }),
    /** One did not spend the code: the others stay as they are. */
    pass: (redemptionId: number, n: number, { proof, witness, answered }: AttemptsEnd, now: number) =>
      void pass.run({
        ...{ redemptionId, n, proof, now, witness: witness ?? null },
        ...heard(redemptionId, n, answered),
      }),
    /** None of them may be carried out later than that: the calendar has gone back. */
    lower: (redemptionId: number, quietUntil: number) => void lower.run({ redemptionId, quietUntil }),
    ...reading,
  };
}

/** What an upstream calls an attempt of this redemption. */
type TheirId = { redemptionId: number; upstream: string; theirId: string };

function createReading(
  orm: Orm,
  secrets: Secrets,
  seals: CodeSeals,
  { findSpent, listOpen, list, listWhole }: Omit<ReturnType<typeof prepareFinding>, 'lower'>,
) {
  const { findOther, findNamesake, prune } = prepareOthers(orm);
  return {
    /** To whom, and under which name, what spent the code of a redemption was sent. */
    findSpent: (redemptionId: number) => findSpent.get({ redemptionId }),
    /** Redemptions with an open one, whatever became of them: those under way, and those of a process that is gone. */
    listOpen: () => listOpen.all().map(({ redemptionId }) => redemptionId),
    /** Those of a redemption, in order. */
    list: (redemptionId: number) => list.all({ redemptionId }),
    /** The same with all that is known of them; `answer`: as it was kept, without its secrets. */
    listWhole: (redemptionId: number) =>
      listWhole.all({ redemptionId }).map(({ rawSecret, ...row }) => ({
        ...row,
        answer: rawSecret && (secrets.openIfSound(answerIdentity(redemptionId, row.n), rawSecret) ?? null),
      })),
    /** Whether another upstream than this one was sent that code by that account. */
    wasSentElsewhere: (
      { accountId, gameId, code }: { accountId: number; gameId: string; code: string },
      upstream: string,
    ): boolean =>
      findOther.get({
        ...{ accountId, upstream },
        ...{ hash: seals.hash(gameId, code), tail: hashTail(secrets, code) },
      }) !== undefined,
    /** Whether what another redemption sent there is called the same. */
    isAnothers: (told: TheirId): boolean => findNamesake.get(told) !== undefined,
    /** Prunes answers that came before; returns how many, at most `limit`. */
    pruneAnswers: (before: number, limit: number): number => prune.run({ before, limit }).changes,
  };
}

function prepareOthers(orm: Orm) {
  return {
    findNamesake: orm
      .select({ n: attempts.n })
      .from(attempts)
      .where(
        sql`their_id = ${ph('theirId')} and upstream = ${ph('upstream')} and redemption_id <> ${ph('redemptionId')}+0`,
      )
      .limit(1)
      .prepare(),
    findOther: orm
      .select({ n: attempts.n })
      .from(attempts)
      .innerJoin(redemptions, sql`${redemptions.id} = ${attempts.redemptionId}`)
      .where(
        sql`account_id = ${ph('accountId')} and code_tail_hash = +${ph('tail')} and code_hash = +${ph('hash')}
          and upstream <> ${ph('upstream')}`,
      )
      .limit(1)
      .prepare(),
    prune: orm
      .update(attempts)
      .set({ rawSecret: sql`null` })
      .where(
        sql`(redemption_id, n) in (select redemption_id, n from attempts where raw_secret is not null
          and ended_at < ${ph('before')}+0 limit ${ph('limit')})`,
      )
      .prepare(),
  };
}

const ENDED = {
  proof: bound('proof'),
  witness: bound('witness'),
  endedAt: sql`coalesce(ended_at, ${ph('now')})`,
  resolvedAt: sql`case state when 'unknown' then ${ph('now')} end`,
};
/**
 * An answer is of the attempt that was answered, or of all. `first`: where two were told, what is told now stands, or
 * what was told before.
 */
const answerOf = (first: 'now' | 'before') => {
  const told = (name: string, column: string) => {
    const [now, before] = [ph(name), sql.raw(column)];
    const one = first === 'now' ? sql`coalesce(${now}, ${before})` : sql`coalesce(${before}, ${now})`;
    return sql`case when ${ph('answeredBy')} in (0, n) then ${one} else ${before} end`;
  };
  return {
    errorCode: told('errorCode', 'error_code'),
    message: told('message', 'message'),
    httpStatus: told('httpStatus', 'http_status'),
    theirId: told('theirId', 'their_id'),
    rawSecret: told('rawSecret', 'raw_secret'),
  };
};

function prepareAttempts(orm: Orm) {
  const sent = {
    redemptionId: ph('redemptionId'),
    upstream: ph('upstream'),
    reference: ph('reference'),
  };
  return {
    insert: orm
      .insert(attempts)
      .values({
        ...sent,
        ...{ n: ph('n'), kind: ph('kind'), cost: ph('cost'), candidates: ph('candidates') },
        ...{ state: sql`'open'`, begunAt: ph('now') },
      })
      .prepare(),
    insertSpent: orm
      .insert(attempts)
      .values({
        ...sent,
        ...{ n: sql`1`, kind: sql`'order'` },
        ...{ state: sql`'spent'`, proof: sql`'lookup'`, begunAt: ph('begunAt'), endedAt: ph('now') },
      })
      .prepare(),
    saveJobId: orm
      .update(attempts)
      .set({ theirId: bound('theirId') })
      .where(sql`${UNPROVEN} and n = ${ph('n')}+0`)
      .prepare(),
    doubt: orm
      .update(attempts)
      .set({
        ...answerOf('before'),
        state: sql`'unknown'`,
        endedAt: sql`coalesce(ended_at, ${ph('now')})`,
        quietUntil: sql`max(coalesce(quiet_until, 0), ${ph('quietUntil')})`,
      })
      .where(UNPROVEN)
      .prepare(),
    end: orm
      .update(attempts)
      .set({
        ...ENDED,
        ...answerOf('now'),
        state: sql`case n when ${ph('spentBy')} then 'spent' else 'not_spent' end`,
      })
      .where(UNPROVEN)
      .prepare(),
    pass: orm
      .update(attempts)
      .set({ ...ENDED, ...answerOf('now'), state: sql`'not_spent'` })
      .where(sql`${UNPROVEN} and n = ${ph('n')}+0`)
      .prepare(),
    ...prepareFinding(orm),
  };
}

function prepareFinding(orm: Orm) {
  return {
    lower: orm
      .update(attempts)
      .set({ quietUntil: bound('quietUntil') })
      .where(sql`${OF_REDEMPTION} and state = 'unknown' and quiet_until > ${ph('quietUntil')}+0`)
      .prepare(),
    list: orm
      .select({
        n: attempts.n,
        upstream: attempts.upstream,
        kind: attempts.kind,
        reference: attempts.reference,
        state: attempts.state,
        proof: attempts.proof,
        errorCode: attempts.errorCode,
        theirId: attempts.theirId,
        begunAt: attempts.begunAt,
        quietUntil: attempts.quietUntil,
      })
      .from(attempts)
      .where(OF_REDEMPTION)
      .orderBy(attempts.n)
      .prepare(),
    listWhole: orm.select().from(attempts).where(OF_REDEMPTION).orderBy(attempts.n).prepare(),
    findSpent: orm
      .select({ upstream: attempts.upstream, reference: attempts.reference, n: attempts.n })
      .from(attempts)
      .where(sql`${OF_REDEMPTION} and state = 'spent'`)
      .prepare(),
    listOpen: orm
      .select({ redemptionId: attempts.redemptionId })
      .from(attempts)
      .where(sql`state = 'open'`)
      .prepare(),
  };
}
