// Where one writes: a text that grows, commands by "/" or by their button, files by button, drop or paste, and in the
// group as whom.
import { html, nothing } from 'lit/html.js';

import { sizeOf } from './message.js';
import { toast } from './overlays.js';
import { icon } from './signs.js';

// A longer text goes as a message of its own, after the files.
const MAX_CAPTION = 1024;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_HEIGHT = 180;
// What answers in a group; the rest says "in private".
const IN_GROUP = new Set(['start', 'help', 'stock', 'quota', 'receipt']);

/** The form under the chat. */
export function composerView(app) {
  return html`<form
    class="composer"
    aria-label=${app.t.write}
    @submit=${(event) => {
      event.preventDefault();
      void send(app);
    }}
    @focusout=${(event) => hideUnless(app, event)}
  >
    ${commandList(app)} ${app.chat === 'group' ? writerRow(app) : nothing} ${stagedFiles(app)}
    <div class="composer-row">${menuButton(app)} ${field(app)} ${attachButton(app)} ${sendButton(app)}</div>
  </form>`;
}

/** Puts a text into the field, ready to send. */
export function fill(text) {
  const input = document.getElementById('message');
  input.value = text;
  grow(input);
  input.focus();
}

/** Sends what stands there: files first, the text as the caption of the first where it fits. */
export async function send(app) {
  const input = document.getElementById('message');
  const text = input.value.trim();
  const files = app.staged;
  if (text === '' && files.length === 0) return;
  input.value = '';
  app.staged = [];
  app.commands = [];
  grow(input);
  app.changed();
  const where = app.where();
  const asCaption = files.length > 0 && text !== '' && text.length <= MAX_CAPTION;
  for (const [at, file] of files.entries()) {
    const caption = asCaption && at === 0 ? { caption: text } : {};
    await app.perform({
      action: 'attach',
      ...where,
      name: file.name,
      base64: await base64Of(file),
      ...caption,
    });
  }
  if (text !== '' && !asCaption) await app.say(text);
}

function grow(input) {
  input.style.height = 'auto';
  // The height with its borders; what is shown grows no further than the list of commands.
  const wanted = input.scrollHeight + input.offsetHeight - input.clientHeight;
  input.style.height = `${Math.min(wanted, MAX_HEIGHT)}px`;
  input.style.overflowY = wanted > MAX_HEIGHT ? 'auto' : 'hidden';
}

function field(app) {
  const isOpen = app.commands.length > 0;
  return html`<textarea
    id="message"
    rows="1"
    placeholder=${app.layout === 'narrow' ? app.t.placeholderShort : app.t.placeholder}
    aria-label=${app.t.message}
    autocomplete="off"
    aria-autocomplete="list"
    aria-controls="commands"
    aria-activedescendant=${isOpen && app.chosenCommand >= 0 ? `command-${app.chosenCommand}` : ''}
    @input=${({ currentTarget }) => {
      grow(currentTarget);
      offer(app, matching(app, currentTarget.value));
    }}
    @keydown=${(event) => onKey(app, event)}
    @paste=${(event) => {
      if (event.clipboardData.files.length === 0) return;
      event.preventDefault();
      stage(app, event.clipboardData.files);
    }}
  ></textarea>`;
}

function onKey(app, event) {
  if (app.commands.length > 0 && chooseByKey(app, event)) return event.preventDefault();
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void send(app);
}

function menuButton(app) {
  const toggle = () => {
    offer(app, app.commands.length > 0 ? [] : menuOf(app));
    document.getElementById('message').focus();
  };
  return html`<button
    class="icon-button"
    type="button"
    title=${app.t.commands}
    aria-label=${app.t.commands}
    aria-haspopup="listbox"
    aria-expanded=${String(app.commands.length > 0)}
    @mousedown=${(event) => event.preventDefault()}
    @click=${toggle}
  >
    ${icon('menu')}
  </button>`;
}

function attachButton(app) {
  const pick = () => document.getElementById('picker').click();
  const take = ({ currentTarget }) => {
    stage(app, currentTarget.files);
    currentTarget.value = '';
  };
  return html`<button
      class="icon-button"
      type="button"
      title=${app.t.attach}
      aria-label=${app.t.attach}
      @click=${pick}
    >
      ${icon('attach')}
    </button>
    <input
      id="picker"
      class="unseen"
      type="file"
      multiple
      tabindex="-1"
      aria-hidden="true"
      @change=${take}
    />`;
}

function sendButton(app) {
  return html`<button class="send" type="submit" aria-label=${app.t.send}>${icon('send')}</button>`;
}

// Commands.

function menuOf(app) {
  const menu = app.personOf(app.person())?.menu ?? [];
  return app.chat === 'group' ? menu.filter(({ command }) => IN_GROUP.has(command)) : menu;
}

function matching(app, text) {
  const typed = /^\/([a-z0-9_]*)$/i.exec(text)?.[1]?.toLowerCase();
  return typed === undefined ? [] : menuOf(app).filter(({ command }) => command.startsWith(typed));
}

function offer(app, commands) {
  app.commands = commands;
  app.chosenCommand = -1;
  app.changed();
}

function hideUnless(app, { currentTarget, relatedTarget }) {
  if (app.commands.length > 0 && !currentTarget.contains(relatedTarget)) offer(app, []);
}

function commandList(app) {
  const choose = (command) => {
    fill(`/${command}`);
    void send(app);
  };
  return html`<ul
    id="commands"
    class="commands"
    role="listbox"
    tabindex="0"
    aria-label=${app.t.commands}
    ?hidden=${app.commands.length === 0}
  >
    ${app.commands.map(
      ({ command, description }, at) =>
        html`<li
          id=${`command-${at}`}
          role="option"
          aria-selected=${String(at === app.chosenCommand)}
          @mousedown=${(event) => event.preventDefault()}
          @click=${() => choose(command)}
        >
          <b>/${command}</b><span>${description}</span>
        </li>`,
    )}
  </ul>`;
}

/** Whether the key was one for the list. */
function chooseByKey(app, { key, shiftKey }) {
  const { commands, chosenCommand: chosen } = app;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined) {
    app.chosenCommand =
      chosen === -1 && step < 0 ? commands.length - 1 : (chosen + step + commands.length) % commands.length;
    document.getElementById(`command-${app.chosenCommand}`)?.scrollIntoView({ block: 'nearest' });
    app.changed();
    return true;
  }
  if (key === 'Escape') offer(app, []);
  else if (key === 'Tab' && !shiftKey) {
    fill(`/${commands[Math.max(chosen, 0)].command} `);
    offer(app, []);
  } else if (key === 'Enter' && chosen >= 0) {
    fill(`/${commands[chosen].command}`);
    void send(app);
  } else return false;
  return true;
}

// Files.

function stagedFiles(app) {
  const drop = (file) => {
    app.staged = app.staged.filter((one) => one !== file);
    app.changed();
  };
  if (app.staged.length === 0) return nothing;
  return html`<ul class="staged" aria-label=${app.t.staged}>
    ${app.staged.map(
      (file) =>
        html`<li>
          <span class="staged-name">${file.name}</span><span class="staged-size">${sizeOf(file.size)}</span>
          <button
            class="icon-button small"
            type="button"
            aria-label=${app.t.unstage(file.name)}
            @click=${() => drop(file)}
          >
            ${icon('close')}
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Takes files that were chosen, dropped or pasted. */
export function stage(app, files) {
  for (const file of files) {
    if (file.size > MAX_FILE_BYTES) toast(app.t.tooLarge(file.name));
    else app.staged = [...app.staged, file];
  }
  app.changed();
  document.getElementById('message').focus();
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

function writerRow(app) {
  const choose = ({ currentTarget }) => {
    app.writer = currentTarget.value;
    app.changed();
  };
  return html`<label class="write-as"
    >${app.t.writeAs}
    <select @change=${choose}>
      ${app.people.map(({ key }) => html`<option value=${key} ?selected=${key === app.writer}>${app.t.people[key].name}</option>`)}
    </select>
  </label>`;
}
