// What the bot says about itself and asks about others: command menus, a description, files.
import type { Method } from './messages.ts';
import type { Params } from './params.ts';
import { badRequest } from './types.ts';
import { wireFile, type ChatState, type World } from './world.ts';

/** One line of a command menu. */
export interface MenuCommand {
  command: string;
  description: string;
}

export interface BotProfile {
  /** The menu that this person's client shows in this chat: the narrowest scope that has one, their language first. */
  menu(userId: number, chat: ChatState): MenuCommand[];
  methods: Record<string, Method>;
}

interface Scope {
  type: string;
  chat_id?: number | string;
  user_id?: number;
}

/** Settings of the bot; menus by scope and language. */
export function createBotProfile(world: World): BotProfile {
  const menus = new Map<string, MenuCommand[]>();
  const keyOf = (params: Params) => `${scopeKey(world, params)} ${languageOf(params)}`;

  function menu(userId: number, chat: ChatState): MenuCommand[] {
    const language = world.users.get(userId)?.language_code ?? '';
    const wide = chat.type === 'private' ? 'all_private_chats' : 'all_group_chats';
    const scopes = [`chat_member:${chat.id}:${userId}`, `chat:${chat.id}`, wide, 'default'];
    for (const scope of chat.type === 'private' ? scopes.slice(1) : scopes) {
      const found = menus.get(`${scope} ${language}`) ?? menus.get(`${scope} `);
      if (found) return found;
    }
    return [];
  }

  return {
    menu,
    methods: {
      getMe: () => meOf(world),
      setMyCommands(params) {
        const [key, commands] = [keyOf(params), commandsOf(params)];
        if (commands.length === 0) menus.delete(key);
        else menus.set(key, commands);
        world.emit({ kind: 'menu' });
        return true;
      },
      getMyCommands: (params) => menus.get(keyOf(params)) ?? [],
      deleteMyCommands(params) {
        menus.delete(keyOf(params));
        world.emit({ kind: 'menu' });
        return true;
      },
      setMyDescription,
      sendChatAction: (params) => sendChatAction(world, params),
      getFile: (params) => getFile(world, params),
    },
  };
}

function meOf(world: World): Record<string, unknown> {
  return {
    ...world.bot,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  };
}

function setMyDescription(params: Params): true {
  languageOf(params);
  if ((params.text('description') ?? '').length > 512) throw badRequest('description is too long');
  return true;
}

function languageOf(params: Params): string {
  const language = params.text('language_code') ?? '';
  if (!/^([a-z]{2})?$/.test(language)) throw badRequest('LANG_CODE_INVALID');
  return language;
}

const wideScopes = ['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators'];

function scopeKey(world: World, params: Params): string {
  const scope = (params.json('scope') ?? { type: 'default' }) as Scope;
  if (wideScopes.includes(scope.type)) return scope.type;
  if (!['chat', 'chat_administrators', 'chat_member'].includes(scope.type)) {
    throw badRequest("can't parse BotCommandScope: type of the scope is invalid");
  }
  const chat = world.findChat(scope.chat_id === undefined ? undefined : String(scope.chat_id));
  if (!chat?.started) throw badRequest('chat not found');
  if (scope.type !== 'chat_member') return `${scope.type}:${chat.id}`;
  if (!chat.members.has(Number(scope.user_id))) throw badRequest('user not found');
  return `chat_member:${chat.id}:${Number(scope.user_id)}`;
}

function commandsOf(params: Params): MenuCommand[] {
  const list = params.json('commands');
  if (!Array.isArray(list)) throw badRequest("can't parse commands: array expected");
  if (list.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  return (list as Partial<MenuCommand>[]).map((one) => {
    const command = String(one.command ?? '').replace(/^\//, '');
    const description = String(one.description ?? '').trim();
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
    if (description.length < 1 || description.length > 256)
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
    return { command, description };
  });
}

const chatActions = [
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
].concat(['upload_document', 'choose_sticker', 'find_location', 'record_video_note', 'upload_video_note']);

function sendChatAction(world: World, params: Params): true {
  const chat = world.getWritableChat(params.text('chat_id'));
  const action = params.text('action') ?? '';
  if (!chatActions.includes(action)) throw badRequest('wrong parameter action in request');
  world.emit({ kind: 'action', chatId: chat.id, detail: action });
  return true;
}

const downloadLimitBytes = 20 * 1024 * 1024;

function getFile(world: World, params: Params): Record<string, unknown> {
  const file = world.files.get(params.text('file_id') ?? '');
  if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.bytes.length > downloadLimitBytes) throw badRequest('file is too big');
  return { ...wireFile(file), file_path: file.path };
}
