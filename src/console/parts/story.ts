// The timeline of a receipt: what happened, when, how long after it was asked for; gaps are drawn as gaps.
import { html } from 'hono/html';

import { MINUTE_MS } from '../../clock.ts';
import type { StoryEvent } from '../../core/index.ts';
import type { Html, ScreenContext } from '../context.ts';
import { labelPerson, link, type Tone } from './labels.ts';
import { facts } from './table.ts';
import { duration, exactTime, relativeTime, span } from './time.ts';

/** Drawn as a gap from here on. */
const GAP_MS = MINUTE_MS;

export function story(context: ScreenContext, events: readonly StoryEvent[]): Html {
  const begunAt = events[0]?.at ?? 0;
  return html`<ol class="story">
    ${events.map((event, index) => {
      const before = events[index - 1]?.at ?? event.at;
      const gap = event.at - before;
      return html`${gap >= GAP_MS && html`<li class="gap"><span>${span(context, gap)}</span></li>`}
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

type Of<Kind extends StoryEvent['kind']> = Extract<StoryEvent, { kind: Kind }>;
type Words = Html | string;

/** What each kind of event says. */
const WORDS: { [Kind in StoryEvent['kind']]: (context: ScreenContext, event: Of<Kind>) => Words } = {
  begun: renderBegun,
  codeTaken: (context, { batch }) =>
    html`${context.t('story-code-taken')} ${nameBatch(context, batch.id)} <small>${batch.supplier}</small>`,
  charged: ({ t }, { quarters }) => t('story-charged', { count: quarters / 4 }),
  chargeReturned: ({ t }, { quarters }) => t('story-returned', { count: quarters / 4 }),
  attempt: renderAttempt,
  proven: ({ t }, { isSpent, n, proof }) =>
    html`${t(isSpent ? 'story-proven-spent' : 'story-proven-not', { n: String(n) })}
      <small>${t(`story-proof-${proof}`)}</small>`,
  doubted: ({ t, ...context }, { looks, isHeld, nextLookAt: at }) =>
    html`<strong>${t('state-in_doubt')}</strong> ${t('story-looks', { count: looks })}
      ${isHeld && t('story-held')}
      ${at !== undefined && html`${t('story-next-look')} ${exactTime({ t, ...context }, at)}`}`,
  looked(context, { said, times, at, lastAt }) {
    const until = html`<small>${context.t('story-until')} ${exactTime(context, lastAt)}</small>`;
    return html`${context.t('story-looked', { count: times })}
      <strong>${context.t(`story-said-${said}`)}</strong> ${times > 1 && lastAt > at && until}`;
  },
  message: (context, { person, state }) =>
    html`${context.t(person ? 'story-message' : 'story-message-group', {
        who: person ? labelPerson(context, person) : '',
      })} <strong>${context.t(`story-message-${state}`)}</strong>`,
  settled: (context, { state, errorCode, tookMs }) =>
    html`<strong>${context.t(`state-${state}`)}</strong> ${why(context, errorCode)} ${took(context, tookMs)}`,
  webhook(context, { state, attempts, status, problem, lastAt }) {
    const { t } = context;
    const told = [t('story-webhook-tries', { count: attempts }), status && `HTTP ${status}`, problem];
    return html`${t('story-webhook')} <strong>${t(`story-webhook-${state}`)}</strong>
      <small>${told.filter(Boolean).join(' · ')}</small>
      ${lastAt !== undefined && exactTime(context, lastAt)}`;
  },
  act: (context, { what, actorLabel, reason }) =>
    html`${context.t(`story-act-${what}`)}
      <small>${labelPerson(context, actorLabel)}</small> ${reason !== undefined && html`<q>${reason}</q>`}`,
};

const renderEvent = <Kind extends StoryEvent['kind']>(context: ScreenContext, event: Of<Kind>): Words =>
  WORDS[event.kind](context, event);

const why = ({ t }: ScreenContext, errorCode: string | undefined) =>
  errorCode !== undefined && t(`error-${errorCode}`);

const took = (context: ScreenContext, ms: number | undefined) =>
  ms !== undefined && html`<small>${context.t('story-took', { span: duration(context, ms) })}</small>`;

const TONES: Record<string, Tone> = {
  ...{ redeemed: 'good', spent: 'good', delivered: 'good', failed: 'bad', not_spent: 'bad' },
  ...{ unknown: 'doubt', open: 'wait', waiting: 'wait', sent: 'calm' },
};

function toneOf(event: StoryEvent): Tone {
  if (event.kind === 'doubted') return 'doubt';
  if (event.kind === 'proven') return event.isSpent ? 'good' : 'bad';
  return ('state' in event ? TONES[event.state] : undefined) ?? 'calm';
}

/** A link for who may look at it. */
function nameBatch({ t, can, core, member }: ScreenContext, id: number): Words {
  const name = t('story-batch', { id: String(id) });
  const isTheirs = member !== undefined && can('undoImport') && core.batches.find(member, id) !== undefined;
  return isTheirs ? link(`/batches/${id}`, name) : name;
}

/** Its order is a link for who may look at orders: whoever may redeem. */
function renderBegun(context: ScreenContext, { actorLabel, order }: Of<'begun'>): Html {
  const { t, can } = context;
  const door = actorLabel.kind === 'apiKey' ? 'program' : 'chat';
  const name = order && t('story-order', { name: order.reference ?? order.id });
  return html`<strong>${t('story-begun', { who: labelPerson(context, actorLabel) })}</strong>
    <small>${t(`story-door-${door}`)}</small>
    ${name !== undefined && can('redeem') ? link(`/orders/${order?.id}`, name) : name}`;
}

function renderAttempt(context: ScreenContext, event: Of<'attempt'>): Html {
  const { t } = context;
  const { n, isResend, state, tookMs, errorCode, host } = event;
  const known = Object.entries(host ?? {}).filter(([key]) => key !== 'answer');
  const ofHost = html`<details>
    <summary>${t('story-host')}</summary>
    ${facts(known.map(([key, value]) => [t(`story-host-${key}`), html`<code>${value}</code>`]))}
    ${host?.answer !== undefined && html`<pre>${host.answer}</pre>`}
  </details>`;
  return html`${t(isResend ? 'story-resent' : 'story-sent', { n: String(n) })}
    <strong>${t(`story-attempt-${state}`)}</strong> ${why(context, errorCode)} ${took(context, tookMs)}
    ${host && ofHost}`;
}
