// People at the other end: what they write, paste, attach, forward and click becomes updates for the bot.
import { createChats, type Chats } from './chats.ts';
import { formatTyped, isInvisible, lengthOf } from './entities.ts';
import { seen } from './render.ts';
import type { ChatRef, Entity, SeenMessage, StoredMessage, User } from './types.ts';
import type { UpdateQueue } from './updates.ts';
import { wireMessage, type ChatState, type NewMessage, type World } from './world.ts';

/** What a person sends. `start` opens the bot through a deep link; `forward` passes a message on. */
export type PersonMessage =
  | string
  | { text: string; entities?: Entity[]; replyTo?: number }
  | { document: { name?: string; bytes: Uint8Array; caption?: string } }
  | { photo: Uint8Array; caption?: string }
  | { start: string }
  | { forward: SeenMessage };

/** How it is sent, where not plainly. */
interface Manner {
  /** In the name of the group, as its administrators may. */
  anonymous?: boolean;
  /** Into this topic of a forum. */
  topic?: number;
  /** As one of an album's files; they have this in common. */
  album?: string;
}

/** A message that a person sent, and the update that carries it; undefined where the bot does not hear it. */
export interface SentMessage {
  message: SeenMessage;
  updateId: number | undefined;
}

export interface People extends Chats {
  send(user: User, chat: ChatRef, content: PersonMessage, manner?: Manner): SentMessage;
  /** Corrects a message of one's own; it arrives as an `edited_message`. */
  edit(user: User, message: SeenMessage, text: string): SentMessage;
  /** What a client does to a paste of any length: pieces of up to 4,096 characters, in order, without a common id. */
  sendLong(user: User, chat: ChatRef, text: string): SentMessage[];
}

/** The doors through which people reach the bot. */
export function createPeople(world: World, updates: UpdateQueue): People {
  const chats = createChats(world, updates);

  function send(user: User, to: ChatRef, content: PersonMessage, manner: Manner = {}): SentMessage {
    const chat = world.getChat(to);
    if (!chat.members.has(user.id)) throw new Error(`${user.first_name} is not in this chat`);
    // Whoever writes to a bot lifts the block with it.
    if (chat.type === 'private') chats.block(user, false);
    if (chat.type === 'private') chat.started = true;
    const from = chat.type === 'channel' ? undefined : user;
    const message = world.addMessage(chat, { ...contentOf(world, content), ...manner, from, byBot: false });
    const kind = chat.type === 'channel' ? 'channel_post' : 'message';
    const updateId = hears(world, chat, message)
      ? updates.push(kind, wireMessage(world, message))
      : undefined;
    return { message: seen(message), updateId };
  }

  const sendLong: People['sendLong'] = (user, chat, text) =>
    cutLikeClients(text).map((piece) => send(user, chat, piece));

  function edit(user: User, { chatId, id }: SeenMessage, text: string): SentMessage {
    const chat = world.getChat(chatId);
    const message = world.findMessage(chatId, id);
    if (message?.from?.id !== user.id) throw new Error(`${user.first_name} has no such message`);
    Object.assign(message, typed(text), { edits: message.edits + 1, editedAt: world.clock.now() });
    world.emit({ kind: 'edited', chatId, messageId: id });
    const updateId = hears(world, chat, message)
      ? updates.push('edited_message', wireMessage(world, message))
      : undefined;
    return { message: seen(message), updateId };
  }

  return { ...chats, send, edit, sendLong };
}

/** What other people have after a forward: no buttons that reach the bot; an invoice opens the bot if it says where. */
export function forwarded(message: SeenMessage, bot: User): SeenMessage {
  const rows = message.markup?.inline_keyboard ?? [];
  const kept = rows.map((row) => row.filter((one) => one.url !== undefined || one.pay === true));
  const markup = kept.some((row) => row.length > 0) ? { inline_keyboard: kept } : undefined;
  return { ...message, markup, buttons: kept.flat(), forwardedFrom: message.from ?? bot };
}

/**
 * Pieces as clients cut them: most at 4,096 exactly, wherever that falls, every second one at a blank near
 * it when there is one. Blanks at the ends of a piece are lost, as Telegram trims every message.
 */
export function cutLikeClients(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (let count = 0; rest.length > limit; count += 1) {
    const blank = rest.lastIndexOf('\n', limit);
    let cut = count % 2 === 1 && blank > limit - 90 ? blank : limit;
    if (/[\ud800-\udbff]/.test(rest[cut - 1] ?? '')) cut -= 1;
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...pieces, rest].filter((piece) => !isInvisible(piece));
}

const limit = 4096;

function contentOf(world: World, content: PersonMessage): Partial<NewMessage> {
  if (typeof content === 'string') return typed(content);
  if ('start' in content) return typed(`/start ${content.start}`.trim());
  if ('document' in content) {
    // Without a name, kind and size, as some clients send them.
    const { name = '', bytes, caption } = content.document;
    return { document: world.addFile(name, Buffer.from(bytes), 'documents'), ...captioned(caption) };
  }
  if ('photo' in content) {
    return {
      photo: world.addFile('photo.jpg', Buffer.from(content.photo), 'photos'),
      ...captioned(content.caption),
    };
  }
  if ('forward' in content) {
    const copy = forwarded(content.forward, world.bot);
    const { text, entities, document, photo, invoice, markup, forwardedFrom } = copy;
    return { text, entities, document, photo, invoice, markup, forwardedFrom };
  }
  return {
    ...typed(content.text),
    ...(content.entities ? { entities: content.entities } : {}),
    replyTo: content.replyTo,
  };
}

function typed(text: string): Partial<NewMessage> {
  const formatted = formatTyped(text);
  if (isInvisible(formatted.text)) throw new Error('a client sends no empty message');
  if (lengthOf(formatted.text) > limit) throw new Error('a client cuts a text this long: use sendLong');
  return formatted;
}

const captioned = (caption: string | undefined) => (caption ? formatTyped(caption) : {});

/** In a group the bot hears commands (not those for other bots), answers to its messages and its name. */
function hears(world: World, chat: ChatState, message: StoredMessage): boolean {
  if (chat.blocked) return false;
  if (chat.type === 'private' || chat.type === 'channel' || chat.hearsAll) return true;
  if (message.replyTo !== undefined && world.findMessage(chat.id, message.replyTo)?.byBot) return true;
  const name = `@${world.bot.username.toLowerCase()}`;
  return message.entities.some((one) => {
    const word = message.text.slice(one.offset, one.offset + one.length).toLowerCase();
    if (one.type === 'mention') return word === name;
    return one.type === 'bot_command' && (!word.includes('@') || word.endsWith(name));
  });
}
