// The whole page: what this is on top, then the tour, the chat and what the account has. All of it is drawn; the
// styles show side by side what there is room for.
import { html } from 'hono/html';

import { messageView } from './message.ts';
import { CHATS, findPersona, GROUP, type ChatKey } from './personas.ts';
import { icon } from './signs.ts';
import { tourView } from './tour-view.ts';
import { button, copyRow, does, fill, PLACES, put, sets, type Html, type View } from './view.ts';

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

/** The middle of the page. */
function chatView(view: View): Html {
  const { play, t, language, chat } = view;
  const about = aboutOf(view);
  const enters = chat !== 'group' && about !== t.stranger && about !== t.nobody;
  return html`<main class="chat">
    <nav class="people" aria-label="${t.peopleLabel}">${CHATS.map((key) => personView(view, key))}</nav>
    <header class="who">
      <h2 id="chat-name">
        ${chat === 'group' ? GROUP.names[language] : fill(t.youAre, findPersona(chat).names[language])}
      </h2>
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

function personView({ play, t, language, ...view }: View, chat: ChatKey): Html {
  const { names, short } = chat === 'group' ? GROUP : findPersona(chat);
  const unread = chat === view.chat ? 0 : play.unread(chat);
  return button(
    'person',
    html`<span class="avatar" aria-hidden="true">${short[language].slice(0, 2)}</span>
      <span class="person-name">${short[language]}</span>
      ${unread > 0 && html`<span class="badge">${unread}<span class="unseen"> ${t.unread}</span></span>`}`,
    sets({ as: chat, place: 'chat' }),
    put({ title: names[language], 'aria-current': String(chat === view.chat) }),
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

function logView(view: View, about: string): Html[] {
  const { play, t, chat, writer, language } = view;
  const messages = play.messages(chat);
  if (messages.length === 0) {
    const start = button('main', t.start, does('say', { as: writer, chat, text: '/start' }));
    return [html`<div class="empty">${chat === 'group' ? t.groupHint : about}<br />${start}</div>`];
  }
  const days = Map.groupBy(messages, ({ sentAt }) =>
    new Date(sentAt).toLocaleDateString(language, { day: 'numeric', month: 'long' }),
  );
  return [...days].flatMap(([day, ofDay]) => [
    html`<div class="line" data-key="${day}">${day}</div>`,
    ...ofDay.map((message) => messageView(view, message)),
  ]);
}

function composerView({ play, t, chat, writer }: View): Html {
  const commands = play.api.menu(play.personas.user(writer), play.personas.chat(chat));
  return html`<form
    id="composer"
    class="composer"
    aria-label="${t.write}"
    ${does('say', { as: writer, chat })}
  >
    ${button('icon-button', icon('menu'), put({ popovertarget: 'commands', 'aria-label': t.commands }))}
    <div id="commands" class="commands" popover>
      ${commands.map(({ command, description }) =>
        button(
          'quiet',
          html`<b>/${command}</b> ${description}`,
          put({ id: `command-${command}` }),
          does('say', { as: writer, chat, text: `/${command}` }),
        ),
      )}
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
