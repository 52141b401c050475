// The settings: one schema over the environment, every mistake reported at once. Pure: it reads no file.
// Whether DEFAULT_GAME_ID is a game is for the app to say, which reads the games file.
import { z } from 'zod';

import { HOUR_MS } from './clock.ts';

export interface Config {
  http: { host: string; port: number };
  databasePath: string;
  /** 32 bytes; without it the key file beside the database holds. */
  encryptionKey: Buffer | undefined;
  gamesFile: string;
  defaultGameId: string | undefined;
  platform: PlatformConfig;
  platformTimeoutMs: number;
  /** undefined: no bot, HTTP alone. */
  bot: BotConfig | undefined;
  metricsToken: string | undefined;
  /** Whether webhooks may go to private addresses and by http. */
  webhooksAllowPrivate?: boolean | undefined;
  /** undefined: the service makes no backups by itself. */
  backups?: { folder: string; everyMs: number; keep: number } | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
}

export type PlatformConfig =
  { kind: 'sandbox'; path: string; latencyMs: number } | { kind: 'upstream'; url: string; token: string };

export interface BotConfig {
  token: string;
  /** Without a slash at its end. */
  apiRoot: string;
  /** undefined: long polling. */
  webhook: { url: string; secret: string } | undefined;
  /** Telegram ids of whoever hosts the service. */
  hostIds: readonly number[];
  openSignup: boolean;
  /** Whom people write to about payments, as it is shown to them: `@name`, an address. */
  supportContact?: string | undefined;
  starsPerUsd: number;
  /** undefined: payment in Telegram Stars alone. */
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
  GAMES_FILE: z.string().default('data/games.json'),
  DEFAULT_GAME_ID: optional(z.string()),
  PLATFORM: z.enum(['sandbox', 'upstream'], 'must be sandbox or upstream').default('sandbox'),
  UPSTREAM_URL: optional(bareAddress()),
  UPSTREAM_TOKEN: optional(visible()),
  PLATFORM_TIMEOUT_MS: whole(100, 50_000).default(45_000),
  SANDBOX_PATH: z.string().default('data/sandbox.db'),
  SANDBOX_LATENCY_MS: whole(0, LONGEST_TIMER_MS).default(300),
  HOST_IDS: telegramIds().default([]),
  OPEN_SIGNUP: yesOrNo().default(false),
  SUPPORT_CONTACT: optional(matching(/^\P{C}{1,100}$/u, 'must be one line of at most 100 characters')),
  STARS_PER_USD: whole(1, 1_000_000).default(77),
  PAYMENT_PROVIDER_TOKEN: optional(visible()),
  SUBSCRIPTION_PRICE_USD: optional(cents()),
  METRICS_TOKEN: optional(visible()),
  WEBHOOKS_ALLOW_PRIVATE: yesOrNo().default(false),
  BACKUP_FOLDER: optional(z.string()),
  BACKUP_EVERY_HOURS: hours().default(24 * HOUR_MS),
  BACKUP_KEEP: whole(1, 10_000).default(14),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(Settings.shape);

// Never repeated in a message. An address counts: it may hold a password.
const SECRET = /_(TOKEN|SECRET|KEY|URL|ROOT)$/;

/**
 * Reads the settings from an environment; an empty value counts as unset, an unknown name is ignored.
 * Paths stay as given: relative ones are relative to the working directory. Throws ConfigError with every mistake.
 */
export function loadConfig(env: Environment): Config {
  const set = keepSet(env);
  const parsed = Settings.safeParse(set);
  const mistakes = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => word(issue, set))),
    ...findMissing(set),
    ...findUnreachable(set),
  ];
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes);
  return toConfig(parsed.data);
}

function toConfig(settings: z.infer<typeof Settings>): Config {
  const { BACKUP_FOLDER: folder, BACKUP_EVERY_HOURS: everyMs, BACKUP_KEEP: keep } = settings;
  return {
    http: { host: settings.HOST, port: settings.PORT },
    databasePath: settings.DATABASE_PATH,
    encryptionKey: settings.ENCRYPTION_KEY,
    gamesFile: settings.GAMES_FILE,
    defaultGameId: settings.DEFAULT_GAME_ID,
    platform: toPlatform(settings),
    platformTimeoutMs: settings.PLATFORM_TIMEOUT_MS,
    bot: toBot(settings),
    metricsToken: settings.METRICS_TOKEN,
    webhooksAllowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE,
    ...(folder && { backups: { folder, everyMs, keep } }),
    logLevel: settings.LOG_LEVEL,
  };
}

function toPlatform(settings: z.infer<typeof Settings>): PlatformConfig {
  const { PLATFORM, UPSTREAM_URL: url, UPSTREAM_TOKEN: token, SANDBOX_PATH: path } = settings;
  if (PLATFORM === 'upstream' && url && token) return { kind: 'upstream', url, token };
  return { kind: 'sandbox', path, latencyMs: settings.SANDBOX_LATENCY_MS };
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

function keepSet(env: Environment): Record<string, string> {
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
  if (set.PLATFORM === 'upstream') {
    need('UPSTREAM_URL', 'PLATFORM=upstream needs the address of the other service');
    need('UPSTREAM_TOKEN', 'PLATFORM=upstream needs an API key of the other service');
  }
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

function word(issue: z.core.$ZodIssue, set: Record<string, string>): string {
  const name = String(issue.path[0]);
  const shown = SECRET.test(name) ? '' : `, not ${JSON.stringify(set[name]?.slice(0, 60))}`;
  return `${name}: ${issue.message}${shown}`;
}

function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().transform((value) => value);
}

function matching(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

function yesOrNo() {
  return z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');
}

function visible() {
  return matching(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');
}

function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .refine((value) => /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max, message)
    .transform(Number);
}

/** Hours, in milliseconds: from six minutes to a year. */
function hours() {
  return z
    .string()
    .refine(
      (value) => /^\d{1,4}(\.\d{1,3})?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 8760,
      'must be hours from 0.1 to 8760',
    )
    .transform((value) => Math.round(Number(value) * HOUR_MS));
}

function webAddress() {
  return z
    .string()
    .refine(isWebAddress, 'must be an address that begins with https:// or http://')
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''));
}

/** What paths are written behind: even a lone ? or # would swallow them. And no request goes to an address with a password. */
function bareAddress() {
  return webAddress().refine(
    (value) => !/[?#]/.test(value) && !URL.parse(value)?.username && !URL.parse(value)?.password,
    'must be an address without user, password, ? and #',
  );
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

function encryptionKey() {
  return z
    .string()
    .refine(
      (value) =>
        Buffer.from(value, 'base64').length === 32 &&
        Buffer.from(value, 'base64').toString('base64') === value,
      'must be 32 bytes in base64, 44 characters; `openssl rand -base64 32` makes one',
    )
    .transform((value) => Buffer.from(value, 'base64'));
}

function telegramIds() {
  const split = (value: string) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return z
    .string()
    .refine(
      (value) => split(value).every((part) => /^[1-9]\d{0,14}$/.test(part)),
      'must be Telegram ids (whole numbers) separated by commas',
    )
    .transform((value) => [...new Set(split(value).map(Number))]);
}

/** `9.99` to 999, without the rounding of binary fractions. */
function cents() {
  return z
    .string()
    .refine(
      (value) => /^\d{1,7}(\.\d{1,2})?$/.test(value) && Number(value) > 0,
      'must be a price above zero like 9.99',
    )
    .transform((value) => {
      const [dollars = '0', rest = ''] = value.split('.');
      return Number(dollars) * 100 + Number(rest.padEnd(2, '0'));
    });
}
