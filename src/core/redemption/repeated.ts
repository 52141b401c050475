// Whether an order is the repetition of one that a lost time carried out (record-lost.ts). By proof alone: the spent code
// is sent once more under the reference that this very order has, and a replay is its receipt.
import type { CharacterOutcome, PlatformOrder, RedeemOutcome } from '../../platform/port.ts';
import { momentOf } from '../../clock.ts';
import { within } from '../../waiting.ts';
import { receiptFamilyOf } from '../games.ts';
import { deriveReference, keyedAs, KEY_LIVES_MS, useKey, type KeyedOrder } from '../idempotency.ts';
import { LOST_ACTOR } from '../receipts/receipts.ts';
import { tellsNothing } from '../upstreams/witnesses.ts';
import type { CheckUnspent } from './check-unspent.ts';
import type { InFlight } from './in-flight.ts';
import { settleUnverified, type LostDeps, type RecordLost, type Repeated } from './record-lost.ts';
import type { RedeemRequest } from './request.ts';
import { toStoredReceipt } from './settle.ts';
import { sinceRestore } from '../errors.ts';
import { requireSwept } from './sweep.ts';

const RESEND_TIMEOUT_MS = 30_000;
/** A key may have been freed in the lost time, and since: the first times something of it is sent, and the next. */
const TRIES_AT_FIRST = [1, 2, 3];
const TRIES_NEXT = [-1, 0, 1, 2, 3];

/**
 * Undefined at once where nothing was lost. Throws CoreError IDEMPOTENCY_KEY_REUSED, and OVERLOADED while its stock key
 * is to be swept first, or somebody cannot be asked. `described`: what its key stands for.
 */
export type FindRepeated = (
  accountId: number,
  request: RedeemRequest,
  described: string,
  withinMs: number,
) => Promise<Repeated> | undefined;

interface RepeatedDeps extends LostDeps {
  checkUnspent: CheckUnspent;
  recordLost: RecordLost;
  inFlight: InFlight;
}

const NEW: Repeated = { status: 'new', beside: [] };

export function createFindRepeated(deps: RepeatedDeps): FindRepeated {
  const { store, clock, inFlight } = deps;
  const { lost } = store;
  if (!lost) return () => undefined;
  return async (accountId, request, described, withinMs) => {
    const { gameId, denomination, idempotencyKey, order } = request;
    const { earlier, tries } = store.read((tables) =>
      useKey(tables, accountId, idempotencyKey, described, momentOf(clock)),
    );
    // What it began is its answer.
    if (typeof earlier?.redemptionId === 'number') return NEW;
    if (denomination !== undefined) await requireSwept(deps, { accountId, gameId, denomination });
    const keyed = keyedAs(idempotencyKey, tries, order?.keyed);
    const find = (signal: AbortSignal) => findAmong(deps, { ...request, accountId, keyed }, signal);
    const found = await within(find, withinMs, { signal: inFlight.giveUp.signal });
    if (!found) throw sinceRestore();
    return found;
  };
}

type Asked = RedeemRequest & { accountId: number; keyed: KeyedOrder | null };

async function findAmong(deps: RepeatedDeps, asked: Asked, signal: AbortSignal): Promise<Repeated> {
  const { store, games, clock } = deps;
  const { accountId, gameId, denomination = null, playerId, playerName = null, keyed } = asked;
  const ids = await (asked.code === undefined
    ? listFitting(deps, asked, signal)
    : findGiven(deps, asked, signal));
  // No key lives longer.
  const isOver = clock.safeNow() - (store.lost?.until ?? 0) > KEY_LIVES_MS;
  const beside: number[] = [];
  for (const id of isOver ? [] : ids) {
    const { code } = store.read(({ redemptions }) => redemptions.get(id));
    if (code === null) continue;
    const references = listTries(keyed?.tries ?? 0).flatMap((tries) =>
      keyed ? [deriveReference(store.secrets, { accountId, key: keyed.key, gameId, code, tries })] : [],
    );
    const sent = { gameId, denomination, code, playerId, playerName };
    const told = await prove(deps, sent, references, signal);
    if (told.status === 'replayed') {
      const receipt = toStoredReceipt(told.receipt, !told.fullReceipt, receiptFamilyOf(games, gameId));
      return { status: 'found', redemptionId: id, receipt };
    }
    if (told.status === 'unclear') throw sinceRestore();
    if (told.status === 'unproven') beside.push(id);
  }
  return { status: 'new', beside };
}

/** Which time the order may have been sent in the lost time. */
function listTries(next: number): number[] {
  const around = TRIES_NEXT.map((each) => next + each).filter((each) => each > 0);
  return [...new Set([...TRIES_AT_FIRST, ...around])];
}

type Replayed = Pick<Extract<RedeemOutcome, { status: 'redeemed' }>, 'receipt' | 'fullReceipt'>;

/**
 * Sends a spent code once more at each upstream that knows the game, under these references: whose it is. `unproven`:
 * somebody is sent no references; `unclear`: somebody cannot be asked now.
 */
export async function prove(
  { upstreams }: Pick<LostDeps, 'upstreams'>,
  sent: Omit<PlatformOrder, 'reference'>,
  references: readonly string[],
  signal: AbortSignal,
): Promise<({ status: 'replayed' } & Replayed) | { status: 'anothers' | 'unproven' | 'unclear' }> {
  const asked = upstreams.all.filter(({ knows }) => knows(sent.gameId)).map(({ platform }) => platform);
  const proving =
    references.length > 0 ? asked.filter(({ hasNoReferences }) => hasNoReferences !== true) : [];
  for (const platform of proving)
    for (const reference of references) {
      const told = await within(
        (inner) => platform.redeem({ ...sent, reference }, { signal: inner }),
        RESEND_TIMEOUT_MS,
        { signal, late: (): RedeemOutcome => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' }) },
      );
      if (told.status === 'redeemed') return { ...told, status: 'replayed' };
      const isAnothers = told.status === 'refused' ? told.errorCode === 'CODE_USED' : told.isOfOtherOrder;
      if (!isAnothers) return { status: 'unclear' };
    }
  return { status: proving.length < asked.length ? 'unproven' : 'anothers' };
}

/** Of its player; where the platform named none, by the openid that the order's player has at an upstream. */
async function listFitting(
  { store, upstreams }: RepeatedDeps,
  { accountId, gameId, denomination = 0, playerId, keyed }: Asked,
  signal: AbortSignal,
): Promise<number[]> {
  const stockKey = { accountId, gameId, denomination };
  const { rows, isInDoubt } = store.read((tables) => ({
    rows: tables.lost.list({ ...stockKey, playerId }),
    isInDoubt: tables.lost.isInDoubt({ ...stockKey, playerId, until: store.lost?.until ?? 0 }),
  }));
  if (isInDoubt && keyed) throw sinceRestore();
  const named = rows.filter((row) => row.playerId === playerId).map(({ id }) => id);
  if (named.length === rows.length) return named;
  const told = await Promise.all(
    upstreams.all
      .filter(({ knows, platform }) => knows(gameId) && platform.hasNoNames !== true)
      .map(({ platform }) =>
        within(
          (inner) => platform.findCharacter({ gameId, playerId }, { signal: inner }),
          RESEND_TIMEOUT_MS,
          {
            signal,
            late: (): CharacterOutcome => ({ status: 'unreachable', message: 'late' }),
          },
        ),
      ),
  );
  // Where nobody knows names the references alone say it.
  if (told.every(({ status }) => status === 'notOffered')) return keyed ? rows.map(({ id }) => id) : named;
  if (told.some(({ status }) => status === 'unreachable')) throw sinceRestore();
  const openids = told.flatMap((one) => (one.status === 'found' ? [one.openid] : []));
  return rows.flatMap((row) =>
    row.playerId === playerId || openids.includes(row.openid ?? '') ? [row.id] : [],
  );
}

/** A code that was given and lies in somebody's stock of before is asked about first. */
async function findGiven(deps: RepeatedDeps, { accountId, gameId, code = '' }: Asked, signal: AbortSignal) {
  const { store, checkUnspent, recordLost, clock } = deps;
  const hash = store.seals.hash(gameId, code);
  const owner = store.read(({ codes }) => codes.findOwner(gameId, hash));
  if (owner?.state === 'unverified' && owner.id <= (store.lastCodeBeforeLoss ?? 0)) {
    const told = await checkUnspent({ gameId, code }, RESEND_TIMEOUT_MS, signal);
    const isTold = told.status === 'redeemed' || told.status === 'notRedeemed';
    if (!isTold && told.status !== 'unproven' && !tellsNothing(told)) throw sinceRestore();
    await store.write((tables) =>
      settleUnverified(recordLost, tables, { ...owner, gameId, code }, told, clock.now()),
    );
  }
  return store.read(({ redemptions }) => {
    const live = redemptions.findLive(gameId, hash);
    const isLost = live?.accountId === accountId && redemptions.get(live.id).actor === LOST_ACTOR;
    return isLost ? [live.id] : [];
  });
}
