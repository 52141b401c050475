// Cancel under a last confirmation, which is used up without doing anything, so that its other button does nothing either,
// and under a question.
import type { BotContext, BotDeps } from '../context.ts';
import { button, wholeNumber, word, type Feature } from '../feature.ts';
import { CANCEL_CONFIRMATION, keyOfTaken, withdraw, wordsOfCancelled } from '../prompts/confirmations.ts';
import { findCommand } from '../prompts/command-buttons.ts';
import { LEAVE_QUESTION, leaveQuestion } from '../prompts/ask.ts';
import { answerTap, editHtml, reply } from '../replies.ts';

/** `/cancel` leaves, withdraws what is asked, and says so, which is true; any other command leaves the question and goes on. */
export async function leaveOnCommand(
  deps: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
  ctx: BotContext,
): Promise<boolean> {
  const command = findCommand(ctx);
  if (command === undefined) return false;
  const isAsked = ctx.asked !== undefined;
  if (isAsked) await leaveQuestion(ctx);
  if (command !== 'cancel') return false;
  const left = new Set<string | undefined>(isAsked ? ['left'] : []);
  for (const { cancel } of features) left.add(await cancel?.(ctx, isAsked));
  const isTold = left.has('told');
  if (await withdraw(deps, ctx, features, { key: isTold ? undefined : 'cancel-cards' })) return true;
  if (!isTold) await reply(ctx, ctx.say(left.has('left') ? 'cancel-done' : 'cancel-nothing'));
  return true;
}

export function createCancelFeature(
  { store }: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
): Feature {
  const cancel = async (ctx: BotContext, _action: string, id: string): Promise<void> => {
    await leaveQuestion(ctx);
    const confirmation = store.confirmations.find(id);
    if (!confirmation) return answerTap(ctx, ctx.label('confirmation-unknown'), true);
    if (confirmation.userId !== ctx.from?.id || confirmation.chatId !== ctx.chat?.id) {
      return answerTap(ctx, ctx.label('confirmation-not-yours'), true);
    }
    if (confirmation.takenBy !== null)
      return answerTap(ctx, ctx.label(keyOfTaken(confirmation.takenBy)), true);
    ctx.turn.uses(confirmation.id);
    await editHtml(ctx, wordsOfCancelled(ctx, features, confirmation).html);
  };
  const leave = async (ctx: BotContext, by: number): Promise<void> => {
    if (ctx.asked?.by !== by) return answerTap(ctx, ctx.label('button-old'), true);
    await leaveQuestion(ctx);
    await editHtml(ctx, ctx.say('cancel-done'));
  };
  return {
    buttons: {
      [CANCEL_CONFIRMATION]: button('everyone', [word, word], cancel),
      [LEAVE_QUESTION]: button('everyone', [wholeNumber()], leave),
    },
  };
}
