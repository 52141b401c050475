// What /webhooks shows: the list of addresses, and one with its last deliveries.
import { InlineKeyboard } from 'grammy';

import { readWebhookProblem, type Delivery, type Webhook } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { formatMoment, formatShort, zoneOf } from '../moments.ts';
import { cutShort, editHtml, show } from '../replies.ts';
import { toKeyPart } from '../texts.ts';
import { addBack } from '../prompts/paging-keyboard.ts';

type Deps = Pick<BotDeps, 'core'>;

const SHOWN = 5;
const LONGEST_URL = 200;

/** The addresses, each a button. */
export async function showWebhooks({ core }: Deps, ctx: BotContext, how: 'reply' | 'edit'): Promise<void> {
  const webhooks = core.webhooks.list(actorOf(ctx));
  const lines = webhooks.map((webhook, index) => {
    const variables = { n: String(index + 1), url: formatWebhookUrl(webhook), state: stateOf(webhook) };
    return ctx.say('hook-line', variables);
  });
  const keyboard = new InlineKeyboard();
  webhooks.forEach((webhook, index) => {
    const { host } = new URL(webhook.url);
    keyboard.text(`${index + 1}. ${cutShort(host, 40)}`, `hook:show:${webhook.id}`).row();
  });
  keyboard.text(ctx.label('hook-button-new'), 'hook:new');
  const title = ctx.say(webhooks.length === 0 ? 'hook-none' : 'hook-title');
  await show(ctx, [title, ...lines].join('\n'), keyboard, how);
}

/** One address; the list instead where it is gone. */
export async function showWebhook(
  deps: Deps,
  ctx: BotContext,
  id: number,
  how: 'reply' | 'edit',
): Promise<void> {
  const actor = actorOf(ctx);
  const webhook = deps.core.webhooks.list(actor).find((each) => each.id === id);
  if (!webhook) return showWebhooks(deps, ctx, how);
  const deliveries = deps.core.webhooks.listDeliveries(actor, id, SHOWN);
  const zone = zoneOf(deps, ctx.actor);
  const html = [
    ctx.say('hook-card', {
      url: formatWebhookUrl(webhook),
      state: stateOf(webhook),
      since: since(ctx, webhook, zone),
    }),
    ctx.say('hook-told', {
      events: webhook.events.map((event) => formatWebhookEvent(ctx, event)).join(', '),
    }),
    '',
    ctx.say(deliveries.length === 0 ? 'hook-nothing-sent' : 'hook-last'),
    ...deliveries.map((delivery) => formatDelivery(ctx, delivery, zone)),
  ];
  const keyboard = new InlineKeyboard();
  if (webhook.disabledAt === undefined) keyboard.text(ctx.label('hook-button-test'), `hook:test:${id}`);
  else keyboard.text(ctx.label('hook-button-enable'), `hook:on:${id}`);
  keyboard.text(ctx.label('hook-button-refresh'), `hook:show:${id}`).row();
  keyboard.text(ctx.label('hook-button-remove'), `hook:remove:${id}`);
  addBack(keyboard, ctx, 'hook:list');
  if (how === 'edit') await editHtml(ctx, html.join('\n'), keyboard);
  else await show(ctx, html.join('\n'), keyboard, how);
}

export function formatWebhookEvent(ctx: Pick<BotContext, 'label'>, event: string): string {
  return ctx.label(`hook-event-${event.replace('.', '-')}`);
}

/** An address may be longer than anybody reads. */
export function formatWebhookUrl({ url }: Pick<Webhook, 'url'>): string {
  return url.length > LONGEST_URL ? `${cutShort(url, LONGEST_URL)}…` : url;
}

function stateOf({ disabledAt, failingSince }: Webhook): 'on' | 'off' | 'failing' {
  if (disabledAt !== undefined) return 'off';
  return failingSince === undefined ? 'on' : 'failing';
}

function since(ctx: BotContext, { disabledAt, failingSince }: Webhook, zone: string): string {
  const at = disabledAt ?? failingSince;
  return at === undefined ? '' : formatMoment(ctx.language, at, zone);
}

function formatDelivery(ctx: BotContext, delivery: Delivery, zone: string): string {
  const { createdAt, type, state, status, problem, nextAttemptAt } = delivery;
  return ctx.say('hook-delivery', {
    when: formatShort(ctx.language, createdAt, zone),
    event: formatWebhookEvent(ctx, type),
    state: state === 'waiting' && delivery.attempts > 0 ? 'again' : state,
    status: status === undefined ? '' : String(status),
    problem: problem === undefined ? '' : formatProblem(ctx, problem),
    next: nextAttemptAt === undefined ? '' : formatShort(ctx.language, nextAttemptAt, zone),
  });
}

/** In the language of the reader; as it is kept where it is no sentence of ours. */
function formatProblem(ctx: BotContext, sentence: string): string {
  const read = readWebhookProblem(sentence);
  if (!read) return sentence;
  return ctx.label(`hook-problem-${toKeyPart(read.problem)}`, { detail: read.detail });
}
