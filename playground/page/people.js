// Whom one can be: six people and the group above the chat, with what is unread, and who one is now.
import { html, nothing } from 'lit/html.js';

import { icon } from './signs.js';

export const CHATS = ['owner', 'admin', 'operator', 'support', 'stranger', 'host', 'group'];

/** The row above the chat. */
export function peopleView(app) {
  return html`<nav class="people" aria-label=${app.t.peopleLabel} @keydown=${moveByArrows}>
    ${CHATS.map((chat) => personView(app, chat))}
  </nav>`;
}

/** Who one is, and what for. */
export function whoView(app) {
  const { name } = app.t.people[app.chat];
  return html`<header class="who">
    <h2 id="chat-name">${app.chat === 'group' ? name : app.t.youAre(name)}</h2>
    <p>${aboutOf(app)}</p>
    ${
      app.chat === 'group' || ['stranger', 'nobody'].includes(app.personOf(app.chat).membership)
        ? nothing
        : html`<button type="button" class="to-console" @click=${() => app.openConsole(app.chat)}>
            ${app.t.openConsole}
          </button>`
    }
  </header>`;
}

/** What the person of the chat is now, or what the group is. */
export function aboutOf(app) {
  return app.chat === 'group'
    ? app.t.people.group.about
    : app.t.memberships[app.personOf(app.chat).membership];
}

function personView(app, chat) {
  const { name, short = name } = app.t.people[chat];
  const unread = app.unread.get(chat) ?? 0;
  return html`<button
    class="person"
    type="button"
    data-chat=${chat}
    title=${name}
    aria-current=${app.chat === chat ? 'true' : 'false'}
    @click=${() => app.become(chat)}
  >
    <span class="avatar" data-person=${chat} aria-hidden="true"
      >${chat === 'group' ? icon('chat') : short.slice(0, 2)}</span
    >
    <span class="person-name">${short}</span>
    ${unread === 0 ? nothing : html`<span class="badge">${unread}<span class="unseen"> ${app.t.unread}</span></span>`}
  </button>`;
}

function moveByArrows(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const all = [...event.currentTarget.querySelectorAll('.person')];
  const next = all[all.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
