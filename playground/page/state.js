// What the page knows: the snapshot with every event applied, what is open, what is unread. Draws nothing.

const LANGUAGES = ['en', 'ru'];

/** The state, and what applies an event to it. `changed` is called by whoever changes it otherwise. */
export function createState(changed) {
  const state = {
    changed,
    people: [],
    messages: new Map(),
    service: undefined,
    samples: [],
    connected: true,
    language: firstLanguage(),
    layout: 'wide',
    // What is open: beside the chat where there is no room for both, and on a phone.
    open: { left: 'tour', narrow: 'tour' },
    chat: 'owner',
    writer: 'owner',
    unread: new Map(),
    typing: new Map(),
    // Spoilers that were opened, as `chat/message/text`.
    opened: new Set(),
    staged: [],
    commands: [],
    chosenCommand: -1,
    copied: undefined,
    unseen: 0,
    atEnd: true,
  };
  return Object.assign(state, {
    apply: (event) => apply(state, event),
    /** Who writes now: the chat's person, or who was chosen in the group. */
    person: () => (state.chat === 'group' ? state.writer : state.chat),
    personOf: (key) => state.people.find((one) => one.key === key),
    messagesOf: (chat) => [...(state.messages.get(chat)?.values() ?? [])].filter(({ deleted }) => !deleted),
  });
}

function firstLanguage() {
  const kept = localStorage.getItem('language');
  if (LANGUAGES.includes(kept)) return kept;
  return navigator.language.startsWith('ru') ? 'ru' : 'en';
}

function apply(state, event) {
  switch (event.kind) {
    case 'snapshot':
      return takeSnapshot(state, event);
    case 'message':
      return takeMessage(state, event.message);
    case 'person':
      state.people = state.people.map((one) => (one.key === event.person.key ? event.person : one));
      return;
    case 'typing':
      state.typing.set(event.chat, event.action);
      return;
    case 'service':
      state.service = event.service;
      return;
    case 'samples':
      state.samples = event.samples;
      return;
  }
}

function takeSnapshot(state, { people, messages, service, samples }) {
  Object.assign(state, { people, service, samples });
  state.messages = new Map();
  for (const message of messages) keep(state, message);
}

function takeMessage(state, message) {
  const isNew = keep(state, message);
  if (message.byBot) state.typing.delete(message.chat);
  if (
    isNew &&
    state.chat !== message.chat &&
    message.byBot &&
    !message.deleted &&
    !isGreeting(state, message)
  ) {
    state.unread.set(message.chat, (state.unread.get(message.chat) ?? 0) + 1);
  }
}

/** Everybody is greeted when the page opens, and in each language that it is read in, which is no news. */
function isGreeting({ messages }, { chat, id }) {
  const [first, second] = [...messages.get(chat).values()].filter(({ deleted }) => !deleted);
  return !first.byBot && /\/start\b/.test(first.html) && second?.id === id;
}

function keep(state, message) {
  const chat = state.messages.get(message.chat) ?? new Map();
  state.messages.set(message.chat, chat);
  const isNew = !chat.has(message.id);
  chat.set(message.id, message);
  return isNew;
}

/** The numbers of the receipts that a message of the bot names, in their order. */
export function receiptsIn({ byBot, html }) {
  if (!byBot) return [];
  return [...new Set([...html.matchAll(/\/receipt_(\d+)/g)].map(([, number]) => Number(number)))];
}
