// Where one writes: a text that grows, files by button, drop or paste, and in the group as whom.
import { perform } from './actions.js';
import { sizeOf } from './bubble.js';
import { startCommandMenu } from './command-menu.js';
import { byId, el, icon } from './dom.js';
import { toast } from './overlays.js';

// A longer text goes as a message of its own, after the files.
const MAX_CAPTION = 1024;
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Builds the form. `fill(text)` puts a text into it, ready to send. */
export function startComposer(state, actions) {
  const parts = build();
  const files = createFiles(parts.files);
  startCommandMenu(state, { ...parts, say: actions.say, grow: () => grow(parts.input) });

  async function send() {
    const text = parts.input.value.trim();
    const attached = files.take();
    if (text === '' && attached.length === 0) return;
    parts.input.value = '';
    grow(parts.input);
    const where = { person: state.person(), chat: state.get().chat };
    const asCaption = attached.length > 0 && text !== '' && text.length <= MAX_CAPTION;
    for (const [at, file] of attached.entries()) {
      const caption = asCaption && at === 0 ? { caption: text } : {};
      await perform({ act: 'attach', ...where, name: file.name, base64: await base64Of(file), ...caption });
    }
    if (text !== '' && !asCaption) await perform({ act: 'say', ...where, text });
  }

  parts.form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  parts.input.addEventListener('input', () => grow(parts.input));
  parts.input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    void send();
  });
  startAttaching(parts, files);
  startWriter(state, parts);
  return {
    fill(text) {
      parts.input.value = text;
      grow(parts.input);
      parts.input.focus();
    },
  };
}

function build() {
  const form = byId('composer');
  const files = el('ul', { class: 'staged', 'aria-label': 'Files to send' });
  const writer = el('select', { 'aria-label': 'Write as' });
  const writerRow = el('label', { class: 'write-as', hidden: true }, 'Write as', writer);
  const menuButton = iconButton('menu', 'Commands', { 'aria-haspopup': 'listbox', 'aria-expanded': 'false' });
  const attach = iconButton('attach', 'Attach a file');
  const picker = el('input', {
    type: 'file',
    multiple: true,
    class: 'off-screen',
    tabindex: -1,
    'aria-hidden': 'true',
  });
  const input = el('textarea', {
    rows: 1,
    placeholder: 'Message or /',
    'aria-label': 'Message',
    autocomplete: 'off',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'commands',
  });
  const sendButton = el('button', { class: 'send', type: 'submit', 'aria-label': 'Send' }, icon('send'));
  const row = el('div', { class: 'composer-row' }, menuButton, input, attach, sendButton);
  form.append(writerRow, files, row, picker);
  return { form, files, writer, writerRow, menuButton, attach, picker, input };
}

function iconButton(name, label, more = {}) {
  return el(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': label, title: label, ...more },
    icon(name),
  );
}

function grow(input) {
  input.style.height = 'auto';
  input.style.height = `${Math.min(input.scrollHeight, 180)}px`;
}

function createFiles(list) {
  let staged = [];
  const draw = () => {
    list.replaceChildren(
      ...staged.map((file) =>
        el(
          'li',
          {},
          el('span', { class: 'staged-name', text: file.name }),
          el('span', { class: 'staged-size', text: sizeOf(file.size) }),
          el('button', {
            type: 'button',
            'aria-label': `Do not send ${file.name}`,
            text: '×',
            onclick() {
              staged = staged.filter((one) => one !== file);
              draw();
            },
          }),
        ),
      ),
    );
  };
  return {
    add(files) {
      for (const file of files) {
        if (file.size > MAX_FILE_BYTES) toast(`${file.name} is larger than 20 MB, the most a bot can take.`);
        else staged.push(file);
      }
      draw();
    },
    take() {
      const taken = staged;
      staged = [];
      draw();
      return taken;
    },
  };
}

function startAttaching({ attach, picker, input }, files) {
  const add = (chosen) => {
    files.add(chosen);
    input.focus();
  };
  attach.addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    add([...picker.files]);
    picker.value = '';
  });
  input.addEventListener('paste', (event) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    add([...event.clipboardData.files]);
  });
  const frame = document.querySelector('.chat');
  const shade = byId('drop');
  frame.addEventListener('dragover', (event) => {
    event.preventDefault();
    shade.hidden = false;
  });
  frame.addEventListener('dragleave', (event) => {
    if (!frame.contains(event.relatedTarget)) shade.hidden = true;
  });
  frame.addEventListener('drop', (event) => {
    event.preventDefault();
    shade.hidden = true;
    add([...event.dataTransfer.files]);
  });
}

function startWriter(state, { writer, writerRow, input }) {
  const draw = () => {
    const { chat, people, writer: chosen } = state.get();
    writerRow.hidden = chat !== 'group';
    writer.replaceChildren(...people.map(({ key, name }) => el('option', { value: key, text: name })));
    writer.value = chosen;
    if (matchMedia('(min-width: 720px)').matches) input.focus();
  };
  writer.addEventListener('change', () => state.setWriter(writer.value));
  state.on('snapshot', draw);
  state.on('chat', draw);
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
