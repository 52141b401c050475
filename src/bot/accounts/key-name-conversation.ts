// What a new API key is for: the message that follows the question whether to make one names it; the button there makes
// it without.
import type { BotContext, BotDeps, InnerContext } from '../context.ts';
import { readName } from '../prompts/question.ts';
import type { ConversationEntry, Prompts } from '../conversation.ts';

export const NAME_KEY = 'name-key';
const LONGEST = 40;

/** `ask` puts the question again, with the name. Where it was answered meanwhile the message is none of ours. */
export function createKeyNameConversation(
  { store }: Pick<BotDeps, 'store'>,
  ask: (ctx: BotContext, name: string) => Promise<void>,
): ConversationEntry {
  return {
    name: NAME_KEY,
    takesWords: true,
    async run(prompts: Prompts, _ctx: InnerContext, { confirmationId }: { confirmationId: string }) {
      const answer = await prompts.hear();
      const name = answer.kind === 'message' ? readKeyName(answer.message.text) : undefined;
      const asked = await prompts.core(async (outer) => {
        const takenBy = store.confirmations.find(confirmationId)?.takenBy;
        const updateId = outer.update.update_id;
        if (name === undefined || (takenBy !== null && takenBy !== updateId)) return false;
        // The question without a name is over: no second key comes of it.
        await store.confirmations.take(confirmationId, updateId);
        await ask(outer, name);
        return true;
      });
      if (!asked) await prompts.leave();
    },
  };
}

/** The name of a key as people write it; undefined for what is none. */
export const readKeyName = (text?: string): string | undefined => readName(text, LONGEST);
