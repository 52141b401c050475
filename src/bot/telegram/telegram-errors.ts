// Telegram errors: why a call failed, in the words that matter to whoever has to decide what to do about it: wait,
// repeat, say it otherwise, or give up. What the client (client.ts) and grammY throw is read here and nowhere else.
import { GrammyError, HttpError } from 'grammy';

/** A call without an answer that could be read, without the URL that holds the token. */
export class BotCallError extends Error {
  override readonly name = 'BotCallError';
  readonly reason: LostReason;
  /** What the system calls it, as `ENOTFOUND`; the error itself may hold the token, and is left out. */
  readonly code: string | undefined;

  constructor(message: string, reason: LostReason, code?: string) {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

/**
 * `unreachable`: nothing was sent. `timeout`, `cut`, `unreadable` (the page of a proxy, half of an answer): it may have
 * been carried out. `stopped`: our own end gave the call up, whatever became of it.
 */
export type LostReason = 'unreachable' | 'timeout' | 'cut' | 'unreadable' | 'stopped';

export type TelegramError =
  /** The chat is closed, or all are: nothing is said before that time. */
  | { kind: 'flood'; retryAfterMs: number }
  /** Passes by itself; the same call may be repeated, `mayHaveArrived` or not. */
  | { kind: 'outage'; mayHaveArrived: boolean }
  /** Nobody's call gets through until the token is a right one again. */
  | { kind: 'revoked' }
  /** Telegram read the call and will answer the same to its like. `movedTo`: the group has this id now. */
  | { kind: 'refused'; code: number; description: string; movedTo?: number }
  /** This process ends; the next one does it again. */
  | { kind: 'stopped' };

/** undefined: this is no trouble with Telegram. */
export function readTelegramError(error: unknown): TelegramError | undefined {
  if (error instanceof BotCallError) return findLost(error.reason);
  // grammY's own timeout, or an upload that could not be read.
  if (error instanceof HttpError) return readTelegramError(error.error) ?? findLost('timeout');
  if (!(error instanceof GrammyError)) return undefined;
  const { error_code: code, description, parameters } = error;
  if (code === 429) return { kind: 'flood', retryAfterMs: (parameters.retry_after ?? 1) * 1000 };
  if (code >= 500) return { kind: 'outage', mayHaveArrived: true };
  if (code === 401) return { kind: 'revoked' };
  const movedTo = parameters.migrate_to_chat_id;
  return { kind: 'refused', code, description, movedTo };
}

/** What Telegram has against a call that it has read: its form, not the moment, so that its like is refused again. */
export function findRefusal(error: unknown): string | undefined {
  const trouble = readTelegramError(error);
  return trouble?.kind === 'refused' && trouble.code === 400 ? trouble.description : undefined;
}

export const isRefused = (error: unknown): boolean => findRefusal(error) !== undefined;

function findLost(reason: LostReason): TelegramError {
  return reason === 'stopped'
    ? { kind: 'stopped' }
    : { kind: 'outage', mayHaveArrived: reason !== 'unreachable' };
}
