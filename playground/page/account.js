// What the account has now, beside the chat: codes, activations, and whether the process runs, which a press ends.
import { html } from 'lit/html.js';

const TONES = { running: 'good', starting: 'waiting', down: 'bad' };

/** The account, with its process. */
export function accountView(app) {
  const { service, t } = app;
  const { state } = service;
  return html`<section class="block" aria-label=${t.serviceTitle}>
    <h2 class="with-light">
      ${t.serviceTitle}
      <span id="process-light" class=${`light ${TONES[state]}`} role="status">${t.process[state]}</span>
    </h2>
    ${stockTable(service, t)} ${quota(service, t)}
    <button id="kill" class="soft-button" type="button" ?disabled=${state !== 'running'} @click=${app.kill}>
      ${t.kill}
    </button>
    <p class="about">${t.killAbout}</p>
  </section>`;
}

function stockTable({ stock, unit }, t) {
  const heads = [t.codes, t.available, t.reserved, t.inDoubt];
  return html`<table class="stock">
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${stock.map(
        ({ denomination, available, reserved, inDoubt }) =>
          html`<tr data-denomination=${denomination}>
            <th scope="row">${denomination} ${unit}</th>
            <td class="available">${available}</td>
            ${figure(reserved, 'waiting')} ${figure(inDoubt, 'bad')}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const figure = (number, tone) =>
  number === 0
    ? html`<td class="none">0</td>`
    : html`<td><span class=${`chip ${tone}`}>${number}</span></td>`;

function quota({ quota: { used, limit, purchased } }, t) {
  return html`<div class="quota">
    <p><span>${t.quota}</span><span id="quota-left">${t.quotaLeft(limit - used, limit, purchased)}</span></p>
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width=${100 * Math.max(0, (limit - used) / limit)} height="1"></rect>
    </svg>
    <p class="about">${t.quarter}</p>
  </div>`;
}
