// The conversations plugin over our own store: state by chat and user, sealed, versioned by everything that a replay
// runs (version.ts), ended after 30 idle minutes, and written in one transaction with the end of the update that
// changed it.
import { conversations, type ConversationData, type VersionedState } from '@grammyjs/conversations';
import type { MiddlewareFn } from 'grammy';

import type { BotContext, BotDeps, InnerContext } from '../context.ts';
import type { Feature } from '../feature.ts';
import type { ConversationChange } from '../../store/bot-store.ts';
import { reply } from '../replies.ts';
import { digestReplayed } from './version.ts';

export const IDLE_MS = 30 * 60 * 1000;

export interface ConversationStore {
  /** The plugin. */
  middleware: MiddlewareFn<BotContext>;
  /**
   * What becomes of a message that was meant for a conversation that ended by itself; true where it was answered. Comes
   * behind all conversations.
   */
  goOn(features: readonly Feature[], ctx: BotContext): Promise<boolean>;
  /** Which conversations had ended by themselves before this update; nobody else tells of them from then on. */
  takeEnded(updateId: number): readonly string[];
  /** What handling an update changed; the inbox keeps it with the end of the update. */
  takeChange(updateId: number): ConversationChange | undefined;
}

type State = VersionedState<ConversationData>;

/** A conversation that was not gone on with, and which ones it was. */
interface Ended {
  reason: 'idle' | 'changed';
  names: readonly string[];
}

export function createConversationStore({
  core,
  store,
  clock,
  texts,
}: Pick<BotDeps, 'core' | 'store' | 'clock' | 'texts'>): ConversationStore {
  const version = digestReplayed(core.games.all);
  const changes = new Map<number, ConversationChange>();
  const ended = new Map<number, Ended>();

  function stage(ctx: BotContext, state: string | undefined): void {
    if (!ctx.chat || !ctx.from) return;
    changes.set(ctx.update.update_id, { chatId: ctx.chat.id, userId: ctx.from.id, state });
  }

  function read(ctx: BotContext): State | undefined {
    if (!ctx.chat || !ctx.from) return undefined;
    const kept = store.conversations.find(ctx.chat.id, ctx.from.id);
    if (!kept) return undefined;
    const state = JSON.parse(kept.state) as State;
    const changed = state.version[1] !== version;
    if (!changed && clock.now() - kept.touchedAt <= IDLE_MS) return state;
    const names = Object.keys(state.state);
    ended.set(ctx.update.update_id, { reason: changed ? 'changed' : 'idle', names });
    stage(ctx, undefined);
    return undefined;
  }

  const plugin = conversations<BotContext, InnerContext>({
    storage: {
      type: 'context',
      version,
      adapter: {
        read,
        write: (ctx, state) => stage(ctx, JSON.stringify(state)),
        delete: (ctx) => stage(ctx, undefined),
      },
    },
    plugins: async (conversation) => {
      const language = await conversation.external((ctx) => ctx.language);
      return [
        async (ctx, next) => {
          ctx.language = language;
          ctx.say = (key, variables) => texts.say(language, key, variables);
          ctx.label = (key, variables) => texts.label(language, key, variables);
          await next();
        },
      ];
    },
  });

  return {
    middleware: plugin,
    goOn: (features, ctx) => goOn(ended, features, ctx),
    takeEnded: (updateId) => take(ended, updateId)?.names ?? [],
    takeChange: (updateId) => take(changes, updateId),
  };
}

function take<T>(from: Map<number, T>, updateId: number): T | undefined {
  const found = from.get(updateId);
  from.delete(updateId);
  return found;
}

/**
 * A command or a button of its own goes on; a message for the ended conversation is taken up, or told what happened.
 */
async function goOn(
  ended: Map<number, Ended>,
  features: readonly Feature[],
  ctx: BotContext,
): Promise<boolean> {
  const end = take(ended, ctx.update.update_id);
  if (!end || !ctx.message || ctx.message.text?.startsWith('/') === true) return false;
  for (const { conversations: own = [], resume } of features) {
    if (!resume || !own.some(({ name }) => end.names.includes(name))) continue;
    const isTaken = await resume(ctx);
    if (isTaken) return isTaken !== 'next';
  }
  await reply(ctx, ctx.say(`conversation-${end.reason}`));
  return true;
}
