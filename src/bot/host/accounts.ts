// /accounts: the list of accounts by number, and the search. What was found is kept as numbers for a day, so that the
// buttons of its pages do not carry what was looked for.
import { InlineKeyboard } from 'grammy';

import { readPlainMessage, type AccountSummary } from '../../core/index.ts';
import { formatHandle } from '../actor.ts';
import { among, button, wholeNumber, word, type Feature } from '../feature.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { findConfirmation, createConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { name, writeActivations } from '../texts.ts';
import { showAccountCard } from './cards.ts';
import { cutPage, describeAccount } from './host-menus.ts';
import { NEW_ACCOUNT } from './new-account.ts';
import { addPages } from '../prompts/paging-keyboard.ts';

/** What a search found. */
interface Found {
  ids: number[];
  isComplete: boolean;
}

const PAGE = 8;
const FOUND = 'host-found';
const KEPT_MS = 24 * 60 * 60 * 1000;
const LONGEST_LOOKED_FOR = 200;

export function createAccountsList(deps: BotDeps): Feature {
  return {
    commands: {
      accounts: {
        needs: 'hosts',
        run: (ctx, text) => (text === '' ? showAccounts(deps, ctx) : findAccounts(deps, ctx, text)),
      },
    },
    async message(ctx) {
      const text = ctx.message?.text?.trim();
      if (text === undefined || !looksForAccount(deps, ctx, text)) return false;
      await findAccounts(deps, ctx, text);
      return true;
    },
    buttons: {
      'host:accounts': button('hosts', [among('after', 'before'), wholeNumber()], (ctx, way, id) =>
        showAccounts(deps, ctx, { [way]: id }, 'edit'),
      ),
      [FOUND]: button('hosts', [wholeNumber(3), word], (ctx, page, id) => {
        const kept = findConfirmation<Found>(deps, ctx, FOUND, id);
        if (kept.status === 'refused') return answerTap(ctx, ctx.label(keyOfLasting(kept.key)), true);
        return editHtml(ctx, ...renderFound(deps, ctx, { ...kept.payload, page, id }));
      }),
    },
  };
}

/**
 * Whether words without a command are for the menus of the host: all of a host in no account; else what no working shop
 * would order or add.
 */
function looksForAccount({ core }: BotDeps, { isHost, actor }: BotContext, text: string): boolean {
  if (!isHost || text.startsWith('/')) return false;
  if (!actor) return true;
  const { kind } = readPlainMessage(text, core.games);
  if (kind === 'nothing') return true;
  return kind !== 'codes' && kind !== 'code' && !core.accounts.isSubscriptionActive(actor.accountId);
}

/** One that is found alone is shown at once. */
async function findAccounts(deps: BotDeps, ctx: BotContext, words: string): Promise<void> {
  const text = words.slice(0, LONGEST_LOOKED_FOR);
  const found = await deps.core.accounts.search(hostOf(ctx), text);
  const [only] = found.ids;
  // Of a number the account that has it is meant, whatever else has it in its name.
  const isNumber = only !== undefined && text.replace('#', '') === String(only);
  if (only === undefined) {
    const keyboard = new InlineKeyboard().text(ctx.label('host-button-new'), NEW_ACCOUNT);
    return void (await reply(ctx, ctx.say('host-found-none', { text }), keyboard));
  }
  if (found.ids.length === 1 || isNumber) return showAccountCard(deps, ctx, only, 'reply');
  const order = { action: FOUND, payload: found, withinMs: KEPT_MS, madeOf: null };
  const id = createConfirmation(deps, ctx, order).slice(FOUND.length + 1);
  await reply(ctx, ...renderFound(deps, ctx, { ...found, page: 1, id }));
}

function renderFound(
  deps: BotDeps,
  ctx: BotContext,
  { ids, isComplete, page, id }: Found & { page: number; id: string },
): [html: string, keyboard: InlineKeyboard] {
  const pages = Math.max(1, Math.ceil(ids.length / PAGE));
  const accounts = deps.core.accounts.listByIds(hostOf(ctx), ids.slice((page - 1) * PAGE, page * PAGE));
  const [lines, keyboard] = renderAccounts(deps, ctx, accounts);
  addPages(keyboard, ctx, {
    previous: page > 1 && `${FOUND}:${page - 1}:${id}`,
    next: page < pages && `${FOUND}:${page + 1}:${id}`,
  });
  const title = ctx.say('host-found', { count: ids.length, page: String(page), pages: String(pages) });
  const more = isComplete ? [] : [ctx.say('host-found-more')];
  return [[title, ...more, ...lines].join('\n\n'), keyboard];
}

/** A page of all of them; the first without either. */
export async function showAccounts(
  deps: BotDeps,
  ctx: BotContext,
  from: { after?: number; before?: number } = {},
  how: 'reply' | 'edit' = 'reply',
): Promise<void> {
  const found = deps.core.accounts.list(hostOf(ctx), { ...from, limit: PAGE + 1 });
  const { shown, hasPrevious, hasNext } = cutPage(found, PAGE, {
    isBackwards: from.before !== undefined,
    isFirst: from.after === undefined,
  });
  // Those that were shown beside it are gone meanwhile.
  if (shown.length === 0 && Object.keys(from).length > 0) return showAccounts(deps, ctx, {}, how);
  const [first, last] = [shown[0], shown.at(-1)];
  const [lines, keyboard] = renderAccounts(deps, ctx, shown);
  addPages(keyboard, ctx, {
    previous: first && hasPrevious && `host:accounts:before:${first.id}`,
    next: last && hasNext && `host:accounts:after:${last.id}`,
  });
  keyboard.row().text(ctx.label('host-button-new'), NEW_ACCOUNT);
  const title = ctx.say(shown.length === 0 ? 'host-accounts-none' : 'host-accounts');
  const hint = found.length > PAGE || hasPrevious ? [ctx.say('host-accounts-hint')] : [];
  const html = [title, ...lines, ...hint].join('\n\n');
  await show(ctx, html, keyboard, how);
}

/** Two lines and a button for each. */
function renderAccounts(
  deps: BotDeps,
  ctx: BotContext,
  accounts: readonly AccountSummary[],
): [lines: string[], keyboard: InlineKeyboard] {
  const keyboard = new InlineKeyboard();
  const lines = accounts.map((account) => {
    const { id, owner, memberCount, purchased } = account;
    keyboard.text(`${id} · ${name(account.name)}`, `host:account:${id}`).row();
    const person = owner ? `${name(owner.name)}${formatHandle(owner.username)}` : '—';
    const facts = { person, count: memberCount, purchased: writeActivations(ctx.language, purchased) };
    return `${describeAccount(deps, ctx, account)}\n${ctx.say('host-account-facts', facts)}`;
  });
  return [lines, keyboard];
}
