// The chat: whom one can be, who one is now, what was said, and where one writes.
import { html } from 'hono/html';

import { messageView } from './message.ts';
import { CHATS, PERSONAS, type ChatKey } from './personas.ts';
import { icon } from './signs.ts';
import { button, does, fill, put, sets, type Html, type View } from './view.ts';

/** The middle of the page. */
export function chatView(view: View): Html {
  const { play, t, chat } = view;
  const about = aboutOf(view);
  const enters = chat !== 'group' && about !== t.stranger && about !== t.nobody;
  return html`<main class="chat">
    <nav class="people" aria-label="${t.peopleLabel}">${CHATS.map((key) => personView(view, key))}</nav>
    <header class="who">
      <h2 id="chat-name">${chat === 'group' ? t.group : fill(t.youAre, nameOf(view, chat))}</h2>
      <p>${about}</p>
      ${enters && button('button', t.openConsole, does('console', { as: chat, chat }))}
    </header>
    <p id="lost" role="status">${t.lost}</p>
    <div
      id="log"
      class="log"
      role="log"
      aria-label="${t.messages}"
      aria-live="polite"
      tabindex="0"
      data-chat="${chat}"
    >
      ${logView(view, about)}
    </div>
    <p class="typing" role="status">${play.isTyping(chat) && html`<span class="dots"></span> ${t.typing}`}</p>
    ${composerView(view)}
  </main>`;
}

/** How a person is called. */
export const nameOf = ({ language, t }: View, chat: ChatKey): string =>
  PERSONAS.find(({ key }) => key === chat)?.names[language] ?? t.group;

function personView(view: View, chat: ChatKey): Html {
  const { play, t } = view;
  const name = nameOf(view, chat);
  const short = PERSONAS.find(({ key }) => key === chat)?.short?.[view.language] ?? name;
  const unread = chat === view.chat ? 0 : play.unread(chat);
  return button(
    'person',
    html`<span class="avatar" aria-hidden="true">${short.slice(0, 2)}</span>
      <span class="person-name">${short}</span>
      ${unread > 0 && html`<span class="badge">${unread}<span class="unseen"> ${t.unread}</span></span>`}`,
    sets({ as: chat, place: 'chat' }),
    put({ title: name, 'aria-current': String(chat === view.chat) }),
  );
}

/** What the person of the chat is now, or what the group is. */
function aboutOf({ play, t, chat }: View): string {
  if (chat === 'group') return t.groupAbout;
  if (chat === 'host') return t.host;
  const member = play.member(play.personas.user(chat).id);
  if (member) return t[member.isOurs ? member.role : 'ownAccount'];
  return play.messages(chat).length === 0 ? t.stranger : t.nobody;
}

function logView({ play, t, chat, writer, language, ...view }: View, about: string): Html[] {
  const messages = play.messages(chat);
  if (messages.length === 0) {
    const start = button('main', t.start, does('say', { as: writer, chat, text: '/start' }));
    return [html`<div class="empty">${chat === 'group' ? t.groupHint : about}<br />${start}</div>`];
  }
  let last = '';
  return messages.flatMap((message) => {
    const day = new Date(message.sentAt).toLocaleDateString(language, { day: 'numeric', month: 'long' });
    const heading = day === last ? [] : [html`<div class="line" data-key="${day}">${day}</div>`];
    last = day;
    return [...heading, messageView({ play, t, chat, writer, language, ...view }, message)];
  });
}

function composerView({ play, t, chat, writer }: View): Html {
  const say = does('say', { as: writer, chat });
  const command = ({ command, description }: { command: string; description: string }) =>
    button(
      'quiet',
      html`<b>/${command}</b> ${description}`,
      put({ id: `command-${command}` }),
      does('say', { as: writer, chat, text: `/${command}` }),
    );
  return html`<form id="composer" class="composer" aria-label="${t.write}" ${say}>
    ${button('icon-button', icon('menu'), put({ popovertarget: 'commands', 'aria-label': t.commands }))}
    <div id="commands" class="commands" popover>
      ${play.api.menu(play.personas.user(writer), play.personas.chat(chat)).map(command)}
    </div>
    <textarea
      id="message"
      name="text"
      rows="1"
      placeholder="${t.placeholder}"
      aria-label="${t.message}"
      autocomplete="off"
    ></textarea>
    <label class="icon-button" title="${t.attach}">
      ${icon('attach')}<input class="unseen" type="file" name="file" aria-label="${t.attach}" />
    </label>
    <button class="send main" type="submit" aria-label="${t.send}">${icon('send')}</button>
  </form>`;
}
