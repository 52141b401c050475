// Keeping what was carried out in a time that a restore has lost: found by its code, and nobody's until a replay says
// whose it is (repeated.ts). Until then it is neither charged nor told to programs, and has no login.
import type { CoreClock, Moment } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { CodeOutcome, PlatformReceipt } from '../../platform/port.ts';
import type { StockKey, Store, StoredReceipt, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { askHold } from '../promises.ts';
import { enqueueSettled } from '../notices/pending-webhooks.ts';
import { bookUsage, findRoomForRest } from '../quota/usage.ts';
import { LOST_ACTOR } from '../receipts/receipts.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { FoundCode } from '../upstreams/witnesses.ts';
import { notifyDoubtSettled, settleDuplicates, toStoredReceipt } from './settle.ts';

export interface LostDeps {
  store: Store;
  upstreams: Upstreams;
  games: Games;
  clock: CoreClock;
}

/** What an order is of that may be the repetition of one that the lost time carried out. */
export type Repeated =
  | { status: 'found'; redemptionId: number; receipt: StoredReceipt }
  /** `beside`: what the lost time carried out for its player and is nobody's, of which nothing is proven. */
  | { status: 'new'; beside: readonly number[] };

export type Redeemed = Extract<CodeOutcome, { status: 'redeemed' }>;

/** A code of the stock that the platform calls redeemed, while nobody else can take it. */
interface SpentCode extends StockKey {
  id: number;
  code: string;
  /** Not for whom it is in doubt, by the player's openid. */
  isAnothers?: boolean;
}

/**
 * Keeps what the lost time carried out with this code; false where it is none of before a restore. Call it in the
 * transaction that learns of it, the code unverified or reserved; or in doubt, where it is known to be spent for another.
 */
export type RecordLost = (tables: Tables, spent: SpentCode, told: Redeemed) => boolean;

export function createRecordLost(deps: LostDeps & { ids: Ids }): RecordLost {
  return (tables, spent, told) => recordSpent(deps, tables, spent, told, deps.ids.uuid());
}

const UNTAKEN = ['unverified', 'in_question', 'in_doubt'] as const;

/**
 * Keeps what the platform told of a code that is unverified, in question or in doubt; one that a redemption took
 * meanwhile is that one's affair. True: it may be taken.
 */
export function settleUnverified(
  recordLost: RecordLost,
  tables: Tables,
  code: SpentCode,
  told: FoundCode | { status: 'notAsked' },
  now: number,
): boolean {
  if (told.status === 'notRedeemed') return tables.codes.verify(code.id, now);
  const state = tables.codes.findStockKey(code.id)?.state;
  if (told.status === 'redeemed' && UNTAKEN.some((each) => each === state))
    if (!recordLost(tables, code, told)) tables.codes.discardAsUsed(code.id, now);
  return false;
}

function recordSpent(
  { store, upstreams, games, clock }: LostDeps,
  tables: Tables,
  spent: SpentCode,
  told: Redeemed,
  reference: string,
): boolean {
  const now = clock.now();
  const { lost, lastCodeBeforeLoss = 0 } = store;
  if (!lost || spent.id > lastCodeBeforeLoss) return false;
  const { accountId, gameId, denomination } = spent;
  const code = { text: spent.code, ...store.seals.seal(gameId, spent.code) };
  const live = tables.redemptions.findLive(gameId, code.hash);
  if (live && !giveUpDoubt(tables, live.id, spent, told, now)) return false;
  // No time decides: what is told is shown as of the lost one.
  const { redeemedAt, toldAt = now } = told;
  const at = redeemedAt === undefined ? lost.until : now - (toldAt - redeemedAt);
  const order = {
    ...{ accountId, gameId, denomination, codeId: spent.id, code, actor: LOST_ACTOR, usageId: null },
    ...{ playerId: told.playerId ?? told.openid, mode: 'database' as const },
    now: Math.min(Math.max(at, lost.asOf), lost.until),
  };
  const id = tables.redemptions.begin(order);
  const upstream = told.toldBy ?? upstreams.all[0]?.name ?? '';
  tables.attempts.insertSpent({ redemptionId: id, upstream, reference, begunAt: order.now, now });
  const receipt = toStoredReceipt(receiptOf(told), true, receiptFamilyOf(games, gameId));
  tables.redemptions.settleRedeemed(id, { ...receipt, credentials: null }, now);
  if (!tables.codes.recover(spent.id, now)) throw new Error(`Code ${spent.id} was taken by somebody else.`);
  return true;
}

/** Makes it the answer to the order of which a replay has told, once, with its charge; false where it is one already. */
export function giveLost(
  tables: Tables,
  { redemptionId: id, receipt }: Extract<Repeated, { status: 'found' }>,
  { actor, playerId }: { actor: AccountActor; playerId: string },
  { now, monotonicNow }: Moment,
): boolean {
  const { accountId } = actor;
  if (tables.redemptions.get(id).actor !== LOST_ACTOR) return false;
  const usageId = bookUsage(tables, findRoomForRest(tables, accountId, 'redeem', monotonicNow), now);
  tables.lost.give({ id, actor: nameActor(actor), playerId, usageId });
  tables.redemptions.completeLogin(id, receipt);
  enqueueSettled(tables, { accountId, id }, now);
  settleDuplicates(tables, id, true, now);
  return true;
}

/**
 * What was open when the time was lost may have been refused in it, and its code taken for another order: then nothing
 * was redeemed for this one. False where it is not known to be so.
 */
function giveUpDoubt(
  tables: Tables,
  id: number,
  { isAnothers = false }: SpentCode,
  { playerId }: Redeemed,
  now: number,
): boolean {
  const doubt = tables.redemptions.get(id);
  const isOfStock = doubt.state === 'in_doubt' && doubt.mode === 'database';
  if (!isOfStock || !(isAnothers || (playerId !== undefined && playerId !== doubt.playerId))) return false;
  // It went back then, and is another's now.
  const answered = {
    errorCode: doubt.errorCode ?? 'UNKNOWN',
    errorMessage: doubt.errorMessage ?? '',
    codeReset: true,
  };
  tables.attempts.end(id, { proof: 'lookup', answered: { errorCode: 'CODE_USED' } }, now);
  tables.redemptions.settleFailed(id, answered, now);
  if (doubt.usageId !== null) tables.quota.giveBack(doubt.usageId, now);
  enqueueSettled(tables, doubt, now);
  settleDuplicates(tables, id, doubt.errorCode === 'CODE_USED', now);
  notifyDoubtSettled(tables, doubt, 'spentElsewhere', now);
  tables.tasks.release(askHold(id), now);
  return true;
}

/** As the platform keeps it for us; else what it told of the code. */
function receiptOf({ receipt, openid, playerId, playerName, ...told }: Redeemed): PlatformReceipt {
  if (receipt) return receipt;
  const { productName, amount } = told;
  return { openid, name: playerName ?? playerId ?? openid, productName, ...(amount > 0 && { amount }) };
}
