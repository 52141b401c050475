// The composition root: store → platform → core → http, bot. Starts in this order, stops in reverse.
import { readFileSync } from 'node:fs';

import {
  backUpBeforeUpgrade,
  createBackups,
  type Backups,
  type MakeBackup,
  type MakeBackupNow,
} from './backups.ts';
import type { TelegramStatus, TelegramBot } from './bot/index.ts';
import { systemClock, type Clock } from './clock.ts';
import { ConfigError, type Config } from './config.ts';
import { BASE } from './console/context.ts';
import type { createConsole } from './console/index.ts';
import { createCore, createGames, type Core, type Games, type DiskRoom } from './core/index.ts';
import { assertFirstStart } from './first-start.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './http/server.ts';
import { randomIds, type Ids } from './ids.ts';
import { findLanguage } from './locales.ts';
import type { Logger } from './log.ts';
import { createMeasured, foldersOf, measureRoom, readLastBackup } from './measuring.ts';
import type { Upstream } from './platform/port.ts';
import { createPlatforms, identifyPlatforms } from './platforms.ts';
import { hasFoundDamage } from './store/backup/last-check.ts';
import { markUnwritable, readUnwritableMark } from './store/engine/unwritable-mark.ts';
import { createStore, type Store, type StoreOptions } from './store/index.ts';
import { createBotStore } from './store/bot-store.ts';
import { pause } from './waiting.ts';
import { createAddresses } from './webhooks/addresses.ts';
import { createWebhookSender } from './webhooks/sender.ts';

export interface App {
  core: Core;
  /** Settles what was left open, then serves. Returns where HTTP listens; the bot goes on trying to reach Telegram. */
  start(): Promise<{ address: string; port: number }>;
  /**
   * Tells a balancer that it stops while it still serves (`drainMs`), then takes no more requests, gives running
   * redemptions what is left of their grace, leaves the rest in doubt, closes everything.
   */
  stop(options?: { drainMs?: number }): Promise<void>;
}

export interface AppParts {
  log: Logger;
  clock?: Clock;
  /** Told of every commit: how many writes it held. */
  onCommit?: (writes: number) => void;
  /** In place of those that the settings name; the app closes them. */
  upstreams?: readonly Upstream[];
  /** What Telegram's flood limits are measured by, where that is not `clock`. */
  floodClock?: Pick<Clock, 'elapsed'>;
  /** Randomness that decides something: references, keys, links. */
  ids?: Ids;
  /** What the bot reaches Telegram by. */
  fetch?: typeof fetch;
  /** In place of Node's server: what takes requests for the interface, whose `app` answers in process. */
  listener?: (http: Pick<HttpServer, 'app'>) => Pick<HttpServer, 'listen' | 'close'>;
  /** Makes a backup in a file that does not exist, where the settings ask for backups. */
  makeBackup?: MakeBackup;
  /** The same while nothing else runs yet, before a database is brought to this version. */
  makeBackupNow?: MakeBackupNow;
  /** Loaded by whoever has settings of a console: who serves none does not pay for it. */
  createConsole?: typeof createConsole | undefined;
  /** What room is left where the service writes, in place of what the disks say. */
  readRoom?: () => Promise<DiskRoom[]>;
}

/** How long a running redemption may go on after the first signal, from the architecture document. */
const GRACE_MS = 8_000;

/** Opens everything; nothing runs before `start`. Throws ConfigError or StoreRefusal with a sentence for the host. */
export function createApp(
  config: Config,
  { log, clock = systemClock, ids = randomIds, onCommit, ...parts }: AppParts,
): App {
  const games = loadGames(config.gamesFile, config.defaultGameId);
  const store = openStore(config, {
    ...{ log, now: clock.now },
    onCommit(writes, ms) {
      http.observeCommit(writes, ms);
      onCommit?.(writes);
    },
    beforeUpgrade: () => backUpFirst(config, { clock, log }, parts),
  });
  const upstreams = parts.upstreams ?? createPlatforms(config.platform, games, clock);
  const addresses = createAddresses({ allowPrivate: config.webhooksAllowPrivate ?? false });
  const core = createCore({
    store,
    upstreams,
    games,
    ...{ clock, ids, log, platformTimeoutMs: config.platformTimeoutMs },
    subscriptionPriceUsdCents: config.bot?.subscriptionPriceCents,
    checkWebhookAddress: addresses.check,
    standing: () => bot?.telegramStatus(),
    readRoom: parts.readRoom ?? (() => measureRoom(foldersOf(config))),
    readBackups: () => backups?.status(),
    hasCheckFoundDamage: () => hasFoundDamage(config.databasePath),
    unwritableSince: readUnwritableMark(config.databasePath),
    markUnwritable: (since) => markUnwritable(config.databasePath, since),
    keepCredentialsMs: config.keepCredentialsMs,
  });
  const sender = createWebhookSender({ core, clock, log, addresses });
  const bot: TelegramBot | undefined = createBot(config, { core, store, clock, ids, log }, parts);
  const backups: Backups | undefined = createAppBackups(config, { clock, log }, parts);
  const http: HttpServer = createHttp(config, { core, clock, ids, log, store, bot }, parts);
  const listener = parts.listener?.(http) ?? http;

  let starting: ReturnType<App['start']> | undefined;
  async function start() {
    await core.start();
    const listening = await listener.listen(config.http);
    void bot?.start();
    backups?.start();
    sender.start();
    return listening;
  }

  return {
    core,
    start: () => (starting = start()),
    async stop({ drainMs = 0 } = {}) {
      http.announceStop();
      // What is half open cannot be closed. Why it failed is told by whoever started it.
      await starting?.catch(() => undefined);
      const noBackup = backups?.stop();
      if (drainMs > 0) await pause(drainMs);
      // What one part fails in is told at the end: until then running redemptions have their grace, and are written
      // down.
      const closed = Promise.allSettled([listener.close(), bot?.stop(), noBackup]);
      await core.stop(GRACE_MS - drainMs);
      const ends = [...(await closed), ...(await Promise.allSettled([sender.stop()]))];
      await store.close(clock.now());
      for (const { platform } of upstreams) platform.close();
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

type HttpParts = Pick<HttpServerOptions, 'clock' | 'log'> & {
  core: Core;
  ids: Ids;
  store: Store;
  bot: TelegramBot | undefined;
};

function createHttp(
  config: Config,
  { store, bot, ...deps }: HttpParts,
  parts: Pick<AppParts, 'createConsole'>,
): HttpServer {
  return createHttpServer({
    ...deps,
    hasBot: bot !== undefined,
    pages: createPages(config, { ...deps, store, bot }, parts),
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    defaultGameId: config.defaultGameId,
    measured: createMeasured(config, { store, bot, clock: deps.clock }),
    webhook: config.bot?.webhook && bot && { ...config.bot.webhook, accept: bot.accept },
    telegram: bot?.telegramStatus,
  });
}

/** undefined where the settings have no console. */
function createPages(
  { console: settings, publicUrl }: Config,
  { store, bot, ...deps }: HttpParts,
  { createConsole: create }: Pick<AppParts, 'createConsole'>,
): HttpServerOptions['pages'] {
  if (!settings) return undefined;
  if (!create) throw new Error('There are settings of a console, and nobody has loaded it.');
  const language = (telegramId: number) => {
    const kept = store.read(({ preferences }) => preferences.find(telegramId));
    return findLanguage(kept?.language) ?? findLanguage(kept?.menu.split(':')[0]);
  };
  const botName = () => bot?.username();
  const app = create({
    ...deps,
    settings: { ...settings, findLanguage: language, botName, hasLinks: publicUrl !== undefined },
  });
  return { path: BASE, app: app as never };
}

function openStore(
  config: Config,
  parts: Pick<StoreOptions, 'log' | 'now' | 'onCommit' | 'beforeUpgrade'>,
): Store {
  assertFirstStart(config);
  const { databasePath: path, encryptionKey } = config;
  const platform = identifyPlatforms(config.platform);
  return createStore({ path, encryptionKey, exclusive: true, platform, ...parts });
}

/** Throws StoreRefusal where it cannot be made. */
function backUpFirst(
  { backups }: Config,
  deps: { clock: Clock; log: Logger },
  { makeBackupNow: make }: Pick<AppParts, 'makeBackupNow'>,
): void {
  if (backups && make) backUpBeforeUpgrade(backups, { ...deps, make });
}

/** undefined where the settings ask for none. */
function createAppBackups(
  { backups }: Config,
  deps: { clock: Clock; log: Logger },
  { makeBackup: make }: Pick<AppParts, 'makeBackup'>,
): Backups | undefined {
  return backups && make && createBackups(backups, { ...deps, make });
}

function loadGames(file: string, defaultGameId: string | undefined): Games {
  let games: Games;
  try {
    games = createGames(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new ConfigError([`GAMES_FILE: ${file} is not a catalogue of games: ${reason}`]);
  }
  if (defaultGameId !== undefined && !games.find(defaultGameId)) {
    const known = games.all.map(({ id }) => id).join(', ');
    throw new ConfigError([`DEFAULT_GAME_ID: is not a game of ${file}. It has: ${known}.`]);
  }
  return games;
}

/** The bot, loaded when it starts: who serves HTTP alone does not pay for it. */
function createBot(
  config: Config,
  { core, store, clock, ids, log }: { core: Core; store: Store; clock: Clock; ids: Ids; log: Logger },
  { floodClock, fetch }: Pick<AppParts, 'floodClock' | 'fetch'>,
): TelegramBot | undefined {
  if (!config.bot) return undefined;
  const { token, apiRoot, webhook, ...asked } = config.bot;
  const settings = {
    ...asked,
    lastBackupAt: readLastBackup(config, clock),
    consoleUrl: config.console?.url,
    publicUrl: config.publicUrl,
  };
  const loaded = import('./bot/index.ts').then(({ createTelegramBot, createTexts, describeShop }) => {
    const botStore = createBotStore(store, () => clock.now());
    const texts = createTexts(core.games, describeShop(settings));
    const deps = { core, store: botStore, texts, clock, ids, log, settings };
    return createTelegramBot(deps, { token, apiRoot, webhook, floodClock, fetch });
  });
  // Whoever starts it hears of a failure; until then nobody listens.
  loaded.catch(() => undefined);
  let telegramStatus = (): TelegramStatus => 'starting';
  let lastAnswerAt = (): number | undefined => undefined;
  let username = (): string | undefined => undefined;
  return {
    async start() {
      try {
        const bot = await loaded;
        ({ telegramStatus, lastAnswerAt, username } = bot);
        await bot.start();
      } catch (error) {
        log.error(
          { err: error },
          'the bot cannot be loaded: the installation is not whole, or a fault of ours',
        );
        telegramStatus = () => 'failed';
      }
    },
    stop: async () => (await loaded).stop(),
    accept: async (update) => (await loaded).accept(update),
    telegramStatus: () => telegramStatus(),
    lastAnswerAt: () => lastAnswerAt(),
    username: () => username(),
  };
}
