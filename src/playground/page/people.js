// The list at the left: six people and the group, with what is unread.
import { byId, el } from './dom.js';

/** Draws the list and keeps it drawn; a click opens the chat. */
export function startPeople(state) {
  const list = byId('people');
  const draw = () => {
    const { people, groupTitle } = state.get();
    const focused = document.activeElement?.getAttribute('data-chat');
    const rows = people.map(({ key, name, about }) => ({ key, name, about }));
    rows.push({ key: 'group', name: groupTitle, about: 'Everybody, and the bot' });
    list.replaceChildren(...rows.map((row) => el('li', {}, personRow(state, row))));
    if (focused) list.querySelector(`[data-chat="${focused}"]`)?.focus();
  };
  for (const topic of ['snapshot', 'person', 'chat', 'unread']) state.on(topic, draw);
  list.addEventListener('keydown', moveByArrows);
}

/** The circle with the first letter, in the person's own colour. */
export function drawAvatar(avatar, key, name) {
  avatar.dataset.person = key;
  avatar.textContent = [...name][0] ?? '';
}

function personRow(state, { key, name, about }) {
  const { chat, unread } = state.get();
  const count = unread.get(key) ?? 0;
  const avatar = el('span', { class: 'avatar', 'aria-hidden': 'true' });
  drawAvatar(avatar, key, name);
  return el(
    'button',
    {
      class: 'person',
      type: 'button',
      'data-chat': key,
      'aria-current': chat === key ? 'true' : undefined,
      onclick() {
        byId('app').dataset.view = 'chat';
        state.openChat(key);
      },
    },
    avatar,
    el(
      'span',
      { class: 'person-text' },
      el(
        'span',
        { class: 'person-name' },
        el('span', { class: 'person-own-name', text: name }),
        name.toLowerCase() === key ? undefined : el('span', { class: 'role', text: key }),
      ),
      el('span', { class: 'person-about', text: about }),
    ),
    count === 0
      ? undefined
      : el('span', { class: 'badge', text: String(count), 'aria-label': `${count} unread` }),
  );
}

function moveByArrows(event) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const all = [...byId('people').querySelectorAll('.person')];
  const next = all[all.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
