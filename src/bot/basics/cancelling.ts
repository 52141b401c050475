// Cancel under a last confirmation: the draft is used up without doing anything, so that its other button does nothing either.
import type { BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { CANCEL_DRAFT } from '../prompts/confirm-keyboard.ts';
import { answerTap, editHtml } from '../replies.ts';

const SHAPE = new RegExp(`^${CANCEL_DRAFT}:[a-z-]+:([\\w-]+)$`);

export function createCancelling(
  { keeping }: Pick<BotDeps, 'keeping'>,
  features: readonly Feature[],
): Feature {
  const handlers = new Handlers();
  handlers.callbackQuery(SHAPE, async (ctx) => {
    const draft = keeping.drafts.find(ctx.match[1] ?? '');
    if (!draft) return answerTap(ctx, ctx.label('draft-unknown'), true);
    if (draft.userId !== ctx.from.id || draft.chatId !== ctx.chat?.id) {
      return answerTap(ctx, ctx.label('draft-not-yours'), true);
    }
    const taken = await keeping.drafts.take(draft.id, ctx.update.update_id);
    if (!taken && draft.takenBy !== null) return answerTap(ctx, ctx.label('draft-taken'), true);
    answerTap(ctx);
    const words = features.map(({ wordCancelled }) => wordCancelled?.(draft)).find((each) => each);
    await editHtml(ctx, words ? ctx.say(words.key, words.facts) : ctx.say('cancel-done'));
  });
  return { commands: [], handlers };
}
