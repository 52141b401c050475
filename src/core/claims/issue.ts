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
const AT_ONCE = 20;
/** 132 bits: nobody guesses one. */
const TOKEN_LENGTH = 22;

export interface ClaimRequest {
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
  idempotencyKey: IdempotencyKey;
}

/** `token`: what its link ends in. */
export type IssuedClaim = ClaimRecord & { token: string };

export type IssueAnswer =
  | { status: 'issued'; claims: IssuedClaim[]; replayed: boolean }
  | Extract<OrderRefused, { status: 'notEnoughStock' | 'noComposition' }>;

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
    for (let from = 2; from <= request.count; from += AT_ONCE)
      await store.write(
        (tables) => {
          const model = tables.claims.find(first.claimId);
          if (!model) throw new Error('The first of the links is not there.');
          const until = Math.min(request.count, from + AT_ONCE - 1);
          for (let n = from; n <= until; n += 1) insertLike(store, tables, issue, model, n, clock.now());
          watchDenominations(tables, issue, first.denominations, clock.now());
        },
        { bulk: true, whose: actor.accountId },
      );
    return { status: 'issued', claims: await readIssued(store, issue), replayed: first.replayed };
  };
}

/** What is asked, read; by the key the names and the tokens of all of its links are derived. */
interface Issue {
  actor: AccountActor;
  game: Game;
  request: ClaimRequest;
}

function readIssue({ games, clock }: IssueDeps, actor: AccountActor, request: ClaimRequest): Issue {
  const { gameId, denomination, amount, count, expiresAt, reference } = request;
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
  return { actor, game, request };
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
): BegunIssue | Exclude<IssueAnswer, { status: 'issued' }> {
  const { actor, game, request } = issue;
  const { accountId } = actor;
  const key = useKey(tables, accountId, request.idempotencyKey, describe(request), moment);
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
  const wanted = compose(tables, issue);
  if (!Array.isArray(wanted)) return wanted;
  const missing = listMissing(tables, issue, wanted);
  if (missing.length > 0) return { status: 'notEnoughStock', missing };
  const { expiresAt = moment.now + USUAL_CLAIM_MS } = request;
  const { claimId, orderId } = insertClaim(store, tables, issue, {
    n: 1,
    wanted,
    expiresAt,
    now: moment.now,
  });
  key.remember({ orderId });
  const what = { count: request.count, gameId: game.id, amount: sum(wanted) };
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
}: ClaimRequest): string =>
  JSON.stringify([
    'claims',
    ...[gameId, denomination ?? null, amount ?? null, count],
    ...[expiresAt ?? null, reference ?? null, language ?? null],
  ]);

/** The codes of one link, by their denominations: such that the stock holds those of all. */
function compose(
  tables: Tables,
  { actor: { accountId }, game, request: { denomination, amount = 0, count } }: Issue,
): number[] | Extract<OrderRefused, { status: 'noComposition' }> {
  if (denomination !== undefined) return [denomination];
  const share = (each: number) =>
    Math.floor(countTakeable(tables, { accountId, gameId: game.id, denomination: each }) / count);
  const stock = new Map(game.denominations.map((each) => [each, share(each)]));
  const composed = composeAmount(amount, stock, MOST_ORDER_CODES);
  if (composed.status === 'composed')
    return composed.items.flatMap((item) => Array.from({ length: item.count }, () => item.denomination));
  const { status: _status, ...nearest } = composed;
  return { status: 'noComposition', ...nearest };
}

function listMissing(
  tables: Tables,
  { actor: { accountId }, game, request }: Issue,
  wanted: readonly number[],
): { denomination: number; count: number }[] {
  return [...Map.groupBy(wanted, (each) => each)].flatMap(([denomination, { length }]) => {
    const needed = length * request.count;
    const free = countTakeable(tables, { accountId, gameId: game.id, denomination });
    return free >= needed ? [] : [{ denomination, count: needed - free }];
  });
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
  const { actor, game, request } = issue;
  const { accountId } = actor;
  const { reference = null, language = null, idempotencyKey } = request;
  const name = nameClaim(store, issue, n);
  const by = nameActor(actor);
  const order = { name, accountId, gameId: game.id, actor: by, reference, key: idempotencyKey.key, now };
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
  { actor: { accountId }, game: { id: gameId } }: Issue,
  denominations: readonly number[],
  now: number,
): void {
  for (const denomination of new Set(denominations))
    watchStock(tables, { accountId, gameId, denomination }, now);
}

const describeKey = ({ actor, request: { idempotencyKey } }: Issue, ...also: number[]): string =>
  JSON.stringify([actor.accountId, idempotencyKey.scope, idempotencyKey.key, ...also]);

const hashIssue = (tables: Tables, issue: Issue): Buffer => tables.claims.hashIssue(describeKey(issue));

const shorten = (hash: Buffer): string => hash.toString('base64url').slice(0, TOKEN_LENGTH);

const nameClaim = ({ secrets }: Pick<Store, 'secrets'>, issue: Issue, n: number): string =>
  `clm_${shorten(secrets.hash('claim-name', describeKey(issue, n)))}`;

const deriveToken = ({ secrets }: Pick<Store, 'secrets'>, issue: Issue, n: number): string =>
  shorten(secrets.hash('claim', describeKey(issue, n)));

/** All of them as they are now. */
async function readIssued(store: Store, issue: Issue): Promise<IssuedClaim[]> {
  const claims: IssuedClaim[] = [];
  const { count } = issue.request;
  for (let from = 1; from <= count; from += AT_ONCE) {
    if (from > 1) await takeTurn(issue.actor.accountId);
    const some = store.read((tables) => {
      const of = { accountId: issue.actor.accountId, issueHash: hashIssue(tables, issue) };
      return tables.claims
        .listOfIssue(of, from, AT_ONCE)
        .map((row) => ({ ...readClaimRecord(tables, row), token: deriveToken(store, issue, row.n) }));
    });
    claims.push(...some);
  }
  return claims;
}
