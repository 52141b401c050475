// A feature of the bot: its commands for the menu and /help, its handlers, its conversations. index.ts mounts them in
// order.
import type { InlineKeyboard } from 'grammy';

import type { Permission, TaskHandler } from '../core/index.ts';
import type { BotContext } from './context.ts';
import type { ConversationEntry } from './conversation.ts';
import type { Handlers } from './handlers.ts';
import type { Confirmation } from '../store/bot-store.ts';
import type { View } from './outgoing.ts';
import type { Variables } from './texts.ts';

/** A command as menus and /help show it; `command-<name>` in the locales describes it (underscores as hyphens). */
export interface CommandEntry {
  name: string;
  /** Who has it in the menu. */
  for: Permission | 'everyone' | 'members' | 'hosts' | 'membersAndHosts';
  /** Answers in groups, too. */
  inGroups?: boolean;
}

export interface Feature {
  commands: readonly CommandEntry[];
  handlers: Handlers;
  /** What comes before conversations, since it must not be fed to one: payments. */
  payments?: Handlers;
  conversations?: readonly ConversationEntry[];
  background?: readonly BotBackground[];
  /** What runs its tasks, by their names. */
  tasks?: Readonly<Record<string, TaskHandler>>;
  /** What its results look like, by the names under which they are kept for their turn. */
  views?: Readonly<Record<string, View>>;
  /**
   * `/cancel` was said: forgets what the feature's own conversation had collected elsewhere; whether there was any, and
   * the person is told of it. `left`: the conversations that this ends, and those that had ended by themselves and were
   * not told of it yet.
   */
  cancel?(ctx: BotContext, left: readonly string[]): Promise<boolean>;
  /**
   * What Cancel under a last confirmation of this feature says where something is left of it, such as what pressing it
   * before may have done: a key, what it holds, what can be pressed. undefined: nothing was done.
   */
  formatCancelled?(
    confirmation: Pick<Confirmation, 'action' | 'payload' | 'userId'>,
    ctx: BotContext,
  ): { key: string; facts?: Variables; keyboard?: InlineKeyboard } | undefined;
  /**
   * One of the feature's conversations ended by itself, and this message was for it; true where it was taken up all the
   * same, `next` where it is for something else.
   */
  resume?(ctx: BotContext): Promise<boolean | 'next'>;
}

/** Work beside the updates: sending, watching. */
export interface BotBackground {
  start(): void;
  stop(): Promise<void>;
}
