// The account's name in /settings: the button asks for another one, and the message that follows is it.
import { InlineKeyboard } from 'grammy';

import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { ConversationEntry } from '../conversation.ts';
import { button, type Feature } from '../feature.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { askFor } from '../prompts/question.ts';
import { enter } from '../prompts/start-conversation.ts';
import { LONGEST_NAME, name } from '../texts.ts';

type Deps = Pick<BotDeps, 'core' | 'store'>;

const ACCOUNT_NAME = 'account-name';
/** A name of blanks and of what nobody sees is none. */
const SEEN = /[^\p{C}\s]/u;

/** As it stands in sentences. */
export const formatOwnAccount = ({ core }: Pick<BotDeps, 'core'>, ctx: BotContext): string =>
  name(core.accounts.find(actorOf(ctx).accountId)?.name ?? '');

export const createAccountNameSettings = (): Feature => ({
  buttons: { 'settings:name': button('renameAccount', [], (ctx) => enter(ctx, ACCOUNT_NAME, {})) },
});

export function createAccountNameConversation(deps: Deps): ConversationEntry {
  return {
    name: ACCOUNT_NAME,
    takesWords: true,
    async run(prompts, ctx) {
      const account = await prompts.core((outer) => formatOwnAccount(deps, outer));
      const most = String(LONGEST_NAME);
      const question = ctx.say('settings-name-ask', { account, most });
      const called = await askFor(prompts, ctx, question, (text) => {
        const answer = text.trim();
        const flaw = findFlaw(answer);
        if (!flaw) return { answer };
        return { again: ctx.say(`settings-name-${flaw}`, { most, length: String([...answer].length) }) };
      });
      if (called !== undefined) await prompts.core((outer) => rename(deps, outer, called));
    },
  };
}

function findFlaw(called: string): 'empty' | 'lines' | 'long' | undefined {
  if (!SEEN.test(called)) return 'empty';
  if (/[\r\n\u2028\u2029]/.test(called)) return 'lines';
  return [...called].length > LONGEST_NAME ? 'long' : undefined;
}

/**
 * The name and what says so are one transaction. The same update again is told once, though the account has that name
 * by then.
 */
async function rename({ core, store }: Deps, ctx: BotContext, called: string): Promise<void> {
  const actor = actorOf(ctx);
  const isSame = core.accounts.find(actor.accountId)?.name === called;
  const html = ctx.say(isSame ? 'settings-name-same' : 'settings-name-set', { account: name(called) });
  const content = toOutgoing(html, addBack(new InlineKeyboard(), ctx, 'settings:main'));
  const chatId = ctx.chat?.id ?? actor.telegramId;
  const messages = [toOutgoingRow(`name:${ctx.update.update_id}`, chatId, content)];
  await core.accounts.rename(
    actor,
    actor.accountId,
    called,
    store.inTransaction(() => ({ messages })),
  );
}
