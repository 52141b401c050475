// What the host gives for nothing: days of subscription by /grant or a button, activations by a button. Each is asked
// once more, and the owner is told.
import { InlineKeyboard } from 'grammy';

import type { Account, Member } from '../../core/index.ts';
import { requiresHost, findLanguageOf, renderFor, formatPerson } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { runAction } from '../outbox/actions.ts';
import { formatDay } from '../moments.ts';
import { toOutgoing } from '../outgoing.ts';
import { editHtml, reply, show } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { name, type Language } from '../texts.ts';
import { showAccounts } from './accounts.ts';
import { DAYS_OFFERED, describeAccount, findMeant, takeAccount } from './host-menus.ts';
import { addBack } from '../prompts/paging-keyboard.ts';

const GRANT = 'host-grant';
const ACTIVATIONS_OFFERED = [50, 100, 500, 1000, 5000] as const;
const MOST_DAYS = 3650;
const MOST_ACTIVATIONS = 1_000_000;

/** One of both; the other is 0. */
interface Grant {
  accountId: number;
  days: number;
  activations: number;
}

export function createGrants(deps: BotDeps): Handlers {
  const handlers = new Handlers();
  handlers.command('grant', requiresHost(), (ctx) => takeCommand(deps, ctx));
  handlers.callbackQuery(/^host:grant:(days|activations):(\d{1,15})$/, requiresHost(), async (ctx) => {
    const account = takeAccount(deps, ctx, ctx.match[2]);
    const kind = ctx.match[1] === 'days' ? 'days' : 'activations';
    if (account) await editHtml(ctx, ...offer(deps, ctx, account, kind));
  });
  handlers.callbackQuery(/^host:(days|activations):(\d{1,15}):(-?\d{1,7})$/, requiresHost(), async (ctx) => {
    const count = Number(ctx.match[3]);
    const isDays = ctx.match[1] === 'days';
    // No button of ours has any other number.
    const isOffered = isDays ? areDays(count) : count >= 1 && count <= MOST_ACTIVATIONS;
    const account = takeAccount(deps, ctx, isOffered ? ctx.match[2] : '0');
    const what = isDays ? { days: count, activations: 0 } : { days: 0, activations: count };
    if (account) await ask(deps, ctx, account, what, 'edit');
  });
  handlers.callbackQuery(new RegExp(`^${GRANT}:`), requiresHost(), (ctx) => grant(deps, ctx));
  return handlers;
}

async function takeCommand(deps: BotDeps, ctx: BotContext & { match: string }): Promise<void> {
  const { who, days } = readGrant(ctx.match);
  if (who === '') {
    await reply(ctx, ctx.say('host-grant-choose'));
    return showAccounts(deps, ctx);
  }
  const count = /^[-−]?\d{1,4}$/.test(days) ? Number(days.replace('−', '-')) : 0;
  const named = who.startsWith('@') ? deps.core.members.listByUsername(hostOf(ctx), who) : [];
  if (new Set(named.map(({ accountId }) => accountId)).size > 1)
    return askWhom(deps, ctx, named, { who, count });
  const ids = await findMeant(deps, ctx, who);
  const account = ids[0] === undefined ? undefined : deps.core.accounts.find(ids[0]);
  if (!account) return void (await reply(ctx, ctx.say('host-no-account')));
  // The one of that Telegram name comes first, before those that only sound like it.
  if (ids.length > 1 && named[0]?.accountId !== account.id)
    return void (await reply(ctx, ctx.say('host-grant-several', { text: who })));
  if (areDays(count)) return ask(deps, ctx, account, { days: count, activations: 0 }, 'reply');
  const hint = days === '' ? '' : `${ctx.say('host-grant-days', { most: String(MOST_DAYS) })}\n\n`;
  const [html, keyboard] = offer(deps, ctx, account, 'days');
  await reply(ctx, `${hint}${html}`, keyboard);
}

/** Less than nothing takes days back. */
const areDays = (count: number): boolean => count !== 0 && Math.abs(count) <= MOST_DAYS;

/** Whom, and how many days as they were written: a number or an @name and one word, or a name and perhaps a number. */
export function readGrant(text: string): { who: string; days: string } {
  const words = text.trim().split(/\s+/);
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const isExact = words.length === 2 && /^[#@\d]/.test(text.trim());
  const hasDays = last !== '' && (isExact || /^[-−]?\d+$/.test(last));
  return { who: words.slice(0, hasDays ? -1 : undefined).join(' '), days: hasDays ? last : '' };
}

/** A name that has changed hands: only the person's number tells who is meant. */
async function askWhom(
  deps: BotDeps,
  ctx: BotContext,
  named: readonly (Member & { accountId: number })[],
  { who, count }: { who: string; count: number },
): Promise<void> {
  const keyboard = new InlineKeyboard();
  const lines = named.map((member) => {
    const account = name(deps.core.accounts.find(member.accountId)?.name ?? '');
    const data = areDays(count)
      ? `host:days:${member.accountId}:${count}`
      : `host:grant:days:${member.accountId}`;
    keyboard.text(`${member.accountId} · ${formatPerson(member)}`, data).row();
    return `<b>${member.accountId}</b> · ${account}: ${formatPerson(member)}`;
  });
  await reply(ctx, [ctx.say('host-grant-two-names', { who }), ...lines].join('\n'), keyboard);
}

function offer(
  deps: BotDeps,
  ctx: BotContext,
  account: Account,
  kind: 'days' | 'activations',
): [html: string, keyboard: InlineKeyboard] {
  const keyboard = new InlineKeyboard();
  if (kind === 'days')
    for (const days of DAYS_OFFERED)
      keyboard.text(ctx.label('host-button-days', { days }), `host:days:${account.id}:${days}`);
  else
    for (const count of ACTIVATIONS_OFFERED)
      keyboard.text(String(count), `host:activations:${account.id}:${count}`);
  addBack(keyboard, ctx, `host:account:${account.id}`);
  const question = ctx.say(kind === 'days' ? 'host-grant-how-many-days' : 'host-grant-how-many-activations');
  return [`${describeAccount(deps, ctx, account)}\n\n${question}`, keyboard];
}

async function ask(
  deps: BotDeps,
  ctx: BotContext,
  account: Account,
  { days, activations }: Omit<Grant, 'accountId'>,
  how: 'reply' | 'edit',
): Promise<void> {
  if (days < 0 && (account.subscriptionExpiresAt ?? 0) <= deps.clock.now()) {
    const nothing = ctx.say('host-nothing-to-take', { account: name(account.name) });
    return show(ctx, nothing, new InlineKeyboard(), how);
  }
  const payload: Grant = { accountId: account.id, days, activations };
  const data = await createConfirmation(deps, ctx, { action: GRANT, payload });
  const question =
    days > 0
      ? ctx.say('host-ask-grant', { days })
      : days < 0
        ? ctx.say('host-ask-take-days', { days: -days })
        : ctx.say('host-ask-grant-activations', { count: activations });
  const what =
    days === 0
      ? ctx.label('goods-activations', { count: activations })
      : ctx.label('host-button-days', { days: Math.abs(days) });
  const keyboard = confirmKeyboard(ctx, data, {
    label: ctx.label(days < 0 ? 'host-button-take' : 'host-button-give', { what }),
    ...(days < 0 && { style: 'danger' as const }),
  });
  await show(ctx, `${describeAccount(deps, ctx, account)}\n\n${question}`, keyboard, how);
}

function grant(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Grant>(deps, ctx, GRANT, async ({ id, payload, confirmation, isDone, result }) => {
    if (isDone) return;
    const { accountId, days, activations } = payload;
    const account = name(deps.core.accounts.find(accountId)?.name ?? '');
    const owner = deps.core.members.findOwner(accountId);
    const known = owner && findLanguageOf(deps, owner.telegramId);
    const zone = deps.core.accounts.timeZoneOf(accountId);
    const keyboard = new InlineKeyboard().text(
      ctx.label('host-button-open-card'),
      commandData(`accounts ${accountId}`),
    );
    const inTransaction = deps.store.inTransaction(
      ({ subscriptionExpiresAt: end = 0 }: { subscriptionExpiresAt: number | undefined }) => {
        const facts = (language: Language) => ({
          account,
          days: Math.abs(days),
          count: activations,
          until: formatDay(language, end, zone),
        });
        const key = days === 0 ? 'granted-activations' : days > 0 ? 'granted' : 'taken-days';
        const word = (language: Language) => deps.texts.say(language, key, facts(language));
        const html = ctx.say(`host-${key}`, facts(ctx.language));
        const told =
          owner &&
          renderFor(deps, `grant:${id}`, owner.telegramId, (language) => ({ html: word(language) }), known);
        const shown = result(toOutgoing(html, keyboard));
        return { confirmation, messages: told ? [shown, told] : [shown] };
      },
    );
    await deps.core.accounts.grant(hostOf(ctx), {
      accountId,
      days,
      purchased: activations,
      orderId: id,
      inTransaction,
    });
  });
}
