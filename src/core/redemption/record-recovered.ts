// Keeping what was carried out in a time that a restore has lost: found by its code, written with its receipt and its
// usage. Whom it is given to is recovered.ts.
import type { CoreClock, Moment } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { CodeOutcome, PlatformReceipt } from '../../platform/port.ts';
import type {
  LostTime,
  NewRedemption,
  SentOrder,
  StockKey,
  Store,
  StoredReceipt,
  Tables,
} from '../../store/index.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { enqueueSettled } from '../notices/pending-webhooks.ts';
import { bookUsage, findRoomForRest } from '../quota/usage.ts';
import { LOST_ACTOR } from '../receipts/receipts.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { FoundCode } from '../upstreams/witnesses.ts';
import { listLostTimes } from './lost-times.ts';
import { notifyDoubtSettled, settleDuplicates, toStoredReceipt } from './settle.ts';

export interface RecoveredDeps {
  store: Store;
  upstreams: Upstreams;
  games: Games;
  clock: CoreClock;
}

export type Redeemed = Extract<CodeOutcome, { status: 'redeemed' }>;

/** A code of the stock that the platform calls redeemed, while nobody else can take it. */
interface SpentCode extends StockKey {
  id: number;
  code: string;
  /** Not for whom it is in doubt, by the player's openid. */
  isAnothers?: boolean;
}

/**
 * Keeps what the lost time carried out with this code; false where its time is another: then it is none of ours. Where
 * none is told it may be, and is kept. Call it in the transaction that learns of it, the code unverified or reserved; or
 * in doubt, where it is known to be spent for another.
 */
export type RecordRecovered = (tables: Tables, spent: SpentCode, told: Redeemed) => boolean;

export function createRecordRecovered(deps: RecoveredDeps & { ids: Ids }): RecordRecovered {
  return (tables, spent, told) => recordSpent(deps, tables, spent, told, deps.ids.uuid());
}

const UNTAKEN = ['unverified', 'in_question', 'in_doubt'] as const;

/**
 * Keeps what the platform told of a code that is unverified, in question or in doubt; one that a redemption took
 * meanwhile is that one's affair. True: it may be taken.
 */
export function settleUnverified(
  recordRecovered: RecordRecovered,
  tables: Tables,
  code: SpentCode,
  told: FoundCode | { status: 'notAsked' },
  now: number,
): boolean {
  if (told.status === 'notRedeemed') return tables.codes.verify(code.id, now);
  const state = tables.codes.findStockKey(code.id)?.state;
  if (told.status === 'redeemed' && UNTAKEN.some((each) => each === state))
    if (!recordRecovered(tables, code, told)) tables.codes.discardAsUsed(code.id, now);
  return false;
}

function recordSpent(
  { store, upstreams, games, clock }: RecoveredDeps,
  tables: Tables,
  spent: SpentCode,
  told: Redeemed,
  reference: string,
): boolean {
  const now = clock.now();
  // Where no time is told it was, of a code of before a restore, in the time that was lost; of another, in none.
  const undated = (spent.id <= (store.lastCodeBeforeLoss ?? 0) && store.lost?.until) || Infinity;
  const { redeemedAt, toldAt = now } = told;
  const carriedOutAt = redeemedAt === undefined ? undated : now - (toldAt - redeemedAt);
  const [lost] = listLostTimes(store, carriedOutAt, upstreams.settlingMs);
  if (!lost) return false;
  const { accountId, gameId, denomination } = spent;
  const code = { text: spent.code, ...store.seals.seal(gameId, spent.code) };
  const live = tables.redemptions.findLive(gameId, code.hash);
  if (live && !giveUpDoubt(tables, live.id, spent, told, now)) return false;
  const playerId = told.playerId ?? null;
  const order = {
    accountId,
    gameId,
    playerId: playerId ?? told.openid,
    mode: 'database' as const,
    denomination,
  };
  const receipt = toStoredReceipt(receiptOf(told), true, receiptFamilyOf(games, gameId));
  const id = bookRecovered(
    tables,
    { ...order, codeId: spent.id, code, now: carriedOutAt },
    { upstream: told.toldBy ?? upstreams.all[0]?.name ?? '', reference },
    receipt,
    { now, monotonicNow: clock.monotonicNow() },
  );
  if (!tables.codes.recover(spent.id, now)) throw new Error(`Code ${spent.id} was taken by somebody else.`);
  tables.takeover.insertRecovered(id, {
    accountId,
    gameId,
    denomination,
    now,
    playerId,
    openid: told.openid,
  });
  if (!told.receipt) tables.lateLogins.wait(id, now);
  notifyOfSecond(lost, tables, { accountId, gameId, denomination, id, playerId: told.playerId }, now);
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
  return true;
}

/**
 * Writes what a lost time carried out, with its attempt, its receipt and its usage; returns its id. `order.now`: when
 * it was, by the calendar. The code is the caller's affair.
 */
function bookRecovered(
  tables: Tables,
  order: Omit<NewRedemption, 'actor' | 'usageId'>,
  sent: Pick<SentOrder, 'upstream' | 'reference'>,
  receipt: StoredReceipt,
  { now, monotonicNow }: Pick<Moment, 'now' | 'monotonicNow'>,
): number {
  const { accountId } = order;
  const room = findRoomForRest(tables, accountId, 'redeem', monotonicNow);
  const usageId = bookUsage(tables, room, now);
  const id = tables.redemptions.begin({ ...order, actor: LOST_ACTOR, usageId });
  tables.attempts.insertSpent({ redemptionId: id, ...sent, begunAt: order.now, now });
  tables.redemptions.settleRedeemed(id, receipt, now);
  enqueueSettled(tables, { accountId, id }, now);
  return id;
}

/** As the platform keeps it for us; else what it told of the code. */
function receiptOf({ receipt, openid, playerId, playerName, ...told }: Redeemed): PlatformReceipt {
  if (receipt) return receipt;
  const { productName, amount } = told;
  return { openid, name: playerName ?? playerId ?? openid, productName, ...(amount > 0 && { amount }) };
}

/** A second code was spent for the player since: the owner decides what becomes of it. */
function notifyOfSecond(
  { until }: LostTime,
  tables: Tables,
  { id, playerId, ...stockKey }: StockKey & { id: number; playerId: string | undefined },
  now: number,
): void {
  const { accountId, gameId, denomination } = stockKey;
  if (playerId === undefined) return;
  const second = tables.receiptDetails
    .listOfPlayer(accountId, playerId, 20)
    .find(
      (row) =>
        row.id !== id &&
        row.state !== 'failed' &&
        row.gameId === gameId &&
        row.denomination === denomination &&
        row.createdAt >= until,
    );
  if (!second) return;
  const redemptionIds = [id, second.id];
  writeNotice(tables, { kind: 'recoveredTwice', accountId, redemptionIds }, now);
}
