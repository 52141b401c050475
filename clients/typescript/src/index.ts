// The package: a client of the code redemption service.
export {
  createClient,
  type ActivationError,
  type Keyed,
  type Order,
  type Receipt,
  type Redeemed,
} from './client.ts';
export type { Answer, ClientOptions, NotAnswered, Problem } from './http.ts';
export { verifyWebhook, type WebhookEvent } from './webhooks.ts';
