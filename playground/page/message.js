// One message: text, picture, document or invoice, its time, and its buttons.
import { html, nothing } from 'lit/html.js';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';

import { priceOf } from './actions.js';
import { showPicture } from './overlays.js';
import { richText } from './rich-text.js';
import { icon, withSigns } from './signs.js';

/** A message as whoever writes now sees it. */
export function messageView(app, message) {
  if (message.money !== undefined) return moneyLine(app, message);
  const mine = message.from === app.person() && message.from !== undefined;
  const speaker = message.byBot ? app.t.bot : app.t.people[message.from]?.name;
  const hasKeys = message.keyboard.length > 0 || message.invoice !== undefined;
  return html`<article
    class=${classMap({ message: true, mine, 'with-keys': hasKeys })}
    data-message=${message.id}
    tabindex="-1"
    aria-label=${`${mine ? app.t.you : speaker}, ${timeOf(message.sentAt)}`}
  >
    <div class="bubble">
      ${author(app, message, mine, speaker)} ${message.photo ? photo(app, message) : nothing}
      ${message.document ? documentCard(app, message.document) : nothing}
      ${message.invoice ? invoiceCard(app, message.invoice) : nothing}
      ${message.html === '' ? nothing : text(app, message)}
      <span class="foot">${stamp(app, message)}</span>
    </div>
    ${hasKeys ? keyboard(app, message) : nothing}
  </article>`;
}

/** Hours and minutes, as a bubble shows them. */
export function timeOf(at) {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
}

function moneyLine({ t }, { money, id }) {
  const price = priceOf(money.currency, money.totalAmount);
  const words = money.kind === 'paid' ? t.moneyPaid(price) : t.moneyBack(price);
  return html`<div class="service-line" data-message=${id}>${withSigns(words)}</div>`;
}

function author(app, message, mine, speaker) {
  if (app.chat !== 'group' || mine) return nothing;
  return html`<span class="author" data-person=${message.from ?? 'bot'}>${speaker}</span>`;
}

function text(app, message) {
  const { chat, id } = message;
  const nameOf = (covered) => `${chat}/${id}/${covered}`;
  const words = richText(message.html, {
    command: app.say,
    link: app.openLink,
    covered: app.t.covered,
    isOpen: (covered) => app.opened.has(nameOf(covered)),
    open(covered) {
      app.opened.add(nameOf(covered));
      app.changed();
    },
  });
  return html`<span class="text" dir="auto">${words}</span>`;
}

function stamp(app, { sentAt, editedAt }) {
  const sent = new Date(sentAt);
  return html`<span class="stamp"
    >${editedAt === undefined ? nothing : html`<span class="edited">${app.t.edited}</span> `}<time
      datetime=${sent.toISOString()}
      title=${sent.toLocaleString(app.language)}
      >${timeOf(sentAt)}</time
    ></span
  >`;
}

function photo(app, message) {
  const address = `/play/files/${encodeURIComponent(message.photo.fileId)}`;
  // What a picture says stands in the first line under it.
  const [about] = new DOMParser().parseFromString(message.html, 'text/html').body.textContent.split('\n');
  const alt = about === '' ? app.t.picture : `${app.t.picture}: ${about}`;
  return html`<button class="photo" type="button" @click=${() => showPicture(address, alt)}>
    <img src=${address} alt=${alt} width="640" height="400" @load=${app.changed} />
  </button>`;
}

function documentCard(app, { fileId, name, bytes }) {
  return html`<a class="document" href=${`/play/files/${encodeURIComponent(fileId)}`} download=${name}>
    <span class="document-icon">${icon('file')}</span>
    <span class="document-text">
      <span class="document-name">${name}</span>
      <span class="document-size">${sizeOf(bytes)} · ${app.t.download}</span>
    </span>
  </a>`;
}

/** A size in the unit that leaves few digits. */
export function sizeOf(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function invoiceCard(app, { title, description, currency, totalAmount }) {
  return html`<div class="invoice">
    <span class="invoice-label">${app.t.invoice}</span>
    <strong class="invoice-title">${title}</strong>
    <span class="invoice-about">${description}</span>
    <span class="invoice-price">${withSigns(priceOf(currency, totalAmount))}</span>
  </div>`;
}

function keyboard(app, message) {
  const rows = message.keyboard.map(
    (row, rowAt) =>
      html`<div class="keys-row">
        ${repeat(
          row.map((button, at) => ({ button, at })),
          ({ button }) => button.text,
          ({ button, at }) => key(app, message, button, () => app.tap(message, rowAt, at)),
        )}
      </div>`,
  );
  const needsPay = message.invoice && !message.keyboard.flat().some(({ pay }) => pay);
  const pay = needsPay && {
    text: app.t.payFor(priceOf(message.invoice.currency, message.invoice.totalAmount)),
    pay: true,
  };
  return html`<div class="keys">
    ${rows}
    ${pay ? html`<div class="keys-row">${key(app, message, pay, () => app.pay(message))}</div>` : nothing}
  </div>`;
}

/** How a button is called: that of payment, where the bot gave it no name, as Telegram calls it in the reader's language. */
export function labelOf(app, { text, pay }, invoice) {
  if (!pay || !/^Pay ⭐\uFE0F?\d+$/u.test(text)) return text;
  return app.t.payFor(priceOf(invoice.currency, invoice.totalAmount));
}

function key(app, message, button, tap) {
  if (button.pay && message.invoice?.isPaid)
    return html`<span class="key paid">${icon('check')} ${app.t.paid}</span>`;
  const mark = button.copy_text !== undefined ? 'copy' : button.url !== undefined ? 'link' : undefined;
  const press = async ({ currentTarget }) => {
    currentTarget.setAttribute('aria-busy', 'true');
    await tap();
    currentTarget.removeAttribute('aria-busy');
  };
  const label = labelOf(app, button, message.invoice);
  const classes = { key: true, pay: button.pay, [button.style ?? 'plain']: true };
  return html`<button class=${classMap(classes)} type="button" title=${label} @click=${press}>
    <span class="key-label" dir="auto">${withSigns(label)}</span>${mark === undefined ? nothing : icon(mark)}
  </button>`;
}
