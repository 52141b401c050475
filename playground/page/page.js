// The whole page: what this is on top, then the tour, the chat and what the account has, side by side as far as there is room.
import { html, nothing } from 'lit/html.js';

import { accountView } from './account.js';
import { composerView, stage } from './composer.js';
import { logView } from './log.js';
import { peopleView, whoView } from './people.js';
import { programsView } from './programs.js';
import { samplesView } from './samples.js';
import { icon } from './signs.js';
import { tourStrip, tourView } from './tour.js';

const PANELS = {
  tour: tourView,
  account: (app) => html`${accountView(app)} ${samplesView(app)} ${programsView(app)}`,
};

const LANGUAGE_NAMES = { en: 'English', ru: 'Русский' };

/** Everything, as it stands now. */
export function pageView(app) {
  if (!app.service)
    return html`<p class="loading" role="status">${app.connected ? app.t.loading : app.t.lost}</p>`;
  const isNarrow = app.layout === 'narrow';
  return html`<div class="app" data-layout=${app.layout} data-open=${app.open.narrow}>
      ${topBar(app)} ${isNarrow ? narrow(app) : columns(app)}
    </div>
    <div id="toasts" class="toasts" role="status" aria-live="polite"></div>`;
}

function columns(app) {
  const { layout, t } = app;
  const isWide = layout === 'wide';
  return html`<div class="columns">
    ${isWide ? side(app, 'left', 'tour', t.tour.title) : tabbedSide(app)} ${chat(app)}
    ${isWide ? side(app, 'right', 'account', t.accountSide) : nothing}
  </div>`;
}

function narrow(app) {
  const { narrow: open } = app.open;
  const panel = () => html`<main class="panel"><div class="panel-body">${PANELS[open](app)}</div></main>`;
  return html`${open === 'tour' ? nothing : tourStrip(app)} ${open === 'chat' ? chat(app) : panel()}
  ${tabBar(app)}`;
}

const side = (app, place, name, label) =>
  html`<aside class="panel" data-side=${place} aria-label=${label}>
    <div class="panel-body" role="group" aria-label=${label} tabindex="0">${PANELS[name](app)}</div>
  </aside>`;

function tabbedSide(app) {
  const { open, t } = app;
  const label = `${t.tour.title}, ${t.accountSide}`;
  return html`<aside class="panel" data-side="left" aria-label=${label}>
    <div class="tabs" role="tablist" aria-label=${label} @keydown=${moveByArrows}>
      ${Object.keys(PANELS).map(
        (tab) =>
          html`<button
            id=${`tab-${tab}`}
            role="tab"
            type="button"
            aria-controls="left-panel"
            aria-selected=${String(tab === open.left)}
            tabindex=${tab === open.left ? 0 : -1}
            @click=${() => app.show(tab)}
          >
            ${t.tabs[tab]}
          </button>`,
      )}
    </div>
    ${open.left === 'tour' ? nothing : tourStrip(app)}
    <div
      id="left-panel"
      class="panel-body"
      role="tabpanel"
      aria-labelledby=${`tab-${open.left}`}
      tabindex="0"
    >
      ${PANELS[open.left](app)}
    </div>
  </aside>`;
}

function moveByArrows(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const all = [...event.currentTarget.children];
  const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
  next.click();
  next.focus();
}

function tabBar(app) {
  const tabs = ['tour', 'chat', 'account'];
  return html`<nav class="tab-bar" aria-label=${app.t.places}>
    ${tabs.map(
      (tab) =>
        html`<button
          type="button"
          aria-current=${app.open.narrow === tab ? 'page' : 'false'}
          @click=${() => app.show(tab)}
        >
          ${icon(tab)}<span>${app.t.tabs[tab]}</span>
        </button>`,
    )}
  </nav>`;
}

function chat(app) {
  const over = (event) => {
    event.preventDefault();
    event.currentTarget.dataset.drop = 'over';
  };
  const leave = ({ currentTarget, relatedTarget }) => {
    if (!currentTarget.contains(relatedTarget)) delete currentTarget.dataset.drop;
  };
  const drop = (event) => {
    event.preventDefault();
    delete event.currentTarget.dataset.drop;
    stage(app, event.dataTransfer.files);
  };
  return html`<main class="chat" aria-label=${app.t.chat} @dragover=${over} @dragleave=${leave} @drop=${drop}>
    ${peopleView(app)} ${whoView(app)}
    ${app.connected ? nothing : html`<p class="connection" role="status">${app.t.lost}</p>`} ${logView(app)}
    ${typing(app)} ${composerView(app)}
    <div class="drop" aria-hidden="true">${app.t.drop}</div>
  </main>`;
}

function typing(app) {
  const action = app.typing.get(app.chat);
  const words = action && html`<span class="dots"><i></i><i></i><i></i></span>${app.t.typing(action)}`;
  return html`<p class="typing" role="status">${words ?? nothing}</p>`;
}

function topBar(app) {
  const { t } = app;
  const other = app.language === 'en' ? 'ru' : 'en';
  return html`<header class="top">
    <h1 class="brand"><span class="brand-mark" aria-hidden="true"></span>Code Redemption Service</h1>
    <p class="what"><b>${t.what}</b> ${t.whatHere}</p>
    <div class="top-buttons">
      <button class="quiet-button" type="button" lang=${other} @click=${() => app.speak(other)}>
        ${
          app.layout === 'narrow'
            ? html`${other.toUpperCase()}<span class="unseen"> ${LANGUAGE_NAMES[other]}</span>`
            : LANGUAGE_NAMES[other]
        }
      </button>
      ${themeButton(app)}
    </div>
  </header>`;
}

// The system's choice until the visitor makes one, which is kept.
const dark = matchMedia('(prefers-color-scheme: dark)');
const kept = localStorage.getItem('theme');
if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;

function themeButton(app) {
  const isDark = (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const label = isDark ? app.t.lightColours : app.t.darkColours;
  return html`<button
    id="theme"
    class="icon-button"
    type="button"
    title=${label}
    aria-label=${label}
    @click=${() => app.paint(isDark ? 'light' : 'dark')}
  >
    ${icon(isDark ? 'sun' : 'moon')}
  </button>`;
}
