// The timeline of a receipt: what happened, when, how long after it was asked for; gaps are drawn as gaps.
import { html } from 'hono/html';

import { MINUTE_MS } from '../../clock.ts';
import type { StoryEvent } from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import type { Tone } from './badge.ts';
import { labelPerson } from './labels.ts';
import { duration, exactTime, relativeTime, span } from './time.ts';

/** Drawn as a gap from here on. */
const GAP_MS = MINUTE_MS;

export function story(context: ScreenContext, events: readonly StoryEvent[]): Html {
  const begunAt = events[0]?.at ?? 0;
  return html`<ol class="story">
    ${events.map((event, index) => {
      const before = events[index - 1]?.at ?? event.at;
      const gap = event.at - before;
      return html`${gap >= GAP_MS ? html`<li class="gap"><span>${span(context, gap)}</span></li>` : ''}
        <li class="${toneOf(event)}">
          <p class="when">
            ${exactTime(context, event.at)}
            <small
              >${index === 0 ? relativeTime(context, event.at) : `+ ${duration(context, event.at - begunAt)}`}</small
            >
          </p>
          <div>${renderEvent(context, event)}</div>
        </li>`;
    })}
  </ol>`;
}

function toneOf(event: StoryEvent): Tone {
  switch (event.kind) {
    case 'settled':
      return event.state === 'redeemed' ? 'good' : 'bad';
    case 'doubted':
      return 'doubt';
    case 'attempt':
      return { spent: 'good', not_spent: 'bad', unknown: 'doubt', open: 'wait' }[event.state] as Tone;
    case 'proven':
      return event.isSpent ? 'good' : 'bad';
    case 'message':
      return { sent: 'calm', failed: 'bad', waiting: 'wait' }[event.state] as Tone;
    case 'webhook':
      return { delivered: 'good', failed: 'bad', waiting: 'wait' }[event.state] as Tone;
    default:
      return 'calm';
  }
}

/** A link for who may look at it. */
function nameBatch(context: ScreenContext, id: number): Html | string {
  const { t, can, core, member } = context;
  const name = t('story-batch', { id: String(id) });
  const isTheirs = member !== undefined && can('undoImport') && core.batches.find(member, id) !== undefined;
  return isTheirs ? html`<a href="${BASE}/batches/${id}">${name}</a>` : name;
}

function renderEvent(context: ScreenContext, event: StoryEvent): Html {
  const { t } = context;
  switch (event.kind) {
    case 'begun':
      return renderBegun(context, event);
    case 'codeTaken':
      return html`${t('story-code-taken')} ${nameBatch(context, event.batch.id)}
        <small>${event.batch.supplier ?? ''}</small>`;
    case 'charged':
    case 'chargeReturned':
      return html`${t(event.kind === 'charged' ? 'story-charged' : 'story-returned', {
        count: event.quarters / 4,
      })}`;
    case 'attempt':
      return renderAttempt(context, event);
    case 'proven':
      return html`${t(event.isSpent ? 'story-proven-spent' : 'story-proven-not', { n: String(event.n) })}
        <small>${t(`story-proof-${event.proof}`)}</small>`;
    case 'doubted':
      return renderDoubt(context, event);
    case 'looked':
      return renderLooked(context, event);
    case 'message':
      return html`${t(event.person ? 'story-message' : 'story-message-group', {
          who: event.person ? labelPerson(context, event.person) : '',
        })} <strong>${t(`story-message-${event.state}`)}</strong>`;
    case 'settled':
      return html`<strong>${t(`state-${event.state}`)}</strong>
        ${event.errorCode === undefined ? '' : t(`error-${event.errorCode}`)}
        <small>${t('story-took', { span: duration(context, event.tookMs) })}</small>`;
    case 'webhook':
      return renderWebhook(context, event);
    case 'act':
      return html`${t(`story-act-${event.what}`)}
        <small>${labelPerson(context, event.actorLabel)}</small>
        ${event.reason === undefined ? '' : html`<q>${event.reason}</q>`}`;
  }
}

type Of<Kind extends StoryEvent['kind']> = Extract<StoryEvent, { kind: Kind }>;

function renderBegun(context: ScreenContext, { actorLabel, order }: Of<'begun'>): Html {
  const { t } = context;
  const door = actorLabel.kind === 'apiKey' ? 'program' : 'chat';
  return html`<strong>${t('story-begun', { who: labelPerson(context, actorLabel) })}</strong>
    <small>${t(`story-door-${door}`)}</small>
    ${order ? nameOrder(context, order) : ''}`;
}

/** A link for who may look at orders: whoever may redeem. */
function nameOrder(
  { t, can }: ScreenContext,
  { id, reference }: NonNullable<Of<'begun'>['order']>,
): Html | string {
  const name = t('story-order', { name: reference ?? id });
  return can('redeem') ? html`<a href="${BASE}/orders/${id}">${name}</a>` : name;
}

function renderAttempt(context: ScreenContext, event: Of<'attempt'>): Html {
  const { t } = context;
  const { n, isResend, state, tookMs, errorCode, host } = event;
  const known = host && Object.entries(host).filter(([key]) => key !== 'answer');
  return html`${t(isResend ? 'story-resent' : 'story-sent', { n: String(n) })}
    <strong>${t(`story-attempt-${state}`)}</strong>
    ${errorCode === undefined ? '' : t(`error-${errorCode}`)}
    ${tookMs === undefined ? '' : html`<small>${t('story-took', { span: duration(context, tookMs) })}</small>`}
    ${
      known
        ? html`<details>
            <summary>${t('story-host')}</summary>
            <dl class="facts">
              ${known.map(
                ([key, value]) =>
                  html`<div>
                    <dt>${t(`story-host-${key}`)}</dt>
                    <dd><code>${value}</code></dd>
                  </div>`,
              )}
            </dl>
            ${host?.answer === undefined ? '' : html`<pre>${host.answer}</pre>`}
          </details>`
        : ''
    }`;
}

function renderDoubt(context: ScreenContext, { looks, isHeld, nextLookAt }: Of<'doubted'>): Html {
  const { t } = context;
  return html`<strong>${t('state-in_doubt')}</strong> ${t('story-looks', { count: looks })}
    ${isHeld ? t('story-held') : ''}
    ${nextLookAt === undefined ? '' : html`${t('story-next-look')} ${exactTime(context, nextLookAt)}`}`;
}

function renderLooked(context: ScreenContext, { said, times, at, lastAt }: Of<'looked'>): Html {
  const { t } = context;
  const until = times > 1 ? html`<small>${t('story-until')} ${exactTime(context, lastAt)}</small>` : '';
  return html`${t('story-looked', { count: times })}
    <strong>${t(`story-said-${said}`)}</strong> ${lastAt > at ? until : ''}`;
}

function renderWebhook(context: ScreenContext, event: Of<'webhook'>): Html {
  const { t } = context;
  const { state, attempts, status, problem, lastAt } = event;
  return html`${t('story-webhook')} <strong>${t(`story-webhook-${state}`)}</strong>
    <small
      >${[
        t('story-webhook-tries', { count: attempts }),
        status === undefined ? undefined : `HTTP ${status}`,
        problem,
      ]
        .filter((each) => each !== undefined)
        .join(' · ')}</small
    >
    ${lastAt === undefined ? '' : exactTime(context, lastAt)}`;
}
