// Bodies of webhooks: { type, timestamp, data }. A redemption is told as GET /history/{id} tells it, without code and
// credentials; the schemas of the wire describe it (http/wire/webhooks.ts), and a test holds the two together.
import type { DueDelivery, EventPayload } from '../core/index.ts';

type Told = Extract<EventPayload, { type: 'redemption.settled' }>;

/** The same text at every attempt, since nothing in it is changed any more. */
export function renderWebhookBody({ at, fact }: Pick<DueDelivery, 'at' | 'fact'>): string {
  return JSON.stringify({ type: fact.type, timestamp: formatTime(at), data: formatData(fact) });
}

function formatData(fact: EventPayload): object {
  switch (fact.type) {
    case 'redemption.settled':
      return {
        ...(fact.redemption.state === 'redeemed' ? formatReceipt(fact) : formatError(fact)),
        ...fact.order,
      };
    case 'order.settled':
    case 'order.waiting':
      return formatOrder(fact);
    case 'stock.low': {
      const { gameId, denomination, available, threshold } = fact;
      return { gameId, denomination, available, threshold };
    }
    case 'quota.used':
      return { percent: fact.percent };
    case 'subscription.ending':
      return { subscriptionExpiresAt: formatTime(fact.endsAt), daysLeft: fact.daysLeft };
    case 'webhook.test':
      return {};
  }
}

function formatOrder({
  order,
  idempotencyKey,
}: Extract<EventPayload, { type: 'order.settled' | 'order.waiting' }>): object {
  const { createdAt, deadline, endedAt, replacedBy: _by, standing: _standing, ...rest } = order;
  return {
    type: 'Order',
    ...rest,
    createdAt: formatTime(createdAt),
    ...(deadline !== undefined && { deadline: formatTime(deadline) }),
    ...(endedAt !== undefined && { endedAt: formatTime(endedAt) }),
    idempotencyKey,
  };
}

function formatReceipt({ redemption, idempotencyKey }: Told): object {
  const { id, createdAt, warning, tookMs, gameId, playerId, openid, playerName } = redemption;
  const { region, productName, amount, credentials, settledAt } = redemption;
  return {
    type: 'ActivationReceipt',
    id,
    createdAt: formatTime(createdAt),
    warning,
    took: tookMs,
    gameId,
    playerId,
    openid: openid ?? '',
    name: playerName ?? '',
    region,
    productName,
    amount,
    ...(credentials?.uid !== undefined && { uid: credentials.uid }),
    settledAt: formatTime(settledAt ?? createdAt + tookMs),
    idempotencyKey,
  };
}

function formatError({ redemption, idempotencyKey }: Told): object {
  const { id, createdAt, errorCode, errorMessage, code, codeReset, gameId, playerId, settledAt } = redemption;
  // The platform's words may name the code.
  const message = code === undefined ? errorMessage : errorMessage?.replaceAll(code, '…');
  return {
    type: 'ActivationError',
    id,
    createdAt: formatTime(createdAt),
    errorCode: errorCode ?? 'UNKNOWN',
    errorMessage: message,
    codeReset,
    gameId,
    playerId,
    ...(settledAt !== undefined && { settledAt: formatTime(settledAt) }),
    idempotencyKey,
  };
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
