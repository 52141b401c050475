// The chat: whom one can be, who one is now, what was said, and where one writes.
import { html } from 'hono/html';

import { messageView } from './message.ts';
import { PERSONAS, type ChatKey, type PersonKey } from './personas.ts';
import { icon } from './signs.ts';
import { does, fill, sets, when, type Html, type View } from './view.ts';
import type { Words } from './words.ts';

const CHATS: readonly ChatKey[] = [...PERSONAS.map(({ key }) => key), 'group'];
// What answers in a group; the rest says "in private".
const IN_GROUP = new Set(['start', 'help', 'stock', 'quota', 'receipt']);

/** The middle of the page. */
export function chatView(view: View): Html {
  const { play, t, chat } = view;
  const action = play.typing(chat);
  const doing = action && html`<span class="dots"></span>${t[typingWords(action)]}`;
  return html`<main class="chat" aria-label="${t.chatLabel}">
    <nav class="people" aria-label="${t.peopleLabel}" data-arrows>
      ${CHATS.map((key) => personView(view, key))}
    </nav>
    ${whoView(view)}
    <p id="lost" class="connection waiting" role="status" data-own hidden>${t.lost}</p>
    <div class="log-frame">
      <div
        id="log"
        class="log"
        role="log"
        aria-label="${t.messages}"
        aria-live="polite"
        tabindex="0"
        data-chat="${chat}"
      >
        ${logView(view)}
      </div>
      <button id="to-newest" class="to-newest" type="button" aria-label="${t.toNewest}" data-own hidden>
        ${icon('down')}
      </button>
    </div>
    <p class="typing" role="status">${doing}</p>
    ${composerView(view)}
  </main>`;
}

/** How a person is called; on a button that has no room for more, by a shorter name. */
export function nameOf({ language, t }: View, chat: ChatKey): string {
  return PERSONAS.find(({ key }) => key === chat)?.names[language] ?? t.group;
}

const typingWords = (action: string): keyof Words =>
  action === 'upload_photo' || action === 'upload_document' ? action : 'typing';

function personView(view: View, chat: ChatKey): Html {
  const { play, t } = view;
  const name = nameOf(view, chat);
  const short = PERSONAS.find(({ key }) => key === chat)?.short?.[view.language] ?? name;
  const unread = chat === view.chat ? 0 : play.unread(chat);
  return html`<button
    class="person"
    type="button"
    title="${name}"
    aria-current="${String(chat === view.chat)}"
    ${sets({ as: chat, place: 'chat' })}
  >
    <span class="avatar ${chat}" aria-hidden="true"
      >${chat === 'group' ? icon('chat') : short.slice(0, 2)}</span
    >
    <span class="person-name">${short}</span>
    ${unread > 0 && html`<span class="badge">${unread}<span class="unseen"> ${t.unread}</span></span>`}
  </button>`;
}

function whoView(view: View): Html {
  const { t, chat } = view;
  const name = nameOf(view, chat);
  const about = aboutOf(view);
  const enters = chat !== 'group' && about !== t.stranger && about !== t.nobody;
  return html`<header class="who">
    <h2 id="chat-name">${chat === 'group' ? name : fill(t.youAre, name)}</h2>
    <p>${about}</p>
    ${
      enters &&
      html`<button type="button" class="to-console" ${does('console', { as: chat, chat })}>
        ${t.openConsole}
      </button>`
    }
  </header>`;
}

/** What the person of the chat is now, or what the group is. */
function aboutOf({ play, t, chat }: View): string {
  if (chat === 'group') return t.groupAbout;
  if (chat === 'host') return t.host;
  const member = play.member(play.personas.user(chat).id);
  if (member) return t[member.isOurs ? member.role : 'ownAccount'];
  return play.messages(chat).length === 0 ? t.stranger : t.nobody;
}

function logView(view: View): Html[] {
  const { play, t, chat, writer, language } = view;
  const messages = play.messages(chat);
  if (messages.length === 0) {
    return [
      html`<div class="empty">
        <p>${chat === 'group' ? t.groupHint : aboutOf(view)}</p>
        <button class="main-button" type="button" ${does('say', { as: writer, chat, text: '/start' })}>
          ${t.start}
        </button>
      </div>`,
    ];
  }
  let last = '';
  return messages.flatMap((message) => {
    const day = new Date(message.sentAt).toLocaleDateString(language, { day: 'numeric', month: 'long' });
    const heading = day === last ? [] : [html`<div class="day" data-key="${day}">${day}</div>`];
    last = day;
    return [...heading, messageView(view, message)];
  });
}

function composerView(view: View): Html {
  const { play, t, chat, writer } = view;
  const menu = play.api
    .menu(play.personas.user(writer))
    .filter(({ command }) => chat !== 'group' || IN_GROUP.has(command));
  return html`<form
    id="composer"
    class="composer"
    aria-label="${t.write}"
    ${does('say', { as: writer, chat })}
  >
    <ul
      id="commands"
      class="commands"
      role="listbox"
      tabindex="0"
      aria-label="${t.commands}"
      data-own="children"
      hidden
    >
      ${menu.map(
        ({ command, description }) =>
          html`<li id="command-${command}" role="option" aria-selected="false">
            <b>/${command}</b><span>${description}</span>
          </li>`,
      )}
    </ul>
    ${chat === 'group' && writerRow(view)}
    <div class="composer-row">
      <button
        id="menu"
        class="icon-button"
        type="button"
        title="${t.commands}"
        aria-label="${t.commands}"
        aria-haspopup="listbox"
        aria-expanded="false"
      >
        ${icon('menu')}
      </button>
      <textarea
        id="message"
        name="text"
        rows="1"
        placeholder="${t.placeholder}"
        aria-label="${t.message}"
        autocomplete="off"
        aria-autocomplete="list"
        aria-controls="commands"
      ></textarea>
      <label class="icon-button" title="${t.attach}">
        ${icon('attach')}<input id="file" class="unseen" type="file" name="file" aria-label="${t.attach}" />
      </label>
      <button class="send" type="submit" aria-label="${t.send}">${icon('send')}</button>
    </div>
  </form>`;
}

function writerRow(view: View): Html {
  const option = (key: PersonKey) =>
    html`<option value="${key}" ${when(key === view.writer, 'selected')}>${nameOf(view, key)}</option>`;
  return html`<label class="write-as"
    >${view.t.writeAs}
    <select name="writer">
      ${PERSONAS.map(({ key }) => option(key))}
    </select>
  </label>`;
}
