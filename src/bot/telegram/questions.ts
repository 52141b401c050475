// Which message asks which question: noted of whatever is sent, so that it can be withdrawn there, also after a restart.
import type { Transformer } from 'grammy';
import type { InlineKeyboardMarkup, Message } from 'grammy/types';

import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';

/** The part of a button's data that may name a question (prompts/confirmations.ts). */
const ID = /^[\w-]{16}$/;

export function noteQuestions({ store, log }: Pick<BotDeps, 'store' | 'log'>): Transformer {
  return async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    const { inline_keyboard: rows = [] } =
      (payload as { reply_markup?: Partial<InlineKeyboardMarkup> }).reply_markup ?? {};
    const parts = rows
      .flat()
      .flatMap((button) => ('callback_data' in button ? button.callback_data.split(':') : []));
    const ids = [...new Set(parts.filter((part) => ID.test(part)))];
    const { message_id: messageId } = answer.ok ? (answer.result as Partial<Message>) : {};
    if (messageId !== undefined && ids.length > 0)
      await store.confirmations.place(ids, messageId).catch((error: unknown) => {
        log.warn({ error: describeError(error) }, 'which message asks a question could not be kept');
      });
    return answer;
  };
}
