// Codes to paste: fresh ones, and some that go wrong, each in its way.
import { html, nothing } from 'lit/html.js';

import { icon } from './signs.js';

/** All of them, the fresh ones first. */
export function samplesView(app) {
  return html`<section class="block" aria-label=${app.t.samplesTitle}>
    <h2>${app.t.samplesTitle}</h2>
    <p class="about">${app.t.samplesAbout}</p>
    <ul class="samples">
      ${app.samples.map((sample) => sampleView(app, sample))}
    </ul>
  </section>`;
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
