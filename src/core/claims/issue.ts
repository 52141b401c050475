// Giving out claim links: what they are for is promised to each, in slices between turns. A key makes the same links
// whenever it is sent, after a restore, too: their tokens are derived, and kept nowhere.
import { takeTurn } from '../../turns.ts';
import { DAY_MS, momentOf, type CoreClock } from '../../clock.ts';
import type { ClaimRow, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { readClaimRecord, type ClaimRecord } from '../claim-record.ts';
import { nameActor, requirePermission, type AccountActor } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import type { Game, Games } from '../games.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { getCurrentActor } from '../members.ts';
import { watchStock } from '../notices/notices.ts';
import { composeAmount } from '../order-texts/composition.ts';
import type { OrderItem } from '../order-texts/items.ts';
import {
  countTakeable,
  insertOrder,
  LONGEST_ORDER_REFERENCE,
  MOST_ORDER_CODES,
  nameOrder,
  type OrderRefused,
} from '../orders/place.ts';
import { requireSubscription } from '../quota/usage.ts';
import { findBrokenRule } from '../redemption/request.ts';

export const MOST_CLAIMS = 1_000;
const LONGEST_CLAIM_MS = 400 * DAY_MS;
const USUAL_CLAIM_MS = 90 * DAY_MS;
/** So many are made, read or ended in one turn. */
export const CLAIMS_AT_ONCE = 8;
/** 132 bits: nobody guesses one. */
const TOKEN_LENGTH = 22;

/** What links are made of. */
export interface ClaimTerms {
  gameId: string;
  /** Exactly one of these: what each link is for. */
  denomination?: number | undefined;
  amount?: number | undefined;
  /** How many links. */
  count: number;
  /** ms UTC; in 90 days where it is left out. */
  expiresAt?: number | undefined;
  reference?: string | undefined;
  /** Of the page; the browser's where it is left out. */
  language?: string | undefined;
}

export interface ClaimRequest extends ClaimTerms {
  idempotencyKey: IdempotencyKey;
}

/** `token`: what its link ends in. */
export type IssuedClaim = ClaimRecord & { token: string };

/** None was made. */
type NotIssued = Extract<OrderRefused, { status: 'notEnoughStock' | 'noComposition' }>;

export type IssueAnswer = { status: 'issued'; claims: IssuedClaim[]; replayed: boolean } | NotIssued;

/** What each link would have; `left`: what the stock would have beside all of them, of each denomination in it. */
export type ClaimQuote =
  { status: 'quoted'; items: OrderItem[]; left: OrderItem[]; expiresAt: number } | NotIssued;

export interface IssueDeps {
  store: Store;
  games: Games;
  clock: CoreClock;
  isStopping: () => boolean;
}

/**
 * Throws CoreError FORBIDDEN, KEY_REVOKED, INVALID_INPUT, CODE_OVERRIDE_REQUIRED, SUBSCRIPTION_EXPIRED,
 * IDEMPOTENCY_KEY_REUSED, OVERLOADED, STOPPING. Where it is interrupted, the same request makes the rest.
 */
export type IssueClaims = (actor: AccountActor, request: ClaimRequest) => Promise<IssueAnswer>;

export function createIssueClaims(deps: IssueDeps): IssueClaims {
  const { store, clock } = deps;
  return async (actor, request) => {
    requirePermission(actor, 'manageClaims');
    if (deps.isStopping()) throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');
    const write = refuseOverload(store, actor);
    const issue = readIssue(deps, actor, request);
    const first = await write((tables) => beginIssue(store, tables, issue, momentOf(clock)));
    if (first.status !== 'begun') return first;
    for (let from = 2; from <= request.count; from += CLAIMS_AT_ONCE)
      await store.write(
        (tables) => {
          const model = tables.claims.find(first.claimId);
          if (!model) throw new Error('The first of the links is not there.');
          const until = Math.min(request.count, from + CLAIMS_AT_ONCE - 1);
          for (let n = from; n <= until; n += 1) insertLike(store, tables, issue, model, n, clock.now());
          watchDenominations(tables, issue, first.denominations, clock.now());
        },
        { bulk: true, whose: actor.accountId },
      );
    return { status: 'issued', claims: await readIssued(store, issue), replayed: first.replayed };
  };
}

/** What would come of a request now. Throws CoreError FORBIDDEN, INVALID_INPUT, CODE_OVERRIDE_REQUIRED. */
export type QuoteClaims = (actor: AccountActor, terms: ClaimTerms) => ClaimQuote;

export function createQuoteClaims(deps: Pick<IssueDeps, 'store' | 'games' | 'clock'>): QuoteClaims {
  return (actor, terms) => {
    requirePermission(actor, 'manageClaims');
    const asked = { accountId: actor.accountId, game: readTerms(deps, terms), terms };
    return deps.store.read((tables) => {
      const wanted = plan(tables, asked);
      if (!Array.isArray(wanted)) return wanted;
      const items = countUp(wanted);
      const left = items.map(({ denomination, count }) => ({
        denomination,
        count: countFreeOf(tables, asked, denomination) - count * terms.count,
      }));
      return {
        status: 'quoted',
        items,
        left,
        expiresAt: terms.expiresAt ?? deps.clock.now() + USUAL_CLAIM_MS,
      };
    });
  };
}

/** What is asked, read. */
interface Asked {
  accountId: number;
  game: Game;
  terms: ClaimTerms;
}

/** By what the names and the tokens of all links are derived that are made together. */
export interface IssueKey {
  accountId: number;
  key: IdempotencyKey;
}

interface Issue extends Asked, IssueKey {
  actor: AccountActor;
}

function readIssue(deps: IssueDeps, actor: AccountActor, request: ClaimRequest): Issue {
  const { idempotencyKey: key, ...terms } = request;
  return { actor, accountId: actor.accountId, game: readTerms(deps, terms), terms, key };
}

/** The game of what keeps every rule. Throws CoreError INVALID_INPUT, CODE_OVERRIDE_REQUIRED. */
function readTerms({ games, clock }: Pick<IssueDeps, 'games' | 'clock'>, terms: ClaimTerms): Game {
  const { gameId, denomination, amount, count, expiresAt, reference } = terms;
  if ((denomination === undefined) === (amount === undefined))
    throw invalid('denomination', 'or amount is needed, and not both');
  const [one] = games.find(gameId)?.denominations ?? [];
  const broken = findBrokenRule(games, { gameId, denomination: denomination ?? one });
  const game = games.find(gameId);
  if (broken || !game)
    throw invalid(broken?.field ?? 'gameId', broken?.message ?? 'is not known', broken?.code);
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_CLAIMS))
    throw invalid('count', `must be 1 to ${MOST_CLAIMS}`);
  const now = clock.now();
  if (expiresAt !== undefined && !(expiresAt > now && expiresAt <= now + LONGEST_CLAIM_MS))
    throw invalid('expiresAt', 'must be in the future, 400 days at most');
  if (reference !== undefined && reference.length > LONGEST_ORDER_REFERENCE)
    throw invalid('reference', `must have at most ${LONGEST_ORDER_REFERENCE} characters`);
  return game;
}

const invalid = (
  path: string,
  message: string,
  code: 'INVALID_INPUT' | 'CODE_OVERRIDE_REQUIRED' = 'INVALID_INPUT',
) => new CoreError(code, `The claim breaks a rule: ${path} ${message}.`, { issue: { path, message } });

type BegunIssue = { status: 'begun'; claimId: number; denominations: number[]; replayed: boolean };

/** The first of its links, with what all of them are for; or what of it is not there. */
function beginIssue(
  store: Store,
  tables: Tables,
  issue: Issue,
  moment: ReturnType<typeof momentOf>,
): BegunIssue | NotIssued {
  const { actor, accountId, game, terms } = issue;
  const key = useKey(tables, accountId, issue.key, describe(terms), moment);
  const [known] = tables.claims.listOfIssue({ accountId, issueHash: hashIssue(tables, issue) }, 1, 1);
  if (known && !key.earlier)
    throw new CoreError(
      'IDEMPOTENCY_KEY_REUSED',
      'Links were made by this Idempotency-Key a long time ago. Send a new key with a new request.',
    );
  if (known)
    return { status: 'begun', claimId: known.id, replayed: true, denominations: listWanted(tables, known) };
  requirePermission(getCurrentActor(tables, actor), 'manageClaims');
  requireSubscription(tables, accountId, moment);
  const wanted = plan(tables, issue);
  if (!Array.isArray(wanted)) return wanted;
  const { expiresAt = moment.now + USUAL_CLAIM_MS } = terms;
  const { claimId, orderId } = insertClaim(store, tables, issue, {
    n: 1,
    wanted,
    expiresAt,
    now: moment.now,
  });
  key.remember({ orderId });
  const what = { count: terms.count, gameId: game.id, amount: sum(wanted) };
  record(
    tables,
    actor,
    'claimsIssued',
    { object: `claim:${nameClaim(store, issue, 1)}`, after: what },
    moment.now,
  );
  const denominations = [...new Set(wanted)];
  watchDenominations(tables, issue, denominations, moment.now);
  return { status: 'begun', claimId, denominations: wanted, replayed: false };
}

/** What the key's request hash is made of. */
const describe = ({
  gameId,
  denomination,
  amount,
  count,
  expiresAt,
  reference,
  language,
}: ClaimTerms): string =>
  JSON.stringify([
    'claims',
    ...[gameId, denomination ?? null, amount ?? null, count],
    ...[expiresAt ?? null, reference ?? null, language ?? null],
  ]);

/** The codes of one link, by their denominations, where the stock holds those of all. */
function plan(tables: Tables, asked: Asked): number[] | NotIssued {
  const wanted = compose(tables, asked);
  if (!Array.isArray(wanted)) return wanted;
  const missing = countUp(wanted).flatMap(({ denomination, count: each }) => {
    const count = each * asked.terms.count - countFreeOf(tables, asked, denomination);
    return count > 0 ? [{ denomination, count }] : [];
  });
  return missing.length > 0 ? { status: 'notEnoughStock', missing } : wanted;
}

const countFreeOf = (tables: Tables, { accountId, game: { id: gameId } }: Asked, denomination: number) =>
  countTakeable(tables, { accountId, gameId, denomination });

const countUp = (wanted: readonly number[]): OrderItem[] =>
  [...Map.groupBy(wanted, (each) => each)].map(([denomination, { length: count }]) => ({
    denomination,
    count,
  }));

function compose(
  tables: Tables,
  asked: Asked,
): number[] | Extract<OrderRefused, { status: 'noComposition' }> {
  const { game } = asked;
  const { denomination, amount = 0, count } = asked.terms;
  if (denomination !== undefined) return [denomination];
  const share = (each: number) => Math.floor(countFreeOf(tables, asked, each) / count);
  const stock = new Map(game.denominations.map((each) => [each, share(each)]));
  const composed = composeAmount(amount, stock, MOST_ORDER_CODES);
  if (composed.status === 'composed')
    return composed.items.flatMap((item) => Array.from({ length: item.count }, () => item.denomination));
  const { status: _status, ...nearest } = composed;
  return { status: 'noComposition', ...nearest };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** The nth, as the first is; nothing where it is there. */
function insertLike(
  store: Store,
  tables: Tables,
  issue: Issue,
  model: ClaimRow,
  n: number,
  now: number,
): void {
  if (tables.claims.findByName(nameClaim(store, issue, n))) return;
  const wanted = listWanted(tables, model);
  insertClaim(store, tables, issue, { n, wanted, expiresAt: model.expiresAt, now });
}

function insertClaim(
  store: Store,
  tables: Tables,
  issue: Issue,
  { n, wanted, expiresAt, now }: { n: number; wanted: readonly number[]; expiresAt: number; now: number },
): { claimId: number; orderId: number } {
  const { actor, accountId, game, terms } = issue;
  const { reference = null, language = null } = terms;
  const name = nameClaim(store, issue, n);
  const by = nameActor(actor);
  const order = { name, accountId, gameId: game.id, actor: by, reference, key: issue.key.key, now };
  const orderId = insertUnclaimed(store, tables, order, wanted);
  const token = deriveToken(store, issue, n);
  const claimId = tables.claims.insert({
    ...{ name, accountId, orderId, n, reference, language, expiresAt, now },
    tokenHash: tables.claims.hashToken(token),
    issueHash: hashIssue(tables, issue),
    createdBy: by,
  });
  return { claimId, orderId };
}

/** The order that a link stands for, of nobody yet: named by the link, and by how often that was opened. Its id. */
export function insertUnclaimed(
  { secrets }: Pick<Store, 'secrets'>,
  tables: Tables,
  claim: { name: string; accountId: number; gameId: string; actor: string; key: string; now: number } & {
    reference: string | null;
  },
  wanted: readonly number[],
): number {
  const name = nameOrder({ secrets }, tables, claim.accountId, { scope: 'claim', key: claim.name });
  const nobody = { playerId: '', playerName: null, deadline: null };
  const terms = { onShortage: 'refuse', onBadCode: 'replace' } as const;
  const codes = wanted.map((denomination) => ({ denomination, code: null }));
  return insertOrder(tables, { ...claim, ...nobody, ...terms, name }, codes);
}

export const listWanted = (tables: Tables, { orderId }: Pick<ClaimRow, 'orderId'>): number[] =>
  tables.orderItems.list(orderId).flatMap(({ denomination }) => denomination ?? []);

function watchDenominations(
  tables: Tables,
  { accountId, game: { id: gameId } }: Issue,
  denominations: readonly number[],
  now: number,
): void {
  for (const denomination of new Set(denominations))
    watchStock(tables, { accountId, gameId, denomination }, now);
}

const describeKey = ({ accountId, key }: IssueKey, ...also: number[]): string =>
  JSON.stringify([accountId, key.scope, key.key, ...also]);

export const hashIssue = (tables: Tables, key: IssueKey): Buffer => tables.claims.hashIssue(describeKey(key));

const shorten = (hash: Buffer): string => hash.toString('base64url').slice(0, TOKEN_LENGTH);

const nameClaim = ({ secrets }: Pick<Store, 'secrets'>, key: IssueKey, n: number): string =>
  `clm_${shorten(secrets.hash('claim-name', describeKey(key, n)))}`;

const deriveToken = ({ secrets }: Pick<Store, 'secrets'>, key: IssueKey, n: number): string =>
  shorten(secrets.hash('claim', describeKey(key, n)));

/** All that this key has made, as they are now. */
export async function readIssued(store: Store, key: IssueKey): Promise<IssuedClaim[]> {
  const { accountId } = key;
  const readFrom = (from: number): IssuedClaim[] =>
    store.read((tables) =>
      tables.claims
        .listOfIssue({ accountId, issueHash: hashIssue(tables, key) }, from, CLAIMS_AT_ONCE)
        .map((row) => ({ ...readClaimRecord(tables, row), token: deriveToken(store, key, row.n) })),
    );
  const claims: IssuedClaim[] = [];
  for (;;) {
    const some = readFrom(claims.length + 1);
    claims.push(...some);
    if (some.length < CLAIMS_AT_ONCE) return claims;
    await takeTurn(accountId);
  }
}
