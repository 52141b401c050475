// What the service sends to a webhook: verified by its signature before it is believed.
import { Webhook } from 'standardwebhooks';

import type { components } from './api.ts';

type Schemas = components['schemas'];
type OfCodes = 'redemption.settled';
type OfOrders = 'order.settled' | 'order.waiting';
/** Of the other types: `data` as openapi.json describes it. */
export type WebhookEvent = { timestamp: string } & (
  | { type: OfCodes; data: Schemas['SettledReceipt'] | Schemas['SettledError'] }
  | { type: OfOrders; data: Schemas['ToldOrder'] }
  | { type: Exclude<Schemas['WebhookDelivery']['type'], OfCodes | OfOrders>; data: unknown }
);
type Headers = Record<string, string>;

/**
 * `body` as it came, not parsed. undefined for what the service has not signed with this secret (`whsec_…`), or over
 * five minutes ago.
 */
export function verifyWebhook(secret: string, headers: Headers, body: string): WebhookEvent | undefined {
  try {
    return new Webhook(secret).verify(body, headers) as WebhookEvent;
  } catch {
    return undefined;
  }
}
