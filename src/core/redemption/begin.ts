// The first transaction of a redemption: idempotency key, subscription, room in the quota, the code, the row. All or nothing.
import type { SealedCode, Store, Tables } from '../../store/index.ts';
import {
  bookCharge,
  findRoom,
  requireSubscription,
  type QuotaExceeded,
  type Room,
} from '../quota/charges.ts';
import { nameActor, type AccountActor } from '../context.ts';
import type { Game } from '../games.ts';
import { useKey, type IdempotencyKey, type KeyUse } from '../idempotency.ts';
import { watchStock } from '../notices/notices.ts';
import type { ErrorCode } from '../outcomes.ts';
import type { OpenRedemption } from './settle.ts';

/** A redemption as asked for, already held against the catalogue. Exactly one of `denomination` and `code`. */
export interface RedemptionRequest {
  actor: AccountActor;
  game: Game;
  playerId: string;
  denomination?: number;
  /** Trimmed. */
  code?: string;
  playerName?: string;
  idempotencyKey?: IdempotencyKey;
}

/** A redemption that began: its code is reserved or claimed, its activation charged, its row pending and on disk. */
export interface Begun extends OpenRedemption {
  playerId: string;
  code: string;
  createdAt: number;
  /** The code comes from a restored backup: the platform is asked about it before it is used. */
  unverified: boolean;
}

export type Beginning =
  | { status: 'begun'; begun: Begun }
  /** An earlier request under the same key began this redemption. */
  | { status: 'repeated'; redemptionId: number }
  /** Recorded as failed; the platform is not asked and nothing is charged. */
  | { status: 'refused'; redemptionId: number }
  | QuotaExceeded;

/** How much of something malformed is kept: enough to recognise it, however long it was. */
const KEPT_LENGTH = 64;
/** 5 to 20 digits, from the wire document. */
const PLAYER_ID = /^[0-9]{5,20}$/;

export function isPlayerId(playerId: string): boolean {
  return PLAYER_ID.test(playerId);
}

/** Seals the given code outside the transaction, and begins inside it. */
export function prepareBegin(store: Store, request: RedemptionRequest, reference: string) {
  const { game, code } = request;
  const kept = code !== undefined && game.codePattern.test(code) ? code : code?.slice(0, KEPT_LENGTH);
  const sealed = kept === undefined ? undefined : { text: kept, ...store.seals.seal(game.id, kept) };
  return (tables: Tables, now: number): Beginning => begin(tables, request, sealed, reference, now);
}

function begin(
  tables: Tables,
  request: RedemptionRequest,
  given: ({ text: string } & SealedCode) | undefined,
  reference: string,
  now: number,
): Beginning {
  const { accountId } = request.actor;
  const key = useKey(tables, accountId, request.idempotencyKey, describe(request), now);
  const earlier = key.earlier?.redemptionId;
  if (typeof earlier === 'number') return { status: 'repeated', redemptionId: earlier };
  requireSubscription(tables, accountId, now);
  const room = findRoom(tables, accountId, 'redeem', now);
  if (room.status === 'quotaExceeded') return room;

  const refusal = findRefusal(tables, request, given);
  if (refusal) return refuse(tables, request, reference, given, refusal, key, now);
  return given
    ? beginDirect(tables, request, reference, given, room, key, now)
    : beginFromDatabase(tables, request, reference, room, key, now);
}

/** What the key's request hash is made of: the deed and all that decides it. */
function describe({ game, playerId, denomination, code }: RedemptionRequest): string {
  return JSON.stringify(['redeem', game.id, playerId, denomination ?? null, code ?? null]);
}

interface Refusal {
  errorCode: ErrorCode;
  message: string;
}

/** What we know without asking the platform. */
function findRefusal(
  tables: Tables,
  { game, playerId, code }: RedemptionRequest,
  given: SealedCode | undefined,
): Refusal | undefined {
  if (code !== undefined && !game.codePattern.test(code)) {
    return { errorCode: 'INVALID_CODE', message: 'The code does not have the form of a code of this game.' };
  }
  if (!isPlayerId(playerId)) {
    return { errorCode: 'CHARACTER_NOT_FOUND', message: 'A player ID has 5 to 20 digits.' };
  }
  const live = given && tables.redemptions.findLive(game.id, given.hash);
  if (!live) return undefined;
  return live.state === 'redeemed'
    ? { errorCode: 'CODE_USED', message: 'This service has redeemed this code already.' }
    : { errorCode: 'UNKNOWN', message: 'This service has a redemption of this code under way.' };
}

function refuse(
  tables: Tables,
  request: RedemptionRequest,
  reference: string,
  given: ({ text: string } & SealedCode) | undefined,
  refusal: Refusal,
  key: KeyUse,
  now: number,
): Beginning {
  const row = { ...describeRow(request, reference, now), codeId: null, code: given ?? null, chargeId: null };
  const redemptionId = tables.redemptions.insertFailed(row, refusal.errorCode, refusal.message);
  key.remember({ redemptionId });
  return { status: 'refused', redemptionId };
}

function beginFromDatabase(
  tables: Tables,
  request: RedemptionRequest,
  reference: string,
  room: Room,
  key: KeyUse,
  now: number,
): Beginning {
  const lot = {
    accountId: request.actor.accountId,
    gameId: request.game.id,
    denomination: request.denomination ?? 0,
  };
  const taken = tables.codes.takeOldest({ ...lot, now });
  if (!taken) {
    const message = `No code of ${lot.denomination} ${request.game.currency} is available.`;
    return refuse(
      tables,
      request,
      reference,
      undefined,
      { errorCode: 'NO_CODES_AVAILABLE', message },
      key,
      now,
    );
  }
  watchStock(tables, lot, now);
  const code = { text: taken.code, hash: taken.hash, secret: taken.secret };
  const begun = insert(tables, request, reference, { codeId: taken.id, code }, room, key, now);
  return { status: 'begun', begun: { ...begun, unverified: taken.claimedFrom === 'unverified' } };
}

/** A code that also lies in the database is claimed there, whoever's it is, so that it cannot be spent from both sides. */
function beginDirect(
  tables: Tables,
  request: RedemptionRequest,
  reference: string,
  code: { text: string } & SealedCode,
  room: Room,
  key: KeyUse,
  now: number,
): Beginning {
  const gameId = request.game.id;
  const claimed = tables.codes.claim({ gameId, hash: code.hash, now });
  if (claimed) watchStock(tables, { ...claimed, gameId }, now);
  const begun = insert(tables, request, reference, { codeId: claimed?.id ?? null, code }, room, key, now);
  return { status: 'begun', begun: { ...begun, unverified: false } };
}

function insert(
  tables: Tables,
  request: RedemptionRequest,
  reference: string,
  { codeId, code }: { codeId: number | null; code: { text: string } & SealedCode },
  room: Room,
  key: KeyUse,
  now: number,
): Omit<Begun, 'unverified'> {
  const chargeId = bookCharge(tables, room, now);
  const row = { ...describeRow(request, reference, now), codeId, chargeId };
  const id = tables.redemptions.begin({ ...row, code });
  key.remember({ redemptionId: id });
  return { ...row, id, code: code.text, createdAt: now };
}

function describeRow(request: RedemptionRequest, reference: string, now: number) {
  return {
    reference,
    accountId: request.actor.accountId,
    actor: nameActor(request.actor),
    gameId: request.game.id,
    playerId: request.playerId.slice(0, KEPT_LENGTH),
    playerName: request.playerName ?? null,
    mode: request.code === undefined ? ('database' as const) : ('direct' as const),
    denomination: request.denomination ?? null,
    now,
  };
}
