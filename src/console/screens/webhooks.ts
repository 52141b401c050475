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
  ConsoleProblem,
  idIn,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { act, get, secretPage } from '../parts/acts.ts';
import { actionButton, form, textField } from '../parts/form.ts';
import { badge, link, whenFresh } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';

const toPage = { find, to: ({ id }: Webhook) => `/webhooks/${id}` };

export const webhooksScreen: Screen = {
  name: 'webhooks',
  inMenu: true,
  routes: [
    get('/webhooks', 'manageWebhooks', list),
    act('/webhooks', 'manageWebhooks', { fresh: true, run: add, form: list }),
    get('/webhooks/:id', 'manageWebhooks', show),
    act('/webhooks/:id/test', 'manageWebhooks', {
      ...{ ...toPage, refused: { tooOften: [429, 'webhook-test-often'] }, said: 'webhook-tested' },
      run: (context, { id }) => context.core.webhooks.test(memberOf(context), id),
    }),
    act('/webhooks/:id/enable', 'manageWebhooks', {
      ...{ ...toPage, said: 'webhook-enabled' },
      run: (context, { id }) => context.core.webhooks.enable(memberOf(context), id),
    }),
    act('/webhooks/:id/retry', 'manageWebhooks', {
      ...{ ...toPage, said: 'webhook-retried' },
      run: (context, { id }) =>
        context.core.webhooks.retry(memberOf(context), id, requireNumber(context.field('delivery'))),
    }),
    act('/webhooks/:id/remove', 'manageWebhooks', {
      ...{ find, to: '/webhooks', said: 'webhook-removed' },
      ask: ({ t }, { id, url }) => ({
        ...{ text: t('webhooks-ask-remove', { url }), label: t('webhooks-remove'), back: `/webhooks/${id}` },
      }),
      run: (context, { id }) => context.core.webhooks.remove(memberOf(context), id),
    }),
  ],
};

const labelEvent = ({ t }: ScreenContext, event: string) => t(`hook-event-${event.replaceAll('.', '-')}`);
const labelEvents = (context: ScreenContext, { events }: Webhook) =>
  events.map((event) => labelEvent(context, event)).join(', ');

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
  const { core, t, field: typed, refused } = context;
  const shown = table(
    t('webhooks-title'),
    core.webhooks.list(memberOf(context)),
    [
      [t('webhooks-address'), ({ id, url }) => link(`/webhooks/${id}`, url)],
      [t('webhooks-state'), (webhook) => stateOf(context, webhook)],
      [t('webhooks-events'), (webhook) => labelEvents(context, webhook), 'narrow'],
    ],
    t('webhooks-none'),
  );
  const field = textField({
    ...{ name: 'url', label: t('webhooks-url'), hint: t('webhooks-url-hint'), maxlength: 1000 },
    ...{ value: typed('url'), required: true },
  });
  const isChosen = (event: string) => refused === undefined || typed(event) === 'yes';
  const choice = (event: string) =>
    html`<label class="check"
      ><input type="checkbox" name="${event}" value="yes" ${isChosen(event) && 'checked'} />
      ${labelEvent(context, event)}</label
    >`;
  const adding = html`${field}
    <fieldset>
      <legend>${t('webhooks-events')}</legend>
      ${WEBHOOK_EVENTS.map(choice)}
    </fieldset>
    <button class="main">${t('webhooks-add')}</button>`;
  const body = html`${shown}
    <h2>${t('webhooks-add')}</h2>
    ${whenFresh(context, form('/webhooks', adding))}`;
  return page(context, { title: t('webhooks-title'), body });
}

async function add(context: ScreenContext): Promise<Html> {
  const { core, t, field } = context;
  const events = WEBHOOK_EVENTS.filter((event) => field(event) === 'yes');
  const answer = await core.webhooks.add(memberOf(context), { url: field('url').trim(), events });
  if (answer.status !== 'added') throw refusalOf(context, answer);
  return secretPage(context, {
    ...{ title: t('webhooks-added'), back: `/webhooks/${answer.webhook.id}` },
    ...{ text: t('webhooks-secret'), secret: answer.secret },
  });
}

function refusalOf({ t }: ScreenContext, answer: Exclude<AddAnswer, { status: 'added' }>): ConsoleProblem {
  if (answer.status !== 'refused') return new ConsoleProblem(409, `webhook-${toKeyPart(answer.status)}`);
  return new ConsoleProblem(400, 'invalid', { detail: t(`hook-problem-${toKeyPart(answer.flaw)}`) });
}

function show(context: ScreenContext): Html {
  const { core, t } = context;
  const webhook = find(context);
  const { id, url, createdAt, disabledAt } = webhook;
  const button = (what: string, tone: '' | 'danger' = '') =>
    actionButton(`/webhooks/${id}/${what}`, t(`webhooks-${what}`), { tone });
  const retryButton = (delivery: Delivery) =>
    actionButton(`/webhooks/${id}/retry`, t('webhooks-retry'), {
      ...{ fields: { delivery: delivery.id }, about: labelEvent(context, delivery.type) },
    });
  const deliveries = table(
    t('webhooks-deliveries'),
    core.webhooks.listDeliveries(memberOf(context), id),
    [
      [t('webhooks-when'), (delivery) => absoluteTime(context, delivery.createdAt)],
      [t('webhooks-event'), ({ type }) => labelEvent(context, type)],
      [t('webhooks-state'), (delivery) => deliveryState(context, delivery)],
      [t('webhooks-tries'), ({ attempts }) => attempts, 'number narrow'],
      ['', (each) => each.state !== 'delivered' && disabledAt === undefined && retryButton(each)],
    ],
    t('webhooks-nothing-sent'),
  );
  const body = html`${facts([
      [t('webhooks-state'), stateOf(context, webhook)],
      [t('webhooks-events'), labelEvents(context, webhook)],
      [t('webhooks-since'), absoluteTime(context, createdAt)],
    ])}
    <div class="acts">
      ${button(disabledAt === undefined ? 'test' : 'enable')} ${button('remove', 'danger')}
    </div>
    <h2>${t('webhooks-deliveries')}</h2>
    ${deliveries}`;
  return page(context, { title: url, body });
}

function deliveryState(context: ScreenContext, delivery: Delivery): Html {
  const { t } = context;
  const { state, problem, status, nextAttemptAt } = delivery;
  if (state === 'delivered') return badge('good', t('webhooks-delivered', { status: String(status ?? '') }));
  const why = html`<small>${problem && formatProblem(context, problem)}</small>`;
  if (state !== 'waiting') return html`${badge('bad', t('webhooks-failed'))} ${why}`;
  return html`${badge('wait', t('webhooks-waiting'))} ${absoluteTime(context, nextAttemptAt)} ${why}`;
}

function formatProblem({ t }: ScreenContext, sentence: string): string {
  const read = readWebhookProblem(sentence);
  return read ? t(`hook-problem-${toKeyPart(read.problem)}`, { detail: read.detail }) : sentence;
}
