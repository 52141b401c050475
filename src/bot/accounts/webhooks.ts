// /webhooks: addresses that are told of events: add (the signing secret is shown once), test, last deliveries, switch
// on again, remove. The secret goes out through the outbox, kept with the address in one transaction.
import { InlineKeyboard } from 'grammy';

import { WEBHOOK_EVENTS, type AddAnswer, type WebhookEvent } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { runAction, type Action } from '../outbox/actions.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoing } from '../outgoing.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { findConfirmation, createConfirmation } from '../prompts/confirmations.ts';
import { enter } from '../prompts/start-conversation.ts';
import { showWebhook, showWebhooks, formatWebhookEvent, formatWebhookUrl } from './webhooks-cards.ts';
import { ADD_WEBHOOK, createWebhookConversation } from './webhooks-conversation.ts';

const ADD = 'hook-add';
const REMOVE = 'hook-remove';

/** A registration that is to be confirmed. */
interface Registration {
  accountId: number;
  url: string;
  events: WebhookEvent[];
}

/** A removal, and how the address was shown. */
interface Removal {
  accountId: number;
  id: number;
  url: string;
}

export function createWebhooksFeature(deps: BotDeps): Feature {
  const handlers = new Handlers();
  const allowed = requires('manageWebhooks');
  const { webhooks } = deps.core;

  handlers.command('webhooks', allowed, async (ctx) => {
    const url = ctx.match.trim();
    if (url === '') return showWebhooks(deps, ctx, 'reply');
    await askForEvents(deps, ctx, url);
  });
  handlers.callbackQuery('hook:list', allowed, async (ctx) => {
    answerTap(ctx);
    await showWebhooks(deps, ctx, 'edit');
  });
  handlers.callbackQuery('hook:new', allowed, async (ctx) => {
    answerTap(ctx);
    await enter(ctx, ADD_WEBHOOK, {});
  });
  handlers.callbackQuery(/^hook:show:(\d{1,15})$/, allowed, async (ctx) => {
    answerTap(ctx);
    await showWebhook(deps, ctx, Number(ctx.match[1]), 'edit');
  });
  handlers.callbackQuery(/^hook:test:(\d{1,15})$/, allowed, async (ctx) => {
    const id = Number(ctx.match[1]);
    const { status } = await webhooks.test(actorOf(ctx), id);
    answerTap(ctx, ctx.label(status === 'pending' ? 'hook-tested' : 'hook-test-often'), status !== 'pending');
    await showWebhook(deps, ctx, id, 'edit');
  });
  handlers.callbackQuery(/^hook:on:(\d{1,15})$/, allowed, async (ctx) => {
    const id = Number(ctx.match[1]);
    await webhooks.enable(actorOf(ctx), id);
    answerTap(ctx);
    await showWebhook(deps, ctx, id, 'edit');
  });
  handlers.callbackQuery(/^hook:event:(\d):(.+)$/, allowed, (ctx) =>
    toggle(deps, ctx, Number(ctx.match[1]), ctx.match[2] ?? ''),
  );
  handlers.callbackQuery(/^hook:remove:(\d{1,15})$/, allowed, (ctx) =>
    askToRemove(deps, ctx, Number(ctx.match[1])),
  );
  handlers.callbackQuery(new RegExp(`^${ADD}:`), allowed, (ctx) => add(deps, ctx));
  handlers.callbackQuery(new RegExp(`^${REMOVE}:`), allowed, (ctx) => remove(deps, ctx));
  return {
    commands: [{ name: 'webhooks', for: 'manageWebhooks' }],
    handlers,
    conversations: [createWebhookConversation((ctx, url) => askForEvents(deps, ctx, url))],
  };
}

/** The last confirmation, with a button for each event; or what is wrong with the address. Whether it was asked. */
async function askForEvents(deps: BotDeps, ctx: BotContext, url: string): Promise<boolean> {
  const actor = actorOf(ctx);
  const checked = await deps.core.webhooks.check(actor, url);
  if ('flaw' in checked) {
    await reply(ctx, ctx.say(`hook-flaw-${checked.flaw.toLowerCase()}`));
    return false;
  }
  const asked: Registration = { accountId: actor.accountId, url: checked.url, events: [...WEBHOOK_EVENTS] };
  await showRegistration(deps, ctx, asked, 'reply');
  return true;
}

async function showRegistration(
  deps: BotDeps,
  ctx: BotContext,
  asked: Registration,
  how: 'reply' | 'edit',
): Promise<void> {
  const data = await createConfirmation(deps, ctx, { action: ADD, payload: asked });
  const keyboard = new InlineKeyboard();
  WEBHOOK_EVENTS.forEach((event, index) => {
    const mark = asked.events.includes(event) ? '✅' : '⬜';
    keyboard
      .text(`${mark} ${formatWebhookEvent(ctx, event)}`, `hook:event:${index}:${data.slice(ADD.length + 1)}`)
      .row();
  });
  const confirm = confirmKeyboard(ctx, data, { label: ctx.label('hook-button-add') }).inline_keyboard;
  const below = asked.events.length === 0 ? confirm.map((row) => row.slice(1)) : confirm;
  const whole = new InlineKeyboard([...keyboard.inline_keyboard.filter((row) => row.length > 0), ...below]);
  await show(ctx, ctx.say('hook-ask-events', { url: formatWebhookUrl(asked) }), whole, how);
}

/** One event more or less: a new confirmation in place of the old one. */
async function toggle(deps: BotDeps, ctx: BotContext, index: number, confirmationId: string): Promise<void> {
  const found = findConfirmation<Registration>(deps, ctx, ADD, confirmationId);
  if (found.status === 'refused') return answerTap(ctx, ctx.label(found.key), true);
  answerTap(ctx);
  const pressed = WEBHOOK_EVENTS[index];
  const events = WEBHOOK_EVENTS.filter(
    (event) => found.payload.events.includes(event) !== (event === pressed),
  );
  await showRegistration(deps, ctx, { ...found.payload, events }, 'edit');
}

function add(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Registration>(deps, ctx, ADD, async ({ payload, confirmation, isDone, result }) => {
    const { accountId, url, events } = payload;
    if (isDone) return;
    if (accountId !== actorOf(ctx).accountId) return editHtml(ctx, ctx.say('confirmation-elsewhere'));
    const inTransaction = deps.store.inTransaction((added: AddAnswer) => ({
      confirmation,
      messages: formatAdded(ctx, added, result),
    }));
    const answer = await deps.core.webhooks.add(actorOf(ctx), { url, events }, inTransaction);
    if (answer.status === 'refused') await editHtml(ctx, ctx.say(`hook-flaw-${answer.flaw.toLowerCase()}`));
    else if (answer.status !== 'added') await editHtml(ctx, ctx.say(`hook-${answer.status.toLowerCase()}`));
  });
}

/** The secret, once and apart; and where the address is looked after. */
function formatAdded(ctx: BotContext, answer: AddAnswer, result: Action<unknown>['result']): OutgoingRow[] {
  if (answer.status !== 'added') return [];
  const { secret, webhook } = answer;
  const copy = [[{ text: ctx.label('hook-button-copy'), copy_text: { text: secret } }]];
  const shown = { html: ctx.say('hook-secret', { secret }), keyboard: { inline_keyboard: copy } };
  const further = new InlineKeyboard().text(ctx.label('hook-button-test'), `hook:test:${webhook.id}`);
  return [
    result(shown, { apart: 'secret' }),
    result(toOutgoing(ctx.say('hook-added', { url: formatWebhookUrl(webhook) }), further)),
  ];
}

async function askToRemove(deps: BotDeps, ctx: BotContext, id: number): Promise<void> {
  const { accountId } = actorOf(ctx);
  const webhook = deps.core.webhooks.list(actorOf(ctx)).find((each) => each.id === id);
  if (!webhook) return answerTap(ctx, ctx.label('hook-gone'), true);
  answerTap(ctx);
  const payload: Removal = { accountId, id, url: formatWebhookUrl(webhook) };
  const data = await createConfirmation(deps, ctx, { action: REMOVE, payload });
  const keyboard = confirmKeyboard(ctx, data, { label: ctx.label('hook-button-remove'), style: 'danger' });
  await reply(ctx, ctx.say('hook-ask-remove', { url: payload.url }), keyboard);
}

function remove(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Removal>(deps, ctx, REMOVE, async ({ payload, confirmation, isDone, result }) => {
    const { accountId, id, url } = payload;
    const actor = actorOf(ctx);
    if (isDone) return;
    if (accountId !== actor.accountId) return editHtml(ctx, ctx.say('confirmation-elsewhere'));
    if (!deps.core.webhooks.list(actor).some((each) => each.id === id)) {
      return editHtml(ctx, ctx.say('hook-gone'));
    }
    const messages = [result({ html: ctx.say('hook-removed', { url }) })];
    await deps.core.webhooks.remove(
      actor,
      id,
      deps.store.inTransaction(() => ({ confirmation, messages })),
    );
  });
}
