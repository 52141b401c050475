// The inspector: what went between Telegram and the bot because of a message, and what a redemption is on disk and to the
// platform. Secrets come covered from the server.
import { html, nothing } from 'lit/html.js';

import { receiptsIn } from './state.js';
import { icon } from './signs.js';

const SHOWN_RECEIPTS = 12;

/** What is open, over the events. */
export function behindView(app) {
  const { behind, t } = app;
  const title = behind.kind === 'message' ? t.behindMessage : t.behindRedemption(behind.id);
  return html`<section class="behind" aria-labelledby="behind-title">
    <header class="behind-head">
      <button class="soft-button small" type="button" @click=${app.closeBehind}>
        ${icon('back')}${t.back}
      </button>
    </header>
    <h2 id="behind-title" tabindex="-1">${title}</h2>
    ${behind.data === undefined ? html`<p class="about">${t.looking}</p>` : body(app)}
  </section>`;
}

function body(app) {
  const { behind, t } = app;
  if (behind.data === null) return html`<p class="about">${t.nothingBehind}</p>`;
  return behind.kind === 'message' ? messageBody(app) : redemptionBody(app);
}

function messageBody(app) {
  const { behind, t } = app;
  const { steps } = behind.data;
  return html`${receiptLinks(app)}
    <p class="about">${steps.length === 0 ? t.nothingBehind : t.behindMessageAbout}</p>
    <ol class="wire">
      ${steps.map(
        ({ at, kind, title, body: sent, answer }) =>
          html`<li data-kind=${kind}>
            <p class="wire-way">${kind === 'update' ? t.fromTelegram : t.toTelegram}</p>
            <details ?open=${steps.length === 1}>
              <summary><code>${title}</code><time>${clockOf(at)}</time></summary>
              ${json(sent)}
              ${
                answer === undefined
                  ? nothing
                  : html`<p class="wire-way">${t.answered}</p>
                      ${json(answer)}`
              }
            </details>
          </li>`,
      )}
    </ol>
    <p class="about">${t.coveredNote}</p>`;
}

function receiptLinks(app) {
  const message = app.messages.get(app.behind.chat)?.get(app.behind.id);
  const receipts = message ? receiptsIn(message).slice(0, SHOWN_RECEIPTS) : [];
  if (receipts.length === 0) return nothing;
  return html`<p class="behind-links">
    ${receipts.map(
      (id) =>
        html`<button
          class="soft-button small"
          type="button"
          @click=${() => app.lookBehind({ kind: 'redemption', id })}
        >
          ${app.t.behindRedemption(id)}
        </button>`,
    )}
  </p>`;
}

function redemptionBody({ behind, t }) {
  const { rows, platform } = behind.data;
  return html`<h3>${t.onDisk}</h3>
    <p class="about">${t.onDiskAbout}</p>
    ${rows.map(({ table, row }) => rowTable(table, row))}
    <h3>${t.onPlatform}</h3>
    <p class="about">${platform ? t.onPlatformAbout : t.onPlatformNone}</p>
    ${platform ? rowTable('sandbox', platform) : nothing}
    <p class="about">${t.coveredNote}</p>`;
}

function rowTable(name, row) {
  return html`<table class="row" data-table=${name}>
    <caption>
      <code>${name}</code>
    </caption>
    <tbody>
      ${Object.entries(row).map(
        ([column, value]) =>
          html`<tr>
            <th scope="row">${column}</th>
            <td class=${value === null ? 'none' : ''}>${value === null ? 'null' : value}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function json(value) {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

// To the millisecond: what follows upon what is the point.
function clockOf(at) {
  const moment = new Date(at);
  return `${moment.toLocaleTimeString([], { hour12: false })}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}
