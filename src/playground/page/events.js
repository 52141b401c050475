// What the service has, and what just happened in it, in words; a redemption leads to its rows.
import { html, nothing } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';

import { timeOf } from './message.js';
import { icon } from './signs.js';

const DAY_MS = 86_400_000;

/** The tab. */
export function eventsView(app) {
  return html`<section class="block" aria-label=${app.t.serviceTitle}>
      <h2 class="with-lights">${app.t.serviceTitle} ${lights(app)}</h2>
      ${stockTable(app)} ${quota(app)}
    </section>
    <section class="block events" aria-label=${app.t.eventsTitle}>
      <h2>${app.t.eventsTitle}</h2>
      ${eventList(app)}
    </section>`;
}

function lights({ service, t }) {
  const { state, platform, clockAheadMs } = service;
  const tone = { running: 'good', starting: 'waiting', down: 'bad' };
  const days = Math.round(clockAheadMs / DAY_MS);
  return html`<span class="lights">
    <span id="process-light" class=${`light ${tone[state]}`}>${t.process[state]}</span>
    <span class=${`light ${platform === 'up' ? 'good' : 'bad'}`}>${t.platform[platform]}</span>
    ${days === 0 ? nothing : html`<span class="light waiting">${t.clockAhead(days)}</span>`}
  </span>`;
}

function stockTable({ service, t }) {
  const { stock, unit } = service;
  return html`<table class="stock">
    <thead>
      <tr>
        <th scope="col">${t.codes}</th>
        <th scope="col">${t.available}</th>
        <th scope="col">${t.reserved}</th>
        <th scope="col">${t.inDoubt}</th>
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

function figure(number, tone) {
  return html`<td class=${number === 0 ? 'none' : ''}>
    ${number === 0 ? '0' : html`<span class=${`chip ${tone}`}>${number}</span>`}
  </td>`;
}

function quota({ service, t }) {
  const { used, limit, purchased } = service.quota;
  const share = Math.max(0, (limit - used) / limit);
  return html`<div class="quota">
    <p><span>${t.quota}</span><span id="quota-left">${t.quotaLeft(limit - used, limit, purchased)}</span></p>
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width=${100 * share} height="1"></rect>
    </svg>
    <p class="about">${t.quarter}</p>
  </div>`;
}

function eventList(app) {
  if (app.events.length === 0) return html`<p class="about">${app.t.eventsNone}</p>`;
  // Newest first: what just happened is in sight, however long the list.
  const rows = app.events.map((one, at) => ({ one, at })).reverse();
  return html`<div role="log" aria-label=${app.t.eventsTitle}>
    <ol class="event-list">
      ${repeat(
        rows,
        ({ one, at }) => `${one.at}/${at}`,
        ({ one }) => eventView(app, one),
      )}
    </ol>
  </div>`;
}

function eventView(app, { at, kind, text, redemption }) {
  // What a code ends with stays beside its dots.
  const words = text[app.language].replaceAll(/…(?=\w)/g, '…\u2060');
  const rows = html`<button
    class="text-link"
    type="button"
    aria-label=${app.t.rowsOf(redemption)}
    @click=${() => app.lookBehind({ kind: 'redemption', id: redemption })}
  >
    ${app.t.rows}
  </button>`;
  return html`<li class="event" data-kind=${kind}>
    <span class="event-icon">${icon(kind)}</span>
    <span class="event-text">${words} ${redemption === undefined ? nothing : rows}</span>
    <time>${timeOf(at)}</time>
  </li>`;
}
