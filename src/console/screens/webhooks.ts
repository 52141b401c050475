// Webhooks: the addresses that are told of events, and one of them with what it was told and how that went.
import { html } from 'hono/html';

import {
  readWebhookProblem,
  WEBHOOK_EVENTS,
  type AddAnswer,
  type Delivery,
  type Webhook,
} from '../../core/index.ts';
import { toKeyPart } from '../../locales.ts';
import {
  BASE,
  ConsoleProblem,
  goTo,
  idIn,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { badge } from '../parts/badge.ts';
import { actionButton, form, textField } from '../parts/form.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';
import { confirmation, secretPage } from './asking.ts';

export const webhooksScreen: Screen = {
  name: 'webhooks',
  inMenu: true,
  routes: [
    { method: 'GET', path: '/webhooks', needs: 'manageWebhooks', run: list },
    { method: 'POST', path: '/webhooks', needs: 'manageWebhooks', fresh: true, run: add },
    { method: 'GET', path: '/webhooks/:id', needs: 'manageWebhooks', run: show },
    { method: 'POST', path: '/webhooks/:id/test', needs: 'manageWebhooks', run: test },
    { method: 'POST', path: '/webhooks/:id/enable', needs: 'manageWebhooks', run: enable },
    { method: 'POST', path: '/webhooks/:id/retry', needs: 'manageWebhooks', run: retry },
    { method: 'POST', path: '/webhooks/:id/remove', needs: 'manageWebhooks', run: remove },
  ],
};

const formatWebhookEvent = ({ t }: ScreenContext, event: string) =>
  t(`hook-event-${event.replaceAll('.', '-')}`);

/** The address that a path names. Throws ConsoleProblem 404 for another account's. */
function find(context: ScreenContext): Webhook {
  const id = idIn(context);
  const found = context.core.webhooks.list(memberOf(context)).find((each) => each.id === id);
  if (!found) throw new ConsoleProblem(404, 'not-found');
  return found;
}

function stateOf(context: ScreenContext, { disabledAt, failingSince }: Webhook): Html {
  const { t } = context;
  if (disabledAt !== undefined)
    return html`${badge('bad', t('webhooks-off'))} ${relativeTime(context, disabledAt)}`;
  if (failingSince === undefined) return badge('good', t('webhooks-on'));
  return html`${badge('doubt', t('webhooks-failing'))} ${relativeTime(context, failingSince)}`;
}

function list(context: ScreenContext): Html {
  const { core, t } = context;
  const shown = table({
    caption: t('webhooks-title'),
    rows: core.webhooks.list(memberOf(context)),
    empty: t('webhooks-none'),
    columns: [
      {
        header: t('webhooks-address'),
        cell: ({ id, url }) => html`<a href="${BASE}/webhooks/${id}">${url}</a>`,
      },
      { header: t('webhooks-state'), cell: (webhook) => stateOf(context, webhook) },
      {
        header: t('webhooks-events'),
        hidden: 'narrow',
        cell: ({ events }) => events.map((event) => formatWebhookEvent(context, event)).join(', '),
      },
    ],
  });
  const adding = form(context, {
    action: '/webhooks',
    body: html`${textField({
        ...{ name: 'url', label: t('webhooks-url'), hint: t('webhooks-url-hint'), maxlength: 1000 },
        required: true,
      })}
      <fieldset>
        <legend>${t('webhooks-events')}</legend>
        ${WEBHOOK_EVENTS.map(
          (event) =>
            html`<label class="check"
              ><input type="checkbox" name="${event}" value="yes" checked />
              ${formatWebhookEvent(context, event)}</label
            >`,
        )}
      </fieldset>
      <button class="main">${t('webhooks-add')}</button>`,
  });
  const body = html`${shown}
    <h2>${t('webhooks-add')}</h2>
    ${adding}`;
  return page(context, { title: t('webhooks-title'), current: 'webhooks', body });
}

async function add(context: ScreenContext): Promise<Html> {
  const { core, t, field } = context;
  const events = WEBHOOK_EVENTS.filter((event) => field(event) === 'yes');
  const answer = await core.webhooks.add(memberOf(context), { url: field('url').trim(), events });
  if (answer.status !== 'added') throw refusalOf(context, answer);
  return secretPage(context, {
    ...{ title: t('webhooks-added'), current: 'webhooks', back: `/webhooks/${answer.webhook.id}` },
    text: t('webhooks-secret'),
    secret: answer.secret,
  });
}

function refusalOf({ t }: ScreenContext, answer: Exclude<AddAnswer, { status: 'added' }>): ConsoleProblem {
  if (answer.status !== 'refused') return new ConsoleProblem(409, `webhook-${toKeyPart(answer.status)}`);
  return new ConsoleProblem(400, 'invalid', { detail: t(`hook-problem-${toKeyPart(answer.flaw)}`) });
}

function show(context: ScreenContext): Html {
  const { core, t } = context;
  const webhook = find(context);
  const { id, url, events, createdAt, disabledAt } = webhook;
  const act = (what: string, tone: '' | 'danger' = '') =>
    actionButton(context, { action: `/webhooks/${id}/${what}`, label: t(`webhooks-${what}`), tone });
  const deliveries = table({
    caption: t('webhooks-deliveries'),
    rows: core.webhooks.listDeliveries(memberOf(context), id),
    empty: t('webhooks-nothing-sent'),
    columns: [
      { header: t('webhooks-when'), cell: (delivery) => absoluteTime(context, delivery.createdAt) },
      { header: t('webhooks-event'), cell: ({ type }) => formatWebhookEvent(context, type) },
      { header: t('webhooks-state'), cell: (delivery) => deliveryState(context, delivery) },
      { header: t('webhooks-tries'), kind: 'number', hidden: 'narrow', cell: ({ attempts }) => attempts },
      {
        header: '',
        cell: (delivery) =>
          delivery.state === 'delivered' || disabledAt !== undefined
            ? ''
            : actionButton(context, {
                ...{ action: `/webhooks/${id}/retry`, label: t('webhooks-retry') },
                fields: { delivery: delivery.id },
                about: formatWebhookEvent(context, delivery.type),
              }),
      },
    ],
  });
  const body = html`${facts([
      [t('webhooks-state'), stateOf(context, webhook)],
      [t('webhooks-events'), events.map((event) => formatWebhookEvent(context, event)).join(', ')],
      [t('webhooks-since'), absoluteTime(context, createdAt)],
    ])}
    <div class="acts">${act(disabledAt === undefined ? 'test' : 'enable')} ${act('remove', 'danger')}</div>
    <h2>${t('webhooks-deliveries')}</h2>
    ${deliveries}`;
  return page(context, { title: url, current: 'webhooks', body });
}

function deliveryState(context: ScreenContext, delivery: Delivery): Html {
  const { t } = context;
  const { state, problem, status, nextAttemptAt } = delivery;
  if (state === 'delivered') return badge('good', t('webhooks-delivered', { status: String(status ?? '') }));
  const why = problem === undefined ? '' : formatProblem(context, problem);
  const next = nextAttemptAt === undefined ? '' : html` ${absoluteTime(context, nextAttemptAt)}`;
  if (state === 'waiting') return html`${badge('wait', t('webhooks-waiting'))}${next} <small>${why}</small>`;
  return html`${badge('bad', t('webhooks-failed'))} <small>${why}</small>`;
}

function formatProblem({ t }: ScreenContext, sentence: string): string {
  const read = readWebhookProblem(sentence);
  return read ? t(`hook-problem-${toKeyPart(read.problem)}`, { detail: read.detail }) : sentence;
}

async function test(context: ScreenContext): Promise<Response> {
  const { id } = find(context);
  const { status } = await context.core.webhooks.test(memberOf(context), id);
  if (status === 'tooOften') throw new ConsoleProblem(429, 'webhook-test-often');
  return goTo(context, `/webhooks/${id}`, 'webhook-tested');
}

async function enable(context: ScreenContext): Promise<Response> {
  const { id } = await context.core.webhooks.enable(memberOf(context), find(context).id);
  return goTo(context, `/webhooks/${id}`, 'webhook-enabled');
}

async function retry(context: ScreenContext): Promise<Response> {
  const { id } = find(context);
  await context.core.webhooks.retry(memberOf(context), id, requireNumber(context.field('delivery')));
  return goTo(context, `/webhooks/${id}`, 'webhook-retried');
}

async function remove(context: ScreenContext): Promise<Html | Response> {
  const { id, url } = find(context);
  const { t, core, field } = context;
  if (field('sure') !== 'yes')
    return confirmation(context, {
      ...{
        action: `/webhooks/${id}/remove`,
        fields: {},
        current: 'webhooks',
        label: t('webhooks-remove'),
      },
      question: t('webhooks-ask-remove', { url }),
    });
  await core.webhooks.remove(memberOf(context), id);
  return goTo(context, '/webhooks', 'webhook-removed');
}
