// A message as Telegram's client shows it: text, picture, document or invoice, its time, and its buttons.
import { html, raw } from 'hono/html';

import { escapeXml } from '../src/chart.ts';
import type { Button, Invoice, PaymentNote, SeenMessage } from '../test/telegram/types.ts';
import { icon, withSigns } from './signs.ts';
import { button, copies, does, fill, put, type Html, type Raw, type View } from './view.ts';

const PLAIN_TAGS = new Set(['b', 'i', 'u', 's', 'code', 'pre', 'blockquote']);
const TAG = /<(\/?)([a-z-]+)(\s[^>]*)?>/g;
const COMMAND = /(^|[\s(>«“])(\/[a-z][a-z0-9_]{0,63})(?![\w/])/gi;
const APART = raw('target="_blank" rel="noopener noreferrer"');
const HERE = /http:\/\/127\.0\.0\.1:\d+\/[\w/-]+/g;

/** A message as whoever writes now sees it. */
export function messageView(view: View, message: SeenMessage): Html {
  const { t, play } = view;
  const { id, byBot, from, payment, refund, photo, document, invoice, sentAt } = message;
  if (payment) return moneyLine(id, fill(t.moneyPaid, priceOf(payment)));
  if (refund) return moneyLine(id, fill(t.moneyBack, priceOf(refund)));
  const isMine = !byBot && from?.id === play.personas.user(view.writer).id;
  const speaker = byBot ? t.bot : (from?.first_name ?? '');
  const keyboard = message.markup?.inline_keyboard ?? [];
  const hasKeys = keyboard.length > 0 || invoice !== undefined;
  const author = view.chat === 'group' && !isMine && html`<span class="author">${speaker}</span>`;
  return html`<article
    class="message${isMine ? ' mine' : ''}${hasKeys ? ' with-keys' : ''}"
    data-message="${id}"
    data-key="${view.chat}-${id}"
    tabindex="-1"
    aria-label="${isMine ? t.you : speaker}, ${timeOf(sentAt)}"
  >
    <div class="bubble">
      ${author} ${photo && photoView(view, message)} ${document && documentView(view, document)}
      ${invoice && invoiceView(view, invoice)}
      ${message.html && html`<span class="text" dir="auto">${raw(richText(view, message.html))}</span>`}
      <span class="foot"
        >${message.editedAt && html`<span class="edited">${t.edited}</span>`} ${timeOf(sentAt)}</span
      >
    </div>
    ${hasKeys && keys(view, message, keyboard)}
  </article>`;
}

/** A price as Telegram writes it: Stars are whole, money is in its smallest unit. */
function priceOf({ currency, ...money }: Invoice | PaymentNote): string {
  const amount = 'totalAmount' in money ? money.totalAmount : money.total_amount;
  if (currency === 'XTR') return `⭐${amount}`;
  return (amount / 100).toLocaleString('en', { style: 'currency', currency });
}

/** How a button is called: that of payment, where the bot gave it no name, as Telegram calls it in the reader's language. */
export function labelOf({ t }: View, { text, pay }: Button, invoice: Invoice | undefined): string {
  return pay && invoice && /^Pay ⭐\uFE0F?\d+$/u.test(text) ? fill(t.payFor, priceOf(invoice)) : text;
}

/** Plain text with its signs drawn. */
export const signed = (text: string): Raw => raw(withSigns(escapeXml(text)));

/** Whether money went through for this invoice. */
export const isPaid = ({ play, chat }: View, { payload }: Invoice): boolean =>
  play.messages(chat).some(({ payment }) => payment?.invoice_payload === payload);

const moneyLine = (id: number, words: string): Html =>
  html`<div class="line" data-key="money-${id}">${signed(words)}</div>`;

const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function photoView({ t }: View, { photo, text }: SeenMessage): Html {
  // What a picture says stands in the first line under it.
  const [about] = text.split('\n');
  const alt = about ? `${t.picture}: ${about}` : t.picture;
  return html`<a class="photo" href="/files/${photo!.fileId}" target="_blank">
    <img src="/files/${photo!.fileId}" alt="${alt}" width="640" height="400" />
  </a>`;
}

const documentView = ({ t }: View, { fileId, name, bytes }: NonNullable<SeenMessage['document']>): Html =>
  html`<a class="document" href="/files/${fileId}" download="${name}">
    ${icon('file')}
    <span><b>${name}</b> <small>${Math.ceil(bytes.length / 1024)} KB · ${t.download}</small></span>
  </a>`;

const invoiceView = ({ t }: View, invoice: Invoice): Html =>
  html`<div class="invoice">
    <small>${t.invoice}</small><strong>${invoice.title}</strong><span>${invoice.description}</span>
    <strong>${signed(priceOf(invoice))}</strong>
  </div>`;

function keys(view: View, message: SeenMessage, keyboard: Button[][]): Html {
  const { invoice } = message;
  const isWithoutPay = invoice && !keyboard.flat().some(({ pay }) => pay);
  const rows = isWithoutPay ? [...keyboard, [{ text: `Pay ${priceOf(invoice)}`, pay: true }]] : keyboard;
  return html`${rows.map(
    (buttons) => html`<div class="keys">${buttons.map((one) => keyView(view, message, one))}</div>`,
  )}`;
}

function keyView(view: View, message: SeenMessage, one: Button): Html {
  const { t } = view;
  const { invoice } = message;
  if (one.pay && invoice && isPaid(view, invoice))
    return html`<span class="key paid good">${icon('check')} ${t.paid}</span>`;
  const label = labelOf(view, one, invoice);
  const words = html`<span class="key-label" dir="auto">${signed(label)}</span>`;
  if (one.url !== undefined && !isTelegram(one.url))
    return html`<a class="key" href="${webAddress(one.url)}" ${APART}>${words}${icon('link')}</a>`;
  const look = `key ${one.pay ? 'pay main' : (one.style ?? '')}`;
  const shown = html`${words}${one.copy_text && icon('copy')}`;
  return button(look, shown, put({ title: label }), tap(view, message, one));
}

/** What a press on a button does, as an attribute: of the button that was seen, whatever stands in its place by then. */
export function tap(view: View, message: SeenMessage, one: Button): Raw {
  const where = whereOf(view);
  if (one.copy_text) return copies(one.copy_text.text);
  if (one.pay) return does('pay', { ...where, message: message.id });
  if (one.url !== undefined) return does('open', { ...where, link: one.url });
  return does('press', { ...where, message: message.id, data: one.callback_data ?? '' });
}

/**
 * Telegram's HTML, escaped by the stand-in, for the page: the tags of the list without any attribute, and whatever a tap does
 * on commands, links and spoilers.
 */
function richText(view: View, source: string): string {
  const open: { tag: string; end: string }[] = [];
  let out = '';
  let from = 0;
  for (const { index, 0: whole, 1: closes, 2: tag = '', 3: attributes = '' } of source.matchAll(TAG)) {
    out += textOf(view, source.slice(from, index), open);
    from = index + whole.length;
    if (closes) out += open.pop()?.end ?? '';
    else {
      const [start, end] = element(view, tag, attributes, source.slice(from));
      out += start;
      open.push({ tag, end });
    }
  }
  return out + textOf(view, source.slice(from), open);
}

function element(view: View, tag: string, attributes: string, rest: string): [start: string, end: string] {
  if (PLAIN_TAGS.has(tag)) return [`<${tag}>`, `</${tag}>`];
  if (tag === 'tg-spoiler') {
    const start = `<span class="spoiler" role="button" tabindex="0" aria-label="${view.t.covered}">`;
    return [`${start}<span class="spoiler-text" inert>`, '</span></span>'];
  }
  if (tag !== 'a') return ['', ''];
  const href = /href="([^"]*)"/.exec(attributes)?.[1];
  if (href === undefined || isTelegram(href)) {
    const text = rest.slice(0, rest.indexOf('</a>')).replace(TAG, '');
    const act = href === undefined ? says(view, text) : does('open', { ...whereOf(view), link: href });
    return [`<button class="text-link" type="button"${act}>`, '</button>'];
  }
  return [`<a href="${webAddress(href)}" ${APART}>`, '</a>'];
}

/** Text between tags, escaped already: a command is pressed, an address of this machine followed. */
function textOf(view: View, text: string, open: readonly { tag: string }[]): string {
  const isIn = (...tags: string[]) => open.some(({ tag }) => tags.includes(tag));
  if (isIn('a', 'tg-spoiler', 'pre')) return withSigns(text);
  if (isIn('code')) return text.replace(HERE, (link) => `<a href="${link}" ${APART}>${link}</a>`);
  return withSigns(text).replace(
    COMMAND,
    (_, before: string, command: string) =>
      `${before}<button class="text-link" type="button"${says(view, command)}>${command}</button>`,
  );
}

const whereOf = (view: View) => ({ as: view.writer, chat: view.chat });

const says = (view: View, text: string): Raw => does('say', { ...whereOf(view), text });

/** A link that Telegram itself opens: the page plays it instead of leaving. */
const isTelegram = (href: string): boolean => /^(?:https?:\/\/(?:t|telegram)\.me\/|tg:)/i.test(href);

/** An escaped address when it is one that a page may link to. */
const webAddress = (href: string): string => (/^https?:/i.test(href) ? href : '#');
