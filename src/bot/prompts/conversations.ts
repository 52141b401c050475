// The conversations plugin over our own store: what is asked, by chat and user, sealed, left after 30 idle minutes, and
// written with the turn of the update that changed it.
import { conversations, type ConversationData, type VersionedState } from '@grammyjs/conversations';
import type { Context, MiddlewareFn } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';

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
