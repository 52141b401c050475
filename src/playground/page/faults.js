// What is hard to make happen by hand: levers that each put a promise to the test, and codes that go wrong, each in its way.
import { html, nothing } from 'lit/html.js';
import { ifDefined } from 'lit/directives/if-defined.js';

import { icon } from './signs.js';

/** A lever of one of several upstreams, by its number. */
const upstreamLever = (number) => ({
  id: `upstream-${number}`,
  answers: 'platform',
  act: ({ upstreams }) => ({ action: 'upstream', number, up: !upstreams[number - 1] }),
  isOn: ({ upstreams }) => !upstreams[number - 1],
});

/** The levers; `isOn` for those that stay in force, `answers`: the kind of event that tells what came of it. */
export const LEVERS = [
  {
    id: 'timeout',
    answers: 'platform',
    act: () => ({ action: 'nextTimesOut' }),
    isOn: ({ nextTimesOut }) => nextTimesOut,
  },
  {
    id: 'platform',
    answers: 'platform',
    act: ({ platform }) => ({ action: 'platform', up: platform === 'down' }),
    isOn: ({ platform }) => platform === 'down',
  },
  upstreamLever(1),
  upstreamLever(2),
  {
    id: 'kill',
    answers: 'process',
    act: () => ({ action: 'kill' }),
    isDisabled: ({ state }) => state !== 'running',
  },
  { id: 'day', answers: 'clock', act: () => ({ action: 'jumpDay' }) },
  { id: 'redeliver', answers: 'update', act: () => ({ action: 'redeliver' }) },
];

/** The lever of this name. */
export function leverOf(id) {
  return LEVERS.find((lever) => lever.id === id);
}

/** The tab. */
export function faultsView(app) {
  const peculiar = app.samples.filter(({ key }) => !key.startsWith('fresh'));
  const fresh = app.samples.filter(({ key }) => key.startsWith('fresh'));
  return html`<section class="block" aria-label=${app.t.leversTitle}>
      <h2>${app.t.leversTitle}</h2>
      <p class="about">${app.t.leversAbout}</p>
      <ul class="levers">
        ${LEVERS.map((lever) => leverView(app, lever))}
      </ul>
    </section>
    <section class="block" aria-label=${app.t.samplesTitle}>
      <h2>${app.t.samplesTitle}</h2>
      <p class="about">${app.t.samplesAbout}</p>
      <ul class="samples">
        ${[...fresh, ...peculiar].map((sample) => sampleView(app, sample))}
      </ul>
    </section>`;
}

function leverView(app, lever) {
  const { service } = app;
  const { label, promise } = app.t.levers[lever.id](service);
  const isOn = lever.isOn?.(service);
  return html`<li>
    <button
      id=${`lever-${lever.id}`}
      class="lever"
      type="button"
      aria-pressed=${ifDefined(isOn === undefined ? undefined : String(isOn))}
      aria-describedby=${`promise-${lever.id}`}
      ?disabled=${lever.isDisabled?.(service) ?? false}
      @click=${() => app.pull(lever)}
    >
      ${label}
    </button>
    <p id=${`promise-${lever.id}`} class="about">${promise}</p>
    <p class="lever-answer" role="status">${answerOf(app, lever)}</p>
  </li>`;
}

/** What came of it, where it was pulled last: on a phone the events are on another screen. */
function answerOf(app, { id, answers }) {
  if (app.pulled?.id !== id) return nothing;
  const since = app.events.slice(app.events.lastIndexOf(app.pulled.after) + 1);
  const told = since.findLast(({ kind }) => kind === answers);
  return told === undefined ? nothing : html`${icon('check')} ${told.text[app.language]}`;
}

function sampleView(app, sample) {
  const { label, about } = app.t.samples[sample.key];
  return html`<li>
    <button class="sample" type="button" data-sample=${sample.key} @click=${() => app.copySample(sample)}>
      ${icon('copy')}<span>
        <b><span class="unseen">${app.t.copy}: </span>${label}</b
        >${about === undefined ? nothing : html`<small>${about}</small>`}
      </span>
    </button>
  </li>`;
}
