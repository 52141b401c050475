// The whole page: what this is on top, then the tour, the chat and what the account has. All of it is drawn; the
// styles show side by side what there is room for.
import { html } from 'hono/html';

import { chatView } from './chat.ts';
import { isPaid, payDialog } from './message.ts';
import { PERSONAS } from './personas.ts';
import { icon } from './signs.ts';
import { tourStrip, tourView } from './tour-view.ts';
import { copies, does, sets, when, type Html, type View } from './view.ts';

const LANGUAGE_NAMES = { en: 'English', ru: 'Русский' };
const PLACES = ['tour', 'chat', 'account'] as const;

/** Everything, as it stands now. */
export function pageView(view: View): Html {
  const { t, language, place, side } = view;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        <title>Code Redemption Service</title>
        <link rel="icon" type="image/svg+xml" href="/icon.svg" />
        ${['page', 'chat', 'panels'].map((name) => html`<link rel="stylesheet" href="/${name}.css" />`)}
        <script type="module" src="/page.js"></script>
      </head>
      <body data-place="${place}" data-side="${side}" data-copied="${t.copied}">
        ${topBar(view)}
        <noscript>This page needs JavaScript.</noscript>
        <div class="columns">${sides(view)} ${chatView(view)} ${accountSide(view)}</div>
        <nav class="tab-bar" aria-label="${t.places}">
          ${PLACES.map(
            (one) =>
              html`<button
                type="button"
                aria-current="${one === place ? 'page' : 'false'}"
                ${sets({ place: one })}
              >
                ${icon(one)}<span>${t[one]}</span>
              </button>`,
          )}
        </nav>
        ${dialogs(view)}
        <div id="toasts" class="toasts" role="status" aria-live="polite" data-own="children"></div>
        <dialog id="alert" class="box" data-own="children">
          <p></p>
          <div class="box-buttons"><button class="main-button" type="button" data-close>${t.ok}</button></div>
        </dialog>
      </body>
    </html>`;
}

function topBar({ t, language }: View): Html {
  const other = language === 'en' ? 'ru' : 'en';
  return html`<header class="top">
    <h1 class="brand"><img src="/icon.svg" alt="" width="30" height="30" />Code Redemption Service</h1>
    <p class="what"><b>${t.what}</b> ${t.whatHere}</p>
    <button class="quiet-button" type="button" lang="${other}" ${does('language', { language: other })}>
      ${LANGUAGE_NAMES[other]}
    </button>
  </header>`;
}

/** The tour; where there is no room for three columns, with tabs for what else stands there. */
function sides(view: View): Html {
  const { t, side } = view;
  const tab = (one: View['side']) =>
    html`<button
      id="tab-${one}"
      role="tab"
      type="button"
      aria-controls="${one}-panel"
      aria-selected="${String(one === side)}"
      tabindex="${one === side ? 0 : -1}"
      ${sets({ side: one })}
    >
      ${t[one]}
    </button>`;
  return html`<div class="tabs" role="tablist" aria-label="${t.places}" data-arrows>
      ${tab('tour')}${tab('account')}
    </div>
    <aside id="tour-panel" class="panel tour" aria-label="${t.tourTitle}" tabindex="0">
      ${tourView(view)}
    </aside>
    ${tourStrip(view)}`;
}

function accountSide(view: View): Html {
  const { t } = view;
  return html`<aside
    id="account-panel"
    class="panel account-panel"
    aria-label="${t.accountSide}"
    tabindex="0"
  >
    ${accountView(view)} ${samplesView(view)} ${programsView(view)}
  </aside>`;
}

const TONES = { running: 'good', starting: 'waiting', down: 'bad' };

/** What the account has now, with its process, which a press ends. */
function accountView({ play, t, language }: View): Html {
  const state = play.service.state();
  const { stock, quota } = play.account();
  const left = quota.left.toLocaleString(language);
  return html`<section class="block" aria-label="${t.serviceTitle}">
    <h2>
      ${t.serviceTitle}
      <span id="process-light" class="light ${TONES[state]}" role="status">${t[state]}</span>
    </h2>
    <table class="stock">
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
              <td><span class="${reserved ? 'chip waiting' : 'none'}">${reserved}</span></td>
              <td><span class="${inDoubt ? 'chip bad' : 'none'}">${inDoubt}</span></td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="quota">
      <span>${t.quota}</span>
      <span id="quota-left">${left} ${t.of} ${quota.limit} (${t.day}) + ${quota.purchased} ${t.bought}</span>
    </p>
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="${(100 * Math.max(0, quota.left)) / quota.limit}" height="1"></rect>
    </svg>
    <p class="about">${t.quarter}</p>
    <button
      id="kill"
      class="soft-button"
      type="button"
      ${when(state !== 'running', 'disabled')}${does('kill')}
    >
      ${t.kill}
    </button>
    <p class="about">${t.killAbout}</p>
  </section>`;
}

function samplesView({ play, t, language }: View): Html {
  return html`<section class="block" aria-label="${t.samplesTitle}">
    <h2>${t.samplesTitle}</h2>
    <p class="about">${t.samplesAbout}</p>
    <ul class="samples">
      ${play.samples.map(
        ({ key, label, about }) =>
          html`<li>
            <button class="sample" type="button" ${does('copy', { key })}>
              ${icon('copy')}
              <span
                ><b><span class="unseen">${t.copy}: </span>${label[language]}</b
                >${about && html`<small>${about[language]}</small>`}</span
              >
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Where programs find what the chat has. */
function programsView({ play, t }: View): Html {
  const row = (label: string, value: string) =>
    html`<div class="copy-row">
      <span>${label}</span><code>${value}</code
      ><button class="icon-button" type="button" aria-label="${t.copy}: ${label}" ${copies(value)}>
        ${icon('copy')}
      </button>
    </div>`;
  return html`<section class="block" aria-label="${t.httpTitle}">
    <h2>${t.httpTitle}</h2>
    ${row(t.address, play.url)} ${row(t.key, play.apiKey)}
    <a class="soft-button" href="${play.url}/docs" target="_blank" rel="noopener">${t.docs}${icon('link')}</a>
  </section>`;
}

/** The boxes of all invoices that are open: the tour may stand beside another chat, or in place of it. */
const dialogs = (view: View): Html[] =>
  PERSONAS.flatMap(({ key }) => {
    const there = { ...view, chat: key, writer: key };
    return view.play
      .messages(key)
      .filter(({ invoice }) => invoice && !isPaid(there, invoice))
      .map((message) => payDialog(there, message));
  });
