// Who is there and in which chats, and how the bot comes into a chat and out of it. What people say stands in
// people.ts.
import type { ChatRef, User } from './types.ts';
import type { UpdateQueue } from './updates.ts';
import { wireChat, wireMessage, type ChatState, type World } from './world.ts';

export interface NewUser {
  id?: number;
  first_name: string;
  username?: string;
  language_code?: string;
}

interface NewGroup {
  title: string;
  members: readonly User[];
  type?: 'group' | 'supergroup';
  /** Groups where the bot may read everything, as its administrator. */
  hearsAll?: boolean;
}

interface NewChannel {
  title: string;
  username?: string;
  members?: readonly User[];
}

export interface Chats {
  createUser(user: NewUser): User;
  createGroup(group: NewGroup): ChatRef & { title: string };
  createChannel(channel: NewChannel): ChatRef & { title: string };
  /** The person blocks the bot, or takes it back (`blocked: false`). */
  block(user: User, blocked?: boolean): void;
  /** The group throws the bot out. */
  remove(chat: ChatRef): void;
  /** The person's account is gone; nobody tells the bot. */
  deactivate(user: User): void;
  /** The group lets the bot read and not write (`muted: false`: write again). */
  mute(chat: ChatRef, muted?: boolean): void;
  /** The group becomes a supergroup with another id; both are told, and the old one takes nothing more. */
  upgrade(chat: ChatRef): ChatRef & { title: string };
}

/** People and chats, from nothing. */
export function createChats(world: World, updates: UpdateQueue): Chats {
  function createUser(asked: NewUser): User {
    const id = asked.id ?? 100_001 + world.users.size;
    if (world.users.has(id)) throw new Error(`there is a user ${id} already`);
    const user: User = { is_bot: false, ...asked, id };
    world.users.set(id, user);
    addChat(world, { id, type: 'private', title: '', user, members: new Set([id]), started: false });
    return user;
  }

  function createGroup({ title, members, type = 'supergroup', hearsAll = false }: NewGroup) {
    const id = (type === 'supergroup' ? -1_001_000_000_000 : -5000) - world.chats.size;
    const ids = new Set(members.map((one) => one.id));
    const chat = addChat(world, { id, type, title, members: ids, hearsAll });
    if (members[0]) emitMembership(chat, members[0], 'left', 'member');
    return { id, title };
  }

  function createChannel({ title, username, members = [] }: NewChannel) {
    const id = -1_002_000_000_000 - world.chats.size;
    addChat(world, { id, type: 'channel', title, username, members: new Set(members.map((one) => one.id)) });
    return { id, title };
  }

  function emitMembership(chat: ChatState, from: User, before: string, after: string): void {
    const [old_chat_member, new_chat_member] = [before, after].map((status) => ({ user: world.bot, status }));
    const date = Math.floor(world.clock.now() / 1000);
    updates.push('my_chat_member', { chat: wireChat(chat), from, date, old_chat_member, new_chat_member });
  }

  function block(user: User, blocked = true): void {
    const chat = world.getChat(user.id);
    if (chat.blocked === blocked) return;
    chat.blocked = blocked;
    emitMembership(chat, user, blocked ? 'member' : 'kicked', blocked ? 'kicked' : 'member');
  }

  function remove(ref: ChatRef): void {
    const chat = world.getChat(ref);
    const member = world.users.get([...chat.members][0] ?? 0);
    chat.blocked = true;
    if (member) emitMembership(chat, member, 'member', 'kicked');
  }

  function upgrade(ref: ChatRef) {
    const old = world.getChat(ref);
    const id = -1_001_000_000_000 - world.chats.size;
    const { title, members, hearsAll } = old;
    const chat = addChat(world, { id, type: 'supergroup', title, members, hearsAll });
    const from = world.users.get([...members][0] ?? 0);
    const last = world.addMessage(old, { from, byBot: false, migratedTo: id });
    const first = world.addMessage(chat, { from, byBot: false, migratedFrom: old.id });
    for (const message of [last, first]) updates.push('message', wireMessage(world, message));
    old.migratedTo = id;
    return { id, title };
  }

  const deactivate = (user: User) => void (world.getChat(user.id).deactivated = true);
  const mute = (chat: ChatRef, muted = true) => void (world.getChat(chat).muted = muted);
  return { createUser, createGroup, createChannel, block, remove, deactivate, mute, upgrade };
}

const emptyChat = {
  username: undefined,
  user: undefined,
  started: true,
  blocked: false,
  deactivated: false,
  muted: false,
  migratedTo: undefined,
  hearsAll: false,
};

function addChat(
  world: World,
  chat: Partial<ChatState> & Pick<ChatState, 'id' | 'type' | 'title' | 'members'>,
): ChatState {
  const added = { ...emptyChat, messages: [], ...chat };
  world.chats.set(added.id, added);
  return added;
}
