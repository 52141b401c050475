// Cancel under a last confirmation: it is used up without doing anything, so that its other button does nothing either.
import type { BotContext, BotDeps } from '../context.ts';
import { button, word, type Feature } from '../feature.ts';
import { CANCEL_CONFIRMATION } from '../prompts/confirm-keyboard.ts';
import { keyOfTaken, wordsOfCancelled } from '../prompts/confirmations.ts';
import { leaveQuestion } from '../prompts/start-conversation.ts';
import { answerTap, editHtml } from '../replies.ts';
import { EXTRACT } from '../stock/button-orders.ts';
import { EXTRACT_CODES } from '../stock/extract-codes-conversation.ts';

export function createCancelFeature(
  { store }: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
): Feature {
  const cancel = async (ctx: BotContext, action: string, id: string): Promise<void> => {
    // An amount that is written later is of no question any more.
    if (action === EXTRACT) await ctx.conversation.exit(EXTRACT_CODES);
    await leaveQuestion(ctx);
    const confirmation = store.confirmations.find(id);
    if (!confirmation) return answerTap(ctx, ctx.label('confirmation-unknown'), true);
    if (confirmation.userId !== ctx.from?.id || confirmation.chatId !== ctx.chat?.id) {
      return answerTap(ctx, ctx.label('confirmation-not-yours'), true);
    }
    const taken = await store.confirmations.take(confirmation.id, ctx.update.update_id);
    if (!taken && confirmation.takenBy !== null)
      return answerTap(ctx, ctx.label(keyOfTaken(confirmation.takenBy)), true);
    await editHtml(ctx, wordsOfCancelled(ctx, features, confirmation).html);
  };
  return { buttons: { [CANCEL_CONFIRMATION]: button('everyone', [word, word], cancel) } };
}
