// An action that was shown to go on, and was refused: its message says so, instead of going on for ever.
import type { BotContext } from '../context.ts';
import type { Progress } from '../telegram/progress.ts';
import type { Target } from '../replies.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import { editHtml } from '../replies.ts';

/**
 * Says in the message why nothing was done. What passes, and what is our fault, is thrown on, with nothing more to be
 * shown.
 */
export async function refuseInPlace(
  { progress }: { progress: Pick<Progress, 'end'> },
  ctx: BotContext,
  target: Target,
  error: unknown,
): Promise<void> {
  await progress.end(target);
  const key = isInterrupted(error) ? undefined : keyOf(error);
  if (key === undefined) throw error;
  await editHtml(ctx, ctx.say(key), undefined, target);
}
