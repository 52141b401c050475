// Telegram's HTML as a template. Only tags on the list are made, with no attribute but a checked address: anything else
// becomes plain text, so nothing that a person typed can act in the page.
import { html, nothing } from 'lit/html.js';
import { classMap } from 'lit/directives/class-map.js';
import { ifDefined } from 'lit/directives/if-defined.js';

import { withSigns } from './signs.js';

const PLAIN_TAGS = {
  B: (inner) => html`<b>${inner}</b>`,
  I: (inner) => html`<i>${inner}</i>`,
  U: (inner) => html`<u>${inner}</u>`,
  S: (inner) => html`<s>${inner}</s>`,
  CODE: (inner) => html`<code>${inner}</code>`,
  PRE: (inner) => html`<pre>${inner}</pre>`,
  BLOCKQUOTE: (inner) => html`<blockquote>${inner}</blockquote>`,
};
const COMMAND = /(^|[\s(>«“])(\/[a-z][a-z0-9_]{0,63})(?![\w/])/gi;
const KEPT = 300;
const parsed = new Map();

/**
 * `on.command(text)` is called for a tapped command, `on.link(href)` for a link to Telegram; `on.isOpen(text)` and
 * `on.open(text)` know which spoilers were opened, `on.covered` is how a closed one is called.
 */
export function richText(source, on) {
  return children(parse(source), on, true);
}

// A parsed document is inert: it loads nothing and runs nothing.
function parse(source) {
  const known = parsed.get(source);
  if (known) return known;
  if (parsed.size >= KEPT) parsed.clear();
  const { body } = new DOMParser().parseFromString(source, 'text/html');
  parsed.set(source, body);
  return body;
}

function children(from, on, linkify) {
  return [...from.childNodes].map((node) => {
    if (node.nodeType === Node.TEXT_NODE)
      return linkify ? withCommands(node.nodeValue, on) : withSigns(node.nodeValue);
    return node.nodeType === Node.ELEMENT_NODE ? element(node, on, linkify) : nothing;
  });
}

function element(node, on, linkify) {
  if (node.tagName === 'TG-SPOILER') return spoiler(node, on);
  if (node.tagName === 'A') return link(node, on);
  const isCode = node.tagName === 'CODE' || node.tagName === 'PRE';
  const inner = children(node, on, linkify && !isCode);
  return PLAIN_TAGS[node.tagName]?.(inner) ?? inner;
}

function spoiler(node, on) {
  const text = node.textContent;
  const isOpen = on.isOpen(text);
  const open = () => isOpen || on.open(text);
  const onKey = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open();
  };
  const inner = html`<span class="spoiler-text" ?inert=${!isOpen}>${children(node, on, false)}</span>`;
  // The same element before and after, so that the focus stays.
  return html`<span
    class=${classMap({ spoiler: true, open: isOpen })}
    role=${ifDefined(isOpen ? undefined : 'button')}
    tabindex=${isOpen ? -1 : 0}
    aria-label=${ifDefined(isOpen ? undefined : on.covered)}
    @click=${open}
    @keydown=${onKey}
    >${inner}</span
  >`;
}

function link(node, on) {
  const text = node.textContent;
  if (node.hasAttribute('data-command')) return tappable(text, () => on.command(text));
  const href = safeAddress(node.getAttribute('href'));
  if (href === undefined) return text;
  if (isTelegram(href)) return tappable(text, () => on.link(href));
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">${text}</a>`;
}

function tappable(text, tap) {
  return html`<button class="text-link" type="button" @click=${tap}>${text}</button>`;
}

function withCommands(text, on) {
  const out = [];
  let at = 0;
  for (const match of text.matchAll(COMMAND)) {
    const start = match.index + match[1].length;
    out.push(
      withSigns(text.slice(at, start)),
      tappable(match[2], () => on.command(match[2])),
    );
    at = start + match[2].length;
  }
  return [...out, withSigns(text.slice(at))];
}

/** The address when it is one that a page may link to, else undefined. */
export function safeAddress(href) {
  try {
    const url = new URL(href ?? '');
    return ['http:', 'https:', 'tg:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** A link that Telegram itself opens: the page plays it instead of leaving. */
export function isTelegram(href) {
  return /^(https?:\/\/(t|telegram)\.me\/|tg:)/i.test(href);
}
