// Suppliers: from whom the batches of an account were bought, by its own names for them, and how their codes turned
// out.
import { type Clock, DAY_MS } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { CoreError } from '../errors.ts';
import { foldName } from '../folding.ts';
import { countFate } from './batches.ts';

/** A supplier, and the newest batch that came from them. */
interface Supplier {
  name: string;
  batchId: number;
}

/** Codes of the batches that were added in the days asked for. */
export interface SupplierFigures {
  name: string;
  redeemed: number;
  /** Used by somebody else, or invalid. */
  bad: number;
}

export interface Suppliers {
  /** The last few that were named, newest first. Throws CoreError FORBIDDEN. */
  listLast(actor: AccountActor): Supplier[];
  /**
   * From whom a batch of this account came; undefined where it has no supplier, or is no such batch. Throws CoreError
   * FORBIDDEN.
   */
  findName(actor: AccountActor, batchId: number): string | undefined;
  /** By name, those with most bad codes first; counted in slices. Throws CoreError FORBIDDEN. */
  count(actor: AccountActor, days: number): Promise<SupplierFigures[]>;
}

/** Letters. */
export const LONGEST_SUPPLIER = 40;
const OFFERED = 5;
const LOOKED_THROUGH = 100;

export function createSuppliers({ store, clock }: { store: Store; clock: Clock }): Suppliers {
  const list = (actor: AccountActor, since: number) =>
    store.read(({ batches }) => batches.listOfSuppliers(actor.accountId, since, LOOKED_THROUGH));
  return {
    listLast(actor) {
      requirePermission(actor, 'addCodes');
      const named = new Map<string, Supplier>();
      for (const { id, supplier } of list(actor, 0)) {
        const key = foldName(supplier);
        if (!named.has(key)) named.set(key, { name: supplier, batchId: id });
      }
      return [...named.values()].slice(0, OFFERED);
    },
    findName(actor, batchId) {
      requirePermission(actor, 'addCodes');
      const batch = store.read(({ batches }) => batches.find(batchId));
      return batch?.accountId === actor.accountId ? (batch.supplier ?? undefined) : undefined;
    },
    async count(actor, days) {
      requirePermission(actor, 'seeStatistics');
      const figures = new Map<string, SupplierFigures>();
      for (const { id, supplier } of list(actor, clock.now() - days * DAY_MS)) {
        const key = foldName(supplier);
        const counted = figures.get(key) ?? { name: supplier, redeemed: 0, bad: 0 };
        figures.set(key, counted);
        const { redeemed, spent } = await countFate(store, id);
        counted.redeemed += redeemed;
        counted.bad += spent;
      }
      return [...figures.values()].sort((a, b) => b.bad - a.bad);
    },
  };
}

/** One line without what cannot be seen. Throws CoreError INVALID_INPUT. */
export function requireSupplier(name: string): string {
  const trimmed = name
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (trimmed !== '' && [...trimmed].length <= LONGEST_SUPPLIER) return trimmed;
  throw new CoreError('INVALID_INPUT', `The name of a supplier has 1 to ${LONGEST_SUPPLIER} letters.`);
}
