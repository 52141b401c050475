// What the upstream service answers, as zod schemas: the same wire this service speaks itself, read with care. Fields
// that are not needed are not required; what is needed and malformed makes the whole answer unreadable.
import { z } from 'zod';

const text = z.string();
const filled = z.string().min(1);
const time = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

// Some services write null for what others leave out.
function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A redemption that was carried out: the success of POST /redeem, and what GET /history/{id} keeps of it. */
export const UpstreamReceipt = z.object({
  type: z.literal('ActivationReceipt'),
  id: z.number().int(),
  warning: z.boolean(),
  openid: filled,
  name: text,
  gameId: optional(text),
  playerId: optional(text),
  code: optional(text),
  region: optional(text),
  productName: optional(text),
  amount: optional(z.number().int().nonnegative()),
  uid: optional(text),
  email: optional(text),
  password: optional(text),
});
export type UpstreamReceipt = z.infer<typeof UpstreamReceipt>;

/** A redemption that failed. `errorCode` stays a string: a set that has grown is not ours to refuse here. */
export const UpstreamError = z.object({
  type: z.literal('ActivationError'),
  errorCode: filled,
  gameId: optional(text),
  playerId: optional(text),
  code: optional(text),
  /** Since when it is final. */
  settledAt: optional(text),
});
export type UpstreamError = z.infer<typeof UpstreamError>;

/** Any other error; only its code is read, never its text. */
export const PlainError = z.object({ errorCode: filled });

/** The success of GET /character. */
export const UpstreamCharacter = z.object({
  gameId: optional(text),
  playerId: optional(text),
  openid: filled,
  name: text,
});

/** The success of POST /redemption-time; times become milliseconds UTC. */
export const UpstreamRedemptionTime = z.object({
  redemptionTime: time,
  expirationTime: time,
  channelName: text,
  openid: filled,
  amount: z.number().nonnegative(),
  name: text,
  playerId: optional(text),
  playerName: optional(text),
  receiptId: optional(z.number().int()),
  receiptSuccessful: optional(z.boolean()),
});
export type UpstreamRedemptionTime = z.infer<typeof UpstreamRedemptionTime>;
