// The whole service, started as main.ts does it, on a free port and a folder of its own, with one account opened.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApp } from '../../src/app.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import type { BotConfig, Config, PlatformConfig } from '../../src/config.ts';
import type { ApiKeyActor, Core } from '../../src/core/index.ts';
import { createLogger, type Logger } from '../../src/log.ts';
import type { Platform } from '../../src/platform/port.ts';
import { createSandbox } from '../../src/platform/sandbox/sandbox.ts';
import { layFreshDatabase } from './fresh-database.ts';
import { alone } from '../../src/platforms.ts';

export interface TestAppOptions {
  /** Without it a sandbox in the app's own folder that answers after 2 ms. */
  platform?: PlatformConfig;
  /** How many sandboxes there are; one, without. */
  sandboxes?: number;
  /** What stands between the app and that sandbox. */
  through?: (sandbox: Platform) => Platform;
  /** Without it the catalogue that is shipped. */
  gamesFile?: string;
  defaultGameId?: string;
  platformTimeoutMs?: number;
  /** Of subscription for the account that is opened. */
  days?: number;
  /** Activations beside the daily quota. */
  purchased?: number;
  /** Opens what an earlier app left there, and keeps it; without it a new folder, removed by `stop`. */
  folder?: string;
  clock?: Clock;
  log?: Logger;
  /** What Telegram's flood limits are measured by, where that is not `clock`. */
  floodClock?: Pick<Clock, 'elapsed'>;
  /** Webhooks may go to this machine. */
  webhooksAllowPrivate?: boolean;
  /** Where backups lie; without it none are made. */
  backups?: string;
  /** Where the console is; without it there is none. */
  consoleUrl?: string;
  /** The bot's settings; without them HTTP alone. */
  bot?: BotConfig;
}

export interface TestApp {
  url: string;
  /** Of the account that was opened. */
  apiKey: string;
  accountId: number;
  /** The account as the core knows it. */
  actor: ApiKeyActor;
  core: Core;
  folder: string;
  databasePath: string;
  sandboxPath: string;
  /** Sends a request with the key, unless `headers` names another; a `body` goes out as JSON by POST. */
  request(path: string, init?: TestRequest): Promise<TestAnswer>;
  stop(): Promise<void>;
}

export interface TestRequest {
  body?: unknown;
  headers?: Record<string, string>;
  /** POST where there is a body, else GET. */
  method?: string;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** undefined when it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was answered
  json: any;
}

export const LATENCY_MS = 2;
/** What nobody waits for. */
const NEVER_MS = 1_000 * 86_400_000;

/** Starts it; `stop` ends it and removes the folder that it made. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'redemption-app-'));
  const databasePath = join(folder, 'redemption.db');
  const sandboxPath = join(folder, 'sandbox.db');
  layFreshDatabase(folder);
  const config = describeConfig(options, databasePath, sandboxPath);
  const log = options.log ?? createLogger({ level: 'silent' });
  const clock = options.clock ?? systemClock;
  const app = createApp(config, {
    log,
    clock,
    ...(options.through && {
      upstreams: alone(options.through(createSandbox({ path: sandboxPath, latencyMs: LATENCY_MS, clock }))),
    }),
    ...(options.floodClock && { floodClock: options.floodClock }),
  });
  const { port } = await app.start();
  const { days = 30, purchased = 0 } = options;
  const { accountId, apiKey } = await app.core.accounts.create(
    { kind: 'host', by: 'cli' },
    { name: 'Shop', days, purchased },
  );
  const identity = app.core.apiKeys.authenticate(apiKey);
  if (!identity) throw new Error('The key that was just issued is not known.');
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    apiKey,
    accountId,
    actor: identity.actor,
    core: app.core,
    folder,
    databasePath,
    sandboxPath,
    request: (path, init = {}) => send(url + path, apiKey, init),
    async stop() {
      await app.stop();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function describeConfig(options: TestAppOptions, databasePath: string, sandboxPath: string): Config {
  return {
    http: { host: '127.0.0.1', port: 0 },
    databasePath,
    encryptionKey: undefined,
    gamesFile: options.gamesFile ?? new URL('../../data/games.json', import.meta.url).pathname,
    defaultGameId: options.defaultGameId,
    platform: options.platform ?? {
      kind: 'sandbox',
      path: sandboxPath,
      latencyMs: LATENCY_MS,
      upstreams: options.sandboxes ?? 1,
    },
    platformTimeoutMs: options.platformTimeoutMs ?? 45_000,
    bot: options.bot,
    ...(options.backups !== undefined && {
      backups: { folder: options.backups, everyMs: NEVER_MS, keep: 1 },
    }),
    ...(options.consoleUrl !== undefined && { console: { url: options.consoleUrl, hostIds: [] } }),
    metricsToken: undefined,
    publicUrl: 'https://codes.example',
    webhooksAllowPrivate: options.webhooksAllowPrivate,
    logLevel: 'silent',
  };
}

async function send(
  url: string,
  apiKey: string,
  { body, headers, method = body === undefined ? 'GET' : 'POST' }: TestRequest,
): Promise<TestAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
