// The settings: one schema over the environment, every mistake reported at once. It reads no file that is named in it.
// Whether DEFAULT_GAME_ID is a game is for the app to say, which reads the games file.
import { z } from 'zod';

import { DAY_MS, HOUR_MS } from './clock.ts';
import {
  bareAddress,
  cents,
  cidrs,
  consoleAddress,
  encryptionKey,
  hours,
  isWebAddress,
  matching,
  optional,
  publicAddress,
  telegramIds,
  visible,
  webAddress,
  whole,
  yesOrNo,
} from './config-values.ts';
import { listMisspelt } from './setting-names.ts';

export interface Config {
  http: { host: string; port: number };
  databasePath: string;
  /** 32 bytes; without it the key file beside the database holds. */
  encryptionKey: Buffer | undefined;
  /** What `rekey` changes it to, where it is set. */
  encryptionKeyNew?: Buffer | undefined;
  gamesFile: string;
  defaultGameId: string | undefined;
  platform: PlatformConfig;
  platformTimeoutMs: number;
  /** undefined: no bot, HTTP alone. */
  bot: BotConfig | undefined;
  metricsToken: string | undefined;
  /** CIDRs of the proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
  /** undefined: no console. */
  console?: { url: string; hostIds: readonly number[] } | undefined;
  /** The origin of claim links; undefined: there are none. */
  publicUrl?: string | undefined;
  /** Whether webhooks may go to private addresses and by http. */
  webhooksAllowPrivate?: boolean | undefined;
  /** How long logins and passwords are kept once a redemption has ended; undefined: for good. */
  keepCredentialsMs?: number | undefined;
  /** undefined: the service makes no backups by itself. */
  backups?: { folder: string; everyMs: number; keep: number } | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
}

export type PlatformConfig =
  /** `upstreams`: how many sandboxes there are over the one file. */
  { kind: 'sandbox'; path: string; latencyMs: number; upstreams: number } | UpstreamsConfig;

/** One upstream by its address and token, or a file of several whose tokens are in variables of the environment. */
export type UpstreamsConfig =
  | { kind: 'upstream'; url: string; token: string }
  | {
      kind: 'upstreams';
      file: string;
      /** The folder of profiles. */
      profiles: string;
      readVariable: (name: string) => string | undefined;
    };

export interface BotConfig {
  token: string;
  /** Without a slash at its end. */
  apiRoot: string;
  /** undefined: long polling. */
  webhook: { url: string; secret: string } | undefined;
  /** Telegram ids of the host. */
  hostIds: readonly number[];
  openSignup: boolean;
  /** Whom people write to about payments, as it is shown to them: `@name`, an address. */
  supportContact?: string | undefined;
  /** 0: payment through the provider. */
  starsPerUsd: number;
  paymentProviderToken: string | undefined;
  /** Of 30 days; undefined: subscriptions are not sold. */
  subscriptionPriceCents: number | undefined;
}

/** Settings that do not hold. The message has one line for each: `NAME: what is wrong and what to do`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The settings need a correction:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

type Environment = Record<string, string | undefined>;

// A pause longer than this overflows the timers of Node.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting. `null` stands for one that is not set and has no default. */
const Settings = z.object({
  TELEGRAM_BOT_TOKEN: optional(
    matching(/^\d+:[A-Za-z0-9_-]+$/, 'must be a token as @BotFather gives it, like 123456:ABC-DEF'),
  ),
  TELEGRAM_API_ROOT: bareAddress().default('https://api.telegram.org'),
  WEBHOOK_URL: optional(webAddress()),
  WEBHOOK_SECRET: optional(
    matching(/^[A-Za-z0-9_-]{1,256}$/, 'must be 1 to 256 of the characters A-Z a-z 0-9 _ -'),
  ),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  DATABASE_PATH: z.string().default('data/redemption.db'),
  ENCRYPTION_KEY: optional(encryptionKey()),
  ENCRYPTION_KEY_NEW: optional(encryptionKey()),
  GAMES_FILE: z.string().default('data/games.json'),
  DEFAULT_GAME_ID: optional(z.string()),
  PLATFORM: z.enum(['sandbox', 'upstream'], 'must be sandbox or upstream').default('sandbox'),
  UPSTREAM_URL: optional(bareAddress()),
  UPSTREAM_TOKEN: optional(visible()),
  UPSTREAMS_FILE: optional(z.string()),
  UPSTREAM_PROFILES: z.string().default('data/profiles'),
  PLATFORM_TIMEOUT_MS: whole(100, 50_000).default(45_000),
  SANDBOX_PATH: z.string().default('data/sandbox.db'),
  SANDBOX_LATENCY_MS: whole(0, LONGEST_TIMER_MS).default(300),
  SANDBOX_UPSTREAMS: whole(1, 5).default(1),
  HOST_IDS: telegramIds().default([]),
  OPEN_SIGNUP: yesOrNo().default(false),
  SUPPORT_CONTACT: optional(matching(/^\P{C}{1,100}$/u, 'must be one line of at most 100 characters')),
  STARS_PER_USD: whole(0, 1_000_000).default(77),
  PAYMENT_PROVIDER_TOKEN: optional(visible()),
  SUBSCRIPTION_PRICE_USD: optional(cents()),
  CONSOLE_URL: optional(consoleAddress()),
  PUBLIC_URL: optional(publicAddress()),
  METRICS_TOKEN: optional(visible()),
  TRUSTED_PROXIES: cidrs(),
  WEBHOOKS_ALLOW_PRIVATE: yesOrNo().default(false),
  KEEP_CREDENTIALS_DAYS: optional(whole(1, 36_500)),
  BACKUP_FOLDER: optional(z.string()),
  BACKUP_EVERY_HOURS: hours().default(24 * HOUR_MS),
  BACKUP_KEEP: whole(1, 10_000).default(14),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(Settings.shape);

// Never repeated in a message. An address counts: it may hold a password.
const SECRET = /_(TOKEN|SECRET|KEY|KEY_NEW|URL|ROOT)$/;

/**
 * Reads the settings from an environment; an empty value counts as unset, an unknown name is ignored
 * (setting-names.ts tells those that were meant for one).
 * Paths stay as given: relative ones are relative to the working directory. Throws ConfigError with every mistake.
 */
export function loadConfig(env: Environment): Config {
  const set = pickSet(env);
  const parsed = Settings.safeParse(set);
  const mistakes = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => formatIssue(issue, set))),
    ...findMissing(set),
    ...findUnreachable(set),
  ];
  // What is missing may be there under another name.
  if (!parsed.success || mistakes.length > 0)
    throw new ConfigError([...mistakes, ...listMisspelt(env, SETTINGS)]);
  return toConfig(parsed.data, env);
}

function toConfig(settings: z.infer<typeof Settings>, env: Environment): Config {
  const { BACKUP_FOLDER: folder, BACKUP_EVERY_HOURS: everyMs, BACKUP_KEEP: keep } = settings;
  const { KEEP_CREDENTIALS_DAYS: days, CONSOLE_URL: url } = settings;
  return {
    http: { host: settings.HOST, port: settings.PORT },
    databasePath: settings.DATABASE_PATH,
    encryptionKey: settings.ENCRYPTION_KEY,
    encryptionKeyNew: settings.ENCRYPTION_KEY_NEW,
    gamesFile: settings.GAMES_FILE,
    defaultGameId: settings.DEFAULT_GAME_ID,
    platform: toPlatform(settings, env),
    platformTimeoutMs: settings.PLATFORM_TIMEOUT_MS,
    bot: toBot(settings),
    metricsToken: settings.METRICS_TOKEN,
    trustedProxies: settings.TRUSTED_PROXIES,
    ...(url && { console: { url, hostIds: settings.HOST_IDS } }),
    publicUrl: settings.PUBLIC_URL,
    webhooksAllowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE,
    ...(days && { keepCredentialsMs: days * DAY_MS }),
    ...(folder && { backups: { folder, everyMs, keep } }),
    logLevel: settings.LOG_LEVEL,
  };
}

function toPlatform(settings: z.infer<typeof Settings>, env: Environment): PlatformConfig {
  const { PLATFORM, UPSTREAM_URL: url, UPSTREAM_TOKEN: token, SANDBOX_PATH: path } = settings;
  const { UPSTREAMS_FILE: file, UPSTREAM_PROFILES: profiles } = settings;
  if (file) return { kind: 'upstreams', file, profiles, readVariable: (name) => env[name]?.trim() };
  if (PLATFORM === 'upstream' && url && token) return { kind: 'upstream', url, token };
  const { SANDBOX_LATENCY_MS: latencyMs, SANDBOX_UPSTREAMS: upstreams } = settings;
  return { kind: 'sandbox', path, latencyMs, upstreams };
}

function toBot(settings: z.infer<typeof Settings>): BotConfig | undefined {
  const { TELEGRAM_BOT_TOKEN: token, WEBHOOK_URL: url, WEBHOOK_SECRET: secret } = settings;
  if (!token) return undefined;
  return {
    token,
    apiRoot: settings.TELEGRAM_API_ROOT,
    webhook: url && secret ? { url, secret } : undefined,
    hostIds: settings.HOST_IDS,
    openSignup: settings.OPEN_SIGNUP,
    supportContact: settings.SUPPORT_CONTACT,
    starsPerUsd: settings.STARS_PER_USD,
    paymentProviderToken: settings.PAYMENT_PROVIDER_TOKEN,
    subscriptionPriceCents: settings.SUBSCRIPTION_PRICE_USD,
  };
}

function pickSet(env: Environment): Record<string, string> {
  const set: Record<string, string> = {};
  for (const name of SETTINGS) {
    const value = (env[name] ?? env[`\uFEFF${name}`])?.trim(); // The first of a file, after its byte order mark.
    if (value) set[name] = value;
  }
  return set;
}

/** Settings that need another one. Told beside the mistakes inside single settings, not after them. */
function findMissing(set: Record<string, string>): string[] {
  const mistakes: string[] = [];
  const need = (name: string, why: string) => {
    if (!set[name]) mistakes.push(`${name}: is missing; ${why}`);
  };
  if (set.WEBHOOK_URL) need('WEBHOOK_SECRET', 'set it beside WEBHOOK_URL, or neither');
  if (set.WEBHOOK_SECRET) need('WEBHOOK_URL', 'set it beside WEBHOOK_SECRET, or neither');
  if (set.UPSTREAMS_FILE && set.PLATFORM !== 'upstream')
    mistakes.push('UPSTREAMS_FILE: is set without PLATFORM=upstream; set that, too, or leave the file out');
  if (set.UPSTREAMS_FILE && (set.UPSTREAM_URL || set.UPSTREAM_TOKEN))
    mistakes.push('UPSTREAMS_FILE: is set beside UPSTREAM_URL or UPSTREAM_TOKEN; set the file, or the pair');
  if (set.PLATFORM === 'upstream' && !set.UPSTREAMS_FILE) {
    need('UPSTREAM_URL', 'PLATFORM=upstream needs the address of the other service');
    need('UPSTREAM_TOKEN', 'PLATFORM=upstream needs an API key of the other service');
  }
  if (Number(set.STARS_PER_USD) === 0)
    need('PAYMENT_PROVIDER_TOKEN', 'STARS_PER_USD=0 is for payment through a provider');
  return mistakes;
}

const TELEGRAM_HOST = 'api.telegram.org';
/** Of the Bot API's documentation of setWebhook. */
const WEBHOOK_PORTS = ['443', '80', '88', '8443'];

/** A webhook that Telegram itself would refuse; a Bot API server of one's own takes http, any port and any address. */
function findUnreachable({ WEBHOOK_URL: url, TELEGRAM_API_ROOT: root }: Record<string, string>): string[] {
  if (url === undefined || !isWebAddress(url)) return [];
  if (root !== undefined && (!isWebAddress(root) || new URL(root).hostname !== TELEGRAM_HOST)) return [];
  const { protocol, port } = new URL(url);
  if (protocol === 'https:' && WEBHOOK_PORTS.includes(port || '443')) return [];
  return [
    `WEBHOOK_URL: ${TELEGRAM_HOST} delivers to https alone, on port 443, 80, 88 or 8443: set such an address, or leave it and WEBHOOK_SECRET out`,
  ];
}

function formatIssue(issue: z.core.$ZodIssue, set: Record<string, string>): string {
  const name = String(issue.path[0]);
  const shown = SECRET.test(name) ? '' : `, not ${JSON.stringify(set[name]?.slice(0, 60))}`;
  return `${name}: ${issue.message}${shown}`;
}
