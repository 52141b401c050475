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
/** As Node's `request.headers` has them, or a `Headers` of fetch. */
type HeadersOf = Headers | Readonly<Record<string, string | string[] | undefined>>;

/**
 * `body` as it came, not parsed. undefined for what the service has not signed with this secret (`whsec_…`), or over
 * five minutes ago.
 */
export function verifyWebhook(secret: string, headers: HeadersOf, body: string): WebhookEvent | undefined {
  const told = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  try {
    return new Webhook(secret).verify(body, told as Record<string, string>) as WebhookEvent;
  } catch {
    return undefined;
  }
}
