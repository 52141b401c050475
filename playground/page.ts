// The whole page: what this is on top, then the tour, the chat and what the account has. All of it is drawn; the
// styles show side by side what there is room for.
import { html } from 'hono/html';

import { chatView } from './chat.ts';
import { icon } from './signs.ts';
import { tourView } from './tour-view.ts';
import { button, copies, does, put, sets, type Html, type View } from './view.ts';

const PLACES = ['tour', 'chat', 'account'] as const;

/** Everything, as it stands now. */
export function pageView(view: View): Html {
  const { t, language, place } = view;
  const other = language === 'en' ? 'ru' : 'en';
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, interactive-widget=resizes-content" />
        <title>Code Redemption Service</title>
        <link rel="icon" type="image/svg+xml" href="/icon.svg" />
        <link rel="stylesheet" href="/page.css" />
        <script type="module" src="/page.js"></script>
      </head>
      <body data-place="${place}" data-copied="${t.copied}">
        <header class="top">
          <h1><img src="/icon.svg" alt="" width="30" height="30" />Code Redemption Service</h1>
          <p class="what"><b>${t.what}</b> ${t.whatHere}</p>
          ${button('quiet', t.other, does('language', { language: other }), put({ lang: other }))}
        </header>
        <div class="columns">
          <aside class="panel tour" aria-label="${t.tourTitle}" tabindex="0">${tourView(view)}</aside>
          ${chatView(view)}
          <aside class="panel account" aria-label="${t.accountSide}" tabindex="0">
            ${accountView(view)} ${samplesView(view)} ${programsView(view)}
          </aside>
        </div>
        <nav class="tab-bar" aria-label="${t.places}">
          ${PLACES.map((one) =>
            button('quiet', t[one], sets({ place: one }), put({ 'aria-current': String(one === place) })),
          )}
        </nav>
        <div id="toasts" role="status" data-own></div>
      </body>
    </html>`;
}

const TONES = { running: 'good', starting: 'doubt', down: 'bad' };

/** What the account has now, with its process, which a press ends. */
function accountView({ play, t, language }: View): Html {
  const state = play.service.state();
  const { stock, quota } = play.account();
  const figures = [quota.left.toLocaleString(language), t.of, quota.limit, `(${t.day})`, '+'];
  return html`<section>
    <h2>
      ${t.serviceTitle}
      <span id="process-light" class="light ${TONES[state]}" role="status">${t[state]}</span>
    </h2>
    <table>
      <thead>
        <tr>
          ${[t.codes, t.available, t.reserved, t.inDoubt].map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${stock.map(
          ({ denomination, available, reserved, inDoubt }) =>
            html`<tr data-denomination="${denomination}">
              <th scope="row">${denomination} ${play.unit}</th>
              <td class="available">${available}</td>
              <td class="${reserved ? 'doubt' : 'none'}">${reserved}</td>
              <td class="${inDoubt ? 'bad' : 'none'}">${inDoubt}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p>
      ${t.quota}: <span id="quota-left">${figures.join(' ')} ${quota.purchased} ${t.bought}</span><br />
      <small>${t.quarter}</small>
    </p>
    <p>
      ${button('button', t.kill, put({ id: 'kill', disabled: state !== 'running' }), does('kill'))}<br />
      <small>${t.killAbout}</small>
    </p>
  </section>`;
}

const samplesView = ({ play, t, language }: View): Html =>
  html`<section>
    <h2>${t.samplesTitle}</h2>
    <small>${t.samplesAbout}</small>
    ${play.samples.map(({ key, label, about }) =>
      button(
        'button sample',
        html`<b>${label[language]}</b> ${about && html`<small>${about[language]}</small>`}`,
        does('copy', { key }),
      ),
    )}
  </section>`;

/** Where programs find what the chat has. */
const programsView = ({ play, t }: View): Html =>
  html`<section>
    <h2>${t.httpTitle}</h2>
    ${copyRow(t.copy, play.url)} ${copyRow(t.copy, play.apiKey)}
    <a class="button" href="${play.url}/docs" target="_blank" rel="noopener">${t.docs}</a>
  </section>`;

export const copyRow = (copy: string, value: string): Html =>
  html`<p class="copy-row">
    <code>${value}</code
    >${button('icon-button', icon('copy'), copies(value), put({ 'aria-label': `${copy}: ${value}` }))}
  </p>`;
