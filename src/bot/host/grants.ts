// What the host gives for nothing: days of subscription by /grant or a button, activations by a button. Each is asked
// once more, and the owner is told.
import { InlineKeyboard } from 'grammy';

import type { Account, Member } from '../../core/index.ts';
import { findLanguageOf, renderFor, formatPerson } from '../actor.ts';
import { among, button, signed, wholeNumber, type Feature } from '../feature.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { confirming, type Action } from '../outbox/actions.ts';
import { formatDay } from '../moments.ts';
import { toOutgoing } from '../outgoing.ts';
import { editHtml, reply, show } from '../replies.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { name, type Language } from '../texts.ts';
import { showAccounts } from './accounts.ts';
import { askAbout, DAYS_OFFERED, describeAccount, findMeant, takeAccount } from './host-menus.ts';
import { addBack } from '../prompts/paging-keyboard.ts';

const HOW_MANY = 'host-how-many';
const ACTIVATIONS_OFFERED = [50, 100, 500, 1000, 5000] as const;
const MOST_DAYS = 3650;
const MOST_ACTIVATIONS = 1_000_000;

/** One of both; the other is 0. */
interface Grant {
  accountId: number;
  days: number;
  activations: number;
}

export function createGrants(deps: BotDeps): Feature {
  const granting = confirming<Grant>(deps, 'host-grant', {
    needs: 'hosts',
    asks: (ctx, payload) => formatQuestion(deps, ctx, payload),
    does: (ctx, action) => grant(deps, ctx, action),
  });
  const confirm: Ask = (ctx, account, what, how) => {
    const nothing = ctx.say('host-nothing-to-take', { account: name(account.name) });
    if (what.days < 0 && (account.subscriptionExpiresAt ?? 0) <= deps.clock.now())
      return show(ctx, nothing, new InlineKeyboard(), how);
    return granting.ask(ctx, { accountId: account.id, ...what }, how);
  };
  return {
    commands: { grant: { needs: 'hosts', run: (ctx, text) => takeCommand(deps, confirm, ctx, text) } },
    buttons: {
      'host:grant': button('hosts', [among('days', 'activations'), wholeNumber()], async (ctx, kind, id) => {
        const account = takeAccount(deps, ctx, id);
        if (!account) return;
        await editHtml(ctx, ...offer(deps, ctx, account, kind));
        await ask(ctx, HOW_MANY, `${kind}:${id}`);
      }),
      'host:days': button('hosts', [wholeNumber(), signed], async (ctx, id, days) => {
        await leaveQuestion(ctx);
        const account = takeAccount(deps, ctx, areDays(days) ? id : 0);
        return account && confirm(ctx, account, { days, activations: 0 }, 'edit');
      }),
      'host:activations': button('hosts', [wholeNumber(), wholeNumber(7)], async (ctx, id, activations) => {
        await leaveQuestion(ctx);
        // No button of ours has any other number.
        const isOffered = activations >= 1 && activations <= MOST_ACTIVATIONS;
        const account = takeAccount(deps, ctx, isOffered ? id : 0);
        return account && confirm(ctx, account, { days: 0, activations }, 'edit');
      }),
      ...granting.button,
    },
    questions: {
      [HOW_MANY]: { needs: 'hosts', hear: (ctx, of, text) => hearHowMany(deps, confirm, ctx, of, text) },
    },
  };
}

/** A number that is written instead of pressed is the answer; anything else is for somebody else. */
async function hearHowMany(
  deps: BotDeps,
  confirm: Ask,
  ctx: BotContext,
  of: string,
  text: string,
): Promise<boolean> {
  const [kind, id] = of.split(':');
  const said = text.trim();
  const count = /^[-−]?\d{1,7}$/.test(said) ? Number(said.replace('−', '-')) : 0;
  const isDays = kind === 'days';
  const fits = isDays ? areDays(count) : count >= 1 && count <= MOST_ACTIVATIONS;
  const account = fits ? deps.core.accounts.find(Number(id)) : undefined;
  const what = isDays ? { days: count, activations: 0 } : { days: 0, activations: count };
  if (account) await confirm(ctx, account, what, 'reply');
  return account !== undefined;
}

type Ask = (
  ctx: BotContext,
  account: Account,
  what: Omit<Grant, 'accountId'>,
  how: 'reply' | 'edit',
) => Promise<unknown>;

async function takeCommand(deps: BotDeps, confirm: Ask, ctx: BotContext, text: string): Promise<unknown> {
  const { who, days } = readGrant(text);
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
  if (areDays(count)) return confirm(ctx, account, { days: count, activations: 0 }, 'reply');
  const hint = days === '' ? '' : `${ctx.say('host-grant-days', { most: String(MOST_DAYS) })}\n\n`;
  const [html, keyboard] = offer(deps, ctx, account, 'days');
  return reply(ctx, `${hint}${html}`, keyboard);
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

function formatQuestion(deps: BotDeps, ctx: BotContext, { accountId, days, activations }: Grant) {
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
  return {
    html: askAbout(deps, ctx, accountId, question),
    label: ctx.label(days < 0 ? 'host-button-take' : 'host-button-give', { what }),
    style: days < 0 ? ('danger' as const) : undefined,
  };
}

async function grant(
  deps: BotDeps,
  ctx: BotContext,
  { id, payload, ends, result }: Action<Grant>,
): Promise<void> {
  const { accountId, days, activations } = payload;
  const account = name(deps.core.accounts.find(accountId)?.name ?? '');
  const owner = deps.core.members.findOwner(accountId);
  const known = owner && findLanguageOf(deps, owner.telegramId);
  const zone = deps.core.accounts.timeZoneOf(accountId);
  const keyboard = new InlineKeyboard().text(
    ctx.label('host-button-open-card'),
    commandData(`accounts ${accountId}`),
  );
  const inTransaction = ends(
    ({ subscriptionExpiresAt: end = 0 }: { subscriptionExpiresAt: number | undefined }) => {
      const facts = (language: Language) => ({
        account,
        days: Math.abs(days),
        count: activations,
        until: formatDay(language, end, zone),
      });
      const key = days === 0 ? 'granted-activations' : days > 0 ? 'granted' : 'taken-days';
      const word = (language: Language) => ({ html: deps.texts.say(language, key, facts(language)) });
      const shown = result(toOutgoing(ctx.say(`host-${key}`, facts(ctx.language)), keyboard));
      return owner ? [shown, renderFor(deps, `grant:${id}`, owner.telegramId, word, known)] : [shown];
    },
  );
  const given = { accountId, days, purchased: activations, orderId: id, inTransaction };
  await deps.core.accounts.grant(hostOf(ctx), given);
}
