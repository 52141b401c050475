// Starting and leaving conversations: a command leaves whatever is under way, and then is what it says.
import { createConversation } from '@grammyjs/conversations';
import type { MiddlewareFn } from 'grammy';

import type { Ids } from '../../ids.ts';
import type { BotContext, BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../conversation.ts';
import type { Feature } from '../feature.ts';
import { withdraw } from './confirmations.ts';
import type { ConversationStore } from './conversations.ts';
import type { Handlers } from '../handlers.ts';
import { reply } from '../replies.ts';
import { createPrompts } from './prompts.ts';

/** Registers the conversations of every feature. */
export function mountConversations(
  handlers: Handlers,
  features: readonly Feature[],
  ids: Pick<Ids, 'secret'>,
): void {
  for (const entry of features.flatMap((feature) => feature.conversations ?? [])) {
    const run = (conversation: BotConversation, ctx: InnerContext, given: unknown) =>
      runConversation(entry, conversation, ctx, given, ids);
    handlers.use(createConversation<BotContext, InnerContext>(run, { id: entry.name }));
  }
}

async function runConversation(
  { takesFiles, run }: ConversationEntry,
  conversation: BotConversation,
  ctx: InnerContext,
  given: unknown,
  ids: Pick<Ids, 'secret'>,
): Promise<void> {
  const prompts = await createPrompts(conversation, ctx, () => ids.secret(6), { takesFiles });
  await run(prompts, ctx, given as never, conversation);
}

/** `/cancel` leaves, withdraws what is asked, and says so; any other command leaves and goes on. */
export function leaveOnCommand(
  deps: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
  conversations: Pick<ConversationStore, 'takeEnded'>,
): MiddlewareFn<BotContext> {
  return async (ctx, next) => {
    const command = findCommand(ctx);
    if (command === undefined) return next();
    const active = Object.keys(ctx.conversation.active());
    if (command !== 'cancel') {
      if (active.length > 0) await ctx.conversation.exitAll();
      return next();
    }
    const left = [...active, ...conversations.takeEnded(ctx.update.update_id)];
    let isTold = false;
    for (const { cancel } of features) if (await cancel?.(ctx, left)) isTold = true;
    if (active.length > 0) await ctx.conversation.exitAll();
    if (await withdraw(deps, ctx, features, { key: isTold ? undefined : 'cancel-cards' })) return;
    if (!isTold) await reply(ctx, ctx.say(left.length > 0 ? 'cancel-done' : 'cancel-nothing'));
  };
}

/** Enters a conversation, leaving the one under way: a button of another message may begin one at any time. */
export async function enter(ctx: BotContext, name: string, given: unknown): Promise<void> {
  if (Object.keys(ctx.conversation.active()).length > 0) await ctx.conversation.exitAll();
  await ctx.conversation.enter(name, given);
}

/** The name of the command that a message is; undefined when it is none. */
export function findCommand(ctx: BotContext): string | undefined {
  const text = ctx.message?.text;
  const first = ctx.message?.entities?.[0];
  if (text === undefined || first?.type !== 'bot_command' || first.offset !== 0) return undefined;
  const [command, target] = text.slice(1, first.length).split('@');
  if (target !== undefined && target.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return command?.toLowerCase();
}
