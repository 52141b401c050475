// Bodies of webhooks: { type, timestamp, data }. Redemptions and orders are told as the wire words them.
import type { DueDelivery, EventPayload } from '../core/index.ts';
import { renderTold } from '../wire/activation.ts';
import { renderClaim } from '../wire/claims.ts';
import { formatTimestamp } from '../wire/fields.ts';
import { renderOrder } from '../wire/orders.ts';

/** The same text at every attempt, since nothing in it is changed any more. */
export function renderWebhookBody({ at, fact }: Pick<DueDelivery, 'at' | 'fact'>): string {
  return JSON.stringify({ type: fact.type, timestamp: formatTimestamp(at), data: formatData(fact) });
}

function formatData(fact: EventPayload): object {
  switch (fact.type) {
    case 'redemption.settled': {
      const { redemption, idempotencyKey, order } = fact;
      return { ...renderTold(redemption), idempotencyKey, ...order };
    }
    case 'order.settled':
    case 'order.waiting':
      return { ...renderOrder(fact.order), idempotencyKey: fact.idempotencyKey };
    case 'claim.settled':
    case 'claim.stuck':
      return renderClaim(fact.claim);
    case 'stock.low':
    case 'stock.out':
    case 'stock.back': {
      const { gameId, denomination, available, threshold } = fact;
      return { gameId, denomination, available, threshold };
    }
    case 'quota.used':
      return { percent: fact.percent };
    case 'subscription.ending':
      return { subscriptionExpiresAt: formatTimestamp(fact.endsAt), daysLeft: fact.daysLeft };
    case 'webhook.test':
      return {};
  }
}
