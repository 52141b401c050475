// The account's name in /settings: the button asks for another one, and the message that follows is it.
import { InlineKeyboard } from 'grammy';

import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, type Feature } from '../feature.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { askInWords } from '../prompts/ask.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { LONGEST_NAME, name } from '../texts.ts';

type Deps = Pick<BotDeps, 'core' | 'store'>;

const ACCOUNT_NAME = 'account-name';
/** A name of blanks and of what nobody sees is none. */
const SEEN = /[^\p{C}\s]/u;

/** As it stands in sentences. */
export const formatOwnAccount = ({ core }: Pick<BotDeps, 'core'>, ctx: BotContext): string =>
  name(core.accounts.find(actorOf(ctx).accountId)?.name ?? '');

export function createAccountNameSettings(deps: Deps): Feature {
  const most = String(LONGEST_NAME);
  return {
    buttons: {
      'settings:name': button('renameAccount', [], (ctx) =>
        askInWords(
          ctx,
          ctx.say('settings-name-ask', { account: formatOwnAccount(deps, ctx), most }),
          ACCOUNT_NAME,
        ),
      ),
    },
    questions: {
      [ACCOUNT_NAME]: {
        needs: 'renameAccount',
        takesWords: true,
        async hear(ctx, _of, text) {
          const called = text.trim();
          const flaw = findFlaw(called);
          if (flaw) return ctx.say(`settings-name-${flaw}`, { most, length: String([...called].length) });
          await rename(deps, ctx, called);
          return true;
        },
      },
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
