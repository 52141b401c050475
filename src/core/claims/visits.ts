// What the page of a claim link does, for whoever has the link: it shows how the claim stands, looks a player up, and
// begins the order once that player is confirmed. Nobody is known here but by the link.
import { HOUR_MS, MINUTE_MS, momentOf, type Moment } from '../../clock.ts';
import type { ClaimRow, Store, Tables } from '../../store/index.ts';
import { readClaimRecord, type ClaimRecord } from '../claim-record.ts';
import { nameActor, type ClaimActor } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import { countFree } from '../promises.ts';
import { readOrderRecord, type OrderRecord } from '../order-record.ts';
import { stickClaim } from '../orders/claimed.ts';
import { enqueueSteps } from '../orders/place.ts';
import { requireSubscription } from '../quota/usage.ts';
import { createReceipts, type Receipts, type Redemption } from '../receipts/receipts.ts';
import type { FindCharacter } from '../redemption/look-ups.ts';
import { readPlayerId } from '../redemption/request.ts';
import { findLostUser, type LostUser, type LostUserDeps } from './lost-user.ts';

/** So many players are looked up by a link in all, and within ten minutes; so many of them may not exist. */
export const MOST_LOOKS = 5;
const LOOKS_AT_ONCE = 3;
const LOOKS_WITHIN_MS = 10 * MINUTE_MS;
const MOST_MISSES = 3;
/** How long the browser that confirmed the player is shown login and password. */
export const LOGIN_SHOWN_MS = 24 * HOUR_MS;
const NONCE_LENGTH = 22;

/** As a page shows it. */
export interface ClaimVisit {
  /** Whoever has this link, for the verbs that take an actor. */
  actor: ClaimActor;
  claim: ClaimRecord;
  shop: string;
  /** How it is reached, where it tells that. */
  contact?: string;
  timeZone: string;
  /** Who was found, to be confirmed by this nonce; the name is left out where the platform knows none. */
  candidate?: { playerId: string; playerName?: string; nonce: string };
  order?: OrderRecord;
  /** Of what is redeemed. With login and password for the browser that confirmed the player. */
  receipts: Redemption[];
}

type LookUpAnswer =
  | { status: 'found' | 'notFound' | 'malformed' | 'unreachable' | 'notOpen' }
  /** The account cannot look anybody up now: its quota is used, or its subscription is over. */
  | { status: 'notNow' }
  | { status: 'tooSoon'; retryAfterSeconds: number };

/** `changed`: another player was looked up meanwhile, or it is not open any more: the page shows which. */
type ConfirmAnswer = { status: 'confirmed' | 'changed' | 'notNow' };

export interface Visits {
  /**
   * How the claim of a link stands; undefined for a link that there is not, or is over. Reading it changes nothing.
   * `browser`: its cookie, if it has one.
   */
  open(token: string, browser?: string): ClaimVisit | undefined;
  /** Throws CoreError OVERLOADED. undefined as `open`. */
  lookUp(token: string, written: string): Promise<LookUpAnswer | undefined>;
  /**
   * Begins the order for the player of this nonce, once, or for whom it was used in a time that a restore has lost; the browser of this cookie is shown the login. Throws CoreError
   * OVERLOADED, STOPPING. undefined as `open`.
   */
  confirm(token: string, nonce: string, browser: string): Promise<ConfirmAnswer | undefined>;
}

export interface VisitDeps extends LostUserDeps {
  findCharacter: FindCharacter;
  isStopping: () => boolean;
}

export function createVisits(deps: VisitDeps): Visits {
  const { store, clock } = deps;
  const receiptsOf = createReceipts(deps);
  const find = (tables: Tables, token: string): ClaimRow | undefined => {
    const row = tables.claims.findByToken(tables.claims.hashToken(token));
    return row && !isOver(row, clock.safeNow()) ? row : undefined;
  };
  return {
    open(token, browser) {
      const found = store.read((tables) => {
        const row = find(tables, token);
        return row && { row, ...describe(store, tables, row) };
      });
      if (!found) return undefined;
      const { row, ...visit } = found;
      const receipts = listReceipts(receiptsOf, visit).map((receipt) =>
        isOfBrowser(deps, row, browser) ? receipt : withoutLogin(receipt),
      );
      return { ...visit, receipts };
    },
    lookUp: (token, written) => lookUp(deps, find, token, written),
    async confirm(token, nonce, browser) {
      const row = store.read((tables) => find(tables, token));
      if (!row) return undefined;
      if (deps.isStopping())
        throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');
      const comer = candidateOf(store, row);
      if (comer?.nonce !== nonce) return { status: 'changed' };
      const write = refuseOverload(store, row);
      const before = await findLostUser(deps, row, comer.playerId);
      return write((tables) => {
        const current = find(tables, token);
        const candidate = current && candidateOf(store, current);
        if (!current || candidate?.nonce !== nonce) return { status: 'changed' };
        return beginOnce(tables, current, { ...candidate, browser }, before, momentOf(clock));
      });
    },
  };
}

const isOver = ({ state, expiresAt, confirmedAt }: ClaimRow, safeNow: number): boolean =>
  state === 'revoked' || state === 'expired' || (confirmedAt === null && expiresAt <= safeNow);

const actorOf = ({ id: claimId, accountId }: ClaimRow): ClaimActor => ({ kind: 'claim', accountId, claimId });

function describe(store: Store, tables: Tables, row: ClaimRow): Omit<ClaimVisit, 'receipts'> {
  const account = tables.accounts.find(row.accountId);
  const order = tables.orders.find(row.orderId);
  const candidate = candidateOf(store, row);
  return {
    actor: actorOf(row),
    claim: readClaimRecord(tables, row),
    shop: account?.name ?? '',
    ...(typeof account?.contact === 'string' && { contact: account.contact }),
    timeZone: account?.timeZone ?? 'UTC',
    ...(candidate && { candidate }),
    ...(row.confirmedAt !== null && order && { order: readOrderRecord(tables, order) }),
  };
}

/** The nonce is of the player and of the look-up that found them: another one is another. */
function candidateOf({ secrets }: Store, row: ClaimRow): ClaimVisit['candidate'] {
  const { id, playerId, playerName, looks, orderId, state } = row;
  if (playerId === null || state !== 'open') return undefined;
  const hash = secrets.hash('claim-nonce', JSON.stringify([id, orderId, looks, playerId]));
  const nonce = hash.toString('base64url').slice(0, NONCE_LENGTH);
  return { playerId, ...(playerName !== null && { playerName }), nonce };
}

function listReceipts(
  receipts: Pick<Receipts, 'find'>,
  { actor, order }: Pick<ClaimVisit, 'actor' | 'order'>,
): Redemption[] {
  const redeemed = (order?.items ?? []).filter(({ state }) => state === 'redeemed');
  return redeemed.flatMap(({ redemptionId = 0 }) => receipts.find(actor, redemptionId) ?? []);
}

/** The cookie is compared by its hash, as it is kept. */
function isOfBrowser({ store, clock }: VisitDeps, row: ClaimRow, browser: string | undefined): boolean {
  const { browserHash, confirmedAt } = row;
  if (browser === undefined || browserHash === null || confirmedAt === null) return false;
  if (clock.safeNow() - confirmedAt > LOGIN_SHOWN_MS) return false;
  return store.read(({ claims }) => claims.hashBrowser(browser)).equals(browserHash);
}

const withoutLogin = (receipt: Redemption): Redemption => ({ ...receipt, credentials: null });

type Find = (tables: Tables, token: string) => ClaimRow | undefined;

async function lookUp(
  deps: VisitDeps,
  find: Find,
  token: string,
  written: string,
): Promise<LookUpAnswer | undefined> {
  const { store, clock, findCharacter } = deps;
  const row = store.read((tables) => find(tables, token));
  if (!row) return undefined;
  if (row.state !== 'open') return { status: 'notOpen' };
  const playerId = readPlayerId(written);
  if (playerId === undefined) return { status: 'malformed' };
  // It is shown already.
  if (row.playerId === playerId) return { status: 'found' };
  const write = refuseOverload(store, row);
  const counted = await write((tables) => countLook(tables, row.id, momentOf(clock)));
  if (counted.status !== 'counted') return counted;
  const answer = await ask(findCharacter, row, counted.gameId, playerId);
  return store.write((tables) => noteAnswer(tables, row.id, playerId, answer, clock.now()));
}

type Told = Awaited<ReturnType<FindCharacter>>;

/** What the account cannot pay is not the buyer's affair. */
const ask = (findCharacter: FindCharacter, row: ClaimRow, gameId: string, playerId: string): Promise<Told> =>
  findCharacter(actorOf(row), { gameId, playerId }).catch((error: unknown) => {
    if (error instanceof CoreError && error.code === 'SUBSCRIPTION_EXPIRED')
      return { status: 'quotaExceeded', retryAfterSeconds: 1 };
    throw error;
  });

/** Before the platform is asked: many at once cannot pass the limits together. */
function countLook(
  tables: Tables,
  id: number,
  { monotonicNow, now }: Moment,
): LookUpAnswer | { status: 'counted'; gameId: string } {
  const row = tables.claims.find(id);
  const order = row && tables.orders.find(row.orderId);
  if (row?.state !== 'open' || !order) return { status: 'notOpen' };
  if (row.looks >= MOST_LOOKS) {
    stickClaim(tables, row, 'lookUps', now);
    return { status: 'notOpen' };
  }
  const recent = (JSON.parse(row.lookedAt) as number[]).filter((at) => at > monotonicNow - LOOKS_WITHIN_MS);
  const [oldest = monotonicNow] = recent;
  if (recent.length >= LOOKS_AT_ONCE) {
    const waitMs = oldest + LOOKS_WITHIN_MS - monotonicNow;
    return { status: 'tooSoon', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
  }
  const lookedAt = JSON.stringify([...recent, monotonicNow]);
  tables.claims.look(id, { looks: row.looks + 1, misses: row.misses, lookedAt });
  return { status: 'counted', gameId: order.gameId };
}

/** What nobody was told of costs no look-up; how many there were in ten minutes it counts in all the same. */
function noteAnswer(tables: Tables, id: number, playerId: string, told: Told, now: number): LookUpAnswer {
  const row = tables.claims.find(id);
  if (row?.state !== 'open') return { status: 'notOpen' };
  switch (told.status) {
    case 'found':
    case 'notOffered':
      tables.claims.name(id, { playerId, playerName: told.status === 'found' ? told.name : null });
      return { status: 'found' };
    case 'notFound':
      tables.claims.look(id, { ...row, misses: row.misses + 1 });
      tables.claims.name(id, { playerId: null, playerName: null });
      if (row.misses + 1 >= MOST_MISSES) stickClaim(tables, row, 'lookUps', now);
      return { status: 'notFound' };
    default:
      tables.claims.look(id, { ...row, looks: Math.max(0, row.looks - 1) });
      return { status: told.status === 'unreachable' ? 'unreachable' : 'notNow' };
  }
}

/** Of whom the order is, and whose browser is shown the login. */
interface Buyer {
  playerId: string;
  playerName?: string | undefined;
  browser?: string;
}

/**
 * In one transaction: the claim is confirmed, and its order this player's, or of whom a lost time has used it for
 * (`before`, of that player).
 */
export function beginOnce(
  tables: Tables,
  row: ClaimRow,
  buyer: Buyer,
  before: LostUser,
  moment: Moment,
): ConfirmAnswer {
  // Whose the codes are that a lost time has used nobody tells: once, the account decides.
  if (before.status === 'unproven' && row.undecided === 0) {
    tables.claims.doubt(row.id);
    stickClaim(tables, row, 'afterRestore', moment.now);
    return { status: 'changed' };
  }
  // Whoever comes now may be another: they are shown no login.
  const isAnothers = before.status === 'used' && before.playerId !== buyer.playerId;
  return begin(tables, row, isAnothers ? { playerId: before.playerId } : buyer, moment);
}

function begin(tables: Tables, row: ClaimRow, buyer: Buyer, moment: Moment): ConfirmAnswer {
  const { now, safeNow } = moment;
  const order = tables.orders.find(row.orderId);
  if (!order || isOver(row, safeNow)) return { status: 'changed' };
  try {
    requireSubscription(tables, row.accountId, moment);
  } catch (error) {
    if (error instanceof CoreError) return { status: 'notNow' };
    throw error;
  }
  if (isShort(tables, row, order.gameId)) {
    stickClaim(tables, row, 'shortage', now);
    return { status: 'changed' };
  }
  const { playerId, playerName = null, browser } = buyer;
  const browserHash = browser === undefined ? null : tables.claims.hashBrowser(browser);
  if (!tables.claims.confirm(row.id, { browserHash, now })) return { status: 'changed' };
  tables.orders.claim(order, { playerId, playerName, actor: nameActor(actorOf(row)), now });
  enqueueSteps(tables, order.id, now);
  return { status: 'confirmed' };
}

/** Whether what was promised to it has fallen, and what is left is promised to others. */
export function isShort(tables: Tables, { accountId, orderId }: ClaimRow, gameId: string): boolean {
  const places = tables.orderItems.list(orderId).filter(({ promised }) => promised <= 0);
  return [...Map.groupBy(places, ({ denomination }) => denomination ?? 0)].some(
    ([denomination, { length }]) => {
      const stockKey = { accountId, gameId, denomination };
      return tables.stockPauses.isPaused(stockKey) || countFree(tables, stockKey) < length;
    },
  );
}
