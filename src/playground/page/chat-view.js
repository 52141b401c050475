// The open chat: its head, its messages changing in place, "typing", and the way back to the newest.
import { drawMessage } from './bubble.js';
import { byId, el, icon, isAtEnd } from './dom.js';
import { drawAvatar } from './people.js';

const TYPING_MS = 5000;

/** Draws the chat that is open and keeps it drawn. */
export function startChatView(state, actions) {
  const log = byId('log');
  const newest = createNewestButton(log);
  const typing = createTyping(state);

  function draw(message) {
    const { chat } = state.get();
    const viewer = state.person();
    const mine = message.from === viewer;
    const made = drawMessage(message, { mine, author: authorOf(state, message, chat, mine), actions });
    made.dataset.at = String(message.id);
    return made;
  }

  function drawAll() {
    const messages = state.messagesOf(state.get().chat).filter(({ deleted }) => !deleted);
    log.replaceChildren(...messages.flatMap((one, at) => [...dayBefore(messages[at - 1], one), draw(one)]));
    if (messages.length === 0) log.append(emptyHint(state, actions));
    log.scrollTop = log.scrollHeight;
    newest.clear();
  }

  function drawOne({ message, isNew }) {
    if (message.chat !== state.get().chat) return;
    const atEnd = isAtEnd(log);
    const known = log.querySelector(`[data-at="${message.id}"]`);
    log.querySelector('.empty')?.remove();
    if (message.deleted) known?.remove();
    else {
      const made = draw(message);
      if (known) known.replaceWith(made);
      else log.append(made);
    }
    if (message.byBot) typing.stop(message.chat);
    if (atEnd || (isNew && message.from === state.person())) log.scrollTop = log.scrollHeight;
    else if (isNew) newest.count();
  }

  for (const topic of ['snapshot', 'chat', 'writer']) state.on(topic, drawAll);
  for (const topic of ['snapshot', 'chat', 'person']) state.on(topic, () => drawHead(state));
  state.on('message', drawOne);
  log.addEventListener('grown', () => {
    if (newest.isQuiet()) log.scrollTop = log.scrollHeight;
  });
}

function drawHead(state) {
  const { chat, groupTitle, people } = state.get();
  const person = state.personOf(chat);
  byId('chat-name').textContent = person?.name ?? groupTitle;
  byId('chat-about').textContent = person
    ? `You are the ${chat}, talking to the bot`
    : `${people.length} people and the bot`;
  drawAvatar(byId('chat-avatar'), chat, person?.name ?? groupTitle);
}

function authorOf(state, message, chat, mine) {
  if (chat !== 'group' || mine) return undefined;
  if (message.from === undefined) return { key: 'bot', name: 'Bot' };
  return { key: message.from, name: state.personOf(message.from)?.name ?? message.from };
}

function dayBefore(previous, message) {
  const day = dayOf(message);
  if (previous && dayOf(previous) === day) return [];
  return [el('div', { class: 'day', text: day })];
}

function dayOf({ sentAt }) {
  return new Date(sentAt).toLocaleDateString([], { day: 'numeric', month: 'long' });
}

function emptyHint(state, actions) {
  const { chat } = state.get();
  const about = state.personOf(chat)?.about ?? 'Only a few commands answer in a group; the rest is private.';
  return el(
    'div',
    { class: 'empty' },
    el('p', { text: about }),
    el('button', {
      class: 'main-button',
      type: 'button',
      text: 'Start',
      onclick: () => actions.say('/start'),
    }),
  );
}

function createNewestButton(log) {
  const button = byId('to-newest');
  let unseen = 0;
  const draw = () => {
    button.hidden = isAtEnd(log) && unseen === 0;
    const text = unseen === 0 ? '' : `${unseen} new message${unseen === 1 ? '' : 's'}`;
    button.replaceChildren(icon('down'), text);
    button.setAttribute('aria-label', text === '' ? 'To the newest message' : text);
  };
  const clear = () => {
    unseen = 0;
    draw();
  };
  button.addEventListener('click', () => {
    log.scrollTo({ top: log.scrollHeight, behavior: 'smooth' });
    clear();
  });
  log.addEventListener('scroll', () => (isAtEnd(log) ? clear() : draw()));
  return {
    clear,
    isQuiet: () => button.hidden,
    count() {
      unseen += 1;
      draw();
    },
  };
}

function createTyping(state) {
  const line = byId('typing');
  const until = new Map();
  const draw = () => {
    const action = until.get(state.get().chat);
    line.replaceChildren(
      ...(action === undefined
        ? []
        : [el('span', { class: 'dots' }, el('i'), el('i'), el('i')), `Bot is ${wordsOf(action)}`]),
    );
  };
  const stop = (chat) => {
    until.delete(chat);
    draw();
  };
  state.on('typing', ({ chat, action }) => {
    until.set(chat, action);
    draw();
    setTimeout(() => stop(chat), TYPING_MS);
  });
  state.on('chat', draw);
  return { stop };
}

function wordsOf(action) {
  if (action === 'upload_photo') return 'sending a picture';
  return action === 'upload_document' ? 'sending a file' : 'typing';
}
