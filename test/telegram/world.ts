// What the local Telegram knows: people, chats, messages, files; and how each looks on the wire.
// No rule about who may do what; those stand with the methods.
import type { Clock } from '../../src/clock.ts';
import {
  ApiRefusal,
  badRequest,
  forbidden,
  type ChatRef,
  type StoredFile,
  type StoredMessage,
  type User,
  type WorldEvent,
} from './types.ts';

/** A chat, and how the bot stands in it. */
export interface ChatState {
  id: number;
  type: 'private' | 'group' | 'supergroup' | 'channel';
  title: string;
  username: string | undefined;
  user: User | undefined;
  members: Set<number>;
  /** Whether the person has ever spoken to the bot, or the bot is a member. */
  started: boolean;
  /** Whether the person blocked the bot, or the group removed it. */
  blocked: boolean;
  /** Whether the person's account is gone. */
  deactivated: boolean;
  /** Whether the bot may only read here. */
  muted: boolean;
  /** The id that this group has had since it became a supergroup. */
  migratedTo: number | undefined;
  /** In groups the bot hears only what is meant for it, unless this is set. */
  hearsAll: boolean;
  messages: StoredMessage[];
}

/** What a new message has; everything else is empty. */
export type NewMessage = Partial<StoredMessage> & Pick<StoredMessage, 'from' | 'byBot'>;

export interface World {
  clock: Clock;
  /** What is counted is counted from here. */
  firstNumber: number;
  bot: User & { username: string };
  users: Map<number, User>;
  chats: Map<number, ChatState>;
  files: Map<string, StoredFile>;
  addMessage(chat: ChatState, message: NewMessage): StoredMessage;
  addFile(name: string, bytes: Buffer, folder: string): StoredFile;
  findMessage(chatId: number, messageId: number): StoredMessage | undefined;
  getChat(chat: ChatRef | number): ChatState;
  /** The chat that a call names, if the bot may write there. Throws 400 or 403. */
  getWritableChat(chatId: string | undefined): ChatState;
  findChat(chatId: string | undefined): ChatState | undefined;
  emit(event: WorldEvent): void;
  watch(watcher: (event: WorldEvent) => void): () => void;
}

/** An empty world with the bot in it. */
export function createWorld(clock: Clock, bot: World['bot'], firstNumber = 0): World {
  const watchers = new Set<(event: WorldEvent) => void>();
  const users = new Map<number, User>();
  const chats = new Map<number, ChatState>();
  const files = new Map<string, StoredFile>();

  function addMessage(chat: ChatState, message: NewMessage): StoredMessage {
    const id = (chat.messages.at(-1)?.id ?? firstNumber) + 1;
    const added = { ...emptyMessage, entities: [], ...message, id, chatId: chat.id, sentAt: clock.now() };
    chat.messages.push(added);
    emit({ kind: 'message', chatId: chat.id, messageId: id });
    return added;
  }

  function addFile(name: string, bytes: Buffer, folder: string): StoredFile {
    const number = files.size + 1;
    const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
    const path = `${folder}/file_${number}${ending}`;
    const file = { fileId: `BQACAgIAAxkBAA${number}`, path, name, mimeType: mimeOf(name), bytes };
    files.set(file.fileId, file);
    return file;
  }

  function getChat(chat: ChatRef | number): ChatState {
    const found = chats.get(typeof chat === 'number' ? chat : chat.id);
    if (!found) throw new Error(`there is no chat ${typeof chat === 'number' ? chat : chat.id}`);
    return found;
  }

  function findChat(chatId: string | undefined): ChatState | undefined {
    if (!chatId?.startsWith('@')) return chats.get(Number(chatId));
    const name = chatId.slice(1).toLowerCase();
    return [...chats.values()].find(
      (chat) => chat.type !== 'private' && chat.username?.toLowerCase() === name,
    );
  }

  function getWritableChat(chatId: string | undefined): ChatState {
    if (!chatId) throw badRequest('chat_id is empty');
    const chat = findChat(chatId);
    if (!chat) throw badRequest('chat not found');
    if (chat.deactivated) throw forbidden('user is deactivated');
    if (chat.migratedTo !== undefined) throw migrated(chat.migratedTo);
    if (chat.blocked) throw forbidden(refusals[chat.type]);
    if (!chat.started) throw forbidden("bot can't initiate conversation with a user");
    if (chat.muted) throw badRequest('not enough rights to send text messages to the chat');
    return chat;
  }

  function emit(event: WorldEvent): void {
    for (const watcher of [...watchers]) watcher(event);
  }

  function watch(watcher: (event: WorldEvent) => void) {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }

  const findMessage = (chatId: number, messageId: number) =>
    chats.get(chatId)?.messages.find((one) => one.id === messageId && !one.deleted);
  // prettier-ignore
  return { clock, firstNumber, bot, users, chats, files, addMessage, addFile, findMessage, getChat, getWritableChat, findChat, emit, watch };
}

/** A chat as updates carry it. */
export function wireChat(chat: ChatState): Record<string, unknown> {
  return chat.user
    ? {
        id: chat.id,
        type: 'private',
        first_name: chat.user.first_name,
        ...(chat.user.username ? { username: chat.user.username } : {}),
      }
    : {
        id: chat.id,
        type: chat.type,
        title: chat.title,
        ...(chat.username ? { username: chat.username } : {}),
      };
}

/** A message as updates and answers carry it. */
export function wireMessage(world: World, message: StoredMessage, nested = false): Record<string, unknown> {
  const chat = world.getChat(message.chatId);
  const isMedia = message.document !== undefined || message.photo !== undefined;
  const words = isMedia ? ['caption', 'caption_entities'] : ['text', 'entities'];
  const replied =
    message.replyTo === undefined || nested ? undefined : world.findMessage(chat.id, message.replyTo);
  return withoutUndefined({
    message_id: message.id,
    message_thread_id: message.topic,
    is_topic_message: message.topic === undefined ? undefined : true,
    media_group_id: message.album,
    from: message.anonymous ? GROUP_ANONYMOUS_BOT : message.from,
    sender_chat: message.from && !message.anonymous ? undefined : wireChat(chat),
    chat: wireChat(chat),
    date: seconds(message.sentAt),
    edit_date: message.editedAt === undefined ? undefined : seconds(message.editedAt),
    forward_origin: message.forwardedFrom && {
      type: 'user',
      sender_user: message.forwardedFrom,
      date: seconds(message.sentAt),
    },
    reply_to_message: replied && wireMessage(world, replied, true),
    [words[0]!]: message.text === '' ? undefined : message.text,
    [words[1]!]: message.entities.length === 0 ? undefined : message.entities,
    document: message.document && wireDocument(message.document),
    photo: message.photo && [{ ...wireFile(message.photo), width: 800, height: 600 }],
    invoice: message.invoice && wireInvoice(message.invoice),
    successful_payment: message.payment,
    refunded_payment: message.refund,
    migrate_to_chat_id: message.migratedTo,
    migrate_from_chat_id: message.migratedFrom,
    has_protected_content: message.protectContent || undefined,
    reply_markup: message.markup?.inline_keyboard ? message.markup : undefined,
  });
}

/** A file as `getFile` and documents carry it. */
export function wireFile(file: StoredFile): Record<string, unknown> {
  return { file_id: file.fileId, file_unique_id: `u${file.fileId}`, file_size: file.bytes.length };
}

const emptyMessage = {
  editedAt: undefined,
  edits: 0,
  deleted: false,
  text: '',
  markup: undefined,
  document: undefined,
  photo: undefined,
  invoice: undefined,
  payment: undefined,
  refund: undefined,
  replyTo: undefined,
  anonymous: false,
  topic: undefined,
  album: undefined,
  migratedTo: undefined,
  migratedFrom: undefined,
  forwardedFrom: undefined,
  protectContent: false,
};

/** In whose name anonymous administrators write. */
const GROUP_ANONYMOUS_BOT: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};

const refusals: Record<ChatState['type'], string> = {
  private: 'bot was blocked by the user',
  group: 'bot was kicked from the group chat',
  supergroup: 'bot was kicked from the supergroup chat',
  channel: 'bot is not a member of the channel chat',
};

function migrated(to: number): ApiRefusal {
  const words = 'Bad Request: group chat was upgraded to a supergroup chat';
  return new ApiRefusal(400, words, { migrate_to_chat_id: to });
}

const seconds = (ms: number) => Math.floor(ms / 1000);

function wireDocument(file: StoredFile): Record<string, unknown> {
  if (file.name === '') return withoutUndefined({ ...wireFile(file), file_size: undefined });
  return { ...wireFile(file), file_name: file.name, mime_type: file.mimeType };
}

function wireInvoice(invoice: NonNullable<StoredMessage['invoice']>): Record<string, unknown> {
  return {
    title: invoice.title,
    description: invoice.description,
    start_parameter: invoice.startParameter,
    currency: invoice.currency,
    total_amount: invoice.totalAmount,
  };
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

function mimeOf(name: string): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  const known: Record<string, string> = {
    txt: 'text/plain',
    csv: 'text/csv',
    png: 'image/png',
    jpg: 'image/jpeg',
    json: 'application/json',
  };
  return known[ending] ?? 'application/octet-stream';
}
