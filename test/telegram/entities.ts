// Text as Telegram keeps it: cleaned, trimmed, with the entities that survive each other and those it finds by itself.
import { parseHtml } from './html.ts';
import { badRequest, type Entity } from './types.ts';

/** Text and its entities, ready to be kept. */
export interface Formatted {
  text: string;
  entities: Entity[];
}

/** What a bot sent, by `parse_mode` or with entities of its own. Throws the refusal that Telegram would answer. */
export function formatText(
  source: string,
  parseMode: string | undefined,
  given: Entity[] | undefined,
): Formatted {
  if (Buffer.byteLength(source) > MOST_SOURCE_BYTES) throw badRequest('text is too long');
  const mode = parseMode?.toLowerCase();
  if (mode && mode !== 'html') {
    throw badRequest(`parse mode ${parseMode} is not known to this stand-in`);
  }
  const parsed = mode
    ? parseHtml(source)
    : { text: source, entities: (given ?? []).map((one) => ({ ...one })) };
  return settle(parsed);
}

/** What a person typed: only what Telegram finds by itself. */
export function formatTyped(source: string): Formatted {
  return settle({ text: source, entities: [] });
}

function settle(parsed: Formatted): Formatted {
  const clean = trim(cleanCharacters(parsed));
  const given = fixEntities(clean.entities.filter((one) => one.length > 0));
  if (sum(given.map(bytesOf)) > MOST_ENTITY_BYTES) throw badRequest('ENTITIES_TOO_LONG');
  // The rest is dropped without a word: what a dropped spoiler hid stands in the clear.
  const entities = sortEntities(given).slice(0, MOST_ENTITIES);
  const found = findEntities(clean.text).filter(
    (one) => !entities.some((other) => !splittable.has(other.type) && meets(one, other)),
  );
  const all = cutAroundCode([...entities, ...found]).slice(0, MOST_ENTITIES);
  return { text: clean.text, entities: sortEntities(all) };
}

/** Bytes of what a bot sends, tags and all (tdlib/telegram-bot-api). */
const MOST_SOURCE_BYTES = 32_768;
const MOST_ENTITIES = 100;
/** Of all entities as they go over the line, about. */
const MOST_ENTITY_BYTES = 9_500;

/** A kind, a place and a length of four bytes each; a link or a language is padded to four. */
function bytesOf({ url, language }: Entity): number {
  const word = url ?? language;
  return 12 + (word === undefined ? 0 : Math.ceil((Buffer.byteLength(word) + 1) / 4) * 4);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** How long a text is for Telegram's limits: in code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** True where a reader would see nothing at all. */
export function isInvisible(text: string): boolean {
  // Default_Ignorable_Code_Point: what Unicode says is not drawn, such as joiners and direction marks.
  return /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** Line and direction marks that Telegram drops, and control characters that it makes spaces. */
function cleanCharacters({ text, entities }: Formatted): Formatted {
  const dropped: number[] = [];
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 13 || (unit >= 0x2028 && unit <= 0x202e)) dropped.push(at);
    else out += unit < 32 && unit !== 10 ? ' ' : text[at];
  }
  const moved = (at: number) => at - dropped.filter((one) => one < at).length;
  return { text: out, entities: dropped.length === 0 ? entities : entities.map((one) => placed(one, moved)) };
}

function trim({ text, entities }: Formatted): Formatted {
  const lead = text.length - text.replace(/^[\s\u200b]+/, '').length;
  const out = text.slice(lead).trimEnd();
  const moved = (at: number) => Math.min(Math.max(at - lead, 0), out.length);
  return { text: out, entities: entities.map((one) => placed(one, moved)) };
}

function placed(entity: Entity, moved: (at: number) => number): Entity {
  const offset = moved(entity.offset);
  return { ...entity, offset, length: moved(entity.offset + entity.length) - offset };
}

const splittable = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler']);
const quotes = new Set(['blockquote', 'expandable_blockquote']);
const codes = new Set(['code', 'pre']);
const priorities: Record<string, number> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 11,
  code: 20,
  text_link: 49,
  text_mention: 49,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
  custom_emoji: 99,
};

function sortEntities(entities: Entity[]): Entity[] {
  const priority = (one: Entity) => priorities[one.type] ?? 50;
  return [...entities].sort(
    (a, b) => a.offset - b.offset || b.length - a.length || priority(a) - priority(b),
  );
}

const end = (one: Entity) => one.offset + one.length;
const meets = (a: Entity, b: Entity) => a.offset < end(b) && b.offset < end(a);
const crosses = (a: Entity, b: Entity) =>
  meets(a, b) && !(a.offset <= b.offset && end(b) <= end(a)) && !(b.offset <= a.offset && end(a) <= end(b));

/** Links and code do not overlap (the outer one wins); styles, spoilers among them, are cut out of code. */
function fixEntities(entities: Entity[]): Entity[] {
  const sorted = sortEntities(entities);
  const quoted = withoutOverlap(sorted.filter((one) => quotes.has(one.type)));
  const whole = withoutOverlap(sorted.filter((one) => !quotes.has(one.type) && !splittable.has(one.type)));
  const kept = whole.filter((one) => !quoted.some((quote) => crosses(one, quote)));
  const styles = mergeStyles(sorted.filter((one) => splittable.has(one.type)));
  return cutAroundCode([...quoted, ...kept, ...styles]);
}

function withoutOverlap(sorted: Entity[]): Entity[] {
  const kept: Entity[] = [];
  for (const one of sorted) {
    const last = kept.at(-1);
    if (!last || one.offset >= end(last)) kept.push(one);
  }
  return kept;
}

/** Two stretches of the same style that touch are one. */
function mergeStyles(sorted: Entity[]): Entity[] {
  const kept: Entity[] = [];
  for (const one of sorted) {
    const same = kept.findLast((other) => other.type === one.type);
    if (same && one.offset <= end(same)) same.length = Math.max(end(same), end(one)) - same.offset;
    else kept.push({ ...one });
  }
  return kept;
}

function cutAroundCode(entities: Entity[]): Entity[] {
  const walls = sortEntities(entities.filter((one) => codes.has(one.type)));
  return entities.flatMap((one) => {
    if (!splittable.has(one.type)) return [one];
    const pieces: Entity[] = [];
    let from = one.offset;
    for (const wall of walls.filter((other) => meets(one, other))) {
      if (wall.offset > from) pieces.push({ ...one, offset: from, length: wall.offset - from });
      from = Math.max(from, end(wall));
    }
    if (end(one) > from) pieces.push({ ...one, offset: from, length: end(one) - from });
    return pieces;
  });
}

const patterns: [string, RegExp][] = [
  ['url', /(?<![\w@/.])(?:https?:\/\/[^\s<>"]+[^\s<>"'.,:;!?)\]}]|t\.me\/[\w/?=&+-]+)/gi],
  ['email', /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ['bot_command', /(?<![\w/<>@])\/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\w/<>@])/g],
  ['mention', /(?<![\w@/.])@[a-zA-Z0-9_]{3,32}(?![\w@])/g],
  ['hashtag', /(?<![\p{L}\p{N}_#])#(?=[\p{L}\p{N}_]*\p{L})[\p{L}\p{N}_]{1,255}/gu],
];

function findEntities(text: string): Entity[] {
  const found = patterns.flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)].map((hit) => ({ type, offset: hit.index, length: hit[0].length })),
  );
  return withoutOverlap(sortEntities(found));
}
