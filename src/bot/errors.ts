// Errors: told to the person in one sentence, logged by name, code and a message without secrets. A grammY error object
// holds the request with its texts, and its URL the token: the object itself is never logged.
import { GrammyError, HttpError } from 'grammy';

import { CoreError, grantOf, type NotBegunCode } from '../core/index.ts';
import type { BotContext, BotLog } from './context.ts';
import { answerTap, isTapAnswered, reply } from './replies.ts';

const ASKING: Readonly<Record<string, string>> = {
  'subscription-needed': 'subscription-needed-ask',
  'subscription-first': 'subscription-first-ask',
  'order-because-subscription-expired': 'order-because-subscription-expired-ask',
  'quota-subscription-none': 'quota-subscription-none-ask',
  'quota-subscription-ended': 'quota-subscription-ended-ask',
};

/** What a log may hold of an error. (`code` is a name that the log takes for a secret.) */
export function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof GrammyError) {
    return {
      name: error.name,
      method: error.method,
      errorCode: error.error_code,
      description: error.description,
    };
  }
  if (error instanceof HttpError) return { name: error.name, cause: describeError(error.error) };
  if (!(error instanceof Error)) return { name: 'unknown' };
  return { name: error.name, ...('code' in error && { errorCode: error.code }), stack: readFrames(error) };
}

const FRAME = /^\s+at .+:\d+\)?$/;
const MOST_FRAMES = 7;

/** Where it happened. The message stands before that, of however many lines it is, and may look like a frame itself. */
function readFrames({ stack = '', message }: Error): string {
  const behind = stack.slice(stack.indexOf(message) + message.length);
  const frames = behind.split('\n').filter((line) => FRAME.test(line));
  return frames.slice(0, MOST_FRAMES).join('\n');
}

/**
 * From what the core answers where nothing was begun, and from what it throws, to the sentence that a person can act
 * on; null: they are asked once more instead.
 */
const NOT_BEGUN: Record<NotBegunCode, string | null> = {
  quotaExceeded: 'redeem-quota',
  tooManyBadRequests: 'redeem-refused-too-often',
  recentDuplicate: null,
  FORBIDDEN: 'refusal-role',
  KEY_REVOKED: 'refusal-role',
  SUBSCRIPTION_EXPIRED: 'subscription-needed',
  STOPPING: 'error-stopping',
  OVERLOADED: 'error-overloaded',
  CONTESTED: 'error-contested',
  NOT_FOUND: 'error-gone',
  CONFLICT: 'error-gone',
  INVALID_INPUT: 'error-input',
  CODE_OVERRIDE_REQUIRED: 'error-input',
  IDEMPOTENCY_KEY_REUSED: 'confirmation-taken',
};

const WHY_NOT_SUBSCRIBED = { never: 'subscription-first', paused: 'account-paused' };

/** The key of the words for why an order stopped, of the core's reason (`QUOTA_EXCEEDED`). */
export const keyOfStop = (reason: string): string =>
  `order-because-${reason.toLowerCase().replaceAll('_', '-')}`;

/** The key of the words for what was not begun, where there are any. */
export const keyOfNotBegun = (code: NotBegunCode): string => NOT_BEGUN[code] ?? 'error-ours';

/** The sentence for a mistake of the core that a person can act on; undefined for what is our fault. */
export function keyOf(error: unknown): string | undefined {
  if (!(error instanceof CoreError)) return undefined;
  if (error.because !== undefined) return WHY_NOT_SUBSCRIBED[error.because];
  return keyOfNotBegun(error.code);
}

/**
 * The sentence of this key for somebody who may not pay, where it points whoever may to /subscribe; any other key as it
 * is.
 */
export function wayOutKey(ctx: Pick<BotContext, 'actor'>, key: string): string {
  return mayPay(ctx) ? key : (ASKING[key] ?? key);
}

/** Whether this person may pay for the account: buy activations, renew the subscription. */
export function mayPay({ actor }: Pick<BotContext, 'actor'>): boolean {
  return actor !== undefined && grantOf(actor, 'purchase') !== 'no';
}

/** Whether nothing was begun since too much waits to be written. */
function isOverloaded(error: unknown): boolean {
  return error instanceof CoreError && error.code === 'OVERLOADED';
}

/**
 * Whether nothing was begun, and nobody's fault it is: the service is stopping, or has too much to write. Nobody is
 * told; the update waits in the inbox, for the next start or a moment.
 */
export function isInterrupted(error: unknown): boolean {
  return isOverloaded(error) || (error instanceof CoreError && error.code === 'STOPPING');
}

/** What makes an update fail without being at fault: handled again after a pause, it may succeed. */
export type PassingCause = 'overload' | 'disk' | 'telegram';

const DISK = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

/** undefined: a fault of ours, or an answer that stands. */
export function findPassingCause(error: unknown): PassingCause | undefined {
  if (isOverloaded(error)) return 'overload';
  if (error instanceof HttpError) return 'telegram';
  if (error instanceof GrammyError)
    return error.error_code >= 500 || error.error_code === 429 ? 'telegram' : undefined;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return DISK.test(code) ? 'disk' : undefined;
}

/** How long Telegram asks to be left alone; 0 where it does not. */
export function readRetryAfterMs(error: unknown): number {
  return error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0;
}

/** Tells the person who waits; never throws, since telling may fail for the same reason. */
export async function replyWithError(ctx: BotContext, error: unknown, log: BotLog): Promise<void> {
  const key = keyOf(error);
  if (key === undefined)
    log.error({ updateId: ctx.update.update_id, error: describeError(error) }, 'an update failed');
  const reference = String(ctx.update.update_id);
  const sentence = wayOutKey(ctx, key ?? 'error-ours');
  try {
    if (ctx.callbackQuery && !isTapAnswered(ctx)) answerTap(ctx, ctx.label(sentence, { reference }), true);
    else if (ctx.chat?.type === 'private') await reply(ctx, ctx.say(sentence, { reference }));
  } catch (again) {
    log.warn(
      { updateId: ctx.update.update_id, error: describeError(again) },
      'a person could not be told of an error',
    );
  }
}
