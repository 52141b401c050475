// /accounts: the list of accounts by number, and the search. What was found is kept as numbers for a day, so that the
// buttons of its pages do not carry what was looked for.
import { InlineKeyboard } from 'grammy';

import { type AccountSummary, type OpenedForOwner, readPlainMessage } from '../../core/index.ts';
import { joinLink, linkKeyboard } from '../accounts/invite.ts';
import { formatHandle } from '../actor.ts';
import { type BotContext, type BotDeps, hostOf } from '../context.ts';
import { among, button, type Feature, wholeNumber, word } from '../feature.ts';
import { type Action, confirming } from '../outbox/actions.ts';
import { prepareNewAccount } from '../outbox/new-accounts.ts';
import { toOutgoing } from '../outgoing.ts';
import { askInWords } from '../prompts/ask.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { createConfirmation, findConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { addPages } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { LONGEST_NAME, name, writeActivations } from '../texts.ts';
import { formatOwnerLink, showAccountCard } from './cards.ts';
import { cutPage, DAYS_OFFERED, describeAccount } from './host-menus.ts';

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

// A new account: its name is asked for, and it is opened together with the link that makes somebody its owner.

/** The data of the button, and the name of the question. */
const NEW_ACCOUNT = 'host:new';
const OPEN = 'host-open';

interface Order {
  name: string;
  /** Of subscription, with which it begins. */
  days?: number;
}

export function createNewAccount(deps: BotDeps): Feature {
  const opening = createOpening(deps);
  return {
    buttons: {
      [NEW_ACCOUNT]: button('hosts', [], (ctx) => askInWords(ctx, ctx.say('host-new-name'), NEW_ACCOUNT)),
      // A choice is a question of its own: the days that it begins with.
      'host:with': button('hosts', [wholeNumber(3), word], (ctx, chosen, id) => {
        const days = DAYS_OFFERED.find((each) => each === chosen);
        const found = findConfirmation<Order>(deps, ctx, OPEN, id);
        if (found.status === 'refused') return answerTap(ctx, ctx.label(found.key), true);
        if (days === undefined) return answerTap(ctx, ctx.label('button-old'), true);
        const { name: called, days: before } = found.payload;
        return opening.ask(ctx, before === days ? { name: called } : { name: called, days }, 'edit');
      }),
      ...opening.button,
    },
    questions: {
      [NEW_ACCOUNT]: {
        needs: 'hosts',
        takesWords: true,
        async hear(ctx, _of, text) {
          const called = text.replace(/\s+/gu, ' ').trim();
          if (called === '' || [...called].length > LONGEST_NAME)
            return ctx.say('host-new-name-again', { most: String(LONGEST_NAME) });
          await opening.ask(ctx, { name: called });
          return true;
        },
      },
    },
  };
}

const createOpening = (deps: BotDeps) =>
  confirming<Order>(deps, OPEN, {
    needs: 'hosts',
    asks: (ctx, order) => ({
      html: ctx.say('host-ask-new', { account: name(order.name), days: order.days ?? 0 }),
      label: ctx.label('host-button-open-it'),
      above(id) {
        const keyboard = new InlineKeyboard();
        for (const days of DAYS_OFFERED) {
          const mark = days === order.days ? '✅ ' : '';
          keyboard.text(`${mark}${ctx.label('host-button-days', { days })}`, `host:with:${days}:${id}`);
        }
        return keyboard;
      },
    }),
    does: (ctx, action) => open(deps, ctx, action),
  });

async function open(
  deps: BotDeps,
  ctx: BotContext,
  { id, payload, ends, result }: Action<Order>,
): Promise<void> {
  const formatOpened = ctx.from && prepareNewAccount(deps, ctx.from);
  const inTransaction = ends(({ accountId, name: called, token }: OpenedForOwner) => {
    const facts = { account: name(called), id: String(accountId) };
    const html = `${ctx.say('host-opened', facts)}\n\n${formatOwnerLink(ctx, { account: called, token })}`;
    // The link stays where it is: the account is shown in a message of its own.
    const keyboard = linkKeyboard(ctx, joinLink(ctx, token))
      .row()
      .text(ctx.label('host-button-open-card'), commandData(`accounts ${accountId}`));
    return [result(toOutgoing(html, keyboard)), ...(formatOpened?.({ accountId, name: called }) ?? [])];
  });
  await deps.core.members.openForOwner(hostOf(ctx), { ...payload, orderId: id }, inTransaction);
}
