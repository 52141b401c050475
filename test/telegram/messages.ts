// The methods that write, change and take away messages, documents and pictures.
import { formatText, isInvisible, lengthOf, type Formatted } from './entities.ts';
import { checkMarkup } from './markup.ts';
import { isUpload, type Params } from './params.ts';
import { badRequest, type Entity, type Markup, type StoredFile, type StoredMessage } from './types.ts';
import { wireMessage, type ChatState, type NewMessage, type World } from './world.ts';

/** A method of the Bot API: parameters in, `result` out, or a refusal thrown. */
export type Method = (params: Params, signal: AbortSignal) => unknown;

/** sendMessage and its kin. */
export function createMessageMethods(world: World): Record<string, Method> {
  const send = (params: Params, content: () => Partial<NewMessage>) => {
    const chat = world.getWritableChat(params.text('chat_id'));
    return wireMessage(world, addBotMessage(world, chat, params, content()));
  };
  return {
    sendMessage: (params) => send(params, () => textOf(params)),
    sendDocument: (params) =>
      send(params, () => ({ document: fileOf(world, params, 'document'), ...captionOf(params) })),
    sendPhoto: (params) =>
      send(params, () => ({ photo: checkPicture(fileOf(world, params, 'photo')), ...captionOf(params) })),
    editMessageText: (params) =>
      edit(world, params, (message) => {
        if (isMedia(message)) throw badRequest('there is no text in the message to edit');
        return { ...textOf(params), markup: inlineOnly(params) };
      }),
    editMessageReplyMarkup: (params) => edit(world, params, () => ({ markup: inlineOnly(params) })),
    deleteMessage: (params) => deleteMessage(world, params),
    deleteMessages: (params) => deleteMessages(world, params),
  };
}

/** Adds a message of the bot with what every such call may carry: keyboard, reply, protection. */
export function addBotMessage(
  world: World,
  chat: ChatState,
  params: Params,
  content: Partial<NewMessage>,
): StoredMessage {
  const from = chat.type === 'channel' ? undefined : world.bot;
  const markup = content.markup ?? checkMarkup(params.json('reply_markup'));
  const replyTo = replyOf(world, chat, params);
  const protectContent = params.flag('protect_content');
  const topic = topicOf(chat, params);
  return world.addMessage(chat, { ...content, from, byBot: true, markup, replyTo, topic, protectContent });
}

const textLimit = 4096;
const captionLimit = 1024;

function textOf(params: Params): Formatted {
  const source = params.text('text');
  if (source === undefined || source === '') throw badRequest('message text is empty');
  const formatted = formatText(source, params.text('parse_mode'), entitiesOf(params, 'entities'));
  if (isInvisible(formatted.text)) throw badRequest('text must be non-empty');
  if (lengthOf(formatted.text) > textLimit) throw badRequest('message is too long');
  return formatted;
}

function captionOf(params: Params): Formatted {
  const caption = params.text('caption') ?? '';
  const formatted = formatText(caption, params.text('parse_mode'), entitiesOf(params, 'caption_entities'));
  if (lengthOf(formatted.text) > captionLimit) throw badRequest('message caption is too long');
  return formatted;
}

function entitiesOf(params: Params, name: string): Entity[] | undefined {
  const value = params.json(name);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw badRequest(`can't parse entities: array expected as ${name}`);
  return (value as Entity[]).map((one) => {
    if (typeof one?.type !== 'string' || !Number.isInteger(one.offset) || !Number.isInteger(one.length)) {
      throw badRequest("can't parse entities: MessageEntity expected");
    }
    return one;
  });
}

/** A topic is there when somebody has written into it. */
function topicOf(chat: ChatState, params: Params): number | undefined {
  const topic = params.integer('message_thread_id');
  if (topic === undefined || chat.messages.some((one) => one.topic === topic)) return topic;
  throw badRequest('message thread not found');
}

function replyOf(world: World, chat: ChatState, params: Params): number | undefined {
  const reply = params.json('reply_parameters') as
    { message_id?: number; allow_sending_without_reply?: boolean } | undefined;
  const id = reply?.message_id ?? params.integer('reply_to_message_id');
  if (id === undefined) return undefined;
  if (world.findMessage(chat.id, id)) return id;
  if (reply?.allow_sending_without_reply === true) return undefined;
  throw badRequest('message to be replied not found');
}

function fileOf(world: World, params: Params, name: 'document' | 'photo'): StoredFile {
  const upload = params.upload(name);
  if (upload) {
    const limit = name === 'photo' ? 10 : 50;
    if (upload.bytes.length === 0) throw badRequest('file must be non-empty');
    if (upload.bytes.length > limit * 1024 * 1024) throw badRequest(`file is too big`);
    if (upload.name === '') throw badRequest(`${name} must have a file name`);
    return world.addFile(upload.name, upload.bytes, `${name}s`);
  }
  const id = params.text(name);
  if (!id) throw badRequest(`there is no ${name} in the request`);
  const known = world.files.get(id);
  if (!known) throw badRequest('wrong remote file identifier specified: Wrong padding in the string');
  return known;
}

function checkPicture(file: StoredFile): StoredFile {
  const { bytes } = file;
  const isPng = bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  const isWebp = bytes.subarray(8, 12).toString('latin1') === 'WEBP';
  if (!isPng && !isJpeg && !isWebp) throw badRequest('IMAGE_PROCESS_FAILED');
  if (!isPng) return file;
  if (bytes.length < 24) throw badRequest('IMAGE_PROCESS_FAILED');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const fits = width > 0 && height > 0 && width + height <= 10_000;
  if (!fits || Math.max(width / height, height / width) > 20) throw badRequest('PHOTO_INVALID_DIMENSIONS');
  return file;
}

const isMedia = (message: StoredMessage) =>
  message.document !== undefined || message.photo !== undefined || message.invoice !== undefined;

function inlineOnly(params: Params): Markup | undefined {
  const markup = checkMarkup(params.json('reply_markup'));
  if (markup && !markup.inline_keyboard) throw badRequest("message can't be edited");
  return markup;
}

function edit(
  world: World,
  params: Params,
  change: (message: StoredMessage) => Partial<StoredMessage>,
): Record<string, unknown> {
  const chat = world.getWritableChat(params.text('chat_id'));
  const message = world.findMessage(chat.id, params.integer('message_id') ?? 0);
  if (!message) throw badRequest('message to edit not found');
  if (!message.byBot || message.forwardedFrom) throw badRequest("message can't be edited");
  const changed = { ...message, ...change(message) };
  if (fingerprint(changed) === fingerprint(message)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  Object.assign(message, changed, { edits: message.edits + 1, editedAt: world.clock.now() });
  world.emit({ kind: 'edited', chatId: chat.id, messageId: message.id });
  return wireMessage(world, message);
}

const fingerprint = (message: StoredMessage) =>
  JSON.stringify([message.text, message.entities, message.markup?.inline_keyboard ?? []]);

/** In private chats a bot may take away both sides' messages, in groups its own; for 48 hours. */
function deleteMessage(world: World, params: Params): true {
  const chat = world.getWritableChat(params.text('chat_id'));
  const message = world.findMessage(chat.id, params.integer('message_id') ?? 0);
  if (!message) throw badRequest('message to delete not found');
  take(world, chat, message);
  return true;
}

/** Up to a hundred at once; those that are not there are skipped. */
function deleteMessages(world: World, params: Params): true {
  const chat = world.getWritableChat(params.text('chat_id'));
  const ids = params.json('message_ids');
  if (!Array.isArray(ids) || ids.length === 0) throw badRequest('message identifiers are not specified');
  if (ids.length > 100) throw badRequest('too many message identifiers specified');
  for (const id of ids) {
    const message = world.findMessage(chat.id, Number(id));
    if (message) take(world, chat, message);
  }
  return true;
}

function take(world: World, chat: ChatState, message: StoredMessage): void {
  const tooOld = world.clock.now() - message.sentAt > 48 * 3_600_000;
  if (tooOld || (!message.byBot && chat.type !== 'private')) throw badRequest("message can't be deleted");
  message.deleted = true;
  world.emit({ kind: 'deleted', chatId: chat.id, messageId: message.id });
}

/** The payload of a call for the log: files by name and size. */
export function loggedPayload(params: Params): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params.raw).map(([name, value]) => [
      name,
      isUpload(value) ? { name: value.name, size: value.bytes.length } : decoded(value),
    ]),
  );
}

/** What came as JSON in a field of a multipart body reads like what came in a JSON body. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
