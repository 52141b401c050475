// The one way in which the bot asks: a question of a feature's table, which the next message answers. The conversation
// only waits. It says nothing and reaches nothing: what was answered is acted on outside of it, so that nothing replays.
import {
  type ConversationData,
  conversations,
  createConversation,
  type VersionedState,
} from '@grammyjs/conversations';
import { type Context, InlineKeyboard, type MiddlewareFn } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
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

// The conversations plugin over our own store: what is asked, by chat and user, sealed, left after 30 idle minutes, and
// written with the turn of the update that changed it.

export const IDLE_MS = 30 * 60 * 1000;
/** Of what the plugin keeps: another one ends what is asked with a sentence. */
const VERSION = 1;

/** With what is asked beside it. */
type State = VersionedState<ConversationData> & Pick<BotContext, 'asked'>;

export function createConversations(deps: Pick<BotDeps, 'store' | 'clock'>): MiddlewareFn<BotContext> {
  return conversations<BotContext, Context>({
    storage: {
      type: 'context',
      version: VERSION,
      // What the plugin writes when all is over is what the turn has written by then.
      adapter: { read: (ctx) => read(deps, ctx), write: () => undefined, delete: () => undefined },
    },
  });
}

/** The plugin changes what it is given, so that it tells at any time where the person stands. */
function read({ store, clock }: Pick<BotDeps, 'store' | 'clock'>, ctx: BotContext): State | undefined {
  const { chat, from } = ctx;
  if (!chat || !from) return undefined;
  const kept = store.conversations.find(chat.id, from.id);
  const state = (kept && open(ctx, kept, clock.now())) ?? { version: [0, VERSION], state: {} };
  ctx.turn.changes(() => {
    const isAsked = Object.values(state.state).some(({ length }) => length > 0);
    if (!isAsked && !kept) return undefined;
    const written = isAsked ? JSON.stringify({ ...state, asked: ctx.asked }) : undefined;
    return { chatId: chat.id, userId: from.id, state: written };
  });
  return state;
}

/** undefined where it is over, which what comes as an answer is told. */
function open(
  ctx: BotContext,
  { state: written, touchedAt }: { state: string; touchedAt: number },
  now: number,
): State | undefined {
  const state = JSON.parse(written) as State;
  ctx.asked = state.asked ?? { question: '', of: '', by: 0 };
  if (state.version[1] !== VERSION) ctx.asked.isOver = 'changed';
  else if (now - touchedAt > IDLE_MS) ctx.asked.isOver = 'idle';
  return ctx.asked.isOver ? undefined : state;
}
