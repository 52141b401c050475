// The first transaction of a redemption: idempotency key, subscription, room in the quota, the code, the row. All or
// nothing. What is known without asking the platform is recorded as failed at once.
import type { SealedCode, Store, Tables } from '../../store/index.ts';
import { bookUsage, findRoom, requireSubscription, type Room } from '../quota/usage.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import type { Game } from '../games.ts';
import { useKey, type KeyUse, keyedAs, type KeyedOrder, deriveReference } from '../idempotency.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import { hasWebhookFor, enqueueSettled } from '../notices/pending-webhooks.ts';
import { getCurrentActor } from '../members.ts';
import { LOST_ACTOR, type Redemption } from '../receipts/receipts.ts';
import type { ChosenUpstream, Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import { type HasBegun, type NotBegun, type RedeemRequest, isPlayerId } from './request.ts';
import type { Moment } from '../../clock.ts';
import type { BadRequestLimit, TooManyBadRequests } from '../bad-request-limit.ts';
import { findUnknownDuplicate, type RecentDuplicate } from './duplicates.ts';
import { findUnaskedUpTo, takeNextCode } from './take-code.ts';
import { giveLost, type Repeated } from './record-lost.ts';
import type { OpenRedemption } from './settle.ts';
import { sinceRestore } from '../errors.ts';
import type { ErrorCode } from '../../store/index.ts';

/** A redemption that began: its code is reserved or claimed, its activation charged, its row pending and on disk. */
export interface Begun extends OpenRedemption, ChosenUpstream {
  /** The number of its attempt. */
  n: number;
  /** Its own, whatever code it has: by it the upstreams know it again. */
  uuid: string;
  /** What its references are of, besides its code; null where it has no key. */
  keyed: KeyedOrder | null;
  /** Ours at each upstream (`referenceOf`). */
  reference: string;
  playerId: string;
  playerName: string | null;
  code: string;
  createdAt: number;
  /** The code comes from a restored backup: the platform is asked about it before it is used. */
  unverified: boolean;
}

/** What one beginning came to: what is to be executed (`begun`), or what was recorded as failed at once (`failed`). */
export interface Beginning {
  answer: HasBegun | NotBegun;
  begun?: Begun;
  failed?: Redemption;
}

/** How much of something malformed is kept: enough to recognise it, however long it was. */
const KEPT_LENGTH = 64;
const LOOKED_THROUGH = 50;
/**
 * Who asks for what, judged. `isLate`: the process is stopping; it is recorded as failed, and nothing is sent.
 * `repeated`: what a lost time may have carried out of it.
 */
export interface ReadRequest {
  actor: AccountActor;
  game: Game;
  request: RedeemRequest;
  isLate?: boolean;
  repeated?: Repeated | undefined;
}

/** What one beginning is made of, handed on as a whole. */
interface Context extends ReadRequest {
  tables: Tables;
  secrets: Store['secrets'];
  upstreams: Pick<Upstreams, 'choose'>;
  uuid: string;
  /** The code of a direct request, sealed outside the transaction. */
  given: GivenCode | undefined;
  /** Codes up to this id are of before a restore, and there is nobody to ask about them. */
  unaskedUpTo: number | undefined;
  key: KeyUse;
  countRefusal: () => TooManyBadRequests | undefined;
  moment: Moment;
}

type GivenCode = { text: string } & SealedCode;

interface BeginDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'choose'>;
  witnesses: Pick<Witnesses, 'canProve'>;
  badRequestLimit: BadRequestLimit;
}

/** Seals the given code outside the transaction, and begins inside it. */
export function prepareBegin(
  { store, upstreams, witnesses, badRequestLimit }: BeginDeps,
  read: ReadRequest,
  uuid: string,
) {
  const { actor, game, request } = read;
  const { code, idempotencyKey } = request;
  const kept = code !== undefined && game.codePattern.test(code) ? code : code?.slice(0, KEPT_LENGTH);
  const given = kept === undefined ? undefined : { text: kept, ...store.seals.seal(game.id, kept) };
  const countRefusal = () => badRequestLimit.count(actor.accountId);
  const unaskedUpTo = findUnaskedUpTo({ store, witnesses }, game.id);
  return (tables: Tables, moment: Moment): Beginning => {
    const key = useKey(tables, actor.accountId, idempotencyKey, describeRequest(request), moment);
    const context = {
      ...read,
      tables,
      secrets: store.secrets,
      upstreams,
      uuid,
      given,
      unaskedUpTo,
      key,
      countRefusal,
      moment,
    };
    const beginning = begin(context);
    const { answer } = beginning;
    if (answer.status === 'begun') request.inTransaction?.(tables, { redemptionId: answer.redemptionId });
    return beginning;
  };
}

function begin(context: Context): Beginning {
  const { tables, actor, given, key, moment } = context;
  const { accountId } = actor;
  const earlier = key.earlier?.redemptionId;
  if (typeof earlier === 'number') return { answer: toBegun(earlier, true) };
  // A role that was lost since it was looked up spends nothing.
  requirePermission(getCurrentActor(tables, actor), 'redeem');
  requireSubscription(tables, accountId, moment);
  if (context.repeated?.status === 'found') return giveOwn(context, context.repeated);
  const duplicate = findDuplicate(context);
  if (duplicate) return { answer: { status: 'recentDuplicate', duplicate } };
  if (context.isLate) return record(context, STOPPING);
  const room = findRoom(tables, actor, 'redeem', moment.monotonicNow);
  if (room.status === 'quotaExceeded') return { answer: room };

  const refusal = findKnownRefusal(tables, context.game, context.request, given?.hash);
  if (refusal) return refuse(context, refusal);
  const chosen = chooseUpstream(context);
  if (!chosen) return record(context, NOBODY);
  const means = { room, ...chosen };
  return given ? beginDirect(context, given, means) : beginFromDatabase(context, means);
}

/** What a beginning needs that is not of the request: room in the quota, and an upstream that takes it. */
interface Means extends ChosenUpstream {
  room: Room;
}

function chooseUpstream({ upstreams, request, uuid }: Context): ChosenUpstream | undefined {
  const { gameId, denomination = null } = request;
  return upstreams.choose({ gameId, denomination, uuid, tried: [] });
}

/** What the lost time has done of it. */
function giveOwn(context: Context, found: Extract<Repeated, { status: 'found' }>): Beginning {
  const { tables, actor, request, key, moment } = context;
  if (!giveLost(tables, found, { actor, playerId: request.playerId }, moment)) throw sinceRestore();
  key.remember({ redemptionId: found.redemptionId });
  return { answer: toBegun(found.redemptionId, true) };
}

function toBegun(redemptionId: number, replayed = false): HasBegun {
  return { status: 'begun', redemptionId, replayed };
}

function findDuplicate({ tables, actor, request, moment }: Context): RecentDuplicate | undefined {
  const { gameId, playerId, denomination, unlessDuplicate } = request;
  if (!unlessDuplicate || denomination === undefined) return undefined;
  const wanted = { accountId: actor.accountId, gameId, playerId, denomination };
  return findUnknownDuplicate(tables, wanted, unlessDuplicate, moment.now);
}

/** What the key's request hash is made of: the action and all that decides it. */
export function describeRequest({ gameId, playerId, denomination, code }: RedeemRequest): string {
  return JSON.stringify(['redeem', gameId, playerId, denomination ?? null, code ?? null]);
}

function refuse(context: Context, refusal: KnownRefusal): Beginning {
  const tooMany = context.countRefusal();
  return tooMany ? { answer: tooMany } : record(context, refusal);
}

function record(context: Context, { errorCode, message, firstId }: KnownRefusal): Beginning {
  const { tables, given, key } = context;
  const row = { ...describeRow(context), codeId: null, code: given ?? null, usageId: null };
  const kept = { ...row, idempotencyKey: keyToTell(context) };
  const redemptionId = tables.redemptions.insertFailed(kept, errorCode, message, firstId);
  // What waits for another one is settled with that one.
  if (firstId === undefined) enqueueSettled(tables, { accountId: row.accountId, id: redemptionId }, row.now);
  key.remember({ redemptionId });
  // Read here: what is on disk is answered, even where the disk fails right after.
  return { answer: toBegun(redemptionId), failed: tables.redemptions.get(redemptionId) };
}

function beginFromDatabase(context: Context, means: Means): Beginning {
  const { tables, actor, game, request, unaskedUpTo } = context;
  const { now } = context.moment;
  const stock = { accountId: actor.accountId, gameId: game.id, denomination: request.denomination ?? 0 };
  const taken = takeNextCode(tables, stock, now, { order: request.order, knownAfter: unaskedUpTo });
  if (!taken) {
    const message = tables.stockPauses.isPaused(stock)
      ? `${stock.denomination} ${game.currency} is paused, since its codes were refused one after another.`
      : `No code of ${stock.denomination} ${game.currency} is available.`;
    return refuse(context, { errorCode: 'NO_CODES_AVAILABLE', message });
  }
  return insert(context, means, {
    codeId: taken.id,
    code: taken.code,
    unverified: taken.claimedFrom === 'unverified',
  });
}

/**
 * A code that also lies in the database is claimed there, whoever's it is, so that it cannot be spent from both sides.
 */
function beginDirect(context: Context, code: GivenCode, means: Means): Beginning {
  const { tables, game } = context;
  const { now } = context.moment;
  const claimed = tables.codes.claim({ gameId: game.id, hash: code.hash, now });
  if (claimed) watchStock(tables, { ...claimed, gameId: game.id }, now);
  return insert(context, means, { codeId: claimed?.id ?? null, code, unverified: false });
}

function insert(
  context: Context,
  { room, ...chosen }: Means,
  { codeId, code, ...taken }: Pick<Begun, 'codeId' | 'unverified'> & { code: GivenCode },
): Beginning {
  const { tables, secrets, request, uuid, key } = context;
  const { now } = context.moment;
  const row = { ...describeRow(context), codeId, usageId: bookUsage(tables, room, now) };
  const id = tables.redemptions.begin({ ...row, code, idempotencyKey: keyToTell(context) });
  const keyed = keyedAs(request.idempotencyKey, key.tries, request.order?.keyed);
  const named = { ...row, keyed, uuid, code: code.text };
  const reference = referenceOf(secrets, named);
  const begun = { ...named, id, n: 1, ...chosen, reference, createdAt: now, ...taken };
  if (!taken.unverified) noteSent(tables, begun, now);
  if (context.repeated?.status === 'new') notifyOfSecond(tables, begun, context.repeated.beside);
  key.remember({ redemptionId: id });
  return { answer: toBegun(id), begun };
}

/** It may be the same once more: the owner is told, once of each that the lost time has carried out and is nobody's. */
function notifyOfSecond(tables: Tables, begun: Begun, beside: readonly number[]): void {
  const { accountId, playerId, gameId, denomination, id, createdAt } = begun;
  if (beside.length === 0) return;
  const before = tables.receiptDetails
    .listOfPlayer(accountId, playerId, LOOKED_THROUGH)
    .filter((row) => row.gameId === gameId && row.denomination === denomination)
    .filter(
      (row) => row.id > beside[0]! && row.id !== id && row.state !== 'failed' && row.actor !== LOST_ACTOR,
    );
  const other = beside[before.length];
  if (other === undefined) return;
  writeNotice(tables, { kind: 'recoveredTwice', accountId, redemptionIds: [other, id] }, createdAt);
}

/** The same for one order with one code, whenever and wherever it is sent; without a key no other is the same. */
export const referenceOf = (
  secrets: Store['secrets'],
  { keyed, uuid, ...order }: Pick<Begun, 'keyed' | 'uuid' | 'accountId' | 'gameId' | 'code'>,
): string => (keyed ? deriveReference(secrets, { ...order, ...keyed }) : uuid);

/** From here on its code may be spent, until the platform has told. */
export function noteSent(
  tables: Tables,
  begun: Pick<Begun, 'id' | 'n' | 'upstream' | 'candidates' | 'reference'>,
  now: number,
): void {
  const { id: redemptionId, n, upstream, candidates, reference } = begun;
  const { name, cost, currency } = upstream;
  const price = cost === undefined ? undefined : `${cost} ${currency}`;
  const others = candidates.length > 1 ? candidates.join(', ') : undefined;
  const sent = { redemptionId, n, upstream: name, kind: 'order', reference } as const;
  tables.attempts.begin({ ...sent, candidates: others, cost: price, now });
}

/** The key of a program, kept where programs are told how a redemption ended: it is what they know it by. */
function keyToTell({ tables, actor, request: { idempotencyKey } }: Context): string | undefined {
  if (idempotencyKey?.scope !== 'http') return undefined;
  return hasWebhookFor(tables, actor.accountId, 'redemption.settled') ? idempotencyKey.key : undefined;
}

function describeRow({ actor, request, moment }: Context) {
  return {
    accountId: actor.accountId,
    actor: nameActor(actor),
    gameId: request.gameId,
    playerId: request.playerId.slice(0, KEPT_LENGTH),
    playerName: request.playerName ?? null,
    mode: request.code === undefined ? ('database' as const) : ('direct' as const),
    denomination: request.denomination ?? null,
    now: moment.now,
  };
}

interface KnownRefusal {
  errorCode: ErrorCode;
  message: string;
  /** The redemption of the same code that is under way: what becomes of it is what becomes of this one. */
  firstId?: number;
}

/** What came too late: the platform is not asked any more. */
const STOPPING: KnownRefusal = {
  errorCode: 'NETWORK_ERROR',
  message: 'The service was stopping: nothing was sent. Try again in a moment.',
};

/** No upstream takes it now. */
const NOBODY: KnownRefusal = {
  errorCode: 'NETWORK_ERROR',
  message: 'The platform cannot be reached: nothing was sent. Try again in a moment.',
};

/** Whose it is nobody has proven: a person has to look. */
const LOST: KnownRefusal = {
  errorCode: 'UNKNOWN',
  message: 'This code was redeemed before the restore, and it is not known for whom.',
};

/** What we know without asking the platform. */
function findKnownRefusal(
  tables: Tables,
  game: Game,
  { playerId, code }: Pick<RedeemRequest, 'playerId' | 'code'>,
  hash: Buffer | undefined,
): KnownRefusal | undefined {
  if (code !== undefined && !game.codePattern.test(code)) {
    return { errorCode: 'INVALID_CODE', message: 'The code does not have the form of a code of this game.' };
  }
  if (!isPlayerId(playerId)) {
    return { errorCode: 'CHARACTER_NOT_FOUND', message: 'A player ID has 5 to 20 digits.' };
  }
  const live = hash && tables.redemptions.findLive(game.id, hash);
  if (!live) return undefined;
  if (tables.redemptions.get(live.id).actor === LOST_ACTOR) return { ...LOST, firstId: live.id };
  return live.state === 'redeemed'
    ? { errorCode: 'CODE_USED', message: 'This service has redeemed this code already.' }
    : {
        errorCode: 'UNKNOWN',
        message: 'This service has a redemption of this code under way.',
        firstId: live.id,
      };
}
