// Deleting the messages that a batch was pasted in: nothing but show. What Telegram does not delete stays where it is,
// and the result says how many were. Brought by the chat queue, so that a restart in the middle goes on; what is gone
// already is no mistake.
import type { Api } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import { runAction } from '../outbox/actions.ts';
import type { Sending } from '../outgoing.ts';
import { fit, HTML, isRefusal, isUnchanged, MESSAGE_GONE } from '../replies.ts';
import { DELETE, type DeleteOrder } from './button-orders.ts';
import type { Reader } from '../member-view.ts';
import { DELETED, formatAdded, type DeletedResult } from './result-views.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

/** Telegram takes so many in one call. */
const DELETED_AT_ONCE = 100;

/** The button was pressed. */
export async function deletePasted(deps: BotDeps, ctx: BotContext): Promise<void> {
  await runAction<DeleteOrder>(
    deps,
    ctx,
    DELETE,
    async (action) => {
      const { batchId, undoId } = action.payload;
      const of: DeletedResult = { batchId, undoId, messageId: action.target.messageId };
      await ctx.turn.write({
        confirmation: action.confirmation,
        messages: [action.result({ view: DELETED, of })],
      });
    },
    { 'confirmation-expired': 'delete-late-tap' },
  );
}

/**
 * Deletes, and says so in the message of the result; where that shows something else by now, in a message of its own.
 */
export function showDeleted(
  deps: Pick<BotDeps, 'core'>,
  reader: Reader,
  { batchId, undoId, messageId }: DeletedResult,
): Sending {
  const send = async (api: Api, chatId: number, signal: AbortSignal): Promise<void> => {
    const { added, kept } = await deps.core.imports.findPasted(reader.actor, batchId);
    const deleted = await deleteAll(api, chatId, added, signal);
    const line = reader.say('pasted-deleted', { deleted, kept, failed: added.length - deleted });
    const result = formatAdded(deps, reader, { batchId, undoId });
    const words = result ? fit(`${result.html}\n\n${line}`) : line;
    const options = { ...HTML, ...(result?.keyboard && { reply_markup: result.keyboard }) };
    try {
      if (result)
        return void (await api.editMessageText(chatId, messageId, words, options, asApiSignal(signal)));
    } catch (error) {
      if (isUnchanged(error)) return;
      if (!isRefusal(error, MESSAGE_GONE)) throw error;
    }
    await api.sendMessage(chatId, words, options, asApiSignal(signal));
  };
  return { send, otherwise: { html: reader.say('pasted-not-deleted') } };
}

/** How many are gone. Those that Telegram skips are gone already. */
async function deleteAll(
  api: Api,
  chatId: number,
  messages: readonly number[],
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (let from = 0; from < messages.length; from += DELETED_AT_ONCE) {
    const some = messages.slice(from, from + DELETED_AT_ONCE);
    try {
      await api.deleteMessages(chatId, some, asApiSignal(signal));
      deleted += some.length;
    } catch (error) {
      if (!isRefusal(error, /can't be deleted|not found|MESSAGE_ID_INVALID|MESSAGE_DELETE_FORBIDDEN/))
        throw error;
    }
  }
  return deleted;
}
