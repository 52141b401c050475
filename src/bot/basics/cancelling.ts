// Cancel under a last confirmation: it is used up without doing anything, so that its other button does nothing either.
import type { BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { CANCEL_CONFIRMATION } from '../prompts/confirm-keyboard.ts';
import { keyOfTaken, wordsOfCancelled } from '../prompts/confirmations.ts';
import { answerTap, editHtml } from '../replies.ts';

const SHAPE = new RegExp(`^${CANCEL_CONFIRMATION}:[a-z-]+:([\\w-]+)$`);

export function createCancelFeature(
  { store }: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
): Feature {
  const handlers = new Handlers();
  handlers.callbackQuery(SHAPE, async (ctx) => {
    const confirmation = store.confirmations.find(ctx.match[1] ?? '');
    if (!confirmation) return answerTap(ctx, ctx.label('confirmation-unknown'), true);
    if (confirmation.userId !== ctx.from.id || confirmation.chatId !== ctx.chat?.id) {
      return answerTap(ctx, ctx.label('confirmation-not-yours'), true);
    }
    const taken = await store.confirmations.take(confirmation.id, ctx.update.update_id);
    if (!taken && confirmation.takenBy !== null)
      return answerTap(ctx, ctx.label(keyOfTaken(confirmation.takenBy)), true);
    answerTap(ctx);
    await editHtml(ctx, wordsOfCancelled(ctx, features, confirmation).html);
  });
  return { commands: [], handlers };
}
