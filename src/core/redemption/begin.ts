// The first transaction of a redemption: idempotency key, subscription, room in the quota, the code, the row. All or
// nothing.
import type { SealedCode, Store, Tables } from '../../store/index.ts';
import { bookUsage, findRoom, requireSubscription, type Room } from '../quota/usage.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import type { Game } from '../games.ts';
import { useKey, type KeyUse, deriveReference } from '../idempotency.ts';
import { watchStock } from '../notices/notices.ts';
import { hasWebhookFor, enqueueSettled } from '../notices/pending-webhooks.ts';
import { getCurrentActor } from '../members.ts';
import { toRedemption, type Redemption } from '../receipts/receipts.ts';
import type { ChosenUpstream, Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import type { HasBegun, NotBegun, RedeemRequest } from './request.ts';
import type { Moment } from '../../clock.ts';
import type { BadRequestLimit, TooManyBadRequests } from '../bad-request-limit.ts';
import { findUnknownDuplicate, type RecentDuplicate } from './duplicates.ts';
import { findUnaskedUpTo } from './lost-times.ts';
import { giveRecovered, type Repeated } from './recovered.ts';
import { findKnownRefusal, NOBODY, STOPPING, UNCLEAR, type KnownRefusal } from './refusals.ts';
import type { OpenRedemption } from './settle.ts';
import { takeNextCode } from './take-code.ts';

/** A redemption that began: its code is reserved or claimed, its activation charged, its row pending and on disk. */
export interface Begun extends OpenRedemption, ChosenUpstream {
  /** The number of its attempt. */
  n: number;
  /** Ours there: a UUID, derived where there is a key. */
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
  upstreams: Pick<Upstreams, 'choose'>;
  reference: string;
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
  random: string,
) {
  const { actor, game, request } = read;
  const { code, idempotencyKey } = request;
  const kept = code !== undefined && game.codePattern.test(code) ? code : code?.slice(0, KEPT_LENGTH);
  const given = kept === undefined ? undefined : { text: kept, ...store.seals.seal(game.id, kept) };
  const countRefusal = () => badRequestLimit.count(actor.accountId);
  const unaskedUpTo = findUnaskedUpTo({ store, witnesses }, game.id);
  return (tables: Tables, moment: Moment): Beginning => {
    const key = useKey(tables, actor.accountId, idempotencyKey, describeRequest(request), moment);
    const of = code === undefined ? store.epoch : describeRequest(request);
    const order = { of, accountId: actor.accountId, tries: key.tries, at: moment.now };
    // What leaves its key free leaves it its reference, too.
    const isUnclear = read.repeated?.status === 'unclear';
    const reference =
      idempotencyKey && !key.earlier && !isUnclear
        ? deriveReference(store.secrets, { ...order, key: idempotencyKey })
        : random;
    const context = { ...read, tables, upstreams, reference, given, unaskedUpTo, key, countRefusal, moment };
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
  const recovered = findRecovered(context);
  if (recovered) return recovered;
  const duplicate = findDuplicate(context);
  if (duplicate) return { answer: { status: 'recentDuplicate', duplicate } };
  if (context.isLate) return record(context, STOPPING);
  const room = findRoom(tables, accountId, 'redeem', moment.monotonicNow);
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

function chooseUpstream({ upstreams, request, reference }: Context): ChosenUpstream | undefined {
  const { gameId, denomination = null } = request;
  return upstreams.choose({ gameId, denomination, reference, tried: [] });
}

/** What the lost time has done of it. Another order may have been given it meanwhile: then this one is new. */
function findRecovered(context: Context): Beginning | undefined {
  const { tables, request, key, moment } = context;
  const repeated = findOwnRecovered(context) ?? context.repeated ?? { status: 'none' };
  switch (repeated.status) {
    case 'none':
      return undefined;
    case 'unclear':
      return record(context, UNCLEAR);
    case 'found': {
      const { redemptionId } = repeated;
      const order = { playerId: request.playerId, now: moment.now };
      if (!giveRecovered(tables, repeated, order)) return undefined;
      key.remember({ redemptionId });
      return { answer: toBegun(redemptionId, true) };
    }
  }
}

/** What was carried out for the player of a resumed order, whenever that comes. */
function findOwnRecovered({ tables, actor, request }: Context): Repeated | undefined {
  const { gameId, playerId, denomination, order } = request;
  if (order?.takesRecovered !== true || denomination === undefined) return undefined;
  const stockKey = { accountId: actor.accountId, gameId, denomination };
  const open = tables.takeover
    .listRecovered(stockKey, playerId)
    .find((row) => row.playerId !== null && row.givenAt === null);
  return open && { status: 'found', redemptionId: open.redemptionId, receipt: undefined, isProven: false };
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

function record(context: Context, { errorCode, message, firstId, leavesKey }: KnownRefusal): Beginning {
  const { tables, given, key } = context;
  const row = { ...describeRow(context), codeId: null, code: given ?? null, usageId: null };
  const kept = { ...row, idempotencyKey: keyToTell(context) };
  const redemptionId = tables.redemptions.insertFailed(kept, errorCode, message, firstId);
  // What waits for another one is settled with that one.
  if (firstId === undefined) enqueueSettled(tables, { accountId: row.accountId, id: redemptionId }, row.now);
  if (!leavesKey) key.remember({ redemptionId });
  // Read here: what is on disk is answered, even where the disk fails right after.
  return { answer: toBegun(redemptionId), failed: toRedemption(tables.redemptions.get(redemptionId)) };
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
  const { tables, reference, key } = context;
  const { now } = context.moment;
  const row = { ...describeRow(context), codeId, usageId: bookUsage(tables, room, now) };
  const id = tables.redemptions.begin({ ...row, code, idempotencyKey: keyToTell(context) });
  const begun = { ...row, id, n: 1, ...chosen, reference, code: code.text, createdAt: now, ...taken };
  if (!taken.unverified) noteSent(tables, begun, now);
  key.remember({ redemptionId: id });
  return { answer: toBegun(id), begun };
}

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
