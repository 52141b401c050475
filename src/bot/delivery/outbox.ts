// Messages that are sent later: rows first, sent after, at least once. What Telegram refuses for good is dropped.
import { GrammyError, type Api } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';

import type { Clock } from '../../clock.ts';
import { createTicking } from '../../ticking.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { BotKeeping, OutgoingRow } from '../keeping.ts';
import { fit, HTML } from '../replies.ts';

/** A message in an outbox row. */
export interface Outgoing {
  html: string;
  keyboard?: InlineKeyboardMarkup;
}

const TICK_MS = 500;
const AT_ONCE = 20;
const MOST_ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 60 * 60 * 1000;

/** A row for the outbox. The key makes it the same message when it is written again. */
export function toOutgoingRow(key: string, chatId: number, message: Outgoing): OutgoingRow {
  return { key, chatId, content: JSON.stringify(message) };
}

/** Sends what is due, a chat's messages in order, until stopped. */
export function createOutboxSender(deps: {
  keeping: Pick<BotKeeping, 'outbox'>;
  api: Api;
  clock: Clock;
  log: BotLog;
}): BotBackground {
  return createTicking(
    TICK_MS,
    async (isStopping) => {
      let sent: number;
      do {
        const due = deps.keeping.outbox.listDue(AT_ONCE);
        for (const row of due) if (!isStopping()) await send(deps, row);
        sent = due.length;
      } while (sent === AT_ONCE && !isStopping());
    },
    (error) =>
      deps.log.error({ error: describeError(error) }, 'sending what waits failed, it is tried again'),
  );
}

async function send(
  { keeping, api, clock, log }: { keeping: Pick<BotKeeping, 'outbox'>; api: Api; clock: Clock; log: BotLog },
  row: { id: number; chatId: number; content: string; attempts: number },
): Promise<void> {
  const { html, keyboard } = JSON.parse(row.content) as Outgoing;
  try {
    await api.sendMessage(row.chatId, fit(html), { ...HTML, ...(keyboard && { reply_markup: keyboard }) });
    await keeping.outbox.finish(row.id, 'sent');
  } catch (error) {
    if (isFinal(error) || row.attempts >= MOST_ATTEMPTS) {
      log.warn(
        { outboxId: row.id, error: describeError(error) },
        'a message could not be delivered: it is dropped',
      );
      await keeping.outbox.finish(row.id, 'dropped');
      return;
    }
    await keeping.outbox.postpone(
      row.id,
      clock.now() + Math.min(2_000 * 2 ** row.attempts, LONGEST_PAUSE_MS),
    );
  }
}

/** Blocked, gone, or refused for its form: the same message will be refused again. */
function isFinal(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 403 || error.error_code === 400);
}
