// What programs are told: each fact is written in its own transaction, for every address of the account that asked for
// it. A sender delivers it (accounts/webhook-deliveries.ts). An account without an address pays one look-up by an
// index.
import type { Tables } from '../../store/index.ts';
import type { ClaimRecord } from '../claim-record.ts';
import type { OrderRecord } from '../order-record.ts';

/** What an address can be told of; the names are the wire's. */
export const WEBHOOK_EVENTS = [
  'redemption.settled',
  'order.settled',
  'order.waiting',
  'claim.settled',
  'claim.stuck',
  'stock.low',
  'stock.out',
  'stock.back',
  'quota.used',
  'subscription.ending',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Of an order of its owner, to try an address; never asked for by name. */
export const WEBHOOK_TEST = 'webhook.test';

/** A player may ask to be forgotten, and what a program calls an order may name them. */
type NamelessOrder = Omit<OrderRecord, 'playerId' | 'playerName' | 'reference'>;

/** The same of a claim. */
type NamelessClaim = Omit<ClaimRecord, 'playerId' | 'playerName' | 'reference'>;

/** A fact as it is kept until it is delivered. No secret: a redemption is named, not told. */
export type StoredEvent =
  /** `order`: whose code it was. */
  | { type: 'redemption.settled'; redemptionId: number; order?: { orderId: string } }
  /** As it stood then, without what names the player. */
  | { type: 'order.settled' | 'order.waiting'; orderId: number; order: NamelessOrder }
  /** As it stood then, the same. */
  | { type: 'claim.settled' | 'claim.stuck'; claimId: number; claim: NamelessClaim }
  | {
      type: 'stock.low' | 'stock.out' | 'stock.back';
      gameId: string;
      denomination: number;
      available: number;
      threshold: number;
    }
  | { type: 'quota.used'; percent: 80 | 100 }
  | { type: 'subscription.ending'; endsAt: number; daysLeft: number }
  | { type: typeof WEBHOOK_TEST };

/** Whether anybody is to be told of such facts of this account now. */
export function hasWebhookFor(tables: Tables, accountId: number, event: WebhookEvent): boolean {
  return tables.webhooks.listTold(accountId, event).length > 0;
}

/**
 * Enqueues a fact for whoever is to be told; it is pending if the transaction is. `describe` is asked only where somebody
 * is.
 */
export function enqueue(
  tables: Tables,
  accountId: number,
  type: WebhookEvent,
  describe: () => StoredEvent & { type: WebhookEvent },
  now: number,
): void {
  const addresses = tables.webhooks.listTold(accountId, type);
  if (addresses.length === 0) return;
  const messageId = insertMessage(tables, accountId, describe(), now);
  for (const webhookId of addresses) tables.webhookDeliveries.enqueue({ webhookId, messageId, now });
}

/** Owes the end of a redemption: call it wherever one is settled, in that transaction. */
export function enqueueSettled(
  tables: Tables,
  { accountId, id: redemptionId }: { accountId: number; id: number },
  now: number,
): void {
  const describe = () => {
    const found = tables.orderItems.findOrder(redemptionId);
    const order = found && { order: { orderId: found.name } };
    return { type: 'redemption.settled', redemptionId, ...order } as const;
  };
  enqueue(tables, accountId, 'redemption.settled', describe, now);
}

/** Keeps a fact as a message, due to nobody yet; its number. */
export function insertMessage(tables: Tables, accountId: number, fact: StoredEvent, now: number): number {
  const { type, ...subject } = fact;
  return tables.webhookDeliveries.insertMessage({ accountId, type, subject: JSON.stringify(subject), now });
}
