// Recovered redemptions: what was carried out in a time that a restore has lost (record-recovered.ts) is given to the
// order that is repeated: the proof is the platform's own replay of that order; likeness alone counts where it keeps no
// references.
import type { CharacterOutcome, Platform, RedeemOutcome } from '../../platform/port.ts';
import type { LostTime, StockKey, Store, StoredReceipt, Tables } from '../../store/index.ts';
import { within } from '../../waiting.ts';
import { receiptFamilyOf } from '../games.ts';
import { type IdempotencyKey, deriveReference, deriveReferenceOf, ORDERS_AT_MOST } from '../idempotency.ts';
import { SLACK_MS } from './decide-doubt.ts';
import type { RecoveredDeps } from './record-recovered.ts';
import { isGiven, isShort, listLostTimes } from './lost-times.ts';
import { toStoredReceipt } from './settle.ts';

/** After its sweep. */
export const GIVEN_WITHIN_MS = 60 * 60 * 1000;
/** An order without a key is taken for a repeated one for so long after the start. */
const KEYLESS_WITHIN_MS = 2 * 60 * 1000;
const RESEND_TIMEOUT_MS = 30_000;
/**
 * A key may have been freed in the lost time, and since: the first times it begins something, and those around the
 * last.
 */
const TRIES_AT_FIRST = [1, 2, 3];
const TRIES_AROUND = [-1, 0, 1, 2];

/** A code of an order and its replacements (orders/verdict.ts). */
const TRIES_OF_A_PLACE = 4;

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
  /** Of a resumed order: what was carried out for its player is its own. */
  takesRecovered: boolean;
}

/** `tries`: which time the order's key begins something. */
export type FindRepeated = (
  order: DatabaseOrder,
  tries: number,
  findOpenids: FindOpenids,
  signal: AbortSignal,
) => Promise<Repeated>;

/** As each upstream calls the player of an order; asked once, however often it is called. */
export type FindOpenids = (signal: AbortSignal) => Promise<'unclear' | string[]>;

const NONE: Repeated = { status: 'none' };

/**
 * Looks whether an order is the repetition of one that was carried out in the lost time: of those that fit, each code
 * is sent once more under the reference that this very order had then. A replay says that it is the one; CODE_USED,
 * that it is another's.
 */
export function createFindRepeated(deps: RecoveredDeps): FindRepeated {
  const { store, clock } = deps;
  const readyAt = clock.elapsed();
  if (!isGiven(store)) return () => Promise.resolve(NONE);
  return async (order, tries, findOpenids, signal) => {
    const { idempotencyKey: key } = order;
    // In the chat the card asks.
    if (key?.scope === 'chat') return NONE;
    const fitting = await listFitting(deps, order, () => findOpenids(signal));
    if (fitting === 'unclear') return { status: 'unclear' };
    if (!key) {
      const open = fitting.find(({ givenAt }) => givenAt === null);
      const isEarly = clock.elapsed() - readyAt <= KEYLESS_WITHIN_MS;
      return open && isEarly
        ? { status: 'found', redemptionId: open.redemptionId, receipt: undefined, isProven: false }
        : NONE;
    }
    for (const { redemptionId, givenAt, lost } of fitting)
      for (const each of listKeys(key)) {
        const resent = { ...order, key: each, tries, redemptionId, givenAt, lost };
        const asked = await resend(deps, resent, signal);
        if (asked.status !== 'none') return asked;
      }
    return NONE;
  };
}

/**
 * The key itself, and for a place of an order those of its later tries: the lost time may have found the first code bad
 * and redeemed the next.
 */
function listKeys({ scope, key }: IdempotencyKey): IdempotencyKey[] {
  const [, place, nth] = (scope === 'order' && /^(.*:)(\d+)$/.exec(key)) || [];
  if (place === undefined) return [{ scope, key }];
  return Array.from({ length: TRIES_OF_A_PLACE }, (_, index) => ({
    scope,
    key: `${place}${Number(nth) + index}`,
  }));
}

/** A recovered redemption, and the times that it may have been lost with. */
interface Fitting {
  redemptionId: number;
  givenAt: number | null;
  lost: readonly LostTime[];
}

/** Those whose player is the order's; where the platform named none, by the openid of the order's player. */
async function listFitting(
  { store, upstreams }: RecoveredDeps,
  order: DatabaseOrder,
  findOpenids: () => ReturnType<FindOpenids>,
): Promise<'unclear' | Fitting[]> {
  const { accountId, gameId, denomination, playerId } = order;
  const open = store.read((tables) => {
    const rows = tables.takeover.listRecovered({ accountId, gameId, denomination }, playerId);
    return rows.flatMap((row) => {
      const { createdAt } = tables.redemptions.get(row.redemptionId);
      const lost = listLostTimes(store, createdAt, upstreams.settlingMs).filter(isShort);
      return lost.length > 0 ? [{ ...row, lost }] : [];
    });
  });
  if (open.every((row) => row.playerId !== null)) return open;
  const openids = await findOpenids();
  if (openids === 'unclear') return 'unclear';
  return open.filter((row) => row.playerId !== null || (row.openid !== null && openids.includes(row.openid)));
}

/**
 * For an order that takes what was recovered for its player: where the platform named none, by their openid. What it
 * named is taken in the transaction that would begin (begin.ts).
 */
export async function findOwnUnnamed(
  { store, upstreams }: Pick<RecoveredDeps, 'store' | 'upstreams'>,
  { accountId, gameId, denomination, playerId }: DatabaseOrder,
  findOpenids: FindOpenids,
  signal: AbortSignal,
): Promise<Repeated> {
  const stockKey = { accountId, gameId, denomination };
  const all = store.read(({ takeover }) => takeover.listRecovered(stockKey, playerId));
  const open = all.filter(({ givenAt }) => givenAt === null);
  const isToBeAsked = open.length > 0 && open.every((row) => row.playerId === null);
  if (!isToBeAsked || listNaming(upstreams, gameId).length === 0) return NONE;
  const openids = await findOpenids(signal);
  if (openids === 'unclear') return { status: 'unclear' };
  const own = open.find(({ openid }) => openid !== null && openids.includes(openid));
  return own
    ? { status: 'found', redemptionId: own.redemptionId, receipt: undefined, isProven: false }
    : NONE;
}

const listNaming = ({ all }: RecoveredDeps['upstreams'], gameId: string) =>
  all.filter(({ knows, platform }) => knows(gameId) && platform.hasNoNames !== true);

export function createFindOpenids(
  { upstreams }: Pick<RecoveredDeps, 'upstreams'>,
  { gameId, playerId }: DatabaseOrder,
): FindOpenids {
  let asked: ReturnType<FindOpenids> | undefined;
  return (signal) => (asked ??= listOpenids(upstreams, { gameId, playerId }, signal));
}

/** As each upstream calls the player: which of them had carried it out is not known, and each has ids of its own. */
async function listOpenids(
  upstreams: RecoveredDeps['upstreams'],
  player: { gameId: string; playerId: string },
  signal: AbortSignal,
): Promise<'unclear' | string[]> {
  const told = await Promise.all(
    listNaming(upstreams, player.gameId).map(({ platform }) =>
      within((inner) => platform.findCharacter(player, { signal: inner }), RESEND_TIMEOUT_MS, {
        signal,
        late: (): CharacterOutcome => ({ status: 'unreachable', message: 'late' }),
      }),
    ),
  );
  const isUnclear = told.some(({ status }) => status === 'unreachable' || status === 'notOffered');
  if (told.length === 0 || isUnclear) return 'unclear';
  return told.flatMap((one) => (one.status === 'found' ? [one.openid] : []));
}

interface Resent extends DatabaseOrder, Fitting {
  key: IdempotencyKey;
  tries: number;
}

async function resend(
  { store, upstreams, games }: RecoveredDeps,
  order: Resent,
  signal: AbortSignal,
): Promise<Repeated> {
  const { gameId, playerId, redemptionId, givenAt } = order;
  const { code } = store.read((tables) => tables.redemptions.get(redemptionId));
  if (code === null) return NONE;
  const references = listReferences(store, order, upstreams.all.length);
  // Nobody knows any more whom it was sent to.
  const asked = upstreams.all.filter(({ knows }) => knows(gameId)).map(({ platform }) => platform);
  const [unproving, proving] = [asked.filter(isUnproving), asked.filter((each) => !isUnproving(each))];
  for (const { platform, reference } of proving.flatMap((platform) =>
    references.map((reference) => ({ platform, reference })),
  )) {
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
  // One that knows no reference can only be believed alike, once.
  return unproving.length > 0 && givenAt === null
    ? { status: 'found', redemptionId, receipt: undefined, isProven: false }
    : NONE;
}

const isUnproving = ({ hasNoReferences }: Platform): boolean => hasNoReferences === true;

/** Those that the order may have had in the lost time, each sent at most so often. */
function listReferences({ secrets }: Store, order: Resent, orders: number): string[] {
  const around = TRIES_AROUND.map((each) => order.tries + each).filter((each) => each > 0);
  const tries = [...TRIES_AT_FIRST, ...around];
  const each = order.lost.flatMap(({ epoch: of, asOf, until }) =>
    [until + SLACK_MS, asOf - SLACK_MS].flatMap((at) => tries.map((nth) => ({ of, at, tries: nth }))),
  );
  const first = new Set(each.map((one) => deriveReference(secrets, { ...order, ...one })));
  // Where it was sent on, under that of its later attempts.
  const numbers = Array.from({ length: Math.min(orders, ORDERS_AT_MOST) }, (_, index) => index + 1);
  return numbers.flatMap((n) => [...first].map((one) => deriveReferenceOf(secrets, one, n)));
}

/** Makes it the answer to the order, with the credentials that the replay told; false where another was faster. */
export function giveRecovered(
  tables: Tables,
  { redemptionId, receipt, isProven }: Extract<Repeated, { status: 'found' }>,
  { playerId, now }: { playerId: string; now: number },
): boolean {
  if (!tables.takeover.give(redemptionId, { playerId, isProven, now })) return false;
  const { credentials } = tables.redemptions.get(redemptionId);
  if (!receipt || credentials) return true;
  tables.lateLogins.wait(redemptionId, now);
  tables.lateLogins.complete(redemptionId, receipt);
  return true;
}
