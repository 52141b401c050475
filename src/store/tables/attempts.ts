// Attempts: the ledger of what was sent to upstreams, one row for each time. A row begins open, just before its code is
// sent, and ends in the transaction that settles its redemption, leaves it in doubt or sends it on; triggers refuse
// whatever else happens to it.
import type { AttemptProof, attempts } from '../schema/index.ts';
import type { CodeSeals, Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { hashTail } from './code-ends.ts';

type AttemptRow = typeof attempts.$inferSelect;

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

export function createAttemptsTable(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  const ledger = ledgerOf(sql);
  const heard = (redemptionId: number, n: number | undefined, told: AnsweredAttempt = {}): Heard => ({
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
  const reading = createReading(sql, secrets, seals);
  return {
    /**
     * Writes down that its code is sent now. Throws where an earlier one may have spent it, or the redemption is not
     * open.
     */
    begin: ({ cost = '', candidates = '', ...sent }: SentAttempt) =>
      void ledger.insert({ ...sent, cost: cost || null, candidates: candidates || null }),
    /** Writes down what was sent at `begunAt`, in a time that nobody knows of, and is found spent now. */
    insertSpent: (order: SentOrder & { begunAt: number }) => void ledger.insertSpent(order),
    /** Writes down by what id the upstream tells of one that is not known yet; false where that is another's. */
    saveJobId({ redemptionId, n, ...told }: TheirId & { n: number }): boolean {
      if (reading.isAnothers({ redemptionId, ...told })) return false;
      ledger.saveJobId({ redemptionId, n, theirId: told.theirId });
      return true;
    },
    /** What was open is unknown, and may be carried out until `quietUntil`; what is unknown, no shorter than that. */
    doubt: (
      redemptionId: number,
      answered: AnsweredAttempt & { n?: number | undefined },
      quietUntil: number,
      now: number,
    ) => void ledger.doubt({ redemptionId, quietUntil, now, ...heard(redemptionId, answered.n, answered) }),
    /** What was open or unknown is known now. What was answered before stays where nothing is told now. */
    end: (redemptionId: number, { spentBy = 0, proof, witness, answered }: AttemptsEnd, now: number) =>
      void ledger.end({
        ...{ redemptionId, spentBy, proof, now, witness: witness ?? null },
        ...heard(redemptionId, answered?.n, answered),
      }),
    /** One did not spend the code: the others stay as they are. */
    pass: (redemptionId: number, n: number, { proof, witness, answered }: AttemptsEnd, now: number) =>
      void ledger.pass({
        ...{ redemptionId, n, proof, now, witness: witness ?? null },
        ...heard(redemptionId, n, answered),
      }),
    /** What is to be carried out until later than `latest` is of another scale: it is over at `quietUntil`. */
    lower: (redemptionId: number, quietUntil: number, latest: number) =>
      void ledger.lower({ redemptionId, quietUntil, latest }),
    /** Prunes answers that came before; returns how many, at most `limit`. */
    pruneAnswers: (before: number, limit: number): number => ledger.prune({ before, limit }),
    ...reading,
  };
}

type OfRedemption = { redemptionId: number };
/** What an upstream calls an attempt of this redemption. */
type TheirId = OfRedemption & { upstream: string; theirId: string };
/** `answeredBy`: the number of the one that was answered; 0 is all. */
type Heard = Pick<AttemptRow, 'errorCode' | 'message' | 'httpStatus' | 'theirId' | 'rawSecret'> & {
  answeredBy: number;
};
type Proven = OfRedemption & Heard & { proof: AttemptProof; witness: string | null; now: number };

// Bound integers wear `+ 0`, since these are run in every redemption and the indexes are partial.
const OF_REDEMPTION = 'redemption_id = @redemptionId + 0';
/** Of those of a redemption, the ones that may have spent its code, as far as is known. */
const UNPROVEN = `${OF_REDEMPTION} and state in ('open', 'unknown')`;
const ENDED = `proof = @proof, witness = @witness, ended_at = coalesce(ended_at, @now),
      resolved_at = case state when 'unknown' then @now end`;

/**
 * An answer is of the attempt that was answered, or of all. `first`: where two were told, what is told now stands, or
 * what was told before.
 */
function answerOf(first: 'now' | 'before'): string {
  const told = (column: string, name: string) => {
    const one = first === 'now' ? `coalesce(@${name}, ${column})` : `coalesce(${column}, @${name})`;
    return `${column} = case when @answeredBy in (0, n) then ${one} else ${column} end`;
  };
  return `${told('error_code', 'errorCode')}, ${told('message', 'message')},
      ${told('http_status', 'httpStatus')}, ${told('their_id', 'theirId')},
      ${told('raw_secret', 'rawSecret')}`;
}

const ledgerOf = (sql: Sql) => ({
  insert: sql.run<
    SentOrder & Pick<AttemptRow, 'n' | 'kind'> & { cost: string | null; candidates: string | null }
  >(`
    insert into attempts (redemption_id, n, upstream, candidates, kind, reference, state, cost, begun_at)
    values (@redemptionId, @n, @upstream, @candidates, @kind, @reference, 'open', @cost, @now)`),
  insertSpent: sql.run<SentOrder & { begunAt: number }>(`
    insert into attempts (redemption_id, n, upstream, kind, reference, state, proof, begun_at, ended_at)
    values (@redemptionId, 1, @upstream, 'order', @reference, 'spent', 'lookup', @begunAt, @now)`),
  saveJobId: sql.run<OfRedemption & { n: number; theirId: string }>(
    `update attempts set their_id = @theirId where ${UNPROVEN} and n = @n + 0`,
  ),
  doubt: sql.run<OfRedemption & Heard & { quietUntil: number; now: number }>(`
    update attempts
    set state = 'unknown', ended_at = coalesce(ended_at, @now),
      quiet_until = max(coalesce(quiet_until, 0), @quietUntil), ${answerOf('before')}
    where ${UNPROVEN}`),
  end: sql.run<Proven & { spentBy: number }>(`
    update attempts
    set state = case n when @spentBy then 'spent' else 'not_spent' end, ${ENDED}, ${answerOf('now')}
    where ${UNPROVEN}`),
  pass: sql.run<Proven & { n: number }>(`
    update attempts set state = 'not_spent', ${ENDED}, ${answerOf('now')}
    where ${UNPROVEN} and n = @n + 0`),
  lower: sql.run<OfRedemption & { quietUntil: number; latest: number }>(`
    update attempts set quiet_until = @quietUntil
    where ${OF_REDEMPTION} and state = 'unknown' and quiet_until > @latest + 0`),
  prune: sql.run<{ before: number; limit: number }>(`
    update attempts set raw_secret = null
    where (redemption_id, n) in (
      select redemption_id, n from attempts where raw_secret is not null and ended_at < @before + 0 limit @limit)`),
});

type ListedAttempt = Pick<
  AttemptRow,
  'n' | 'upstream' | 'kind' | 'reference' | 'state' | 'proof' | 'errorCode' | 'theirId'
> &
  Pick<AttemptRow, 'begunAt' | 'quietUntil'>;

const looksOf = (sql: Sql) => ({
  list: sql.all<OfRedemption, ListedAttempt>(`
    select n, upstream, kind, reference, state, proof, error_code, their_id, begun_at, quiet_until
    from attempts where ${OF_REDEMPTION} order by n`),
  listWhole: sql.all<OfRedemption, AttemptRow>(`select * from attempts where ${OF_REDEMPTION} order by n`),
  spent: sql.one<OfRedemption, Pick<AttemptRow, 'upstream' | 'reference' | 'n'>>(
    `select upstream, reference, n from attempts where ${OF_REDEMPTION} and state = 'spent'`,
  ),
  listOpen: sql.all<void, OfRedemption>("select redemption_id from attempts where state = 'open'"),
  namesake: sql.one<TheirId, Pick<AttemptRow, 'n'>>(`
    select n from attempts
    where their_id = @theirId and upstream = @upstream and redemption_id <> @redemptionId + 0 limit 1`),
  other: sql.one<{ accountId: number; upstream: string; hash: Buffer; tail: Buffer }, Pick<AttemptRow, 'n'>>(`
    select attempts.n from attempts join redemptions on redemptions.id = attempts.redemption_id
    where account_id = @accountId and code_tail_hash = +@tail and code_hash = +@hash and upstream <> @upstream
    limit 1`),
});

function createReading(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  const looks = looksOf(sql);
  return {
    /** To whom, and under which name, what spent the code of a redemption was sent. */
    findSpent: (redemptionId: number) => looks.spent({ redemptionId }),
    /** Redemptions with an open one, whatever became of them: those under way, and those of a process that is gone. */
    listOpen: () => looks.listOpen().map(({ redemptionId }) => redemptionId),
    /** Those of a redemption, in order. */
    list: (redemptionId: number) => looks.list({ redemptionId }),
    /** The same with all that is known of them; `answer`: as it was kept, without its secrets. */
    listWhole: (redemptionId: number) =>
      looks.listWhole({ redemptionId }).map(({ rawSecret, ...row }) => ({
        ...row,
        answer: rawSecret && (secrets.openIfSound(answerIdentity(redemptionId, row.n), rawSecret) ?? null),
      })),
    /** Whether another upstream than this one was sent that code by that account. */
    wasSentElsewhere: (
      { accountId, gameId, code }: { accountId: number; gameId: string; code: string },
      upstream: string,
    ): boolean =>
      looks.other({
        ...{ accountId, upstream },
        ...{ hash: seals.hash(gameId, code), tail: hashTail(secrets, code) },
      }) !== undefined,
    /** Whether what another redemption sent there is called the same. */
    isAnothers: (told: TheirId): boolean => looks.namesake(told) !== undefined,
  };
}
