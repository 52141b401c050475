// The bot's own budget a minute and chat, taken from a real service by `node --import` where the stand-in for Telegram
// has no limits: its people do in seconds what takes them hours, and would wait for minutes. Loaded in place of
// telegram/rate-limits.ts.
import { registerHooks } from 'node:module';

import { createChatRateLimit as create, type ChatRateLimit } from '../../src/bot/telegram/rate-limits.ts';

/** An environment variable: anything takes the budget away. */
export const UNMETERED = 'TORTURE_UNMETERED';
const FASTER = 10_000;

/**
 * A minute of Telegram's limits is a few milliseconds.
 * @public Loaded in place of the module of this name.
 */
export function createChatRateLimit(clock: Parameters<typeof create>[0]): ChatRateLimit {
  return create({ elapsed: () => clock.elapsed() * FASTER });
}

if (process.env[UNMETERED] !== undefined) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === './telegram/rate-limits.ts'
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  });
}
