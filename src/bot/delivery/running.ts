// From the start of the bot, once Telegram is reached, to its stop.
import { GrammyError, type Bot } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { Inbox } from './inbox.ts';
import type { Listening, Webhook } from './listening.ts';
import type { Polling } from './polling.ts';
import { pause } from './trying.ts';

/** Telegram does not know the token. The message is the whole sentence. */
export class WrongToken extends Error {
  override readonly name = 'WrongToken';
}

const LONGEST_PAUSE_MS = 30_000;
const STOP_GRACE_MS = 5_000;

interface RunningDeps extends Pick<BotDeps, 'log'> {
  bot: Bot<BotContext>;
  webhook: Webhook | undefined;
  listening: Listening;
  setMenus: () => Promise<void>;
  inbox: Inbox;
  polling: Polling;
  background: readonly BotBackground[];
  /** Aborted at the end of the stop: calls that hang are given up. */
  stopping: AbortController;
}

export function createRunning(deps: RunningDeps) {
  const { bot, webhook, listening, setMenus, inbox, polling, background, stopping, log } = deps;
  let isToStop = false;
  let starting = Promise.resolve();

  async function start(): Promise<void> {
    await reachTelegram(bot, () => listening.begin(webhook), log, stopping.signal);
    if (!isToStop) await setMenus();
    if (isToStop) return;
    // What waits to be said is known before anything is answered.
    for (const each of background) each.start();
    inbox.start();
    if (!webhook) polling.start();
    log.info({ username: bot.botInfo.username }, 'the bot is listening');
  }

  return {
    /** Resolves without having started where it is stopped before Telegram was reached. Rejects with WrongToken. */
    start: () => (starting = start()),
    async stop(): Promise<void> {
      isToStop = true;
      // A call that hangs is given up after a while; what it interrupts stays in the inbox for the next start.
      const giveUp = setTimeout(() => stopping.abort(), STOP_GRACE_MS);
      await Promise.all([polling.stop(), listening.stop()]);
      await inbox.stop();
      await Promise.all(background.map((each) => each.stop()));
      clearTimeout(giveUp);
      stopping.abort();
      // Why it failed is told by whoever started it.
      await starting.catch(() => undefined);
    },
  };
}

/** Keeps trying through Telegram's outages until the stop; only a token that Telegram does not know is final. */
async function reachTelegram(
  bot: Bot<BotContext>,
  listen: () => Promise<void>,
  log: BotDeps['log'],
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = 1_000; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      bot.botInfo = await bot.api.getMe();
      await listen();
      return;
    } catch (error) {
      if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404)) {
        throw new WrongToken(
          'Telegram does not know this TELEGRAM_BOT_TOKEN. Ask @BotFather for the right one.',
        );
      }
      if (signal.aborted) return;
      log.warn({ error: describeError(error) }, 'Telegram cannot be reached, it is tried again');
      await pause(pauseMs, signal);
    }
  }
}
