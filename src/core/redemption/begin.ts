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
import { isTold, oweSettled } from '../notices/webhooks-owed.ts';
import { once } from '../once.ts';
import type { ErrorCode } from '../error-policy.ts';
import { requirePermission } from '../permissions.ts';
import { getCurrentActor } from '../members.ts';
import { toRedemption, type Redemption } from '../receipts/receipts.ts';
import type { Moment } from '../steady.ts';
import type { Refusals, TooManyRefusals } from '../refusals.ts';
import { findUnseenSame, type SameBefore, type UnlessSame } from './duplicates.ts';
import type { OpenRedemption } from './settle.ts';
import { takeNextCode } from './take-code.ts';

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
  /** Nothing begins where the player has just got the same, beyond what the person was warned of. */
  unlessSame?: UnlessSame;
  /** The process is stopping: it is recorded as failed, and nothing is sent. */
  isLate?: boolean;
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
  | { status: 'refused'; redemption: Redemption }
  /** The player has just got the same, and the person does not know. */
  | { status: 'sameBefore'; same: SameBefore }
  /** It would be refused like too many before it: not recorded. */
  | TooManyRefusals
  | QuotaExceeded;

/** How much of something malformed is kept: enough to recognise it, however long it was. */
const KEPT_LENGTH = 64;
/** 5 to 20 digits, from the wire document. */
const PLAYER_ID = /^[0-9]{5,20}$/;

export function isPlayerId(playerId: string): boolean {
  return PLAYER_ID.test(playerId);
}

/** What one beginning is made of, handed on as a whole. */
interface Context {
  tables: Tables;
  request: RedemptionRequest;
  /** Ours towards the platform: a random UUID. */
  reference: string;
  /** The code of a direct request, sealed outside the transaction. */
  given: GivenCode | undefined;
  key: KeyUse;
  countRefusal: () => TooManyRefusals | undefined;
  moment: Moment;
}

type GivenCode = { text: string } & SealedCode;

/** Seals the given code outside the transaction, and begins inside it. */
export function prepareBegin(
  { store, refusals }: { store: Store; refusals: Refusals },
  request: RedemptionRequest,
  reference: string,
) {
  const { actor, game, code, idempotencyKey } = request;
  const kept = code !== undefined && game.codePattern.test(code) ? code : code?.slice(0, KEPT_LENGTH);
  const given = kept === undefined ? undefined : { text: kept, ...store.seals.seal(game.id, kept) };
  const countRefusal = once(() => refusals.count(actor.accountId));
  return (tables: Tables, moment: Moment): Beginning => {
    const key = useKey(tables, actor.accountId, idempotencyKey, describe(request), moment);
    return begin({ tables, request, reference, given, key, countRefusal, moment });
  };
}

function begin(context: Context): Beginning {
  const { tables, request, given, key, moment } = context;
  const { accountId } = request.actor;
  const earlier = key.earlier?.redemptionId;
  if (typeof earlier === 'number') return { status: 'repeated', redemptionId: earlier };
  // A role that was lost since it was looked up spends nothing.
  requirePermission(getCurrentActor(tables, request.actor), 'redeem');
  requireSubscription(tables, accountId, moment);
  const same = findSameBefore(context);
  if (same) return { status: 'sameBefore', same };
  if (request.isLate) return record(context, STOPPING);
  const room = findRoom(tables, accountId, 'redeem', moment.steadyNow);
  if (room.status === 'quotaExceeded') return room;

  const refusal = findRefusal(context);
  if (refusal) return refuse(context, refusal);
  return given ? beginDirect(context, given, room) : beginFromDatabase(context, room);
}

function findSameBefore({ tables, request, moment }: Context): SameBefore | undefined {
  const { actor, game, playerId, denomination, unlessSame } = request;
  if (!unlessSame || denomination === undefined) return undefined;
  const wanted = { accountId: actor.accountId, gameId: game.id, playerId, denomination };
  return findUnseenSame(tables, wanted, unlessSame, moment.now);
}

/** What the key's request hash is made of: the deed and all that decides it. */
function describe({ game, playerId, denomination, code }: RedemptionRequest): string {
  return JSON.stringify(['redeem', game.id, playerId, denomination ?? null, code ?? null]);
}

interface Refusal {
  errorCode: ErrorCode;
  message: string;
  /** The redemption of the same code that is under way: what becomes of it is what becomes of this one. */
  firstId?: number;
}

/** What came too late: the platform is not asked any more. */
const STOPPING: Refusal = {
  errorCode: 'NETWORK_ERROR',
  message: 'The service was stopping: nothing was sent. Try again in a moment.',
};

/** What we know without asking the platform. */
function findRefusal({ tables, request, given }: Context): Refusal | undefined {
  const { game, playerId, code } = request;
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
    : {
        errorCode: 'UNKNOWN',
        message: 'This service has a redemption of this code under way.',
        firstId: live.id,
      };
}

function refuse(context: Context, refusal: Refusal): Beginning {
  return context.countRefusal() ?? record(context, refusal);
}

function record(context: Context, { errorCode, message, firstId }: Refusal): Beginning {
  const { tables, given, key } = context;
  const row = { ...describeRow(context), codeId: null, code: given ?? null, chargeId: null };
  const kept = { ...row, idempotencyKey: keyToTell(context) };
  const redemptionId = tables.redemptions.insertFailed(kept, errorCode, message);
  // What waits for another one is settled with that one.
  if (firstId !== undefined) tables.twins.keep({ redemptionId, firstId });
  else oweSettled(tables, { accountId: row.accountId, id: redemptionId }, row.now);
  key.remember({ redemptionId });
  // Read here: what is on disk is answered, even where the disk fails right after.
  return { status: 'refused', redemption: toRedemption(tables.redemptions.get(redemptionId)) };
}

function beginFromDatabase(context: Context, room: Room): Beginning {
  const { tables, request } = context;
  const { now } = context.moment;
  const lot = {
    accountId: request.actor.accountId,
    gameId: request.game.id,
    denomination: request.denomination ?? 0,
  };
  const taken = takeNextCode(tables, lot, now);
  if (!taken) {
    const message = tables.stockPauses.isPaused(lot)
      ? `${lot.denomination} ${request.game.currency} is paused, since its codes were refused one after another.`
      : `No code of ${lot.denomination} ${request.game.currency} is available.`;
    return refuse(context, { errorCode: 'NO_CODES_AVAILABLE', message });
  }
  watchStock(tables, lot, now);
  const begun = insert(context, room, taken.id, taken.code);
  return { status: 'begun', begun: { ...begun, unverified: taken.claimedFrom === 'unverified' } };
}

/** A code that also lies in the database is claimed there, whoever's it is, so that it cannot be spent from both sides. */
function beginDirect(context: Context, code: GivenCode, room: Room): Beginning {
  const { tables, request } = context;
  const { now } = context.moment;
  const gameId = request.game.id;
  const claimed = tables.codes.claim({ gameId, hash: code.hash, now });
  if (claimed) watchStock(tables, { ...claimed, gameId }, now);
  return {
    status: 'begun',
    begun: { ...insert(context, room, claimed?.id ?? null, code), unverified: false },
  };
}

function insert(
  context: Context,
  room: Room,
  codeId: number | null,
  code: GivenCode,
): Omit<Begun, 'unverified'> {
  const { tables, key } = context;
  const { now } = context.moment;
  const row = { ...describeRow(context), codeId, chargeId: bookCharge(tables, room, now) };
  const id = tables.redemptions.begin({ ...row, code, idempotencyKey: keyToTell(context) });
  key.remember({ redemptionId: id });
  return { ...row, id, code: code.text, createdAt: now };
}

/** The key of a program, kept where programs are told how a redemption ended: it is what they know it by. */
function keyToTell({ tables, request }: Context): string | undefined {
  const { actor, idempotencyKey } = request;
  if (idempotencyKey?.scope !== 'http') return undefined;
  return isTold(tables, actor.accountId, 'redemption.settled') ? idempotencyKey.key : undefined;
}

function describeRow({ request, reference, moment }: Context) {
  return {
    reference,
    accountId: request.actor.accountId,
    actor: nameActor(request.actor),
    gameId: request.game.id,
    playerId: request.playerId.slice(0, KEPT_LENGTH),
    playerName: request.playerName ?? null,
    mode: request.code === undefined ? ('database' as const) : ('direct' as const),
    denomination: request.denomination ?? null,
    now: moment.now,
  };
}
