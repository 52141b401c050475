// In groups only a few commands answer, and never with a credential; everything else says: in private. What a client
// does beside talking is answered nowhere.
import type { Message, Update } from 'grammy/types';

import { findSender } from '../actor.ts';
import type { BotContext, BotLog } from '../context.ts';
import { findCommand } from '../prompts/command-buttons.ts';
import type { Command } from '../feature.ts';
import { answerTap, reply } from '../replies.ts';

/** Service messages of a private chat: nobody waits for a word about them, and they are no answer to a question. */
const SERVICE = [
  ...(['pinned_message', 'message_auto_delete_timer_changed', 'chat_background_set'] as const),
  ...(['write_access_allowed', 'connected_website', 'proximity_alert_triggered'] as const),
  ...(['forum_topic_created', 'forum_topic_edited', 'forum_topic_closed', 'forum_topic_reopened'] as const),
  ...(['checklist_tasks_done', 'checklist_tasks_added', 'poll_option_added', 'poll_option_deleted'] as const),
] satisfies readonly (keyof Message)[];

/** So many other bots are logged. */
const MOST_BOTS = 100;

/**
 * What there may be something to do about: nothing that another bot sent, of which each is logged once. Who writes in the
 * name of a group or a channel is said to be one of Telegram's own.
 */
export function createWanted(log: Pick<BotLog, 'info'>): (update: Update) => boolean {
  const bots = new Set<number>();
  return (update) => {
    const { sender_chat: name } = update.message ?? update.edited_message ?? {};
    const { id = 0, is_bot: isBot = false } = findSender(update) ?? {};
    if (!isBot || (name && name.type !== 'private')) return isForTheBot(update);
    if (bots.size < MOST_BOTS && !bots.has(id)) {
      bots.add(id);
      log.info({ telegramId: id }, 'another bot writes: nothing of it is answered');
    }
    return false;
  };
}

/** Whether there may be something to do: of what a group talks about nothing is, but for commands and money. */
export function isForTheBot({ message, edited_message: edited }: Update): boolean {
  const said = message ?? edited;
  if (said && SERVICE.some((each) => each in said)) return false;
  if (!said || said.chat.type === 'private') return true;
  if (!message) return false;
  if (message.successful_payment ?? message.refunded_payment) return true;
  return message.entities?.[0]?.type === 'bot_command' && message.entities[0].offset === 0;
}

/**
 * Whether it is answered where it was said: in private chats, and of a group the commands that answer there. All other
 * commands and taps of a group are told so. Channels and inline use are ignored.
 */
export async function answersHere(
  find: (typed: string) => Command | undefined,
  ctx: BotContext,
): Promise<boolean> {
  // Money that was taken is booked wherever Telegram tells of it.
  if (ctx.isPrivate || (ctx.message?.successful_payment ?? ctx.message?.refunded_payment)) return true;
  if (ctx.chat?.type === 'channel' || !ctx.from) return false;
  if (ctx.callbackQuery) answerTap(ctx, ctx.label('only-in-private'), true);
  const typed = findCommand(ctx);
  if (typed === undefined) return false;
  const found = find(typed);
  const isNumbered = /_\d+$/.test(typed) && found?.isNumbered;
  // Whoever writes in the name of the group, or of a channel, may be a member, and cannot be told from anybody else.
  const isNobody = ctx.message?.sender_chat !== undefined && found?.needs !== 'everyone';
  if (!found?.inGroups && !isNumbered) await reply(ctx, ctx.say('only-in-private'));
  else if (isNobody) await reply(ctx, ctx.say('group-not-yourself'));
  else return true;
  return false;
}
