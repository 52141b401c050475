// What the page knows: the snapshot with every event applied, which chat is open, what is unread. Draws nothing.

/** Keeps the state and tells listeners by topic: snapshot, message, person, typing, happening, service, samples, chat, unread, writer. */
export function createState() {
  const listeners = new Map();
  const state = {
    people: [],
    groupTitle: '',
    happenings: [],
    service: undefined,
    samples: [],
    chat: 'owner',
    writer: 'owner',
    unread: new Map(),
    messages: new Map(),
    lastReceipt: undefined,
  };
  const tell = (topic, detail) => (listeners.get(topic) ?? []).forEach((listener) => listener(detail));
  return {
    ...views(state),
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
    },
    apply: (event) => apply(state, event, tell),
    openChat(chat) {
      state.chat = chat;
      if (chat !== 'group') state.writer = chat;
      state.unread.delete(chat);
      tell('chat', chat);
      tell('unread');
    },
    setWriter(writer) {
      state.writer = writer;
      tell('writer', writer);
    },
  };
}

function views(state) {
  return {
    get: () => state,
    /** Who writes now: the chat's person, or who was chosen in the group. */
    person: () => (state.chat === 'group' ? state.writer : state.chat),
    personOf: (key) => state.people.find((one) => one.key === key),
    messagesOf: (chat) => [...(state.messages.get(chat)?.values() ?? [])],
  };
}

function apply(state, event, tell) {
  switch (event.kind) {
    case 'snapshot':
      return takeSnapshot(state, event, tell);
    case 'message':
      return takeMessage(state, event.message, tell);
    case 'person':
      state.people = state.people.map((one) => (one.key === event.person.key ? event.person : one));
      return tell('person', event.person);
    case 'typing':
      return tell('typing', event);
    case 'happening':
      state.happenings.push(event.happening);
      if (state.happenings.length > 500) state.happenings.shift();
      return tell('happening', event.happening);
    case 'service':
      state.service = event.service;
      return tell('service', event.service);
    case 'samples':
      state.samples = event.samples;
      return tell('samples');
  }
}

function takeSnapshot(state, { people, groupTitle, messages, happenings, service, samples }, tell) {
  Object.assign(state, { people, groupTitle, happenings: [...happenings], service, samples });
  state.messages = new Map();
  for (const message of messages) keep(state, message);
  tell('snapshot');
}

function takeMessage(state, message, tell) {
  const isNew = keep(state, message);
  const elsewhere = state.chat !== message.chat;
  if (isNew && elsewhere && message.byBot && !message.deleted) {
    state.unread.set(message.chat, (state.unread.get(message.chat) ?? 0) + 1);
    tell('unread');
  }
  tell('message', { message, isNew });
}

function keep(state, message) {
  const chat = state.messages.get(message.chat) ?? new Map();
  state.messages.set(message.chat, chat);
  const isNew = !chat.has(message.id);
  chat.set(message.id, message);
  const receipt = /\/receipt_(\d+)/.exec(message.html)?.[1];
  if (receipt !== undefined && message.byBot) state.lastReceipt = receipt;
  return isNew;
}
