// Where programs find what the chat has: address, key and documentation of the HTTP interface.
import { html } from 'lit/html.js';

import { copyButton } from './overlays.js';
import { icon } from './signs.js';

/** All three. */
export function programsView(app) {
  const { service, t } = app;
  return html`<section class="block" aria-label=${t.httpTitle}>
    <h2>${t.httpTitle}</h2>
    ${copyRow(app, t.address, service.apiUrl)} ${copyRow(app, t.key, service.apiKey)} ${docsLink(app)}
  </section>`;
}

/** To the documentation of the interface, where every call can be tried. */
export const docsLink = ({ service, t }) =>
  html`<a class="soft-button small" href=${`${service.apiUrl}/docs`} target="_blank" rel="noopener"
    >${t.docs}${icon('link')}</a
  >`;

const copyRow = (app, label, value) =>
  html`<div class="copy-row">
    <span>${label}</span><code>${value}</code>${copyButton(app, label, value)}
  </div>`;
