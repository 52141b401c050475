// Telegram's HTML as elements. Only tags on the list are made, with no attribute but a checked address: anything else
// becomes plain text, so nothing that a person typed can act in the page.
import { el } from './dom.js';
import { withSigns } from './emoji.js';

const PLAIN_TAGS = new Set(['B', 'I', 'U', 'S', 'CODE', 'PRE', 'BLOCKQUOTE']);
const COMMAND = /(^|[\s(>«“])(\/[a-z][a-z0-9_]{0,63})(?![\w/])/gi;

/**
 * `actions.command(text)` is called for a tapped command, `actions.link(href)` for a link to Telegram.
 */
export function richText(html, actions) {
  // A parsed document is inert: it loads nothing and runs nothing.
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const out = document.createDocumentFragment();
  copyChildren(parsed.body, out, actions, true);
  return out;
}

function copyChildren(from, to, actions, linkify) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) appendText(to, node.nodeValue ?? '', actions, linkify);
    else if (node.nodeType === Node.ELEMENT_NODE) to.append(copyElement(node, actions, linkify));
  }
}

function copyElement(node, actions, linkify) {
  if (node.tagName === 'TG-SPOILER') return spoiler(node, actions);
  if (node.tagName === 'A') return link(node, actions);
  if (PLAIN_TAGS.has(node.tagName)) {
    const made = el(node.tagName.toLowerCase());
    copyChildren(node, made, actions, linkify && !['CODE', 'PRE'].includes(node.tagName));
    return made;
  }
  const plain = document.createDocumentFragment();
  copyChildren(node, plain, actions, linkify);
  return plain;
}

function spoiler(node, actions) {
  const inside = el('span', { class: 'spoiler-text' });
  copyChildren(node, inside, actions, false);
  inside.inert = true;
  const open = () => {
    made.classList.add('open');
    inside.inert = false;
    for (const name of ['role', 'tabindex', 'aria-label']) made.removeAttribute(name);
  };
  const made = el(
    'span',
    {
      class: 'spoiler',
      role: 'button',
      tabindex: 0,
      'aria-label': 'Hidden text, press to show',
      onclick: open,
      onkeydown(event) {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        open();
      },
    },
    inside,
  );
  return made;
}

function link(node, actions) {
  const text = node.textContent ?? '';
  if (node.hasAttribute('data-command')) return command(text, actions);
  const href = safeAddress(node.getAttribute('href'));
  if (href === undefined) return document.createTextNode(text);
  if (isTelegram(href)) {
    return el('button', { class: 'text-link', type: 'button', text, onclick: () => actions.link(href) });
  }
  return el('a', { href, target: '_blank', rel: 'noopener noreferrer', text });
}

function command(text, actions) {
  return el('button', { class: 'text-link', type: 'button', text, onclick: () => actions.command(text) });
}

function appendText(to, text, actions, linkify) {
  if (!linkify) {
    to.append(withSigns(text));
    return;
  }
  let at = 0;
  for (const match of text.matchAll(COMMAND)) {
    const start = match.index + match[1].length;
    to.append(withSigns(text.slice(at, start)), command(match[2], actions));
    at = start + match[2].length;
  }
  to.append(withSigns(text.slice(at)));
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
