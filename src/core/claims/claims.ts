// The verbs of claim links for the account that gives them out: listed, revoked while nobody has used them, and opened
// once more where whoever has one cannot go on alone. What the page of a link does is visits.ts.
import { momentOf, type CoreClock } from '../../clock.ts';
import type { ClaimRow, ClaimState, OrderRow, StockKey, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { readClaimRecord, type ClaimRecord } from '../claim-record.ts';
import { requirePermission, type AccountActor } from '../context.ts';
import { refuseOverload } from '../errors.ts';
import { getCurrentActor } from '../members.ts';
import { watchStock } from '../notices/notices.ts';
import { endClaim } from '../orders/claimed.ts';
import { goOnAs, refuseUnseen } from '../orders/standing.ts';
import { requireSwept } from '../redemption/sweep.ts';
import { insertUnclaimed, listWanted } from './issue.ts';

interface ClaimFilter {
  state?: ClaimState | undefined;
  reference?: string | undefined;
  /** The identifier of one: those that are older. */
  before?: string | undefined;
}

/** `inUse`: somebody has confirmed a player, and there is an order. */
type RevokeAnswer = { status: 'revoked'; claim: ClaimRecord } | { status: 'inUse' };

/**
 * `notStuck`: it is open, over, or its order goes on or has redeemed something.
 */
type ReopenAnswer = { status: 'reopened'; claim: ClaimRecord } | { status: 'notStuck' };

export interface Claims {
  /** Or undefined: none of this account has that name. Throws CoreError FORBIDDEN. */
  find(actor: AccountActor, id: string): ClaimRecord | undefined;
  /** 100 at a time, the newest first; empty behind one that is not there. */
  list(actor: AccountActor, filter: ClaimFilter): ClaimRecord[];
  /** Safe to repeat. undefined: there is none. */
  revoke(actor: AccountActor, id: string): Promise<RevokeAnswer | undefined>;
  /**
   * It waits for a player anew, and may look up as many as at first. Throws CoreError OVERLOADED while it is asked what
   * a lost time has spent. undefined: there is none.
   */
  reopen(actor: AccountActor, id: string): Promise<ReopenAnswer | undefined>;
}

interface ClaimsDeps {
  store: Store;
  clock: CoreClock;
}

const PAGE = 100;

export function createClaims(deps: ClaimsDeps): Claims {
  const { store, clock } = deps;
  const act = <T>(actor: AccountActor, id: string, work: (tables: Tables, row: ClaimRow) => T) => {
    requirePermission(actor, 'manageClaims');
    return refuseOverload(
      store,
      actor,
    )((tables) => {
      requirePermission(getCurrentActor(tables, actor), 'manageClaims');
      const row = findOf(tables, actor, id);
      return row && work(tables, row);
    });
  };
  return {
    find(actor, id) {
      requirePermission(actor, 'manageClaims');
      return store.read((tables) => {
        const row = findOf(tables, actor, id);
        return row && readClaimRecord(tables, row);
      });
    },
    list(actor, { before, ...filter }) {
      requirePermission(actor, 'manageClaims');
      return store.read((tables) => {
        const after = before === undefined ? undefined : findOf(tables, actor, before);
        if (before !== undefined && !after) return [];
        const page = {
          accountId: actor.accountId,
          before: after?.id ?? Number.MAX_SAFE_INTEGER,
          limit: PAGE,
        };
        return tables.claims.list({ ...page, ...filter }).map((row) => readClaimRecord(tables, row));
      });
    },
    revoke: (actor, id) =>
      act(actor, id, (tables, row): RevokeAnswer => {
        const now = clock.now();
        if (endClaim(tables, row, 'revoked', now))
          record(tables, actor, 'claimsRevoked', { object: `claim:${row.name}`, after: { count: 1 } }, now);
        else if (row.state !== 'revoked') return { status: 'inUse' };
        return { status: 'revoked', claim: readNow(tables, row) };
      }),
    async reopen(actor, id) {
      requirePermission(actor, 'manageClaims');
      await requireAsked(deps, actor, id);
      return act(actor, id, (tables, row) => reopen(deps, tables, actor, row));
    },
  };
}

/** Ends those that nobody has used until their time was over, so many at a time; how many. */
export function expireClaims(
  tables: Tables,
  { safeNow, now }: { safeNow: number; now: number },
  limit: number,
): number {
  const due = tables.claims.listDue(safeNow, limit);
  for (const row of due) endClaim(tables, row, 'expired', now);
  return due.length;
}

/** Of this account, by its name. */
export function findOf(tables: Tables, { accountId }: AccountActor, name: string): ClaimRow | undefined {
  const row = tables.claims.findByName(name);
  return row?.accountId === accountId ? row : undefined;
}

export function readNow(tables: Tables, { id }: ClaimRow): ClaimRecord {
  const row = tables.claims.find(id);
  if (!row) throw new Error(`Claim ${id} is not there.`);
  return readClaimRecord(tables, row);
}

/** Before one of before a restore is opened, its codes are asked about. */
async function requireAsked({ store, clock }: ClaimsDeps, actor: AccountActor, id: string): Promise<void> {
  const keys = store.read((tables) => {
    const row = findOf(tables, actor, id);
    return row?.trouble === 'afterRestore' ? listKeys(tables, row) : [];
  });
  await Promise.all(keys.map((key) => requireSwept({ store, clock }, key)));
}

/** The stock keys of its codes. */
export const listKeys = (tables: Tables, row: ClaimRow): StockKey[] => {
  const gameId = tables.orders.find(row.orderId)?.gameId ?? '';
  return [...new Set(listWanted(tables, row))].map((denomination) => ({
    accountId: row.accountId,
    gameId,
    denomination,
  }));
};

function reopen(
  { store, clock }: ClaimsDeps,
  tables: Tables,
  actor: AccountActor,
  row: ClaimRow,
): ReopenAnswer {
  const { now, safeNow } = momentOf(clock);
  const order = tables.orders.find(row.orderId);
  if (row.state !== 'stuck' || row.expiresAt <= safeNow || !order) return { status: 'notStuck' };
  const keys = listKeys(tables, row);
  const orderId = row.confirmedAt === null ? row.orderId : replaceOrder(store, tables, row, order, now);
  if (orderId === undefined || !tables.claims.reopen(row.id, orderId)) return { status: 'notStuck' };
  record(tables, actor, 'claimReopened', { object: `claim:${row.name}` }, now);
  for (const key of keys) watchStock(tables, key, now);
  return { status: 'reopened', claim: readNow(tables, row) };
}

/** Another order of nobody in the place of one that ended with nothing redeemed; undefined where it did not. */
function replaceOrder(
  store: Store,
  tables: Tables,
  row: ClaimRow,
  order: OrderRow,
  now: number,
): number | undefined {
  const items = tables.orderItems.list(order.id);
  if (items.some(({ state }) => state === 'redeemed') || refuseUnseen(tables, order)) return undefined;
  const { name, accountId, reference } = row;
  const { gameId, actor } = order;
  const key = tables.orders.findKey(order.name) ?? name;
  const wanted = listWanted(tables, row);
  const orderId = insertUnclaimed(
    store,
    tables,
    { name, accountId, gameId, actor, reference, key, now },
    wanted,
  );
  goOnAs(tables, order, tables.orders.find(orderId)?.name ?? '');
  return orderId;
}
