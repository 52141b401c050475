// The bot put together: Telegram, the inbox, the features, and what runs beside the updates.
import { Bot, Context } from 'grammy';
import type { Update } from 'grammy/types';

import type { Clock } from '../clock.ts';

import { recognise, findLanguageOf, isOfMember, storeNames } from './actor.ts';
import { withText } from './telegram/message-text.ts';
import { createBotFetch } from './telegram/client.ts';
import type { BotContext, BotDeps, BotFlavor } from './context.ts';
import { replyWithError } from './errors.ts';
import { createFeatures } from './features.ts';
import type { BotBackground, Feature } from './feature.ts';
import type { View } from './outgoing.ts';
import { createIdentity, type Identity } from './telegram/identity.ts';
import { createFiles } from './telegram/files.ts';
import { renderChatFull } from './inbox/chat-order.ts';
import {
  createContention,
  createConnectionStatus,
  type TelegramStatus,
  type ConnectionStatus,
} from './telegram/connection-status.ts';
import { createInbox, type Inbox, type InboxDeps } from './inbox/inbox.ts';
import type { Handling } from './inbox/handle-update.ts';
import { createWanted } from './basics/groups.ts';
import { createRouter } from './router.ts';
import { isCheckout } from './inbox/chat-order.ts';
import { setDefaultMenus } from './prompts/menus.ts';
import { createChatQueues, type ChatQueues } from './outbox/chat-queue.ts';
import { createWebhookRegistration } from './telegram/webhook-registration.ts';
import { createChatRateLimit } from './telegram/rate-limits.ts';
import { createNewest, type Newest } from './telegram/newest-message.ts';
import type { TaskHandler } from '../core/index.ts';
import { createPolling, type Polling } from './inbox/polling.ts';
import { noteQuestions } from './telegram/questions.ts';
import { createLifecycle } from './inbox/lifecycle.ts';
import { renderDeadLetter } from './inbox/dead-letter.ts';
import { createCleanup } from './outbox/cleanup.ts';
import { createTurn } from './turn.ts';

export type { BotStore } from '../store/bot-store.ts';
export type { BotDeps, BotSettings } from './context.ts';
export { createTexts } from './texts.ts';
export { describeShop } from './billing/invoices.ts';

export type { TelegramStatus } from './telegram/connection-status.ts';

export interface TelegramBot {
  /**
   * Asks Telegram who it is, sets the menus, handles what waits, and begins to listen; tried again until it succeeds.
   */
  start(): Promise<void>;
  /** Stops listening, lets what runs come to its end. What waits is handled at the next start. */
  stop(): Promise<void>;
  /**
   * An update that came by webhook: `kept` when it is on disk; `full`: it was not taken, and is to be delivered again.
   */
  accept(update: Update): Promise<'kept' | 'full'>;
  /** How it stands with Telegram now. */
  telegramStatus(): TelegramStatus;
  /** When Telegram answered last; undefined where it has not yet. */
  lastAnswerAt(): number | undefined;
  /** What it is called at Telegram; undefined until that is known. */
  username(): string | undefined;
}

export interface TelegramOptions {
  token: string;
  /** Without a slash at its end. */
  apiRoot: string;
  webhook: { url: string; secret: string } | undefined;
  /** How fast messages may leave; what Telegram allows, unless said otherwise. */
  messagesPerSecond?: number;
  /** What Telegram measures floods by, where that is not the clock of everything else. */
  floodClock?: Pick<Clock, 'elapsed'> | undefined;
  /** What Telegram is reached by, where that is not the global one. */
  fetch?: typeof fetch;
}

const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'callback_query',
  'pre_checkout_query',
  'my_chat_member',
] as const;

export function createTelegramBot(deps: BotDeps, telegram: TelegramOptions): TelegramBot {
  const stopping = new AbortController();
  const connection = createConnectionStatus(deps.log, deps.clock);
  const identity = createIdentity(deps, telegram.token);
  const newest = createNewest();
  const bot = open(telegram, connection, newest, stopping.signal);
  const rateLimit = createChatRateLimit(telegram.floodClock ?? deps.clock);
  bot.api.config.use(rateLimit.transformer, noteQuestions(deps));
  const features = createFeatures(deps, bot.api, {
    files: createFiles({ ...telegram, api: bot.api, signal: stopping.signal }),
    connection,
  });
  const chatQueues = createChatQueues({
    ...{ ...deps, ...identity },
    api: bot.api,
    rateLimit,
    views: Object.assign({}, ...features.map(({ views }) => views)) as Record<string, View>,
    findLanguage: (telegramId) => findLanguageOf(deps, telegramId),
    isNewest: newest.is,
    handlers: Object.assign({}, ...features.map(({ tasks }) => tasks)) as Record<string, TaskHandler>,
  });
  const inbox = createBotInbox(deps, {
    open: createOpen(bot, deps, { identity, chatQueues, newest, features }),
    isStopping: () => stopping.signal.aborted,
    own: identity.own,
  });
  const polling = createBotPolling(bot, deps, inbox, connection);
  const background: BotBackground[] = [
    chatQueues,
    createCleanup(deps),
    ...features.flatMap((feature) => feature.background ?? []),
  ];

  const running = createLifecycle({
    ...{ ...deps, ...identity },
    bot,
    webhook: telegram.webhook,
    webhookRegistration: createWebhookRegistration({ ...deps, api: bot.api, allowed: ALLOWED_UPDATES }),
    setMenus: () => setDefaultMenus(bot.api, deps, features),
    inbox,
    polling,
    background,
    connection,
    stopping,
  });

  return {
    ...running,
    async accept(update) {
      if (inbox.isFull() && !isCheckout(update)) return 'full';
      await inbox.accept([update]);
      return 'kept';
    },
    telegramStatus: connection.current,
    lastAnswerAt: connection.lastAnswerAt,
    username: () => (bot.isInited() ? bot.botInfo.username : undefined),
  };
}

function open(
  telegram: TelegramOptions,
  { heard }: ConnectionStatus,
  { note }: Newest,
  signal: AbortSignal,
): Bot<BotContext> {
  return new Bot<BotContext>(telegram.token, {
    client: {
      apiRoot: telegram.apiRoot,
      // Of one call with all its retries; a single attempt has 20 s (telegram/client.ts).
      timeoutSeconds: 100,
      fetch: createBotFetch({ ...telegram, signal, onOutcome: heard, onGranted: note }),
    },
  });
}

interface HandlingParts {
  identity: Identity;
  chatQueues: ChatQueues;
  newest: Newest;
  features: readonly Feature[];
}

/** How an update is handled: its context made, its answer found, its failure told. */
function createOpen(
  bot: Bot<BotContext>,
  deps: BotDeps,
  { identity, chatQueues, newest, features }: HandlingParts,
): (update: Update) => Handling {
  const answer = createRouter(deps, bot.api, features);
  bot.use(recognise(deps), storeNames(deps), answer);
  const middleware = bot.middleware();
  return (update) => {
    const updateId = update.update_id;
    const kind = identity.isOwnUpdate(updateId) ? 'answer' : undefined;
    const turn = createTurn({ ...deps, updateId, kind });
    const plain = new Context(withText(update), bot.api, bot.botInfo);
    // What is missing of it `recognise` looks up.
    const ctx = Object.assign(plain, { turn }) as Partial<BotFlavor> & Context as BotContext;
    return {
      end: turn.end,
      async run() {
        newest.note(ctx.message);
        if (ctx.chat && !isLeft(ctx)) await chatQueues.open(ctx.chat.id);
        await middleware(ctx, () => Promise.resolve());
        await turn.settled();
      },
      async fail(error) {
        turn.clear();
        await replyWithError(ctx, error, deps.log);
        await turn.settled();
      },
    };
  };
}

function createBotPolling(
  { api }: Bot<BotContext>,
  deps: BotDeps,
  inbox: Inbox,
  connection: ConnectionStatus,
): Polling {
  const { noteContest } = deps.core;
  const contention = createContention({ ...deps, connection, noteContest });
  return createPolling({ ...deps, api, inbox, contention, allowed: ALLOWED_UPDATES });
}

/** Whoever writes or presses has a chat that is open, or comes back to it. */
const isLeft = ({ myChatMember }: BotContext) =>
  ['kicked', 'left'].includes(myChatMember?.new_chat_member.status ?? '');

function createBotInbox(
  deps: BotDeps,
  { own, ...handling }: Pick<InboxDeps, 'open' | 'isStopping'> & Pick<Identity, 'own'>,
): Inbox {
  const inbox = createInbox({
    ...{ ...deps, ...handling },
    renderDeadLetter: (entry) => renderDeadLetter(deps, entry),
    isWanted: createWanted(deps.log),
    isOfMember: (update) => isOfMember(deps, update),
    renderChatFull: (update) => renderChatFull(deps, update),
  });
  return { ...inbox, accept: (updates) => inbox.accept(updates.map(own)) };
}
