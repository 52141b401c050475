// The composition root: store → platform → core → http. Starts in this order, stops in reverse.
import { readFileSync } from 'node:fs';

import { systemClock, type Clock } from './clock.ts';
import { ConfigError, type Config, type PlatformConfig } from './config.ts';
import { createCore, createGames, type Core, type Games } from './core/index.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { randomIds } from './ids.ts';
import type { Logger } from './log.ts';
import type { Platform } from './platform/port.ts';
import { createSandbox } from './platform/sandbox.ts';
import { createUpstream } from './platform/upstream.ts';
import { createStore } from './store/index.ts';

export interface App {
  core: Core;
  /** Settles what was left open, then serves. Returns where HTTP listens. */
  start(): Promise<{ address: string; port: number }>;
  /** Stops taking requests, gives running redemptions their grace, leaves the rest in doubt, closes everything. */
  stop(): Promise<void>;
}

export interface AppParts {
  log: Logger;
  clock?: Clock;
  /** Told of every commit: how many jobs it held. */
  onCommit?: (jobs: number) => void;
}

/** How long a running redemption may go on after the first signal, from the architecture document. */
const GRACE_MS = 8_000;

/** Opens everything; nothing runs before `start`. Throws ConfigError or StoreRefusal with a sentence for the host. */
export function createApp(config: Config, { log, clock = systemClock, onCommit }: AppParts): App {
  const games = loadGames(config.gamesFile, config.defaultGameId);
  const store = createStore({
    path: config.databasePath,
    encryptionKey: config.encryptionKey,
    exclusive: true,
    ...(onCommit && { onCommit }),
  });
  const platform = createPlatform(config.platform, games, clock);
  const core = createCore({
    store,
    platform,
    games,
    clock,
    ids: randomIds,
    log,
    platformTimeoutMs: config.platformTimeoutMs,
    subscriptionPriceUsdCents: config.bot?.subscriptionPriceCents,
  });
  const { metricsToken, defaultGameId } = config;
  const http: HttpServer = createHttpServer({ core, clock, log, metricsToken, defaultGameId });

  return {
    core,
    async start() {
      await core.start();
      return http.listen(config.http);
    },
    async stop() {
      const closed = http.close();
      await core.stop(GRACE_MS);
      await closed;
      await store.close();
      platform.close();
    },
  };
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

function createPlatform(config: PlatformConfig, games: Games, clock: Clock): Platform {
  switch (config.kind) {
    case 'sandbox': {
      const sessionGames = games.all.filter((game) => game.receipts === 'session').map(({ id }) => id);
      return createSandbox({ path: config.path, latencyMs: config.latencyMs, clock, sessionGames });
    }
    case 'upstream':
      return createUpstream({ url: config.url, token: config.token, clock });
  }
}
