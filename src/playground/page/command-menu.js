// The list of commands over the composer: opened by its button, or by typing "/", which completes.
import { el } from './dom.js';

// What answers in a group; the rest says "in private".
const IN_GROUP = new Set(['start', 'help', 'stock', 'quota', 'receipt']);

/** Wires the button and the text field; choosing a command sends it, Tab only writes it. */
export function startCommandMenu(state, { form, input, menuButton, say, grow }) {
  const list = createList();
  form.append(list);
  let chosen = -1;

  function show(commands) {
    chosen = -1;
    list.replaceChildren(...commands.map((one, at) => option(one, at, () => send(one.command))));
    const open = commands.length > 0;
    list.hidden = !open;
    list.scrollTop = 0;
    for (const one of [menuButton, input]) one.setAttribute('aria-expanded', String(open));
    input.removeAttribute('aria-activedescendant');
  }

  const hide = () => show([]);

  function send(command) {
    hide();
    input.value = '';
    grow();
    input.focus();
    void say(`/${command}`);
  }

  function move(by) {
    const options = [...list.children];
    chosen = (chosen + by + options.length + (chosen === -1 && by < 0 ? 1 : 0)) % options.length;
    options.forEach((one, at) => one.setAttribute('aria-selected', String(at === chosen)));
    options[chosen].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[chosen].id);
  }

  function onKey(event) {
    if (list.hidden) return;
    const command = list.children[Math.max(chosen, 0)]?.dataset.command;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape') hide();
    else if (event.key === 'Tab' && !event.shiftKey) complete(command);
    else if (event.key === 'Enter' && chosen >= 0) send(command);
    else if (event.key === 'Enter') return hide();
    else return;
    event.preventDefault();
  }

  function complete(command) {
    input.value = `/${command} `;
    hide();
  }

  // First, so that Enter chooses here before the composer sends.
  input.addEventListener('keydown', onKey, { capture: true });
  input.addEventListener('input', () => show(matching(state, input.value)));
  input.addEventListener('blur', () =>
    setTimeout(() => list.contains(document.activeElement) || hide(), 150),
  );
  menuButton.addEventListener('click', () => {
    if (list.hidden) show(menuOf(state));
    else hide();
    input.focus();
  });
  state.on('chat', hide);
}

function createList() {
  return el('ul', {
    id: 'commands',
    class: 'commands',
    role: 'listbox',
    'aria-label': 'Commands',
    hidden: true,
  });
}

function menuOf(state) {
  const menu = state.personOf(state.person())?.menu ?? [];
  return state.get().chat === 'group' ? menu.filter(({ command }) => IN_GROUP.has(command)) : menu;
}

function matching(state, text) {
  const typed = /^\/([a-z0-9_]*)$/i.exec(text)?.[1]?.toLowerCase();
  return typed === undefined ? [] : menuOf(state).filter(({ command }) => command.startsWith(typed));
}

function option({ command, description }, at, choose) {
  return el(
    'li',
    {
      id: `command-${at}`,
      role: 'option',
      'aria-selected': 'false',
      'data-command': command,
      // The text field keeps the focus.
      onmousedown: (event) => event.preventDefault(),
      onclick: choose,
    },
    el('b', { text: `/${command}` }),
    el('span', { text: description }),
  );
}
