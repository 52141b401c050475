// One message that waits, sent: what Telegram took, what nobody will ever take, and what is tried again.
import { createSafeNow, type Clock } from '../../clock.ts';
import { backOff } from '../../waiting.ts';
import type { BotLog } from '../context.ts';
import { describeError, findPassingCause } from '../errors.ts';
import type { OutgoingRow, WaitingMessage } from '../../store/bot-store.ts';
import { toOutgoingRow, type Content, type Rest } from '../outgoing.ts';
import { isGone } from '../replies.ts';
import { bring, type BringingDeps } from './outbox.ts';
import type { Progress } from '../telegram/progress.ts';
import { readTelegramError } from '../telegram/telegram-errors.ts';

export interface MessageSenderDeps extends BringingDeps {
  clock: Clock;
  log: BotLog;
  progress: Progress;
  signal: AbortSignal;
}

/** What became of a message; `rest`: what comes after it, in its place. */
export interface Sent {
  state: 'sent' | 'dropped' | 'pending';
  rest?: OutgoingRow;
}

/** Rejects where it is to be tried again; `failures`: how often the chat's turn failed before. */
export type SendWaiting = (chatId: number, row: WaitingMessage, failures: number) => Promise<Sent>;

/** So often a mistake of ours may be made before what makes it is dropped. */
const MOST_MISTAKES = 4;
const GIVEN_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
const growingPauseMs = backOff(1_000, 60_000);

export function createMessageSender(deps: MessageSenderDeps): SendWaiting {
  const { clock, log, signal } = deps;
  const safeNow = createSafeNow(clock);

  function isFinal(row: WaitingMessage, error: unknown, failures: number): boolean {
    const trouble = readTelegramError(error);
    // Whoever is gone, or a form that was refused to its plainest. A 404 is no chat's: the token is wrong, and will be right again.
    if (trouble?.kind === 'refused' && trouble.code !== 404) return true;
    if (row.content === undefined) return true;
    if (!trouble && failures >= MOST_MISTAKES && findPassingCause(error) === undefined) return true;
    return safeNow() - row.at > GIVEN_UP_AFTER_MS;
  }

  return async (chatId, row, failures) => {
    try {
      if (row.content === undefined) throw new Error('A message cannot be read any more.');
      const content = JSON.parse(row.content) as Content;
      const { messageId } = content;
      if (messageId !== undefined) await deps.progress.end({ chatId, messageId });
      const rest = await bring(deps, chatId, content, signal);
      return { state: 'sent', ...(rest && { rest: toRestRow(row, chatId, content, rest) }) };
    } catch (error) {
      if (signal.aborted || !isFinal(row, error, failures)) throw error;
      // Whoever blocked the bot may come back: what they ordered is told them then.
      const state = row.kind === 'result' && isGone(error) ? 'pending' : 'dropped';
      log.warn(
        { outboxId: row.id, error: describeError(error) },
        `a message could not be delivered: it is ${state}`,
      );
      return { state };
    }
  };
}

function toRestRow(
  { key }: WaitingMessage,
  chatId: number,
  content: Content,
  { part, ...rest }: Rest,
): OutgoingRow {
  const [first = key] = key.split(PART);
  return toOutgoingRow(`${first}${PART}${part}`, chatId, { ...content, ...rest });
}

const PART = '#part-';

/** How long a chat is left alone after so many failures; `isAsked`: Telegram has named that time. */
export function pauseAfter(error: unknown, failures: number): { ms: number; isAsked: boolean } {
  const trouble = readTelegramError(error);
  const askedMs = trouble?.kind === 'flood' ? trouble.retryAfterMs : 0;
  return { ms: Math.max(askedMs, growingPauseMs(failures)), isAsked: askedMs > 0 };
}
