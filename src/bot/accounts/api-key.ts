// /api_key: issue (named where somebody says what it is for, and shown once), list, revoke. The key goes out through
// the outbox: kept before it is sent, so that no crash and no outage of Telegram loses it, and the same order again is
// the same key.
import { InlineKeyboard } from 'grammy';

import type { ApiKeySummary, OrderAnswer } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { runAction, type Action } from '../outbox/actions.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoing } from '../outgoing.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { CANCEL_CONFIRMATION, confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { enter } from '../prompts/start-conversation.ts';
import { addPages, cutListPage } from '../prompts/paging-keyboard.ts';
import { escapeHtml, name, shorten } from '../texts.ts';
import { createKeyNameConversation, NAME_KEY, readKeyName } from './key-name-conversation.ts';

const ISSUE = 'key-issue';
const REVOKE = 'key-revoke';
const PAGE = 8;
/** Of a name in a button, beside the word before it. */
const LONGEST_LABEL = 16;

interface Issue {
  accountId: number;
  name?: string;
}

/** What the button carries that keeps the webhooks of the key. */
const KEY_ALONE = 'alone';

/** Of a revocation: which key, and how it was shown. */
interface Revocation {
  id: number;
  prefix: string;
  accountId: number;
  /** Webhooks that are removed with it. */
  removed?: number[];
}

export function createApiKeyFeature(deps: BotDeps): Feature {
  const handlers = new Handlers();
  const allowed = requires('manageApiKeys');

  handlers.command('api_key', allowed, async (ctx) => {
    const [what = '', which = '', ...more] = ctx.match.trim().split(/\s+/);
    if (what.toLowerCase() === 'new')
      return askToIssue(deps, ctx, 'reply', readKeyName([which, ...more].join(' ')));
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
  return {
    commands: [{ name: 'api_key', for: 'manageApiKeys' }],
    handlers,
    conversations: [createKeyNameConversation(deps, (ctx, called) => askToIssue(deps, ctx, 'reply', called))],
  };
}

/** Without a name what is written next is one: the question that it goes on from is answered by its button, too. */
async function askToIssue(
  deps: BotDeps,
  ctx: BotContext,
  how: 'reply' | 'edit',
  called?: string,
): Promise<void> {
  const { accountId } = actorOf(ctx);
  const payload: Issue = { accountId, name: called };
  const data = await createConfirmation(deps, ctx, { action: ISSUE, payload });
  const html =
    called === undefined ? ctx.say('key-ask-issue') : ctx.say('key-ask-issue-named', { key: name(called) });
  await show(ctx, html, confirmKeyboard(ctx, data, { label: ctx.label('key-button-issue') }), how);
  if (called === undefined) await enter(ctx, NAME_KEY, { confirmationId: data.slice(ISSUE.length + 1) });
}

async function askToRevoke(
  deps: BotDeps,
  ctx: BotContext,
  key: ApiKeySummary,
  how: 'reply' | 'edit',
): Promise<void> {
  const { id, prefix } = key;
  const { accountId } = actorOf(ctx);
  const addresses = deps.core.apiKeys.listAddresses(actorOf(ctx), id);
  const payload: Revocation = { id, prefix, accountId, removed: addresses.map((address) => address.id) };
  const data = await createConfirmation(deps, ctx, { action: REVOKE, payload });
  const question = ctx.say('key-ask-revoke', describeKey(deps, ctx, key));
  const style = 'danger';
  if (addresses.length === 0) {
    const label = ctx.label('key-button-revoke-now');
    return show(ctx, question, confirmKeyboard(ctx, data, { label, style }), how);
  }
  const hosts = addresses.map(({ host }) => `<code>${escapeHtml(host)}</code>`);
  const keyboard = new InlineKeyboard()
    .text(ctx.label('key-button-revoke-all', { count: addresses.length }), data)
    .style(style)
    .row()
    .text(ctx.label('key-button-revoke-only'), `${data}:${KEY_ALONE}`)
    .style(style)
    .text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`);
  await show(ctx, [question, ctx.say('key-addresses'), ...hosts].join('\n'), keyboard, how);
}

function issue(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Issue>(deps, ctx, ISSUE, async ({ id, payload, confirmation, isDone, result }) => {
    const actor = actorOf(ctx);
    if (isDone) return;
    if (payload.accountId !== actor.accountId) return editHtml(ctx, ctx.say('confirmation-elsewhere'));
    const inTransaction = deps.store.inTransaction((issued: OrderAnswer) => ({
      confirmation,
      messages: formatIssued(ctx, issued, result),
    }));
    await deps.core.apiKeys.issueOrdered(actor, id, inTransaction, payload.name);
  });
}

/** The key itself, once; and the message that ends it should it be lost. */
function formatIssued(
  ctx: BotContext,
  issued: OrderAnswer,
  result: Action<unknown>['result'],
): OutgoingRow[] {
  const { id, prefix } = issued;
  if (issued.status === 'alreadyRevoked') return [result(formatRevoked(ctx, prefix))];
  const { key } = issued;
  const copy = [[{ text: ctx.label('key-button-copy'), copy_text: { text: key } }]];
  const shown = { html: ctx.say('key-shown', { key }), keyboard: { inline_keyboard: copy } };
  const label = ctx.label('key-button-revoke', { key: `${prefix}…` });
  const revoking = new InlineKeyboard().text(label, `key:revoke:${id}`);
  return [result(shown, { apart: 'key' }), result(toOutgoing(ctx.say('key-issued', { prefix }), revoking))];
}

function revoke(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Revocation>(
    deps,
    ctx,
    REVOKE,
    async ({ payload, choice, confirmation, isDone, result }) => {
      const { id, prefix, accountId } = payload;
      const removed = choice === KEY_ALONE ? [] : payload.removed;
      if (isDone) return;
      if (accountId !== actorOf(ctx).accountId) return editHtml(ctx, ctx.say('confirmation-elsewhere'));
      const messages = [result(formatRevoked(ctx, prefix))];
      const inTransaction = deps.store.inTransaction(() => ({ confirmation, messages }));
      const { status } = await deps.core.apiKeys.revoke(actorOf(ctx), id, inTransaction, removed);
      if (status === 'unknownKey') await editHtml(ctx, ctx.say('key-unknown'));
    },
  );
}

const formatRevoked = (ctx: BotContext, prefix: string) =>
  toOutgoing(
    ctx.say('key-revoked', { prefix }),
    new InlineKeyboard().text(ctx.label('key-button-list'), 'key:list:0'),
  );

/** What tells a key from the others: what it is for, its beginning, when it was made and used. */
function describeKey(deps: BotDeps, ctx: BotContext, { prefix, name: called, ...key }: ApiKeySummary) {
  const zone = zoneOf(deps, ctx.actor);
  return {
    key: called === undefined ? `${prefix}…` : `${name(called)}, ${prefix}…`,
    created: formatDay(ctx.language, key.createdAt, zone),
    used: key.lastUsedAt === undefined ? '' : formatMoment(ctx.language, key.lastUsedAt, zone),
    isUsed: key.lastUsedAt === undefined ? 'no' : 'yes',
  };
}

function listLive({ core }: BotDeps, ctx: BotContext): ApiKeySummary[] {
  return core.apiKeys.list(actorOf(ctx)).filter(({ revoked }) => !revoked);
}

async function showList(deps: BotDeps, ctx: BotContext, page: number, how: 'reply' | 'edit'): Promise<void> {
  const live = listLive(deps, ctx);
  const dataOf = (other: number) => `key:list:${other}`;
  const { shown, beside } = cutListPage(live, { page, size: PAGE, dataOf });
  const lines = shown.map((key) => ctx.say('key-line', describeKey(deps, ctx, key)));
  const keyboard = new InlineKeyboard().text(ctx.label('key-button-new'), 'key:new').row();
  for (const { id, prefix, name: called } of shown) {
    const key = called === undefined ? `${prefix}…` : shorten(called, LONGEST_LABEL);
    keyboard.text(ctx.label('key-button-revoke', { key }), `key:revoke:${id}`).row();
  }
  addPages(keyboard, ctx, beside);
  const title = ctx.say(live.length === 0 ? 'key-none' : 'key-title', { count: live.length });
  await show(ctx, [title, ...lines].join('\n'), keyboard, how);
}
