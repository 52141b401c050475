// Lifecycle of the bot: from its start, tried again until it succeeds, to its stop. What hinders the start (an outage
// of Telegram, a token that it does not know, a disk that fails once) takes nothing from whoever is served over HTTP.
import type { Bot } from 'grammy';

import { backOff, retry, within } from '../../waiting.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { Inbox } from './inbox.ts';
import type { WebhookRegistration, UpdateWebhook } from '../telegram/webhook-registration.ts';
import type { Polling } from './polling.ts';
import type { ConnectionStatus } from '../telegram/connection-status.ts';
import { readTelegramError } from '../telegram/telegram-errors.ts';

const pauseMs = backOff(1_000, 30_000);
const STOP_GRACE_MS = 5_000;

interface LifecycleDeps extends Pick<BotDeps, 'log'> {
  bot: Bot<BotContext>;
  /** Keeps which bot it is. */
  noteBot: (username: string) => Promise<void>;
  webhook: UpdateWebhook | undefined;
  webhookRegistration: WebhookRegistration;
  setMenus: () => Promise<void>;
  inbox: Inbox;
  polling: Polling;
  background: readonly BotBackground[];
  connection: Pick<ConnectionStatus, 'hinder'>;
  /** Aborted at the end of the stop: calls that hang are given up. */
  stopping: AbortController;
}

export function createLifecycle(deps: LifecycleDeps) {
  const {
    bot,
    webhook,
    webhookRegistration,
    setMenus,
    inbox,
    polling,
    background,
    connection,
    stopping,
    log,
  } = deps;
  // What waits to be said is known before anything is answered. A start that is tried again goes on where the last one
  // failed.
  const toStart = [...background, inbox, ...(webhook ? [] : [polling])];
  let isToStop = false;
  let isReached = false;
  let starting = Promise.resolve();

  /** False where the stop came first. */
  async function tryToStart(): Promise<boolean> {
    if (isToStop) return false;
    if (!isReached) {
      bot.botInfo = await bot.api.getMe();
      await deps.noteBot(bot.botInfo.username);
      await webhookRegistration.begin(webhook);
      isReached = true;
    }
    if (!isToStop) await setMenus();
    if (isToStop) return false;
    for (; toStart[0]; toStart.shift()) toStart[0].start();
    return true;
  }

  async function start(): Promise<void> {
    const options = { signal: stopping.signal, onRetry: (error: unknown) => logFailure(deps, error) };
    // What it rejects with a stop interrupted.
    if (!(await retry(pauseMs, tryToStart, options).catch(() => false))) return;
    connection.hinder('failed', false);
    log.info({ username: bot.botInfo.username }, 'the bot is listening');
  }

  async function stopAll(): Promise<void> {
    await Promise.all([polling.stop(), webhookRegistration.stop()]);
    await inbox.stop();
    await Promise.all(background.map((each) => each.stop()));
  }

  return {
    /** Resolves when it listens, or without having started where it is stopped before. Never rejects. */
    start: () => (starting = start()),
    async stop(): Promise<void> {
      isToStop = true;
      // A call that hangs is given up after a while; what it interrupts stays in the inbox for the next start.
      const stopped = stopAll();
      await within(stopped, STOP_GRACE_MS);
      stopping.abort();
      await stopped;
      await starting;
    },
  };
}

function logFailure({ log, connection }: LifecycleDeps, cause: unknown): void {
  const trouble = readTelegramError(cause);
  const error = describeError(cause);
  if (!trouble) {
    log.error({ error }, 'the bot could not start, it is tried again');
    connection.hinder('failed', true);
  }
  // A token that Telegram does not know is told once, by whoever keeps the connection status.
  else if (trouble.kind !== 'revoked') log.warn({ error }, 'Telegram cannot be reached, it is tried again');
}
