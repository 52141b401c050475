// Redemptions: one row from begin to its end. `pending` and `in_doubt` are open; `redeemed` and `failed` are for good.
import type { Orm } from '../engine/drizzle.ts';
import { type CodeSeals, type SealedCode, type Secrets } from '../engine/secrets.ts';
import { hashEnds, hashTail } from './code-ends.ts';
import { prepareHistory, prepareOpen, prepareRedemptions } from './redemptions-queries.ts';
import type { redemptions } from '../schema/index.ts';

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

export function createRedemptionsTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  return {
    ...createLife(orm, secrets, seals),
    ...createOpen(orm, secrets, seals),
    ...createHistory(orm, secrets, seals),
  };
}

export const credentialsIdentity = (id: number) => `redemption:${id}:credentials`;
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

/** The life of one redemption, from begin to its end. */
function createLife(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const queries = prepareRedemptions(orm);
  const openRow = createRowOpener(secrets, seals);

  function insert(
    row: NewRedemption,
    end: Pick<RedemptionRow, 'state' | 'errorCode' | 'errorMessage' | 'settledAt' | 'firstId'>,
  ) {
    const { code, now, idempotencyKey: key, ...rest } = row;
    const isInDatabase = rest.mode === 'database' && rest.codeId !== null;
    // A returning clause would cost a temporary table at every call.
    const { lastInsertRowid } = queries.insert.run({
      ...rest,
      playerName: rest.playerName ?? null,
      codeHash: code?.hash ?? null,
      codeSecret: isInDatabase ? null : (code?.secret ?? null),
      ...(code ? hashEnds(secrets, code.text) : { head: null, tail: null }),
      createdAt: now,
      live: end.state === 'failed' ? null : 1,
      ...end,
    });
    const id = Number(lastInsertRowid);
    if (key !== undefined) queries.saveKey.run({ id, secret: secrets.seal(keyIdentity(id), key) });
    return id;
  }

  function find(id: number): StoredRedemption | undefined {
    const row = queries.find.get({ id });
    return row && openRow(row);
  }

  return {
    /** Begins a redemption. Throws when the code has a live one: look with `findLive` in the same transaction. */
    begin: (row: NewRedemption): number => insert(row, { state: 'pending', ...EMPTY }),
    /** Records a failure that began nothing on the platform; of a duplicate, `firstId` is the one that it waits for. */
    insertFailed: (row: NewRedemption, errorCode: string, errorMessage: string, firstId?: number): number =>
      insert(row, { state: 'failed', errorCode, errorMessage, settledAt: row.now, firstId: firstId ?? null }),
    ...createDuplicates(queries),
    ...createReplacing(secrets, queries),
    ...createKeyReading(secrets, queries),
    /** From open to `redeemed`; false when it was settled already. Throws where no attempt is spent. */
    settleRedeemed(id: number, receipt: StoredReceipt, now: number): boolean {
      const { credentials, warning, ...rest } = receipt;
      const credentialsSecret =
        credentials && secrets.seal(credentialsIdentity(id), JSON.stringify(credentials));
      return (
        queries.settleRedeemed.run({ id, ...rest, warning: warning ? 1 : 0, credentialsSecret, now })
          .changes === 1
      );
    },
    /** From open to `failed`; false when it was settled already. Throws where an attempt may have spent the code. */
    settleFailed: (
      id: number,
      failure: { errorCode: string; errorMessage: string | null; codeReset: boolean },
      now: number,
    ) =>
      queries.settleFailed.run({ id, ...failure, codeReset: failure.codeReset ? 1 : 0, now }).changes === 1,
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

function createDuplicates(queries: ReturnType<typeof prepareRedemptions>) {
  return {
    /** Settles the duplicates that wait for one, in the transaction that ends it; which those are. */
    settleDuplicates(
      firstId: number,
      failure: { errorCode: string; errorMessage: string },
      now: number,
    ): { id: number; accountId: number }[] {
      const waiting = queries.listDuplicates.all({ firstId });
      if (waiting.length > 0) queries.settleDuplicates.run({ firstId, ...failure, now });
      return waiting;
    },
  };
}

function createKeyReading(
  secrets: Secrets,
  { findKey }: Pick<ReturnType<typeof prepareRedemptions>, 'findKey'>,
) {
  return {
    /** The key of its request as it was sent; undefined where it had none, or nobody was to be told of it. */
    findIdempotencyKey(id: number): string | undefined {
      const row = findKey.get({ id });
      try {
        return row?.secret ? secrets.open(keyIdentity(id), row.secret) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Changes of the code of a redemption, before anything was sent. */
function createReplacing(
  secrets: Secrets,
  { replaceCode }: Pick<ReturnType<typeof prepareRedemptions>, 'replaceCode'>,
) {
  return {
    /** Puts another code in a redemption that is pending: its own was found spent before anything was sent. */
    replaceCode: (id: number, codeId: number, { text, hash }: { text: string } & SealedCode): boolean =>
      replaceCode.run({ id, codeId, hash, ...hashEnds(secrets, text) }).changes === 1,
    /** Takes the code out of a redemption that is pending: it was found spent, and there is no other. */
    dropCode: (id: number) =>
      replaceCode.run({ id, codeId: null, hash: null, head: null, tail: null }).changes === 1,
  };
}

/** What is open, and the one live attempt that a code may have. */
function createOpen(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const queries = prepareOpen(orm);

  return {
    /** From `pending` to `in_doubt`, to be looked at from `nextLookAt` on; false when it is not pending. */
    doubt: (
      id: number,
      error: { errorCode: string; errorMessage: string | null },
      nextLookAt: number,
      now: number,
    ) => queries.doubt.run({ id, ...error, nextLookAt, now }).changes === 1,
    /** The next look at a doubtful redemption, after one that told nothing. `looksTold`: what all of them said. */
    postpone: (id: number, nextLookAt: number, looksTold: string) =>
      queries.postpone.run({ id, nextLookAt, looksTold }).changes === 1,
    /** The open or redeemed redemption of a code, across accounts. */
    findLive: (gameId: string, hash: Buffer) => queries.findLive.get({ gameId, hash }),
    /** Whether its code had come back from a doubt before. */
    hasReturned: (id: number) => queries.findReturned.get({ id }) !== undefined,
    /** The newest redemption of a code by one account. */
    findOfCode: (accountId: number, gameId: string, code: string) =>
      queries.findOfCode.get({ accountId, tail: hashTail(secrets, code), hash: seals.hash(gameId, code) }),
    /**
     * Redemptions of this code beside `id`: whether one of this account and player that began from `since` on ever fell
     * in doubt, and whether another account ever sent it, whatever was answered.
     */
    findDoubtful(query: {
      id: number;
      accountId: number;
      gameId: string;
      hash: Buffer;
      playerId: string;
      since: number;
    }): { own: boolean; others: boolean } {
      const found = queries.findDoubtful.get(query);
      return { own: found?.own === 1, others: found?.others === 1 };
    },
    /** Oldest first, those after an id: what it takes to settle them, no secret opened. */
    listPending: (after: number, limit: number) => queries.listPending.all({ after, limit }),
    /** Doubts whose next look is due, or further away than any pause is (the clock went back); no secret opened. */
    listDue: (now: number, longestPauseMs: number, limit: number) =>
      queries.listDue.all({ now, longestPauseMs, limit }),
    countOpen: () => ({
      pending: queries.countPending.get()?.count ?? 0,
      inDoubt: queries.countInDoubt.get()?.count ?? 0,
    }),
  };
}

/** What is read of an account's past. */
function createHistory(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const queries = prepareHistory(orm);
  const openRow = createRowOpener(secrets, seals);

  return {
    listBefore: (accountId: number, before: number, limit: number) =>
      queries.listBefore.all({ accountId, before, limit }).map(openRow),
    listAfter: (accountId: number, after: number, limit: number) =>
      queries.listAfter.all({ accountId, after, limit }).map(openRow),
    listAt: (accountId: number, at: number) => queries.listAt.all({ accountId, at }).map(openRow),
  };
}
