// The settings: defaults, every kind of mistake, and that .env.example documents exactly what the schema reads.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { ConfigError, loadConfig, SETTINGS } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('an environment without settings', () => {
  test('gives the sandbox on the loopback address, and no bot', () => {
    expect(loadConfig({})).toEqual({
      http: { host: '127.0.0.1', port: 3000 },
      databasePath: 'data/redemption.db',
      encryptionKey: undefined,
      gamesFile: 'data/games.json',
      defaultGameId: undefined,
      platform: { kind: 'sandbox', path: 'data/sandbox.db', latencyMs: 300, upstreams: 1 },
      platformTimeoutMs: 45_000,
      bot: undefined,
      metricsToken: undefined,
      trustedProxies: [],
      webhooksAllowPrivate: false,
      logLevel: 'info',
    });
  });

  test('is the same as one of empty strings, and unknown names change nothing', () => {
    const empty = Object.fromEntries(SETTINGS.map((name) => [name, '']));
    expect(loadConfig({ ...empty, PATH: '/bin', PROT: '12' })).toEqual(loadConfig({}));
  });
});

test('every setting reaches the configuration', () => {
  const config = loadConfig({
    TELEGRAM_BOT_TOKEN: '123:abc_DEF-1',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
    WEBHOOK_URL: 'https://example.org/hook',
    WEBHOOK_SECRET: 's-1_A',
    HOST: '0.0.0.0',
    PORT: '0',
    DATABASE_PATH: 'x/y.db',
    ENCRYPTION_KEY: KEY,
    GAMES_FILE: 'games.json',
    DEFAULT_GAME_ID: 'game_id_1',
    PLATFORM: 'upstream',
    UPSTREAM_URL: 'https://upstream.example.org/api/',
    UPSTREAM_TOKEN: 'token',
    PLATFORM_TIMEOUT_MS: '100',
    HOST_IDS: '1, 22,1',
    OPEN_SIGNUP: 'true',
    SUPPORT_CONTACT: ' @shop_support ',
    STARS_PER_USD: '80',
    PAYMENT_PROVIDER_TOKEN: 'provider:TEST:1',
    SUBSCRIPTION_PRICE_USD: '19.9',
    METRICS_TOKEN: 'metrics',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'silent',
  });
  expect(config).toEqual({
    http: { host: '0.0.0.0', port: 0 },
    databasePath: 'x/y.db',
    encryptionKey: Buffer.alloc(32, 7),
    gamesFile: 'games.json',
    defaultGameId: 'game_id_1',
    platform: { kind: 'upstream', url: 'https://upstream.example.org/api', token: 'token' },
    platformTimeoutMs: 100,
    bot: {
      token: '123:abc_DEF-1',
      apiRoot: 'http://127.0.0.1:8081',
      webhook: { url: 'https://example.org/hook', secret: 's-1_A' },
      hostIds: [1, 22],
      openSignup: true,
      supportContact: '@shop_support',
      starsPerUsd: 80,
      paymentProviderToken: 'provider:TEST:1',
      subscriptionPriceCents: 1990,
    },
    metricsToken: 'metrics',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    webhooksAllowPrivate: true,
    logLevel: 'silent',
  });
  const sandbox = loadConfig({ SANDBOX_PATH: 's.db', SANDBOX_LATENCY_MS: '0', SANDBOX_UPSTREAMS: '3' });
  expect(sandbox.platform).toEqual({ kind: 'sandbox', path: 's.db', latencyMs: 0, upstreams: 3 });
});

test.each([
  ['PORT', '65536', 'from 0 to 65535'],
  ['PORT', '-1', 'from 0 to 65535'],
  ['SANDBOX_UPSTREAMS', '6', 'from 1 to 5'],
  ['PORT', '3e3', 'from 0 to 65535'],
  ['PLATFORM_TIMEOUT_MS', '99', 'from 100 to 50000'],
  ['PLATFORM_TIMEOUT_MS', '50001', 'from 100 to 50000'],
  ['SANDBOX_LATENCY_MS', '1.5', 'whole number'],
  ['STARS_PER_USD', '0.5', 'whole number'],
  ['SUPPORT_CONTACT', '@a\nb', 'one line'],
  ['PLATFORM', 'real', 'sandbox or upstream'],
  ['OPEN_SIGNUP', 'yes', 'true or false'],
  ['LOG_LEVEL', 'loud', 'silent'],
  ['HOST_IDS', '1;2', 'separated by commas'],
  ['HOST_IDS', '@someone', 'separated by commas'],
  ['SUBSCRIPTION_PRICE_USD', '9.999', 'like 9.99'],
  ['SUBSCRIPTION_PRICE_USD', '0', 'above zero'],
])('%s=%s is a mistake that names the setting, the rule and the value', (name, value, rule) => {
  const [mistake, ...others] = mistakesOf({ [name]: value });
  expect(mistake).toMatch(new RegExp(`^${name}: `));
  expect(mistake).toContain(rule);
  expect(mistake).toContain(JSON.stringify(value));
  expect(others).toEqual([]);
});

test.each([
  ['TELEGRAM_BOT_TOKEN', 'hush without a number'],
  ['TELEGRAM_API_ROOT', 'ftp://user:hush@example.org'],
  ['ENCRYPTION_KEY', 'hushhush'],
  ['ENCRYPTION_KEY', `${KEY.slice(0, -1)}hush`],
  ['UPSTREAM_URL', 'ws://user:hush@example.org'],
  ['UPSTREAM_URL', 'https://user:hush@example.org'],
  ['UPSTREAM_URL', 'https://example.org/?hush'],
  ['UPSTREAM_URL', 'https://example.org/#hush'],
  ['UPSTREAM_URL', 'https://example.org/hush?'],
  ['UPSTREAM_URL', 'https://example.org/hush#'],
  ['TELEGRAM_API_ROOT', 'https://user:hush@example.org'],
  ['CONSOLE_URL', 'http://hush.example/console'],
  ['CONSOLE_URL', 'https://shop.example/hush'],
  ['UPSTREAM_TOKEN', 'hush hush'],
  ['METRICS_TOKEN', 'hush\u00e9'],
  ['PAYMENT_PROVIDER_TOKEN', 'hush hush'],
])('a mistake in %s never repeats its value', (name, value) => {
  const mistakes = mistakesOf({ [name]: value });
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toMatch(new RegExp(`^${name}: `));
  expect(mistakes.join()).not.toContain('hush');
});

test.each([
  [{ WEBHOOK_URL: 'https://example.org' }, ['WEBHOOK_SECRET']],
  [{ WEBHOOK_SECRET: 'abc' }, ['WEBHOOK_URL']],
  [{ PLATFORM: 'upstream' }, ['UPSTREAM_URL', 'UPSTREAM_TOKEN']],
  [{ PLATFORM: 'upstream', UPSTREAM_URL: 'http://127.0.0.1:3001' }, ['UPSTREAM_TOKEN']],
  [{ STARS_PER_USD: '0' }, ['PAYMENT_PROVIDER_TOKEN']],
])('%j misses %j', (env, missing) => {
  expect(mistakesOf(env).map((mistake) => mistake.split(':')[0])).toEqual(missing);
});

describe('a webhook', () => {
  const secret = { WEBHOOK_SECRET: 'abc' };
  const own = { TELEGRAM_API_ROOT: 'http://127.0.0.1:8081' };

  test.each(['', ':443', ':80', ':88', ':8443'])(
    'on https and port "%s" is one that Telegram takes',
    (port) => {
      expect(mistakesOf({ ...secret, WEBHOOK_URL: `https://example.org${port}/hook` })).toEqual([]);
    },
  );

  test.each(['http://example.org/hush', 'https://example.org:3000/hush', 'http://example.org:8443/hush'])(
    'at %s is for a Bot API server of one’s own alone',
    (url) => {
      const explicit = { TELEGRAM_API_ROOT: 'https://API.telegram.org/' };
      for (const root of [{}, explicit]) {
        const [mistake, ...others] = mistakesOf({ ...secret, ...root, WEBHOOK_URL: url });
        expect(mistake).toMatch(
          /^WEBHOOK_URL: .*https alone, on port 443, 80, 88 or 8443: set such an address/,
        );
        expect([others, mistake]).toEqual([[], expect.not.stringContaining('hush')]);
      }
      expect(mistakesOf({ ...secret, ...own, WEBHOOK_URL: url })).toEqual([]);
    },
  );
});

describe('a file of upstreams', () => {
  const file = { UPSTREAMS_FILE: 'u.json' };
  const pair = { UPSTREAM_URL: 'https://a.example.org', UPSTREAM_TOKEN: 't' };

  test('stands in place of the pair, and reads its tokens from the environment', () => {
    const { platform } = loadConfig({ PLATFORM: 'upstream', ...file, EAST_TOKEN: ' hush ' });
    expect(platform).toMatchObject({ kind: 'upstreams', file: 'u.json', profiles: 'data/profiles' });
    const read = platform.kind === 'upstreams' ? platform.readVariable : () => undefined;
    expect([read('EAST_TOKEN'), read('WEST_TOKEN')]).toEqual(['hush', undefined]);
    const asked = loadConfig({ PLATFORM: 'upstream', ...file, UPSTREAM_PROFILES: 'p' }).platform;
    expect(asked).toMatchObject({ profiles: 'p' });
  });

  test('is never the sandbox, and not beside the pair', () => {
    expect(mistakesOf(file)).toEqual([expect.stringMatching(/^UPSTREAMS_FILE: .*without PLATFORM=upstream/)]);
    const halves: Record<string, string>[] = [{ UPSTREAM_URL: pair.UPSTREAM_URL }, { UPSTREAM_TOKEN: 't' }];
    for (const half of [pair, ...halves])
      expect(mistakesOf({ PLATFORM: 'upstream', ...file, ...half })).toEqual([
        expect.stringMatching(/^UPSTREAMS_FILE: .*the file, or the pair/),
      ]);
    expect(mistakesOf({ ...file, ...pair })).toHaveLength(2);
  });
});

test('all mistakes are told at once', () => {
  const mistakes = mistakesOf({
    PORT: 'x',
    LOG_LEVEL: 'x',
    ENCRYPTION_KEY: 'x',
    PLATFORM: 'upstream',
    WEBHOOK_SECRET: 'a',
  });
  expect(mistakes.map((mistake) => mistake.split(':')[0]).sort()).toEqual([
    'ENCRYPTION_KEY',
    'LOG_LEVEL',
    'PORT',
    'UPSTREAM_TOKEN',
    'UPSTREAM_URL',
    'WEBHOOK_URL',
  ]);
});

test('prices become cents without rounding', () => {
  const bot = (price: string) =>
    loadConfig({ TELEGRAM_BOT_TOKEN: '1:a', SUBSCRIPTION_PRICE_USD: price }).bot?.subscriptionPriceCents;
  expect([bot('1.15'), bot('19.99'), bot('30'), bot('0.07')]).toEqual([115, 1999, 3000, 7]);
});

test('a file that begins with a byte order mark loses none of its names', () => {
  const key = Buffer.alloc(32, 5);
  expect(loadConfig({ '\uFEFFENCRYPTION_KEY': key.toString('base64') }).encryptionKey).toEqual(key);
});

describe('.env.example', () => {
  const lines = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map((match) => [match[1], match[2]] as const);

  test('names every setting once, and nothing else', () => {
    expect(lines.map(([name]) => name).sort()).toEqual([...SETTINGS].sort());
    expect(example.match(/^[A-Z_]+=/m)).toBeNull();
  });

  test('shows the defaults', () => {
    expect(loadConfig(Object.fromEntries(lines))).toEqual(loadConfig({}));
    // Through the bot, whose settings an environment without a token does not show.
    const bot = { TELEGRAM_BOT_TOKEN: '1:a' };
    expect(loadConfig({ ...Object.fromEntries(lines), ...bot })).toEqual(loadConfig(bot));
  });
});

test('logins are kept for so many days, and for good where nothing is said', () => {
  expect(loadConfig({}).keepCredentialsMs).toBeUndefined();
  expect(loadConfig({ KEEP_CREDENTIALS_DAYS: '30' }).keepCredentialsMs).toBe(30 * 86_400_000);
  for (const days of ['0', '-1', '1.5', 'never', '36501'])
    expect(() => loadConfig({ KEEP_CREDENTIALS_DAYS: days })).toThrow(/KEEP_CREDENTIALS_DAYS: must be/);
});

test('backups are asked for by their folder; hours may be fractions', () => {
  expect(loadConfig({ BACKUP_EVERY_HOURS: '2' }).backups).toBeUndefined();
  expect(loadConfig({ BACKUP_FOLDER: 'kept' }).backups).toEqual({
    folder: 'kept',
    everyMs: 24 * 3_600_000,
    keep: 14,
  });
  const asked = loadConfig({ BACKUP_FOLDER: 'kept', BACKUP_EVERY_HOURS: '0.5', BACKUP_KEEP: '3' }).backups;
  expect(asked).toEqual({ folder: 'kept', everyMs: 1_800_000, keep: 3 });
  for (const hours of ['0', '-1', '1e3', '0.01', '9000'])
    expect(() => loadConfig({ BACKUP_FOLDER: 'kept', BACKUP_EVERY_HOURS: hours })).toThrow(
      /BACKUP_EVERY_HOURS: must be hours/,
    );
});
