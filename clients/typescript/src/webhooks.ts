// What the service sends to a webhook: verified by its signature before it is believed.
import { Webhook } from 'standardwebhooks';

import type { Order, Receipt, ActivationError } from './client.ts';

/** Of any other type: `data` as openapi.json describes it. */
export type WebhookEvent =
  | {
      type: 'redemption.settled';
      timestamp: string;
      data: Omit<Receipt, 'code'> | Omit<ActivationError, 'code'>;
    }
  | { type: 'order.settled' | 'order.waiting'; timestamp: string; data: Order }
  | { type: string; timestamp: string; data: unknown };

/**
 * `body` as it came, not parsed. undefined for what the service has not signed with this secret (`whsec_…`), or over
 * five minutes ago.
 */
export function verifyWebhook(
  secret: string,
  headers: Record<string, string>,
  body: string,
): WebhookEvent | undefined {
  try {
    return new Webhook(secret).verify(body, headers) as WebhookEvent;
  } catch {
    return undefined;
  }
}
