// What whoever hosts the service does in the chat: /accounts, /grant, /health. /refund is in refund.ts.
import { readFileSync } from 'node:fs';
import { Composer, InlineKeyboard } from 'grammy';

import type { Account, HostActor } from '../../core/index.ts';
import { requiresHost } from '../actor.ts';
import { commandData } from '../talk/command-buttons.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { carryOut } from '../delivery/deeds.ts';
import { keepDraft } from '../talk/drafts.ts';
import type { Feature } from '../feature.ts';
import { confirmKeyboard } from '../talk/confirm-keyboard.ts';
import { findLanguageOf, wordFor } from '../delivery/people.ts';
import type { StandingKeeper } from '../delivery/standing.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { name, type Language } from '../texts.ts';
import { createHostRefund } from './refund.ts';

const HOST: HostActor = { kind: 'host' };
const PAGE = 8;
const GRANT = 'host-grant';
const DAYS_OFFERED = [7, 30, 90, 365] as const;
const MOST_DAYS = 3650;
const PACKAGE_FILE = new URL('../../../package.json', import.meta.url);

interface Grant {
  accountId: number;
  days: number;
}

export function createHost(deps: BotDeps, { standing }: { standing: StandingKeeper }): Feature {
  const handlers = new Composer<BotContext>();
  mountAccounts(deps, handlers);
  mountGrant(deps, handlers);
  mountHealth(deps, handlers, standing);
  handlers.use(createHostRefund(deps));
  const names = ['accounts', 'grant', 'refund', 'health'];
  return { commands: names.map((each) => ({ name: each, for: 'hosts' as const })), handlers };
}

function mountAccounts(deps: BotDeps, handlers: Composer<BotContext>): void {
  handlers.command('accounts', requiresHost(), (ctx) => showAccounts(deps, ctx, {}, 'reply'));
  handlers.callbackQuery(/^host:accounts:(after|before):(\d{1,15})$/, requiresHost(), async (ctx) => {
    await answerTap(ctx);
    const id = Number(ctx.match[2]);
    await showAccounts(deps, ctx, ctx.match[1] === 'before' ? { before: id } : { after: id }, 'edit');
  });
  handlers.callbackQuery(/^host:account:(\d{1,15})$/, requiresHost(), async (ctx) => {
    const account = deps.core.accounts.find(Number(ctx.match[1]));
    if (!account) return answerTap(ctx, ctx.label('host-no-account'), true);
    await answerTap(ctx);
    await editHtml(ctx, describe(deps, ctx, account), accountKeyboard(deps, ctx, account));
  });
  handlers.callbackQuery(/^host:owner:(\d{1,15})$/, requiresHost(), async (ctx) => {
    const account = deps.core.accounts.find(Number(ctx.match[1]));
    // The same update again shows the same link.
    const order = String(ctx.update.update_id);
    const invitation = account && (await deps.core.members.inviteOwner({ kind: 'host' }, account.id, order));
    if (!invitation) return answerTap(ctx, ctx.label('host-has-owner'), true);
    await answerTap(ctx);
    const link = `https://t.me/${ctx.me.username}?start=join_${invitation.token}`;
    await reply(ctx, ctx.say('host-owner-link', { account: name(account.name), link }));
  });
}

function mountGrant(deps: BotDeps, handlers: Composer<BotContext>): void {
  handlers.command('grant', requiresHost(), async (ctx) => {
    const [who = '', days = ''] = ctx.match.trim().split(/\s+/);
    if (who === '') {
      await reply(ctx, ctx.say('host-grant-choose'));
      return showAccounts(deps, ctx, {}, 'reply');
    }
    const account = findAccount(deps, who);
    if (!account) return void (await reply(ctx, ctx.say('host-no-account')));
    const count = /^\d{1,4}$/.test(days) ? Number(days) : 0;
    if (count >= 1 && count <= MOST_DAYS) return askToGrant(deps, ctx, account, count, 'reply');
    const hint = days === '' ? '' : `${ctx.say('host-grant-days', { most: String(MOST_DAYS) })}\n\n`;
    await reply(ctx, `${hint}${describe(deps, ctx, account)}`, daysKeyboard(ctx, account));
  });
  handlers.callbackQuery(/^host:days:(\d{1,15}):(\d{1,4})$/, requiresHost(), async (ctx) => {
    const account = deps.core.accounts.find(Number(ctx.match[1]));
    const days = Number(ctx.match[2]);
    if (!account || days < 1 || days > MOST_DAYS) return answerTap(ctx, ctx.label('host-no-account'), true);
    await answerTap(ctx);
    await askToGrant(deps, ctx, account, days, 'edit');
  });
  handlers.callbackQuery(new RegExp(`^${GRANT}:`), requiresHost(), (ctx) => grant(deps, ctx));
}

function mountHealth(deps: BotDeps, handlers: Composer<BotContext>, standing: StandingKeeper): void {
  const startedAt = deps.clock.elapsed();
  handlers.command('health', requiresHost(), async (ctx) => {
    const { health } = deps.core;
    const { pending, inDoubt } = health.countOpen();
    const reachable = await health.platformReachable();
    await reply(
      ctx,
      ctx.say('host-health', {
        telegram: ctx.label(`host-telegram-${standing.current()}`, {
          since: formatMoment(ctx.language, standing.since(), zoneOf(deps, ctx.actor)),
        }),
        platform: describePlatform(ctx, reachable, health.isSandbox),
        pending: String(pending),
        inDoubt: String(inDoubt),
        inbox: String(deps.keeping.inbox.countWaiting()),
        setAside: String(deps.keeping.inbox.countSetAside()),
        outbox: String(deps.keeping.outbox.countWaiting()),
        uptime: describeUptime(ctx, deps.clock.elapsed() - startedAt),
        version: readVersion(),
      }),
    );
  });
}

async function askToGrant(
  deps: BotDeps,
  ctx: BotContext,
  account: Account,
  days: number,
  how: 'reply' | 'edit',
): Promise<void> {
  const userId = ctx.from?.id ?? 0;
  const payload: Grant = { accountId: account.id, days };
  const data = await keepDraft(deps, { chatId: userId, userId }, { action: GRANT, payload });
  const html = `${describe(deps, ctx, account)}\n\n${ctx.say('host-ask-grant', { days })}`;
  if (how === 'edit') await editHtml(ctx, html, confirmKeyboard(ctx, data));
  else await reply(ctx, html, confirmKeyboard(ctx, data));
}

function grant(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return carryOut<Grant>(deps, ctx, GRANT, async ({ id, payload, draft, isDone, result }) => {
    if (isDone) return;
    const { accountId, days } = payload;
    const account = name(deps.core.accounts.find(accountId)?.name ?? '');
    const owner = deps.core.members.findOwner(accountId);
    const known = owner && findLanguageOf(deps, owner.telegramId);
    const timeZone = deps.core.accounts.timeZoneOf(accountId);
    const alongside = deps.keeping.alongside(
      ({ subscriptionExpiresAt: end = 0 }: { subscriptionExpiresAt: number | undefined }) => {
        const word = (language: Language) => ({
          html: deps.texts.say(language, 'granted', { days, until: formatDay(language, end, timeZone) }),
        });
        const until = formatDay(ctx.language, end, timeZone);
        const shown = result({ html: ctx.say('host-granted', { account, days, until }) });
        const told = owner && wordFor(deps, `grant:${id}`, owner.telegramId, word, known);
        return { draft, messages: told ? [shown, told] : [shown] };
      },
    );
    await deps.core.accounts.grant(HOST, { accountId, days, orderId: id, alongside });
  });
}

/** By its number, or by the Telegram name of one of its members. */
function findAccount({ core }: BotDeps, who: string): Account | undefined {
  if (/^\d{1,15}$/.test(who)) return core.accounts.find(Number(who));
  return core.accounts.findByUsername(HOST, who);
}

async function showAccounts(
  deps: BotDeps,
  ctx: BotContext,
  from: { after?: number; before?: number },
  how: 'reply' | 'edit',
): Promise<void> {
  // One more than is shown tells whether there are others, in the direction in which it goes.
  const found = deps.core.accounts.list(HOST, { ...from, limit: PAGE + 1 });
  const shown = from.before === undefined ? found.slice(0, PAGE) : found.slice(-PAGE);
  // Those that were shown beside it are gone meanwhile.
  if (shown.length === 0 && Object.keys(from).length > 0) return showAccounts(deps, ctx, {}, how);
  const hasMore = found.length > PAGE;
  const [first, last] = [shown[0], shown.at(-1)];
  const hasPrevious = from.before === undefined ? from.after !== undefined : hasMore;
  const hasNext = from.before === undefined ? hasMore : true;
  const keyboard = new InlineKeyboard();
  const lines = shown.map((account) => {
    const { id, owner, memberCount, purchased } = account;
    keyboard.text(`${id} · ${name(account.name)}`, `host:account:${id}`).row();
    const handle = owner?.username === undefined ? '' : ` @${owner.username}`;
    const person = owner ? `${name(owner.name)}${handle}` : '—';
    const facts = { person, count: memberCount, purchased: String(purchased) };
    return `${describe(deps, ctx, account)}\n${ctx.say('host-account-facts', facts)}`;
  });
  if (first && hasPrevious)
    keyboard.text(ctx.label('members-button-previous'), `host:accounts:before:${first.id}`);
  if (last && hasNext) keyboard.text(ctx.label('members-button-next'), `host:accounts:after:${last.id}`);
  const title = ctx.say(shown.length === 0 ? 'host-accounts-none' : 'host-accounts');
  const html = [title, ...lines].join('\n\n');
  if (how === 'edit') await editHtml(ctx, html, keyboard);
  else await reply(ctx, html, keyboard);
}

function describe(deps: Pick<BotDeps, 'core'>, ctx: BotContext, account: Account): string {
  const { id, subscriptionExpiresAt } = account;
  const until =
    subscriptionExpiresAt === undefined
      ? ctx.label('host-no-subscription')
      : formatDay(ctx.language, subscriptionExpiresAt, deps.core.accounts.timeZoneOf(id));
  return ctx.say('host-account', { id: String(id), account: name(account.name), until });
}

function accountKeyboard(deps: BotDeps, ctx: BotContext, account: Account): InlineKeyboard {
  const keyboard = daysKeyboard(ctx, account);
  if (deps.core.members.findOwner(account.id)) return keyboard;
  return keyboard.row().text(ctx.label('host-button-owner'), `host:owner:${account.id}`);
}

function daysKeyboard(ctx: BotContext, { id }: Account): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  for (const days of DAYS_OFFERED)
    keyboard.text(ctx.label('host-button-days', { days }), `host:days:${id}:${days}`);
  return keyboard.row().text(ctx.label('host-button-accounts'), commandData('accounts'));
}

function describePlatform(ctx: BotContext, isReachable: boolean, isSandbox: boolean): string {
  const reached = ctx.label(isReachable ? 'host-reachable' : 'host-unreachable');
  return isSandbox ? `${ctx.label('host-sandbox')}, ${reached}` : reached;
}

/** In its two largest units, rounded down: `3 h 5 min`. */
function describeUptime(ctx: BotContext, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return ctx.label('host-uptime-days', { days: String(days), hours: String(hours % 24) });
  if (hours > 0)
    return ctx.label('host-uptime-hours', { hours: String(hours), minutes: String(minutes % 60) });
  if (minutes > 0) return ctx.label('host-uptime-minutes', { minutes: String(minutes) });
  return ctx.label('host-uptime-fresh');
}

function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string }).version;
}
