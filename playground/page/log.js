// The messages of the open chat, by day, kept at their newest end; and where the focus goes when what had it is gone.
import { html, nothing } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';

import { messageView } from './message.js';
import { aboutOf } from './people.js';
import { icon } from './signs.js';

/** The log, with the way to what came below. */
export function logView(app) {
  const messages = app.messagesOf(app.chat);
  return html`<div class="log-frame">
    <div
      id="log"
      class="log"
      role="log"
      aria-label=${app.t.messages}
      aria-live="polite"
      tabindex="0"
      @scroll=${(event) => noteScroll(app, event.currentTarget)}
    >
      ${messages.length === 0 ? emptyHint(app) : nothing}
      ${repeat(
        withDays(app, messages),
        ({ key }) => `${app.chat}/${key}`,
        ({ day, message }) => (message ? messageView(app, message) : html`<div class="day">${day}</div>`),
      )}
    </div>
    ${newest(app)}
  </div>`;
}

function withDays(app, messages) {
  let last = '';
  return messages.flatMap((message) => {
    const day = new Date(message.sentAt).toLocaleDateString(app.language, { day: 'numeric', month: 'long' });
    const item = { key: message.id, message };
    if (day === last) return [item];
    last = day;
    return [{ key: day, day }, item];
  });
}

function emptyHint(app) {
  const about = app.chat === 'group' ? app.t.groupHint : aboutOf(app);
  return html`<div class="empty">
    <p>${about}</p>
    <button class="main-button" type="button" @click=${() => app.say('/start')}>${app.t.start}</button>
  </div>`;
}

function newest(app) {
  if (app.atEnd && app.unseen === 0) return nothing;
  const text = app.unseen === 0 ? '' : app.t.newMessages(app.unseen);
  const go = () => {
    const log = document.getElementById('log');
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    log.scrollTo({ top: log.scrollHeight, behavior: isCalm ? 'auto' : 'smooth' });
  };
  return html`<button
    class="to-newest"
    type="button"
    aria-label=${text === '' ? app.t.toNewest : text}
    @click=${go}
  >
    ${icon('down')}${text}
  </button>`;
}

function isAtEnd(log) {
  return log.scrollHeight - log.scrollTop - log.clientHeight < 48;
}

let lastTop = 0;

/** Only who scrolls up leaves the end: what grows below, as a picture that came, is followed. */
function noteScroll(app, log) {
  const wentUp = log.scrollTop < lastTop;
  lastTop = log.scrollTop;
  const atEnd = isAtEnd(log) || (app.atEnd && !wentUp);
  if (atEnd === app.atEnd && (!atEnd || app.unseen === 0)) return;
  app.atEnd = atEnd;
  if (atEnd) app.unseen = 0;
  app.changed();
}

let shown = { chat: undefined, newest: 0 };

/** Called before a drawing; the answer, called after it, keeps the log and the focus where they belong. */
export function rememberLog(app) {
  const before = document.getElementById('log');
  // What grew meanwhile, as a picture that came, does not take it away from its end.
  const wasAtEnd = !before || app.atEnd || isAtEnd(before);
  const focused = document.activeElement;
  const focusedMessage = focused?.closest?.('[data-message]')?.getAttribute('data-message');
  return () => {
    const log = document.getElementById('log');
    if (log) settleLog(app, log, wasAtEnd);
    // A button that is gone hands the focus to its message, so that nobody has to begin at the top of the page.
    if (focusedMessage && document.activeElement === document.body) {
      log?.querySelector(`[data-message="${focusedMessage}"]`)?.focus({ preventScroll: true });
    }
  };
}

function settleLog(app, log, wasAtEnd) {
  const messages = app.messagesOf(app.chat);
  const newest = messages.at(-1);
  const isNew = shown.chat === app.chat && newest !== undefined && newest.id > shown.newest;
  const moved = shown.chat !== app.chat || (isNew && newest.from === app.person());
  if (wasAtEnd || moved) {
    log.scrollTop = log.scrollHeight;
    app.unseen = 0;
    app.atEnd = true;
  } else if (isNew) {
    app.unseen += 1;
    app.atEnd = false;
    app.changed();
  }
  shown = { chat: app.chat, newest: newest?.id ?? 0 };
}
