// A message as a person sees it: HTML for a page, and plain text with spoilers blotted out for a test.
import type { Entity, SeenMessage, StoredMessage } from './types.ts';

const copies = new WeakMap<StoredMessage, SeenMessage>();

/**
 * A copy of a message as it stands now, with its renderings; the same copy until it is edited or deleted: whoever waits
 * looks at every message of a chat whenever anything happens anywhere.
 */
export function seen(message: StoredMessage): SeenMessage {
  const last = copies.get(message);
  if (last?.edits === message.edits && last.deleted === message.deleted) return last;
  const copy = Object.freeze({
    ...message,
    entities: message.entities.map((one) => ({ ...one })),
    markup: structuredClone(message.markup),
    html: renderHtml(message.text, message.entities),
    visible: blotSpoilers(message.text, message.entities),
    buttons: (message.markup?.inline_keyboard ?? []).flat().map((one) => ({ ...one })),
  });
  copies.set(message, copy);
  return copy;
}

/** Text and entities as HTML that is safe to put into a page. */
export function renderHtml(text: string, entities: readonly Entity[]): string {
  const borders = new Set([0, text.length]);
  for (const one of entities) borders.add(one.offset).add(one.offset + one.length);
  const places = [...borders].sort((a, b) => a - b);
  let out = '';
  let open: Entity[] = [];
  places.forEach((place, index) => {
    const covering = entities.filter((one) => one.offset <= place && place < one.offset + one.length);
    const same = open.findIndex((one, depth) => one !== covering[depth]);
    const keep = same === -1 ? open.length : same;
    out += open
      .slice(keep)
      .reverse()
      .map((one) => tags(one, '')[1])
      .join('');
    out += covering
      .slice(keep)
      .map((one) => tags(one, text.slice(one.offset, one.offset + one.length))[0])
      .join('');
    open = covering;
    out += escapeHtml(text.slice(place, places[index + 1] ?? place));
  });
  return out;
}

/** The text with every spoiler as blocks of the same length, line breaks kept. */
export function blotSpoilers(text: string, entities: readonly Entity[]): string {
  const spoilers = entities.filter((entity) => entity.type === 'spoiler');
  if (spoilers.length === 0) return text;
  const units = text.split('');
  for (const one of spoilers) {
    for (let at = one.offset; at < one.offset + one.length; at += 1) {
      if (units[at] !== '\n') units[at] = '▒';
    }
  }
  return units.join('');
}

const simple: Record<string, string> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  spoiler: 'tg-spoiler',
  code: 'code',
  blockquote: 'blockquote',
};

function tags(entity: Entity, covered: string): [string, string] {
  const tag = simple[entity.type];
  if (tag) return [`<${tag}>`, `</${tag}>`];
  switch (entity.type) {
    case 'pre':
      return entity.language
        ? [`<pre><code class="language-${escapeHtml(entity.language)}">`, '</code></pre>']
        : ['<pre>', '</pre>'];
    case 'expandable_blockquote':
      return ['<blockquote expandable>', '</blockquote>'];
    case 'text_link':
      return [`<a href="${escapeHtml(entity.url ?? '')}">`, '</a>'];
    case 'url':
      return [`<a href="${escapeHtml(/^https?:/i.test(covered) ? covered : `https://${covered}`)}">`, '</a>'];
    case 'bot_command':
      return ['<a data-command>', '</a>'];
    default:
      return ['', ''];
  }
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char,
  );
}
