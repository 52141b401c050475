// One message as an element: text, picture, document or invoice, its time and its buttons.
import { priceOf } from './actions.js';
import { el, icon, timeOf } from './dom.js';
import { withSigns } from './emoji.js';
import { showPicture } from './overlays.js';
import { richText } from './rich-text.js';

/** `mine`: written by the person who looks. `author`: the name above it, where one is shown. */
export function drawMessage(message, { mine, author, actions }) {
  if (message.service !== undefined) return el('div', { class: 'service-line' }, withSigns(message.service));
  const bubble = el('div', { class: 'bubble' });
  if (author !== undefined) {
    bubble.append(el('span', { class: 'author', 'data-person': author.key, text: author.name }));
  }
  if (message.photo) bubble.append(photo(message.photo));
  if (message.document) bubble.append(documentCard(message.document));
  if (message.invoice) bubble.append(invoiceCard(message.invoice));
  if (message.html !== '') {
    bubble.append(el('div', { class: 'text', dir: 'auto' }, richText(message.html, actions)));
  }
  bubble.append(stamp(message));
  const classes = `message ${mine ? 'mine' : 'theirs'}${message.photo ? ' with-photo' : ''}`;
  return el('article', { class: classes }, bubble, keyboard(message, actions));
}

function stamp(message) {
  const sent = new Date(message.sentAt);
  return el(
    'span',
    { class: message.editedAt === undefined ? 'stamp' : 'stamp was-edited' },
    message.editedAt === undefined ? undefined : el('span', { class: 'edited', text: 'edited' }),
    el('time', { datetime: sent.toISOString(), title: sent.toLocaleString(), text: timeOf(message.sentAt) }),
  );
}

function photo({ fileId }) {
  const address = `/play/files/${encodeURIComponent(fileId)}`;
  const picture = el('img', { src: address, alt: 'Picture', width: 640, height: 400 });
  // The height is known only when it has come: the log follows its newest message then.
  picture.addEventListener('load', () => picture.dispatchEvent(new CustomEvent('grown', { bubbles: true })));
  return el(
    'button',
    { class: 'photo', type: 'button', 'aria-label': 'Show the picture', onclick: () => showPicture(address) },
    picture,
  );
}

function documentCard({ fileId, name, bytes }) {
  return el(
    'a',
    { class: 'document', href: `/play/files/${encodeURIComponent(fileId)}`, download: name },
    el('span', { class: 'document-icon' }, icon('file')),
    el(
      'span',
      { class: 'document-text' },
      el('span', { class: 'document-name', text: name }),
      el('span', { class: 'document-size', text: `${sizeOf(bytes)} · Download` }),
    ),
  );
}

/** A size in the unit that leaves few digits. */
export function sizeOf(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function invoiceCard({ title, description, currency, totalAmount }) {
  return el(
    'div',
    { class: 'invoice' },
    el('span', { class: 'invoice-label', text: 'Invoice' }),
    el('strong', { class: 'invoice-title', text: title }),
    el('span', { class: 'invoice-about', text: description }),
    el('span', { class: 'invoice-price' }, withSigns(priceOf(currency, totalAmount))),
  );
}

function keyboard(message, actions) {
  const rows = message.keyboard.map((row, rowAt) =>
    el(
      'div',
      { class: 'keys-row' },
      ...row.map((button, at) => key(message, button, () => actions.tap(message, rowAt, at))),
    ),
  );
  const hasPay = message.keyboard.flat().some((button) => button.pay);
  if (message.invoice && !hasPay) {
    const text = `Pay ${priceOf(message.invoice.currency, message.invoice.totalAmount)}`;
    rows.push(
      el(
        'div',
        { class: 'keys-row' },
        key(message, { text, pay: true }, () => actions.pay(message)),
      ),
    );
  }
  return rows.length === 0 ? undefined : el('div', { class: 'keys' }, ...rows);
}

function key(message, button, tap) {
  let mark;
  if (button.copy_text !== undefined) mark = 'copy';
  else if (button.url !== undefined) mark = 'link';
  const made = el(
    'button',
    {
      class: button.pay ? 'key pay' : 'key',
      type: 'button',
      async onclick() {
        made.setAttribute('aria-busy', 'true');
        await tap();
        made.removeAttribute('aria-busy');
      },
    },
    el('span', { dir: 'auto' }, withSigns(button.text)),
    mark === undefined ? undefined : icon(mark),
  );
  return made;
}
