// The one way in which the bot asks: a question of a feature's table, which the next message answers. The conversation
// only waits. It says nothing and reaches nothing: what was answered is acted on outside of it, so that nothing replays.
import { createConversation } from '@grammyjs/conversations';
import { InlineKeyboard, type Context } from 'grammy';

import type { BotContext } from '../context.ts';
import { reply } from '../replies.ts';

/** The name of the conversation. */
const ASK = 'ask';

/** What the button under a question begins with. */
export const LEAVE_QUESTION = 'ask:leave';

export const asking = createConversation<BotContext, Context>(
  async (conversation) => {
    await conversation.wait();
    const isAnswer = await conversation.external(({ isAnswer }) => isAnswer === true);
    return isAnswer ? conversation.halt({ next: true }) : conversation.skip({ next: true });
  },
  { id: ASK },
);

/** The next message answers this question, in place of whatever is asked already; `of`: what it is about. */
export async function ask(ctx: BotContext, question: string, of = ''): Promise<void> {
  await ctx.conversation.exitAll();
  ctx.asked = { question, of, by: ctx.update.update_id };
  await askAgain(ctx);
}

/** What was asked stays asked. */
export const askAgain = (ctx: BotContext): Promise<void> => ctx.conversation.enter(ASK);

/** Says the question, with a button that leaves it. */
export async function askInWords(ctx: BotContext, html: string, question: string, of = ''): Promise<void> {
  const leave = `${LEAVE_QUESTION}:${ctx.update.update_id}`;
  await reply(ctx, html, new InlineKeyboard().text(ctx.label('button-cancel'), leave));
  await ask(ctx, question, of);
}

/** Nothing is asked any more. */
export async function leaveQuestion(ctx: BotContext): Promise<void> {
  ctx.asked = undefined;
  await ctx.conversation.exit(ASK);
}

/** A name as an answer: one line of so many letters at most; undefined for anything else. */
export function readName(text: string | undefined, longest: number): string | undefined {
  const name = text?.trim() ?? '';
  return name === '' || name.includes('\n') || [...name].length > longest ? undefined : name;
}
