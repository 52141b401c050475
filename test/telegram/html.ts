// Telegram's HTML: text with tags in, bare text and entities out, with Telegram's complaints and byte offsets.
// It does not settle entities that meet each other; entities.ts does.
import { badRequest, type Entity } from './types.ts';

interface OpenTag {
  name: string;
  argument: string;
  expandable: boolean;
  start: number;
}

interface Reader {
  source: string;
  at: number;
  out: string;
  open: OpenTag[];
  entities: Entity[];
}

/** Parses `parse_mode: HTML`. Throws the refusal that Telegram would answer. */
export function parseHtml(source: string): { text: string; entities: Entity[] } {
  const reader: Reader = { source, at: 0, out: '', open: [], entities: [] };
  while (reader.at < source.length) {
    const char = source[reader.at];
    if (char === '&') {
      reader.out += readEscape(reader);
    } else if (char !== '<') {
      reader.out += char;
      reader.at += 1;
    } else if (source[reader.at + 1] === '/') {
      readEndTag(reader);
    } else {
      readStartTag(reader);
    }
  }
  const unclosed = reader.open.at(-1);
  if (unclosed) throw cannot(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  // A language belongs to `pre`; `code` alone has none.
  const entities = reader.entities.map(({ language, ...one }) =>
    one.type === 'pre' && language !== undefined ? { ...one, language } : one,
  );
  return { text: reader.out, entities };
}

const simpleTags: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
};
const otherTags = new Set(['a', 'code', 'pre', 'blockquote', 'tg-emoji']);
const escapes: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function cannot(what: string) {
  return badRequest(`can't parse entities: ${what}`);
}

function byteOffset(reader: Reader, at: number): string {
  return `at byte offset ${Buffer.byteLength(reader.source.slice(0, at))}`;
}

/** An escape that Telegram does not know stays as it is written, ampersand first. */
function readEscape(reader: Reader): string {
  const rest = reader.source.slice(reader.at, reader.at + 12);
  const numeric = /^&#(?:x([0-9a-f]{1,7})|([0-9]{1,8}));?/i.exec(rest);
  const named = /^&([a-z]+);?/i.exec(rest);
  let decoded: string | undefined;
  if (numeric) {
    const point = numeric[1] ? parseInt(numeric[1], 16) : Number(numeric[2]);
    if (point > 0 && point < 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)) {
      decoded = String.fromCodePoint(point);
    }
  } else if (named?.[1]) {
    decoded = Object.hasOwn(escapes, named[1]) ? escapes[named[1]] : undefined;
  }
  reader.at += decoded === undefined ? 1 : (numeric ?? named)![0].length;
  return decoded ?? '&';
}

function readStartTag(reader: Reader): void {
  const { source } = reader;
  const begin = reader.at;
  reader.at += 1;
  const name = readWhile(reader, (char) => !/[\s>]/.test(char)).toLowerCase();
  if (reader.at >= source.length) throw cannot(`Unclosed start tag ${byteOffset(reader, begin)}`);
  if (!Object.hasOwn(simpleTags, name) && !otherTags.has(name)) {
    throw cannot(`Unsupported start tag "${name}" ${byteOffset(reader, begin)}`);
  }
  const tag: OpenTag = { name, argument: '', expandable: false, start: reader.out.length };
  for (;;) {
    readWhile(reader, (char) => /\s/.test(char));
    if (source[reader.at] === '>') break;
    readAttribute(reader, tag, begin);
  }
  reader.at += 1;
  if (name === 'span' && tag.argument !== 'tg-spoiler') {
    throw cannot(`Tag "span" must have class "tg-spoiler" ${byteOffset(reader, begin)}`);
  }
  reader.open.push(tag);
}

function readAttribute(reader: Reader, tag: OpenTag, begin: number): void {
  const { source } = reader;
  const nameAt = reader.at;
  const name = readWhile(reader, (char) => !/[\s=>]/.test(char)).toLowerCase();
  if (reader.at >= source.length) throw cannot(`Unclosed start tag ${byteOffset(reader, begin)}`);
  if (name === '') {
    throw cannot(`Empty attribute name in the tag "${tag.name}" ${byteOffset(reader, nameAt)}`);
  }
  readWhile(reader, (char) => /\s/.test(char));
  const value = source[reader.at] === '=' ? readValue(reader, begin) : undefined;
  if (tag.name === 'blockquote' && name === 'expandable') tag.expandable = true;
  if (value !== undefined && attributeOf[tag.name] === name) tag.argument = value;
}

const attributeOf: Record<string, string> = {
  a: 'href',
  code: 'class',
  span: 'class',
  'tg-emoji': 'emoji-id',
};

function readValue(reader: Reader, begin: number): string {
  const { source } = reader;
  reader.at += 1;
  readWhile(reader, (char) => /\s/.test(char));
  const quote = source[reader.at];
  if (quote === undefined) throw cannot(`Unclosed start tag ${byteOffset(reader, begin)}`);
  if (quote !== '"' && quote !== "'") {
    const tokenAt = reader.at;
    const token = readWhile(reader, (char) => /[a-z0-9.-]/i.test(char));
    const next = source[reader.at];
    if (token !== '' && next !== undefined && /[\s>]/.test(next)) return token;
    throw cannot(`Unexpected end of name token ${byteOffset(reader, tokenAt)}`);
  }
  reader.at += 1;
  let value = '';
  while (reader.at < source.length && source[reader.at] !== quote) {
    if (source[reader.at] === '&') {
      value += readEscape(reader);
    } else {
      value += source[reader.at];
      reader.at += 1;
    }
  }
  if (reader.at >= source.length) throw cannot(`Unclosed start tag ${byteOffset(reader, begin)}`);
  reader.at += 1;
  return value;
}

function readEndTag(reader: Reader): void {
  const { source } = reader;
  const begin = reader.at;
  const tag = reader.open.pop();
  if (!tag) throw cannot(`Unexpected end tag ${byteOffset(reader, begin)}`);
  reader.at += 2;
  const name = readWhile(reader, (char) => !/[\s>]/.test(char)).toLowerCase();
  readWhile(reader, (char) => /\s/.test(char));
  if (source[reader.at] !== '>') throw cannot(`Unclosed end tag ${byteOffset(reader, begin)}`);
  if (name !== '' && name !== tag.name) {
    throw cannot(
      `Unmatched end tag ${byteOffset(reader, begin)}, expected "</${tag.name}>", found "</${name}>"`,
    );
  }
  reader.at += 1;
  const length = reader.out.length - tag.start;
  if (length > 0) addEntity(reader, tag, length);
}

function addEntity(reader: Reader, tag: OpenTag, length: number): void {
  const place = { offset: tag.start, length };
  const last = reader.entities.at(-1);
  const samePlace = last?.offset === tag.start && last.length === length;
  const simple = simpleTags[tag.name];
  if (simple) {
    reader.entities.push({ type: simple, ...place });
  } else if (tag.name === 'a') {
    const link = linkEntity(tag.argument || reader.out.slice(tag.start));
    if (link) reader.entities.push({ ...link, ...place });
  } else if (tag.name === 'pre') {
    if (samePlace && last.type === 'code') reader.entities.pop();
    const language = samePlace && last.type === 'code' ? last.language : undefined;
    reader.entities.push({ type: 'pre', ...place, ...(language ? { language } : {}) });
  } else if (tag.name === 'code') {
    const language = /^language-(.+)$/.exec(tag.argument)?.[1];
    reader.entities.push({ type: 'code', ...place, ...(language ? { language } : {}) });
  } else if (tag.name === 'blockquote') {
    reader.entities.push({ type: tag.expandable ? 'expandable_blockquote' : 'blockquote', ...place });
  } else if (/^\d+$/.test(tag.argument)) {
    reader.entities.push({ type: 'custom_emoji', custom_emoji_id: tag.argument, ...place });
  } else {
    throw cannot('Invalid custom emoji identifier specified');
  }
}

/** A link that is no link is dropped without a word, as Telegram does. */
function linkEntity(href: string): Pick<Entity, 'type' | 'url' | 'user'> | undefined {
  const mention = /^tg:\/\/user\?id=(\d+)$/.exec(href);
  if (mention) return { type: 'text_mention', user: { id: Number(mention[1]) } };
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(href) ? href : `http://${href}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  if (!['http:', 'https:', 'tg:', 'ton:', 'tonsite:'].includes(url.protocol)) return undefined;
  if (url.protocol.startsWith('http') && !url.hostname.includes('.')) return undefined;
  return { type: 'text_link', url: url.href };
}

function readWhile(reader: Reader, wanted: (char: string) => boolean): string {
  const begin = reader.at;
  while (reader.at < reader.source.length && wanted(reader.source[reader.at]!)) reader.at += 1;
  return reader.source.slice(begin, reader.at);
}
