// A view for members: what it shows is looked up with the rights that its reader has when it is sent.
import type { MemberActor } from '../core/index.ts';
import type { BotContext, BotDeps } from './context.ts';
import { keyOf } from './errors.ts';
import type { View, ViewAnswer } from './outgoing.ts';

export interface Reader extends Pick<BotContext, 'language' | 'say' | 'label'> {
  actor: MemberActor;
}

/** Who has left the account, or may not see it any more, is told so instead. */
export function createMemberView<Of>(
  { core, texts }: Pick<BotDeps, 'core' | 'texts'>,
  show: (reader: Reader, of: Of) => ViewAnswer | Promise<ViewAnswer>,
): View {
  return async ({ of, telegramId, language }) => {
    const say = texts.say.bind(undefined, language);
    const label = texts.label.bind(undefined, language);
    const actor = core.members.findActor(telegramId);
    if (!actor) return { html: say('refusal-stranger') };
    try {
      return await show({ actor, language, say, label }, of as Of);
    } catch (error) {
      const key = keyOf(error);
      if (key === undefined) throw error;
      return { html: say(key) };
    }
  };
}
