// Links as they were made together, by one key: how they stand, their links told once more, and those that nobody has used
// revoked in one act.
import { takeTurn } from '../../turns.ts';
import { DAY_MS, type CoreClock } from '../../clock.ts';
import type { ClaimRow, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { readClaimRecord, type ClaimRecord } from '../claim-record.ts';
import { requirePermission, type AccountActor, type InTransaction } from '../context.ts';
import { refuseOverload } from '../errors.ts';
import { getCurrentActor } from '../members.ts';
import { endClaim } from '../orders/claimed.ts';
import { findOf } from './claims.ts';
import { CLAIMS_AT_ONCE, hashIssue, readIssued, type IssuedClaim, type IssueKey } from './issue.ts';

/** How long the links of an issue are told again. */
const TOLD_MS = DAY_MS;
/** The surfaces that give links out. */
const SCOPES = ['http', 'chat', 'page'] as const;

/** How many of an issue's links are what now. */
export interface ClaimIssue {
  /** The first of them; the name of any of them means all. */
  first: ClaimRecord;
  open: number;
  /** Somebody has confirmed a player, and its order goes on or is done. */
  used: number;
  stuck: number;
  revoked: number;
  expired: number;
  /** What revoking ends: the open ones, and the stuck ones without an order. */
  unused: number;
}

/** `late`: they were made longer ago than a day, or their key does not open any more. */
type LinksAnswer = { status: 'found'; issue: ClaimIssue; claims: IssuedClaim[] } | { status: 'late' };

/** Every verb throws CoreError FORBIDDEN. `id`: of any of the links. undefined: there is none of that name. */
export interface ClaimIssues {
  /** The newest first. */
  listIssues(actor: AccountActor, limit: number): Promise<ClaimIssue[]>;
  findIssue(actor: AccountActor, id: string): ClaimIssue | undefined;
  /** Those that are not over, with their tokens, in the order in which they were made. */
  findLinks(actor: AccountActor, id: string, how?: { atAnyAge: boolean }): Promise<LinksAnswer | undefined>;
  /**
   * Revokes those that nobody has used, in slices; how all stand then. Safe to repeat: where it is interrupted, the same
   * again revokes the rest. `inTransaction` is called in the last one. Throws CoreError OVERLOADED.
   */
  revokeUnused(
    actor: AccountActor,
    id: string,
    inTransaction?: InTransaction<ClaimIssue>,
  ): Promise<ClaimIssue | undefined>;
}

interface IssuesDeps {
  store: Store;
  clock: CoreClock;
}

export function createClaimIssues(deps: IssuesDeps): ClaimIssues {
  const { store, clock } = deps;
  return {
    async listIssues(actor, limit) {
      requirePermission(actor, 'manageClaims');
      const issues: ClaimIssue[] = [];
      for (const row of store.read(({ claims }) => claims.listFirst(actor.accountId, limit))) {
        if (issues.length > 0) await takeTurn(actor.accountId);
        issues.push(store.read((tables) => readIssue(tables, row)));
      }
      return issues;
    },
    findIssue(actor, id) {
      requirePermission(actor, 'manageClaims');
      return store.read((tables) => {
        const row = findOf(tables, actor, id);
        return row && readIssue(tables, row);
      });
    },
    async findLinks(actor, id, { atAnyAge } = { atAnyAge: false }) {
      requirePermission(actor, 'manageClaims');
      const found = store.read((tables) => {
        const row = findOf(tables, actor, id);
        return row && { issue: readIssue(tables, row), key: findIssueKey(tables, row) };
      });
      if (!found) return undefined;
      const { issue, key } = found;
      const isLate = !atAnyAge && clock.safeNow() - issue.first.createdAt > TOLD_MS;
      if (isLate || !key) return { status: 'late' };
      const claims = await readIssued(store, key);
      const isOver = ({ state }: IssuedClaim) => state === 'revoked' || state === 'expired';
      return { status: 'found', issue, claims: claims.filter((claim) => !isOver(claim)) };
    },
    revokeUnused: (actor, id, inTransaction) => revokeUnused(deps, actor, id, inTransaction),
  };
}

function readIssue(tables: Tables, row: ClaimRow): ClaimIssue {
  const [first = row] = tables.claims.listOfIssue(row, 1, 1);
  return { first: readClaimRecord(tables, first), ...tables.claims.countOfIssue(row) };
}

/** By which they were made: its text is kept with their orders, and of which surface it was their hash tells. */
function findIssueKey(tables: Tables, { accountId, orderId, issueHash }: ClaimRow): IssueKey | undefined {
  const order = tables.orders.find(orderId);
  const text = order && tables.orders.findKey(order.name);
  if (text === undefined) return undefined;
  const keys = SCOPES.map((scope): IssueKey => ({ accountId, key: { scope, key: text } }));
  return keys.find((key) => hashIssue(tables, key).equals(issueHash));
}

async function revokeUnused(
  { store, clock }: IssuesDeps,
  actor: AccountActor,
  id: string,
  inTransaction?: InTransaction<ClaimIssue>,
): Promise<ClaimIssue | undefined> {
  requirePermission(actor, 'manageClaims');
  const writeBulk = refuseOverload(store, actor, { bulk: true });
  const write = <T>(work: (tables: Tables) => T) =>
    writeBulk((tables) => {
      requirePermission(getCurrentActor(tables, actor), 'manageClaims');
      return work(tables);
    });
  const row = await write((tables) => {
    const found = findOf(tables, actor, id);
    const count = found ? tables.claims.countOfIssue(found).unused : 0;
    if (count > 0)
      record(tables, actor, 'claimsRevoked', { object: `claim:${id}`, after: { count } }, clock.now());
    return found;
  });
  if (!row) return undefined;
  const revokeFrom = (from: number) =>
    write((tables) => {
      const some = tables.claims.listOfIssue(row, from, CLAIMS_AT_ONCE);
      for (const each of some) endClaim(tables, each, 'revoked', clock.now());
      return some.length === CLAIMS_AT_ONCE;
    });
  let from = 1;
  while (await revokeFrom(from)) from += CLAIMS_AT_ONCE;
  return write((tables) => {
    const issue = readIssue(tables, row);
    inTransaction?.(tables, issue);
    return issue;
  });
}
