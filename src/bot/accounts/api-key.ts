// /api_key: issue (shown once), list, revoke. The key goes out through the outbox: kept before it is sent, so that no crash
// and no outage of Telegram loses it, and the same order again is the same key.
import { InlineKeyboard } from 'grammy';

import type { ApiKeySummary, OrderAnswer } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { carryOut, type Deed } from '../delivery/deeds.ts';
import type { OutgoingRow } from '../keeping.ts';
import { toOutgoing } from '../outgoing.ts';
import { keepDraft } from '../talk/drafts.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { CANCEL_DRAFT, confirmKeyboard } from '../talk/confirm-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { escapeHtml } from '../texts.ts';
import { addPages } from '../talk/paging-keyboard.ts';

const ISSUE = 'key-issue';
const REVOKE = 'key-revoke';
const PAGE = 8;

/** Of a revocation: which key, and how it was shown. */
interface Revocation {
  id: number;
  prefix: string;
  accountId: number;
  /** Webhooks that are removed with it. */
  removed?: number[];
}

export function createApiKey(deps: BotDeps): Feature {
  const handlers = new Handlers();
  const allowed = requires('manageApiKeys');

  handlers.command('api_key', allowed, async (ctx) => {
    const [what = '', which = ''] = ctx.match.trim().split(/\s+/);
    if (what.toLowerCase() === 'new') return askToIssue(deps, ctx, 'reply');
    if (what.toLowerCase() !== 'revoke') return showList(deps, ctx, 0, 'reply');
    const key = listLive(deps, ctx).find(({ prefix }) => prefix === which.slice(0, prefix.length));
    if (key) return askToRevoke(deps, ctx, key, 'reply');
    await reply(ctx, ctx.say('key-unknown'));
    return showList(deps, ctx, 0, 'reply');
  });
  handlers.callbackQuery(/^key:list:(\d{1,4})$/, allowed, async (ctx) => {
    answerTap(ctx);
    await showList(deps, ctx, Number(ctx.match[1]), 'edit');
  });
  handlers.callbackQuery('key:new', allowed, async (ctx) => {
    answerTap(ctx);
    await askToIssue(deps, ctx, 'edit');
  });
  handlers.callbackQuery(/^key:revoke:(\d{1,15})$/, allowed, async (ctx) => {
    const key = listLive(deps, ctx).find(({ id }) => id === Number(ctx.match[1]));
    if (!key) return answerTap(ctx, ctx.label('key-gone'), true);
    answerTap(ctx);
    await askToRevoke(deps, ctx, key, 'reply');
  });
  handlers.callbackQuery(new RegExp(`^${ISSUE}:`), allowed, (ctx) => issue(deps, ctx));
  handlers.callbackQuery(new RegExp(`^${REVOKE}:`), allowed, (ctx) => revoke(deps, ctx));
  return { commands: [{ name: 'api_key', for: 'manageApiKeys' }], handlers };
}

async function askToIssue(deps: BotDeps, ctx: BotContext, how: 'reply' | 'edit'): Promise<void> {
  const { telegramId, accountId } = actorOf(ctx);
  const person = { chatId: telegramId, userId: telegramId };
  const data = await keepDraft(deps, person, { action: ISSUE, payload: { accountId } });
  await show(ctx, ctx.say('key-ask-issue'), confirmKeyboard(ctx, data), how);
}

async function askToRevoke(
  deps: BotDeps,
  ctx: BotContext,
  { id, prefix }: ApiKeySummary,
  how: 'reply' | 'edit',
): Promise<void> {
  const { telegramId, accountId } = actorOf(ctx);
  const person = { chatId: telegramId, userId: telegramId };
  const keepOrder = (removed: number[]) => {
    const payload: Revocation = { id, prefix, accountId, removed };
    return keepDraft(deps, person, { action: REVOKE, payload });
  };
  const alone = await keepOrder([]);
  const question = ctx.say('key-ask-revoke', { prefix });
  const addresses = deps.core.apiKeys.listAddresses(actorOf(ctx), id);
  if (addresses.length === 0) return show(ctx, question, confirmKeyboard(ctx, alone), how);
  const hosts = addresses.map(({ host }) => `<code>${escapeHtml(host)}</code>`);
  const all = await keepOrder(addresses.map((address) => address.id));
  const keyboard = new InlineKeyboard()
    .text(ctx.label('key-button-revoke-all', { count: addresses.length }), all)
    .row()
    .text(ctx.label('key-button-revoke-only'), alone)
    .text(ctx.label('button-cancel'), `${CANCEL_DRAFT}:${alone}`);
  await show(ctx, [question, ctx.say('key-addresses'), ...hosts].join('\n'), keyboard, how);
}

function issue(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return carryOut<{ accountId: number }>(deps, ctx, ISSUE, async ({ id, payload, draft, isDone, result }) => {
    const actor = actorOf(ctx);
    if (isDone) return;
    if (payload.accountId !== actor.accountId) return editHtml(ctx, ctx.say('draft-elsewhere'));
    const alongside = deps.keeping.alongside((issued: OrderAnswer) => ({
      draft,
      messages: wordIssued(ctx, issued, result),
    }));
    await deps.core.apiKeys.issueOrdered(actor, id, alongside);
  });
}

/** The key itself, once; and the message that ends it should it be lost. */
function wordIssued(ctx: BotContext, issued: OrderAnswer, result: Deed<unknown>['result']): OutgoingRow[] {
  const { id, prefix } = issued;
  if (issued.status === 'alreadyRevoked') return [result({ html: ctx.say('key-revoked', { prefix }) })];
  const { key } = issued;
  const copy = [[{ text: ctx.label('key-button-copy'), copy_text: { text: key } }]];
  const shown = { html: ctx.say('key-shown', { key }), keyboard: { inline_keyboard: copy } };
  const revoking = new InlineKeyboard().text(ctx.label('key-button-revoke', { prefix }), `key:revoke:${id}`);
  return [result(shown, { apart: 'key' }), result(toOutgoing(ctx.say('key-issued', { prefix }), revoking))];
}

function revoke(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return carryOut<Revocation>(deps, ctx, REVOKE, async ({ payload, draft, isDone, result }) => {
    const { id, prefix, accountId, removed } = payload;
    if (isDone) return;
    if (accountId !== actorOf(ctx).accountId) return editHtml(ctx, ctx.say('draft-elsewhere'));
    const messages = [result({ html: ctx.say('key-revoked', { prefix }) })];
    const alongside = deps.keeping.alongside(() => ({ draft, messages }));
    const { status } = await deps.core.apiKeys.revoke(actorOf(ctx), id, alongside, removed);
    if (status === 'unknownKey') await editHtml(ctx, ctx.say('key-unknown'));
  });
}

function listLive({ core }: BotDeps, ctx: BotContext): ApiKeySummary[] {
  return core.apiKeys.list(actorOf(ctx)).filter(({ revoked }) => !revoked);
}

async function showList(deps: BotDeps, ctx: BotContext, page: number, how: 'reply' | 'edit'): Promise<void> {
  const live = listLive(deps, ctx);
  const pages = Math.max(1, Math.ceil(live.length / PAGE));
  const current = Math.min(page, pages - 1);
  const shown = live.slice(current * PAGE, (current + 1) * PAGE);
  const zone = zoneOf(deps, ctx.actor);
  const lines = shown.map(({ prefix, createdAt, lastUsedAt }) => {
    const created = formatDay(ctx.language, createdAt, zone);
    return lastUsedAt === undefined
      ? ctx.say('key-line-unused', { prefix, created })
      : ctx.say('key-line', { prefix, created, used: formatMoment(ctx.language, lastUsedAt, zone) });
  });
  const keyboard = new InlineKeyboard().text(ctx.label('key-button-new'), 'key:new').row();
  for (const { id, prefix } of shown) {
    keyboard.text(ctx.label('key-button-revoke', { prefix }), `key:revoke:${id}`).row();
  }
  addPages(keyboard, ctx, {
    previous: current > 0 && `key:list:${current - 1}`,
    next: current < pages - 1 && `key:list:${current + 1}`,
  });
  const title = ctx.say(live.length === 0 ? 'key-none' : 'key-title', { count: live.length });
  await show(ctx, [title, ...lines].join('\n'), keyboard, how);
}
