// Starting and leaving conversations: a command leaves whatever is under way, and then is what it says.
import { createConversation } from '@grammyjs/conversations';
import type { MiddlewareFn } from 'grammy';

import type { Ids } from '../../ids.ts';
import type { BotContext, BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../conversation.ts';
import type { Feature } from '../feature.ts';
import { withdraw } from './confirmations.ts';
import type { ConversationStore } from './conversations.ts';
import { reply } from '../replies.ts';
import { createPrompts } from './prompts.ts';

/** The conversations of every feature. */
export function mountConversations(
  features: readonly Feature[],
  ids: Pick<Ids, 'secret'>,
): MiddlewareFn<BotContext>[] {
  return [asking, ...features.flatMap(({ conversations = [] }) => conversations)].map((entry) => {
    const run = (conversation: BotConversation, ctx: InnerContext, given: unknown) =>
      runConversation(entry, conversation, ctx, given, ids);
    return createConversation<BotContext, InnerContext>(run, { id: entry.name });
  });
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

const listLasting = (features: readonly Feature[]): Set<string> =>
  new Set(
    features.flatMap(({ conversations = [] }) =>
      conversations.filter(({ outlivesCommands }) => outlivesCommands).map(({ name }) => name),
    ),
  );

/**
 * `/cancel` leaves, withdraws what is asked, and says so, which is true; any other command leaves what it does not stand beside, and
 * goes on.
 */
export async function leaveOnCommand(
  deps: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
  conversations: Pick<ConversationStore, 'takeEnded'>,
  ctx: BotContext,
): Promise<boolean> {
  const command = findCommand(ctx);
  if (command === undefined) return false;
  const active = Object.keys(ctx.conversation.active());
  if (command !== 'cancel') {
    const lasting = listLasting(features);
    for (const name of active) if (!lasting.has(name)) await ctx.conversation.exit(name);
    return false;
  }
  const left = [...active, ...conversations.takeEnded(ctx.update.update_id)];
  let isTold = false;
  for (const { cancel } of features) if (await cancel?.(ctx, left)) isTold = true;
  if (active.length > 0) await ctx.conversation.exitAll();
  if (await withdraw(deps, ctx, features, { key: isTold ? undefined : 'cancel-cards' })) return true;
  if (!isTold) await reply(ctx, ctx.say(left.length > 0 ? 'cancel-done' : 'cancel-nothing'));
  return true;
}

/** Enters a conversation, leaving the one under way: a button of another message may begin one at any time. */
export async function enter(ctx: BotContext, name: string, given: unknown): Promise<void> {
  if (Object.keys(ctx.conversation.active()).length > 0) await ctx.conversation.exitAll();
  await ctx.conversation.enter(name, given);
}

/**
 * A question that the next message answers. It keeps nothing but which it is, and what it is about: what answers it acts
 * outside, as if it had come by itself.
 */
const asking: ConversationEntry = {
  name: 'ask',
  async run(prompts, _ctx, asked: BotContext['asked'], conversation) {
    await prompts.hear();
    await conversation.external((outer) => {
      outer.asked = asked;
      return true;
    });
    await prompts.leave();
  },
};

/** The next message answers this question of a feature, in place of whatever is asked already. */
export const ask = (ctx: BotContext, question: string, of: string): Promise<void> =>
  enter(ctx, asking.name, { question, of } satisfies BotContext['asked']);

/** Nothing is asked any more. */
export const leaveQuestion = (ctx: BotContext): Promise<void> => ctx.conversation.exit(asking.name);

/** The name of the command that a message is; undefined when it is none. */
export function findCommand(ctx: BotContext): string | undefined {
  const text = ctx.message?.text;
  const first = ctx.message?.entities?.[0];
  if (text === undefined || first?.type !== 'bot_command' || first.offset !== 0) return undefined;
  const [command, target] = text.slice(1, first.length).split('@');
  if (target !== undefined && target.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return command?.toLowerCase();
}
