// What the owner writes of the account in /settings, a line each: its name, and how the page of its claim links says that
// the shop is reached. The button asks, and the message that follows is it.
import { InlineKeyboard } from 'grammy';

import { LONGEST_CONTACT, type Account, type InTransaction, type MemberActor } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, type Feature } from '../feature.ts';
import { askInWords } from '../prompts/ask.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { reply } from '../replies.ts';
import { LONGEST_NAME, name } from '../texts.ts';

type Deps = Pick<BotDeps, 'core' | 'store'>;
type LineKey = 'name' | 'contact';

interface AccountLine {
  most: number;
  of(account: Account | undefined): string;
  set(
    core: BotDeps['core'],
    actor: MemberActor,
    text: string,
    inTransaction: InTransaction<string>,
  ): Promise<string>;
}

const LINES: Record<LineKey, AccountLine> = {
  name: {
    most: LONGEST_NAME,
    of: (account) => account?.name ?? '',
    set: ({ accounts }, actor, text, keep) => accounts.rename(actor, actor.accountId, text, keep),
  },
  contact: {
    most: LONGEST_CONTACT,
    of: (account) => account?.contact ?? '',
    set: ({ accounts }, actor, text, keep) => accounts.setContact(actor, text, keep),
  },
};
/** A name of blanks and of what nobody sees is none. */
const SEEN = /[^\p{C}\s]/u;
/** In place of a contact: there is none any more. */
const NONE = /^(?:none|нет)$/iu;

const read = ({ core }: Pick<BotDeps, 'core'>, ctx: BotContext, key: LineKey): string =>
  LINES[key].of(core.accounts.find(actorOf(ctx).accountId));

/** As it stands in sentences. */
export const formatOwnAccount = (deps: Pick<BotDeps, 'core'>, ctx: BotContext, key: LineKey): string =>
  name(read(deps, ctx, key), LINES[key].most);

export function createAccountLines(deps: Deps): Required<Pick<Feature, 'buttons' | 'questions'>> {
  const [named, contact] = [settingOf(deps, 'name'), settingOf(deps, 'contact')];
  return {
    buttons: { 'settings:name': named.button, 'settings:contact': contact.button },
    questions: { 'account-name': named.question, 'account-contact': contact.question },
  };
}

function settingOf(deps: Deps, key: LineKey) {
  const needs = 'renameAccount' as const;
  const most = String(LINES[key].most);
  const ask = (ctx: BotContext) => {
    const facts = { account: formatOwnAccount(deps, ctx, key), most };
    return askInWords(ctx, ctx.say(`settings-${key}-ask`, facts), `account-${key}`);
  };
  const hear = async (ctx: BotContext, _of: string, text: string): Promise<boolean | string> => {
    const line = text.trim();
    const flaw = findFlaw(line, LINES[key].most);
    if (flaw) return ctx.say(`settings-${key}-${flaw}`, { most, length: String([...line].length) });
    await save(deps, ctx, key, key === 'contact' && NONE.test(line) ? '' : line);
    return true;
  };
  return { button: button(needs, [], ask), question: { needs, takesWords: true, hear } };
}

function findFlaw(line: string, most: number): 'empty' | 'lines' | 'long' | undefined {
  if (!SEEN.test(line)) return 'empty';
  if (/[\r\n\u2028\u2029]/.test(line)) return 'lines';
  return [...line].length > most ? 'long' : undefined;
}

/** The line and what says so are one transaction. */
async function save(deps: Deps, ctx: BotContext, key: LineKey, line: string): Promise<void> {
  const actor = actorOf(ctx);
  const outcome = line === '' ? 'none' : read(deps, ctx, key) === line ? 'same' : 'set';
  const html = ctx.say(`settings-${key}-${outcome}`, { account: name(line, LINES[key].most) });
  await reply(ctx, html, addBack(new InlineKeyboard(), ctx, 'settings:main'));
  await LINES[key].set(deps.core, actor, line, ctx.turn.ends());
}
