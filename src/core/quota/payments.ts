// Payments as the host sees them: of one account or of all, each with what a refund would still take back.
import { type Clock, DAY_MS } from '../../clock.ts';
import type { PurchaseRow, Store, Tables } from '../../store/index.ts';
import { HOST_CURRENCY } from '../accounts/grants.ts';
import { type HostActor, requireHost } from '../context.ts';
import { WINDOW_MS } from './usage.ts';
import { toPurchase, type Purchase } from './purchases.ts';

/** A purchase with what is left of it. */
export interface BookedPayment extends Purchase {
  accountName: string;
  /**
   * What a refund at this moment would take back; the rest is spent. Bought activations are one heap: what is left of
   * it counts for every purchase that it would cover.
   */
  left: { activations: number; days: number };
  /** By the host, for nothing. */
  isAdjustment: boolean;
}

/** Which payments: those older or newer than one, the newest without either. Of every account where none is named. */
export interface PaymentPage {
  accountId?: number | undefined;
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

const QUARTERS = 4;

interface Deps {
  store: Store;
  clock: Clock;
}

/** The verbs about payments that are the host's alone. */
export function createPayments({ store, clock }: Deps) {
  return {
    /** A page, newest first. */
    listPayments(actor: HostActor, { accountId, before, after, limit }: PaymentPage): BookedPayment[] {
      requireHost(actor);
      return store.read((tables) => {
        const rows =
          after === undefined
            ? tables.purchases.listBefore({ accountId, id: before ?? Number.MAX_SAFE_INTEGER, limit })
            : tables.purchases.listAfter({ accountId, id: after, limit }).reverse();
        return rows.map((row) => toPayment(tables, row, clock.now()));
      });
    },

    /** By its number, or by its charge. */
    findPayment(actor: HostActor, of: { id: number } | { chargeId: string }): BookedPayment | undefined {
      requireHost(actor);
      return store.read((tables) => {
        const row = 'id' in of ? tables.purchases.get(of.id) : tables.purchases.find(of.chargeId);
        return row && toPayment(tables, row, clock.now());
      });
    },
  };
}

function toPayment(tables: Tables, row: PurchaseRow, now: number): BookedPayment {
  const account = tables.accounts.find(row.accountId);
  return {
    ...toPurchase(row),
    accountName: account?.name ?? '',
    left: findLeft(tables, row, account?.subscriptionExpiresAt ?? 0, now),
    isAdjustment: row.currency === HOST_CURRENCY,
  };
}

/** The same sums as a refund takes. */
function findLeft(tables: Tables, row: PurchaseRow, endsAt: number, now: number): BookedPayment['left'] {
  if (row.refundedAt !== null) return { activations: 0, days: 0 };
  const { purchased } = tables.quota.peek(row.accountId, now - WINDOW_MS);
  const days = Math.max(0, Math.ceil((endsAt - now) / DAY_MS));
  return {
    activations: Math.min(row.activationsQuarters, purchased) / QUARTERS,
    days: Math.min(row.subscriptionDays, days),
  };
}
