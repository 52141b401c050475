// The text of a message, whatever form it comes in: blocks of a rich message, a checklist, words that are struck
// through. Made once, before anything else looks at it, so that each reader of texts reads them all.
import type { Message, MessageEntity, Update } from 'grammy/types';

type Spoken = Pick<Message, 'text' | 'caption' | 'entities' | 'caption_entities'>;

const STRUCK = '~~';
/** Deeper than any editor nests, and no deeper than it is safe to go. */
const DEEPEST = 32;

/** An update whose messages have their text in `text` or `caption`. */
export function withText(update: Update): Update {
  const { message, edited_message: edited } = update;
  if (message) return { ...update, message: { ...message, ...textOf(message) } };
  if (edited) return { ...update, edited_message: { ...edited, ...textOf(edited) } };
  return update;
}

function textOf(message: Message): Spoken {
  const { text, caption, rich_message: rich, checklist } = message;
  if (text !== undefined) return strike('entities', 'text', text, message.entities);
  if (caption !== undefined) return strike('caption_entities', 'caption', caption, message.caption_entities);
  if (rich) return { text: readNode(rich.blocks, 0) };
  if (!checklist) return {};
  const tasks = checklist.tasks.map(
    ({ text: task, completion_date: done }) => `${tick(done !== undefined)}${task}`,
  );
  return { text: [checklist.title, ...tasks].join('\n') };
}

const tick = (isDone: boolean) => (isDone ? '☑ ' : '☐ ');

/** What is struck through stands between marks that say so; all other entities keep their words. */
function strike(
  listName: 'entities' | 'caption_entities',
  textName: 'text' | 'caption',
  text: string,
  entities: MessageEntity[] = [],
): Spoken {
  const struck = entities.filter(({ type }) => type === 'strikethrough');
  if (struck.length === 0) return {};
  const places = struck.flatMap(({ offset, length }) => [offset, offset + length]).sort((a, b) => a - b);
  const moved = (place: number) => place + STRUCK.length * places.filter((each) => each <= place).length;
  const parts = [0, ...places].map((from, at) => text.slice(from, places[at]));
  const kept = entities
    .filter(({ type }) => type !== 'strikethrough')
    .map((entity) => ({ ...entity, offset: moved(entity.offset) }));
  return { [textName]: parts.join(STRUCK), [listName]: kept };
}

/** A block, or a part of one: blocks and rows in lines, cells apart by tabs. */
function readNode(node: unknown, depth: number): string {
  if (typeof node === 'string') return node;
  if (typeof node !== 'object' || node === null || depth > DEEPEST) return '';
  const read = (each: unknown) => readNode(each, depth + 1);
  if (Array.isArray(node)) {
    const areBlocks = node.some((each) => typeof each === 'object' && isBlock(each as object));
    return node
      .map(read)
      .filter(Boolean)
      .join(areBlocks ? '\n' : '');
  }
  const { type, text, cells, items, blocks, summary, caption, credit, ...rest } = node as Record<
    string,
    unknown
  >;
  const inner = read(text ?? rest['expression'] ?? rest['alternative_text']);
  const rows = Array.isArray(cells) ? cells.map((row: unknown[]) => row.map(read).join('\t')).join('\n') : '';
  const list = Array.isArray(items) ? items.map((item: object) => readItem(item, read)).join('\n') : '';
  return [
    read(summary),
    type === 'strikethrough' ? STRUCK + inner + STRUCK : inner,
    rows,
    list,
    read(blocks),
    read(caption),
    read(credit),
  ]
    .filter(Boolean)
    .join('\n');
}

const BLOCKS =
  /^(?:paragraph|heading|pre|footer|divider|list|table|details|map|photo|video|audio|document|animation|voice_note|collage|slideshow|buttons|thinking)$|quot/;
const isBlock = (node: object | null): boolean =>
  node !== null && 'type' in node && typeof node.type === 'string' && BLOCKS.test(node.type);

function readItem(item: object, read: (node: unknown) => string): string {
  const { has_checkbox: hasBox, is_checked: isDone, label, blocks } = item as Record<string, unknown>;
  const mark =
    hasBox === true
      ? tick(isDone === true)
      : typeof label === 'string' && /\d/.test(label)
        ? `${label} `
        : '';
  return mark + read(blocks);
}
