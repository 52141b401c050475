// Recovered redemptions: what was carried out in a time that a restore has lost is found by its code, kept with its receipt, and given
// to the order that is repeated: the proof is the platform's own replay of that order, never a likeness alone.
import type {
  CharacterOutcome,
  CodeOutcome,
  Platform,
  PlatformReceipt,
  RedeemOutcome,
} from '../../platform/port.ts';
import type { LostTime, StockKey, Store, StoredReceipt, Tables } from '../../store/index.ts';
import { within } from '../../waiting.ts';
import type { Ids } from '../../ids.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { type IdempotencyKey, deriveReference } from '../idempotency.ts';
import type { Contest } from '../contest.ts';
import { writeNotice } from '../notices/notices.ts';
import { enqueueSettled } from '../notices/pending-webhooks.ts';
import { LOST_ACTOR } from '../receipts/receipt-details.ts';
import { bookUsage, findRoomForRest } from '../quota/usage.ts';
import type { CoreClock } from '../../clock.ts';
import { SLACK_MS } from './decide-doubt.ts';
import { isGiven, isShort, listLostTimes } from './lost-times.ts';
import { toStoredReceipt } from './settle.ts';

/** After its sweep. */
export const GIVEN_WITHIN_MS = 60 * 60 * 1000;
/** An order without a key is taken for a repeated one for so long after the start. */
const KEYLESS_WITHIN_MS = 2 * 60 * 1000;
const RESEND_TIMEOUT_MS = 30_000;
/** A key may have been freed in the lost time, and since: the first times it begins something, and those around the last. */
const TRIES_AT_FIRST = [1, 2, 3];
const TRIES_AROUND = [-1, 0, 1, 2];

export interface RecoveredDeps {
  store: Store;
  platform: Platform;
  games: Games;
  clock: CoreClock;
}

export type Redeemed = Extract<CodeOutcome, { status: 'redeemed' }>;

/** A code of the stock that the platform calls redeemed, while nobody else can take it. */
interface SpentCode extends StockKey {
  id: number;
  code: string;
}

/**
 * Keeps what the lost time carried out with this code; false where its time is another: then it is none of ours. Call it in the
 * transaction that learns of it, the code unverified or reserved.
 */
export type KeepRecovered = (tables: Tables, spent: SpentCode, told: Redeemed) => boolean;

export function createKeepRecovered(
  deps: RecoveredDeps & { ids: Ids; contest: Pick<Contest, 'heard'> },
): KeepRecovered {
  return (tables, spent, told) => keep(deps, tables, spent, told, deps.ids.uuid());
}

/**
 * Keeps what the platform told of a code that is unverified or in question; one that a redemption took meanwhile is that one's affair.
 * True: it may be taken.
 */
export function settleUnverified(
  keepRecovered: KeepRecovered,
  tables: Tables,
  code: SpentCode,
  told: CodeOutcome,
  now: number,
): boolean {
  if (told.status === 'notRedeemed') return tables.codes.verify(code.id, now);
  const state = tables.codes.findStockKey(code.id)?.state;
  if (told.status === 'redeemed' && (state === 'unverified' || state === 'in_question'))
    if (!keepRecovered(tables, code, told)) tables.codes.discardAsUsed(code.id, now);
  return false;
}

function keep(
  { store, platform, games, clock, contest }: RecoveredDeps & { contest: Pick<Contest, 'heard'> },
  tables: Tables,
  spent: SpentCode,
  told: Redeemed,
  reference: string,
): boolean {
  const now = clock.now();
  const carriedOutAt = now - ((told.toldAt ?? now) - told.redeemedAt);
  const [lost] = listLostTimes(store, carriedOutAt, platform.settlingMs);
  if (!lost) {
    if (store.lost) contest.heard(told, store.lost.until + platform.settlingMs);
    return false;
  }
  const { accountId, gameId, denomination } = spent;
  const code = { text: spent.code, ...store.seals.seal(gameId, spent.code) };
  if (tables.redemptions.findLive(gameId, code.hash)) return false;
  const usage = bookUsage(tables, findRoomForRest(tables, accountId, 'redeem', clock.monotonicNow()), now);
  const id = tables.redemptions.begin({
    reference,
    accountId,
    actor: LOST_ACTOR,
    gameId,
    playerId: told.playerId ?? told.openid,
    mode: 'database',
    denomination,
    codeId: spent.id,
    code,
    usageId: usage,
    now: carriedOutAt,
  });
  const receipt = toStoredReceipt(receiptOf(told), true, receiptFamilyOf(games, gameId));
  tables.redemptions.settleRedeemed(id, reference, receipt, now);
  if (!tables.codes.recover(spent.id, now)) throw new Error(`Code ${spent.id} was taken by somebody else.`);
  tables.takeover.insertRecovered(id, {
    accountId,
    gameId,
    denomination,
    now,
    playerId: told.playerId ?? null,
    openid: told.openid,
  });
  if (!told.receipt) tables.lateLogins.wait(id, now);
  enqueueSettled(tables, { accountId, id }, now);
  tellOfSecond(lost, tables, { accountId, gameId, denomination, id, playerId: told.playerId }, now);
  return true;
}

/** As the platform keeps it for us; else what it told of the code. */
function receiptOf({ receipt, openid, playerId, playerName, ...told }: Redeemed): PlatformReceipt {
  if (receipt) return receipt;
  const { productName, amount } = told;
  return { openid, name: playerName ?? playerId ?? openid, productName, ...(amount > 0 && { amount }) };
}

/** A second code was spent for the player since: the owner decides what becomes of it. */
function tellOfSecond(
  lost: LostTime,
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
        row.createdAt >= lost.until,
    );
  if (!second) return;
  const redemptionIds = [id, second.id];
  writeNotice(tables, { kind: 'recoveredTwice', accountId, redemptionIds }, now);
}

export type Repeated =
  | { status: 'none' }
  /** It was carried out in the lost time. */
  | { status: 'found'; redemptionId: number; receipt: StoredReceipt | undefined; isProven: boolean }
  /** The platform did not tell in time. */
  | { status: 'unclear' };

/** An order of the code database, as it is asked for. */
export interface DatabaseOrder extends StockKey {
  playerId: string;
  idempotencyKey: IdempotencyKey | undefined;
}

/** `tries`: which time the order's key begins something. */
export type FindRepeated = (order: DatabaseOrder, tries: number, signal: AbortSignal) => Promise<Repeated>;

const NONE: Repeated = { status: 'none' };

/**
 * Looks whether an order is the repetition of one that was carried out in the lost time: of those that fit, each code is sent once more
 * under the reference that this very order had then. A replay says that it is the one; CODE_USED, that it is another's.
 */
export function createFindRepeated(deps: RecoveredDeps): FindRepeated {
  const { store, clock } = deps;
  const readyAt = clock.elapsed();
  if (!isGiven(store)) return () => Promise.resolve(NONE);
  return async (order, tries, signal) => {
    const { idempotencyKey: key } = order;
    // In the chat the card asks.
    if (key?.scope === 'chat') return NONE;
    const fitting = await listFitting(deps, order, signal);
    if (fitting === 'unclear') return { status: 'unclear' };
    if (!key) {
      const open = fitting.find(({ givenAt }) => givenAt === null);
      const isEarly = clock.elapsed() - readyAt <= KEYLESS_WITHIN_MS;
      return open && isEarly
        ? { status: 'found', redemptionId: open.redemptionId, receipt: undefined, isProven: false }
        : NONE;
    }
    for (const { redemptionId, epochs } of fitting) {
      const asked = await resend(deps, { ...order, key, tries, epochs, redemptionId }, signal);
      if (asked.status !== 'none') return asked;
    }
    return NONE;
  };
}

/** A recovered redemption, and the epochs that it may have been lost with. */
interface Fitting {
  redemptionId: number;
  givenAt: number | null;
  epochs: readonly string[];
}

/** Those whose player is the order's; where the platform named none, by the openid of the order's player. */
async function listFitting(
  { store, platform }: RecoveredDeps,
  order: DatabaseOrder,
  signal: AbortSignal,
): Promise<'unclear' | Fitting[]> {
  const { accountId, gameId, denomination, playerId } = order;
  const open = store.read((tables) => {
    const rows = tables.takeover.listRecovered({ accountId, gameId, denomination }, playerId);
    return rows.flatMap((row) => {
      const { createdAt } = tables.redemptions.get(row.redemptionId);
      const epochs = listLostTimes(store, createdAt, platform.settlingMs)
        .filter(isShort)
        .map(({ epoch }) => epoch);
      return epochs.length > 0 ? [{ ...row, epochs }] : [];
    });
  });
  if (open.every((row) => row.playerId !== null)) return open;
  const player = await within(
    (inner) => platform.findCharacter({ gameId, playerId }, { signal: inner }),
    RESEND_TIMEOUT_MS,
    { signal, late: (): CharacterOutcome => ({ status: 'unreachable', message: 'late' }) },
  );
  if (player.status === 'unreachable') return 'unclear';
  const openid = player.status === 'found' ? player.openid : undefined;
  return open.filter((row) => row.playerId !== null || row.openid === openid);
}

interface Resent extends DatabaseOrder {
  key: IdempotencyKey;
  tries: number;
  epochs: readonly string[];
  redemptionId: number;
}

async function resend(
  { store, platform, games }: RecoveredDeps,
  order: Resent,
  signal: AbortSignal,
): Promise<Repeated> {
  const { gameId, playerId, redemptionId } = order;
  const { code, createdAt } = store.read((tables) => tables.redemptions.get(redemptionId));
  if (code === null) return NONE;
  for (const reference of listReferences(store, order, createdAt)) {
    const told = await within(
      (inner) => platform.redeem({ reference, gameId, code, playerId }, { signal: inner }),
      RESEND_TIMEOUT_MS,
      { signal, late: (): RedeemOutcome => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' }) },
    );
    if (told.status === 'redeemed')
      return {
        status: 'found',
        redemptionId,
        isProven: true,
        receipt: toStoredReceipt(told.receipt, true, receiptFamilyOf(games, gameId)),
      };
    const isAnothers = told.status === 'refused' ? told.errorCode === 'CODE_USED' : told.isOfOtherOrder;
    if (!isAnothers) return { status: 'unclear' };
  }
  return NONE;
}

/** Those that the order may have had in the lost time. */
function listReferences({ secrets }: Store, order: Resent, redeemedAt: number): Set<string> {
  const around = TRIES_AROUND.map((each) => order.tries + each).filter((each) => each > 0);
  const tries = [...TRIES_AT_FIRST, ...around];
  const begunAt = [redeemedAt, redeemedAt - SLACK_MS, redeemedAt + SLACK_MS];
  const each = order.epochs.flatMap((of) =>
    begunAt.flatMap((at) => tries.map((nth) => ({ of, at, tries: nth }))),
  );
  return new Set(each.map((one) => deriveReference(secrets, { ...order, ...one })));
}

/** Makes it the answer to the order, with the credentials that the replay told; false where another was faster. */
export function giveRecovered(
  tables: Tables,
  { redemptionId, receipt, isProven }: Extract<Repeated, { status: 'found' }>,
  { playerId, now }: { playerId: string; now: number },
): boolean {
  if (!tables.takeover.give(redemptionId, { playerId, isProven, now })) return false;
  const { reference, credentials } = tables.redemptions.get(redemptionId);
  if (!receipt || credentials) return true;
  tables.lateLogins.wait(redemptionId, now);
  tables.lateLogins.complete(redemptionId, reference, receipt);
  return true;
}
