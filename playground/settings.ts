// The settings that the playground gives to the service: everything in one folder, everything on loopback.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { findPersona } from './personas.ts';

/** The bot's token in the stand-in; Telegram would know none like it. */
export const PLAY_TOKEN = '1:playground';

const GAMES_FILE = fileURLToPath(new URL('../data/games.json', import.meta.url));
/** The seconds that a redemption takes are to be seen passing. */
const LATENCY_MS = '1500';
/** What certainly did not reach the first goes to the second. */
const UPSTREAMS = '2';
/** Longer than the slow code takes, short enough to be waited for. */
const PLATFORM_TIMEOUT_MS = '6000';

/** The environment of a service at `port` whose data lies in `folder` and whose Telegram is at `apiRoot`. */
export function createEnvironment(folder: string, apiRoot: string, port = 0): Record<string, string> {
  return {
    TELEGRAM_BOT_TOKEN: PLAY_TOKEN,
    TELEGRAM_API_ROOT: apiRoot,
    PORT: String(port),
    CONSOLE_URL: `http://127.0.0.1:${port}/console`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_PATH: join(folder, 'redemption.db'),
    SANDBOX_PATH: join(folder, 'sandbox.db'),
    GAMES_FILE,
    SANDBOX_LATENCY_MS: LATENCY_MS,
    SANDBOX_UPSTREAMS: UPSTREAMS,
    PLATFORM_TIMEOUT_MS,
    HOST_IDS: String(findPersona('host').telegramId),
    OPEN_SIGNUP: 'true',
    SUBSCRIPTION_PRICE_USD: '25',
    LOG_LEVEL: 'error',
  };
}
