// The conversations plugin over our own store: what is asked, by chat and user, sealed, left after 30 idle minutes, and
// written in one transaction with the end of the update that changed it.
import { conversations, type ConversationData, type VersionedState } from '@grammyjs/conversations';
import type { Context, MiddlewareFn } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import type { ConversationChange } from '../../store/bot-store.ts';

export const IDLE_MS = 30 * 60 * 1000;
/** Of what the plugin keeps: another one ends what is asked with a sentence. */
const VERSION = 1;

export interface ConversationStore {
  /** The plugin. */
  middleware: MiddlewareFn<BotContext>;
  /** What handling an update changed; the inbox keeps it with the end of the update. */
  takeChange(updateId: number): ConversationChange | undefined;
}

/** With what is asked beside it. */
type State = VersionedState<ConversationData> & Pick<BotContext, 'asked'>;

export function createConversationStore({
  store,
  clock,
}: Pick<BotDeps, 'store' | 'clock'>): ConversationStore {
  const changes = new Map<number, ConversationChange>();

  function stage(ctx: BotContext, state: string | undefined): void {
    if (!ctx.chat || !ctx.from) return;
    changes.set(ctx.update.update_id, { chatId: ctx.chat.id, userId: ctx.from.id, state });
  }

  function read(ctx: BotContext): State | undefined {
    const kept = ctx.chat && ctx.from && store.conversations.find(ctx.chat.id, ctx.from.id);
    if (!kept) return undefined;
    const state = JSON.parse(kept.state) as State;
    ctx.asked = state.asked ?? { question: '', of: '', by: 0 };
    if (state.version[1] !== VERSION) ctx.asked.isOver = 'changed';
    else if (clock.now() - kept.touchedAt > IDLE_MS) ctx.asked.isOver = 'idle';
    else return state;
    stage(ctx, undefined);
    return undefined;
  }

  return {
    middleware: conversations<BotContext, Context>({
      storage: {
        type: 'context',
        version: VERSION,
        adapter: {
          read,
          write: (ctx, state) => stage(ctx, JSON.stringify({ ...state, asked: ctx.asked })),
          delete: (ctx) => stage(ctx, undefined),
        },
      },
    }),
    takeChange(updateId) {
      const change = changes.get(updateId);
      changes.delete(updateId);
      return change;
    },
  };
}
