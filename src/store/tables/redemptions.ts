// Redemptions: one row from begin to its end. `pending` and `in_doubt` are open; `redeemed` and `failed` are for good.
// States are literals and bound integers of hot statements are written with `+ 0`, so that SQLite never compiles them
// anew because of a partial index.
import type { redemptions } from '../schema/index.ts';
import type { ErrorCode } from '../schema/states.ts';
import type { CodeSeals, SealedCode, Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { hashEnds, hashTail } from './code-ends.ts';

export type RedemptionRow = typeof redemptions.$inferSelect;

/** A row with its secrets opened. */
export interface StoredRedemption extends Omit<
  RedemptionRow,
  | 'codeHash'
  | 'codeSecret'
  | 'codeHeadHash'
  | 'codeTailHash'
  | 'credentialsSecret'
  | 'idempotencyKeySecret'
  | 'live'
  | 'codeReset'
  | 'warning'
> {
  codeReset: boolean;
  warning: boolean;
  code: string | null;
  credentials: StoredCredentials | null;
}

export interface StoredCredentials {
  uid?: string;
  email?: string;
  password?: string;
}

export interface NewRedemption {
  accountId: number;
  actor: string;
  gameId: string;
  playerId: string;
  /** Where a person confirmed it before the beginning. */
  playerName?: string | null;
  mode: 'database' | 'direct';
  denomination: number | null;
  codeId: number | null;
  code: ({ text: string } & SealedCode) | null;
  usageId: number | null;
  /** Of its request, where programs are to be told of its end. */
  idempotencyKey?: string | undefined;
  now: number;
}

/** How a redemption ended with a receipt. */
export interface StoredReceipt {
  openid: string;
  playerName: string;
  region: string | null;
  productName: string | null;
  amount: number | null;
  warning: boolean;
  credentials: StoredCredentials | null;
}

const EMPTY = { errorCode: null, errorMessage: null, settledAt: null, firstId: null };

export function createRedemptionsTable(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  return {
    ...createLife(sql, secrets, seals),
    ...createDuplicates(sql),
    ...createReplacing(sql, secrets),
    ...createFinding(sql, secrets, seals),
    ...createDoubts(sql),
  };
}

const credentialsIdentity = (id: number) => `redemption:${id}:credentials`;
export const keyIdentity = (id: number) => `redemption:${id}:key`;

/**
 * Opens the secrets of rows; what does not open any more is told as not there, so that it costs itself and not its
 * page.
 */
export function createRowOpener(secrets: Secrets, seals: CodeSeals) {
  return (row: RedemptionRow): StoredRedemption => {
    const { codeHash, codeSecret, credentialsSecret, live: _live, ...others } = row;
    const { codeHeadHash: _head, codeTailHash: _tail, idempotencyKeySecret: _key, ...rest } = others;
    return {
      ...rest,
      // A duplicate was refused, and what became of it is not known before its first has ended.
      settledAt: row.firstId !== null && row.errorCode === 'UNKNOWN' ? null : row.settledAt,
      codeReset: row.codeReset === 1,
      warning: row.warning === 1,
      code: (codeHash && codeSecret && seals.openIfSound({ hash: codeHash, secret: codeSecret })) ?? null,
      credentials: credentialsSecret && openCredentials(secrets, row.id, credentialsSecret),
    };
  };
}

function openCredentials(secrets: Secrets, id: number, sealed: Buffer): StoredCredentials | null {
  try {
    return JSON.parse(secrets.open(credentialsIdentity(id), sealed)) as StoredCredentials;
  } catch {
    return null;
  }
}

const ofCode = (column: string) => `
    case when redemptions.code_secret is null and redemptions.code_id is not null
      then (select c.${column} from codes c where c.id = redemptions.code_id)
      else redemptions.${column} end as ${column}`;

/**
 * A redemption as it is read: of two columns of one name the latter counts. A code of the database is kept once, sealed
 * in its own row, which is never deleted: its secret and the hash that opens it are read from there.
 */
export const WHOLE = `redemptions.*,${ofCode('code_hash')},${ofCode('code_secret')}`;

const OPEN = "state in ('pending', 'in_doubt')";

type OfId = { id: number };
type NewRow = Omit<NewRedemption, 'playerName' | 'code' | 'idempotencyKey' | 'now'> &
  Pick<RedemptionRow, 'playerName' | 'codeHash' | 'codeSecret' | 'createdAt' | 'live'> &
  NewEnd &
  Ends;
type NewEnd = Pick<RedemptionRow, 'state' | 'errorCode' | 'errorMessage' | 'settledAt' | 'firstId'>;
type Ends = { head: Buffer | null; tail: Buffer | null };
type Failure = { errorCode: ErrorCode; errorMessage: string | null; codeReset: boolean };

const lifeOf = (sql: Sql) => ({
  insert: sql.insert<NewRow>(`
    insert into redemptions (
      account_id, actor, game_id, player_id, player_name, mode, denomination, code_id, code_hash, code_secret,
      code_head_hash, code_tail_hash, state, error_code, error_message, usage_id, created_at, settled_at, live, first_id)
    values (
      @accountId, @actor, @gameId, @playerId, @playerName, @mode, @denomination, @codeId, @codeHash, @codeSecret,
      @head, @tail, @state, @errorCode, @errorMessage, @usageId, @createdAt, @settledAt, @live, @firstId)`),
  find: sql.one<OfId, RedemptionRow>(`select ${WHOLE} from redemptions where id = @id + 0`),
  saveKey: sql.run<OfId & { secret: Buffer }>(
    'update redemptions set idempotency_key_secret = @secret where id = @id + 0',
  ),
  findKey: sql.one<OfId, { secret: Buffer | null }>(
    'select idempotency_key_secret as secret from redemptions where id = @id + 0',
  ),
  settleRedeemed: sql.run<
    OfId & Omit<StoredReceipt, 'credentials'> & { credentialsSecret: Buffer | null; now: number }
  >(`
    update redemptions
    set state = 'redeemed', error_code = null, error_message = null, openid = @openid, player_name = @playerName,
      region = @region, product_name = @productName, amount = @amount, warning = @warning,
      credentials_secret = @credentialsSecret, settled_at = @now, took_ms = max(0, @now - created_at)
    where id = @id + 0 and ${OPEN}`),
  completeLogin: sql.run<
    OfId & Omit<StoredReceipt, 'openid' | 'credentials'> & { credentialsSecret: Buffer | null }
  >(`
    update redemptions
    set player_name = @playerName, region = coalesce(@region, region), product_name = coalesce(@productName, product_name),
      amount = coalesce(@amount, amount), warning = @warning, credentials_secret = @credentialsSecret
    where id = @id + 0 and state = 'redeemed' and credentials_secret is null`),
  settleFailed: sql.run<OfId & Failure & { now: number }>(`
    update redemptions
    set state = 'failed', error_code = @errorCode, error_message = @errorMessage, code_reset = @codeReset,
      settled_at = @now, took_ms = max(0, @now - created_at)
    where id = @id + 0 and ${OPEN}`),
});

/** The life of one redemption, from begin to its end. */
function createLife(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  const life = lifeOf(sql);
  const openRow = createRowOpener(secrets, seals);

  function insert(row: NewRedemption, end: NewEnd) {
    const { code, now, idempotencyKey: key, ...rest } = row;
    const isInDatabase = rest.mode === 'database' && rest.codeId !== null;
    const id = life.insert({
      ...rest,
      playerName: rest.playerName ?? null,
      codeHash: code?.hash ?? null,
      codeSecret: isInDatabase ? null : (code?.secret ?? null),
      ...(code ? hashEnds(secrets, code.text) : { head: null, tail: null }),
      createdAt: now,
      live: end.state === 'failed' ? null : 1,
      ...end,
    });
    if (key !== undefined) life.saveKey({ id, secret: secrets.seal(keyIdentity(id), key) });
    return id;
  }

  function find(id: number): StoredRedemption | undefined {
    const row = life.find({ id });
    return row && openRow(row);
  }

  const sealCredentials = (id: number, credentials: StoredCredentials | null) =>
    credentials && secrets.seal(credentialsIdentity(id), JSON.stringify(credentials));

  return {
    /** Begins a redemption. Throws when the code has a live one: look with `findLive` in the same transaction. */
    begin: (row: NewRedemption): number => insert(row, { state: 'pending', ...EMPTY }),
    /** Records a failure that began nothing on the platform; of a duplicate, `firstId` is the one that it waits for. */
    insertFailed: (
      row: NewRedemption,
      errorCode: ErrorCode,
      errorMessage: string,
      firstId?: number,
    ): number =>
      insert(row, { state: 'failed', errorCode, errorMessage, settledAt: row.now, firstId: firstId ?? null }),
    /** The key of its request as it was sent; undefined where it had none, or nobody was to be told of it. */
    findIdempotencyKey(id: number): string | undefined {
      const row = life.findKey({ id });
      try {
        return row?.secret ? secrets.open(keyIdentity(id), row.secret) : undefined;
      } catch {
        return undefined;
      }
    },
    /** From open to `redeemed`; false when it was settled already. Throws where no attempt is spent. */
    settleRedeemed: (id: number, { credentials, ...rest }: StoredReceipt, now: number): boolean =>
      life.settleRedeemed({ id, ...rest, credentialsSecret: sealCredentials(id, credentials), now }) === 1,
    /** Puts in what the platform tells after all; false where it has its login. */
    completeLogin: (id: number, { credentials, openid: _, ...rest }: StoredReceipt): boolean =>
      life.completeLogin({ id, ...rest, credentialsSecret: sealCredentials(id, credentials) }) === 1,
    /** From open to `failed`; false when it was settled already. Throws where an attempt may have spent the code. */
    settleFailed: (id: number, failure: Failure, now: number) =>
      life.settleFailed({ id, ...failure, now }) === 1,
    find,
    /** Throws where there is none of this id. */
    get(id: number): StoredRedemption {
      const found = find(id);
      if (!found) throw new Error(`Redemption ${id} is not there.`);
      return found;
    },
    hashOf: (gameId: string, code: string) => seals.hash(gameId, code),
  };
}

const WAITING = "first_id = @firstId + 0 and error_code = 'UNKNOWN'";

function createDuplicates(sql: Sql) {
  type End = { errorCode: ErrorCode; errorMessage: string };
  const list = sql.all<{ firstId: number }, Pick<RedemptionRow, 'id' | 'accountId'>>(
    `select id, account_id from redemptions where ${WAITING}`,
  );
  const settle = sql.run<End & { firstId: number; now: number }>(`
    update redemptions set error_code = @errorCode, error_message = @errorMessage, settled_at = @now
    where ${WAITING}`);
  return {
    /** Settles the duplicates that wait for one, in the transaction that ends it; which those are. */
    settleDuplicates(firstId: number, failure: End, now: number) {
      const waiting = list({ firstId });
      if (waiting.length > 0) settle({ firstId, ...failure, now });
      return waiting;
    },
  };
}

/** Changes of the code of a redemption, before anything was sent. */
function createReplacing(sql: Sql, secrets: Secrets) {
  const replace = sql.run<OfId & Ends & { codeId: number | null; hash: Buffer | null }>(`
    update redemptions
    set code_id = @codeId, code_hash = @hash, code_secret = null, code_head_hash = @head, code_tail_hash = @tail
    where id = @id + 0 and state = 'pending'`);
  return {
    /** Puts another code in a redemption that is pending: its own was found spent before anything was sent. */
    replaceCode: (id: number, codeId: number, { text, hash }: { text: string } & SealedCode): boolean =>
      replace({ id, codeId, hash, ...hashEnds(secrets, text) }) === 1,
    /** Takes the code out of a redemption that is pending: it was found spent, and there is no other. */
    dropCode: (id: number) => replace({ id, codeId: null, hash: null, head: null, tail: null }) === 1,
  };
}

type Found = Pick<RedemptionRow, 'id' | 'state' | 'accountId'>;
type OfCode = { accountId: number; gameId: string; hash: Buffer };

const findingOf = (sql: Sql) => ({
  live: sql.one<Omit<OfCode, 'accountId'>, Found>(`
    select id, state, account_id from redemptions
    where game_id = @gameId and code_hash = +@hash and live is not null`),
  ofCode: sql.one<Omit<OfCode, 'gameId'> & { tail: Buffer }, Found>(`
    select id, state, account_id from redemptions
    where account_id = @accountId and code_tail_hash = +@tail and code_hash = +@hash
    order by live is not null desc, id desc limit 1`),
  doubtful: sql.one<
    OfCode & OfId & { playerId: string; since: number },
    { own: number | null; others: number | null }
  >(`
    select
      max(account_id = @accountId and player_id = @playerId
        and created_at >= @since and doubted_at is not null
        and not (state = 'failed' and error_code = 'CODE_USED')) as own,
      max(account_id <> @accountId and (doubted_at is not null
        or exists (select 1 from attempts where redemption_id = redemptions.id))) as others
    from redemptions
    where game_id = @gameId and code_hash = +@hash and (doubted_at is not null or live is null)
      and id <> @id + 0`),
  returned: sql.one<OfId, Found>(`
    select id, state, account_id from redemptions
    where game_id = (select game_id from redemptions where id = @id + 0)
      and code_hash = (select code_hash from redemptions where id = @id + 0)
      and (doubted_at is not null or live is null) and doubted_at is not null and state = 'failed' and id < @id + 0`),
});

/** The one live attempt that a code may have, and those that it had. */
function createFinding(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  const find = findingOf(sql);
  return {
    /** The open or redeemed redemption of a code, across accounts. */
    findLive: (gameId: string, hash: Buffer) => find.live({ gameId, hash }),
    /** Whether its code had come back from a doubt before. */
    hasReturned: (id: number) => find.returned({ id }) !== undefined,
    /** The newest redemption of a code by one account. */
    findOfCode: (accountId: number, gameId: string, code: string) =>
      find.ofCode({ accountId, tail: hashTail(secrets, code), hash: seals.hash(gameId, code) }),
    /**
     * Redemptions of this code beside `id`: whether one of this account and player that began from `since` on ever fell
     * in doubt and did not end as used by somebody else, and whether another account ever sent it, whatever was
     * answered.
     */
    findDoubtful(query: Parameters<typeof find.doubtful>[0]): { own: boolean; others: boolean } {
      const found = find.doubtful(query);
      return { own: found?.own === 1, others: found?.others === 1 };
    },
  };
}

type PendingRow = Pick<
  RedemptionRow,
  'id' | 'accountId' | 'actor' | 'gameId' | 'mode' | 'denomination' | 'codeId' | 'usageId'
> & { wasSent: number };
type Doubt = { errorCode: ErrorCode; errorMessage: string | null };

const doubtsOf = (sql: Sql) => ({
  doubt: sql.run<OfId & Doubt & { now: number }>(`
    update redemptions
    set state = 'in_doubt', error_code = @errorCode, error_message = @errorMessage, doubted_at = @now,
      took_ms = max(0, @now - created_at)
    where id = @id + 0 and state = 'pending'`),
  noteLook: sql.run<OfId & { looksTold: string; message: string | null }>(`
    update redemptions
    set looks = looks + 1, looks_told = @looksTold, error_message = coalesce(@message, error_message)
    where id = @id + 0 and state = 'in_doubt'`),
  // By the few that are pending, not by the id over all that ever were.
  listPending: sql.all<{ after: number; limit: number }, PendingRow>(`
    select id, account_id, actor, game_id, mode, denomination, code_id, usage_id,
      exists (select 1 from attempts where redemption_id = redemptions.id) as was_sent
    from redemptions where state = 'pending' and +id > @after order by +id limit @limit + 0`),
  // Each runs over its own small index; one condition with `or` would go through every row.
  countPending: sql.one<void, { count: number }>(
    "select count(*) as count from redemptions where state = 'pending'",
  ),
  countInDoubt: sql.one<void, { count: number }>(
    "select count(*) as count from redemptions where state = 'in_doubt'",
  ),
});

/** What is open. */
function createDoubts(sql: Sql) {
  const doubts = doubtsOf(sql);
  return {
    /** From `pending` to `in_doubt`; false when it is not pending. */
    doubt: (id: number, error: Doubt, now: number) => doubts.doubt({ id, ...error, now }) === 1,
    /**
     * A look that was no end; false when it is in doubt no more. `looksTold`: what all of them said. `message`: why a
     * person has to decide.
     */
    noteLook: (id: number, looksTold: string, message: string | null = null) =>
      doubts.noteLook({ id, looksTold, message }) === 1,
    /** Oldest first, those after an id: what it takes to settle them, no secret opened. */
    listPending: (after: number, limit: number) =>
      doubts.listPending({ after, limit }).map((row) => ({ ...row, wasSent: row.wasSent === 1 })),
    countOpen: () => ({
      pending: doubts.countPending()?.count ?? 0,
      inDoubt: doubts.countInDoubt()?.count ?? 0,
    }),
  };
}
