// The conversations plugin over our keeping: state by chat and user, sealed, versioned by the code of the bot,
// ended after 30 idle minutes, and written in one transaction with the end of the update that changed it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conversations, type ConversationData, type VersionedState } from '@grammyjs/conversations';
import type { MiddlewareFn } from 'grammy';

import type { BotContext, BotDeps, InnerContext } from '../context.ts';
import type { ConversationChange } from '../keeping.ts';
import { reply } from '../replies.ts';

export const IDLE_MS = 30 * 60 * 1000;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));

export interface ConversationKeeper {
  /** The plugin, and the sentence for a conversation that ended by itself. */
  middleware: MiddlewareFn<BotContext>[];
  /** What handling an update changed; the inbox keeps it with the end of the update. */
  takeChange(updateId: number): ConversationChange | undefined;
}

type State = VersionedState<ConversationData>;

export function createConversationKeeper(
  deps: Pick<BotDeps, 'keeping' | 'clock' | 'texts'>,
): ConversationKeeper {
  const { keeping, clock, texts } = deps;
  const version = digestSources();
  const changes = new Map<number, ConversationChange>();
  const ended = new Map<number, 'idle' | 'changed'>();

  function stage(ctx: BotContext, state: string | undefined): void {
    if (!ctx.chat || !ctx.from) return;
    changes.set(ctx.update.update_id, { chatId: ctx.chat.id, userId: ctx.from.id, state });
  }

  function read(ctx: BotContext): State | undefined {
    if (!ctx.chat || !ctx.from) return undefined;
    const kept = keeping.conversations.find(ctx.chat.id, ctx.from.id);
    if (!kept) return undefined;
    const state = JSON.parse(kept.state) as State;
    const changed = state.version[1] !== version;
    if (!changed && clock.now() - kept.touchedAt <= IDLE_MS) return state;
    ended.set(ctx.update.update_id, changed ? 'changed' : 'idle');
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
    middleware: [plugin, tellEnded(ended)],
    takeChange(updateId) {
      const change = changes.get(updateId);
      changes.delete(updateId);
      return change;
    },
  };
}

/** A command or a button of its own goes on; a bare text meant for the ended conversation is told what happened. */
function tellEnded(ended: Map<number, 'idle' | 'changed'>): MiddlewareFn<BotContext> {
  return async (ctx, next) => {
    const reason = ended.get(ctx.update.update_id);
    ended.delete(ctx.update.update_id);
    if (!reason || !ctx.message || ctx.message.text?.startsWith('/') === true) return next();
    await reply(ctx, ctx.say(`conversation-${reason}`));
  };
}

/** A deployment that changed the bot ends the conversations that were under way: replaying them in new code could do anything. */
function digestSources(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) hash.update(readFileSync(join(FOLDER, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
