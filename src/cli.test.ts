// The host's commands: what they print, where, and with which exit code. Started for real where the process itself is
// part of it: its folder and settings, its priority, its reader, whoever writes at the same time.
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { COMPILE_CACHE } from '../test/harness/compile-cache.ts';
import { makeUnreadable } from '../test/harness/damaged-file.ts';
import { runHere, type Ended } from '../test/harness/run-here.ts';
import { countStart } from '../test/starts.ts';
import { openTrader, tradeEverything } from '../test/harness/traded-store.ts';
import { nameBackup } from './backup-files.ts';
import { openVerbs } from './cli/verbs.ts';
import { hasFoundDamage } from './store/backup/last-check.ts';
import { createStore } from './store/index.ts';
import { pause } from './waiting.ts';

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url));
const GAMES = fileURLToPath(new URL('../data/games.json', import.meta.url));
const KEY = Buffer.alloc(32, 5).toString('base64');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const settings = { GAMES_FILE: GAMES, ENCRYPTION_KEY: KEY };
const environment = (env: Record<string, string>) => ({ ...COMPILE_CACHE, ...settings, ...env });

/** In this process. */
const run = (args: string[], env: Record<string, string> = {}) =>
  runHere(folder, args, { ...settings, ...env });

/** The program itself. */
function start(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: environment(env), maxBuffer: 1 << 26 };
    countStart();
    const child = execFile(process.execPath, [CLI, ...args], options, (_error, out, err) =>
      resolve({ exitCode: child.exitCode ?? -1, out, err }),
    );
  });
}

const linesOf = ({ out }: Ended): unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
const database = () => join(folder, 'data/redemption.db');
const open = () =>
  createStore({ path: database(), encryptionKey: Buffer.from(KEY, 'base64'), exclusive: true });

async function makeTradedStore() {
  const store = open();
  await tradeEverything(store, await openTrader(() => store, Date.now));
  return store;
}

describe('what is typed', () => {
  test.each([
    [[], 'restore [options] <FILE>'],
    [['wash'], "Unknown command 'wash'.\n"],
    [['acount'], "Unknown command 'acount'. Did you mean account?\n"],
    [['constructor'], "Unknown command 'constructor'."],
    [['account', 'end'], "Unknown command 'end'."],
    [['account', 'create'], "Required option '--name <name>' not specified.\n"],
    [['account', 'show'], "Missing required argument 'ACCOUNT'."],
    [['key', 'revoke'], "Missing required argument 'KEY'."],
    [['account', 'grant', '1'], 'Give --days, --purchased, or both.'],
    [['account', 'grant', '1', '--purchased', '-3'], 'It must be a whole number, without a sign.'],
    [['account', 'grant', 'x', '--days', '1'], 'It must be a whole number'],
    [['mint', '--amount', '1'], "Required option '--game <id>' not specified"],
    [['backup'], "Missing required argument 'FILE'."],
    [['backup', 'a', 'b'], "Too many arguments for 'backup'."],
    [['check', 'now'], "Too many arguments for 'check'."],
  ])('%j is told what is wrong on standard error, with exit 1', async (args, sentence) => {
    const { exitCode, out, err } = await run(args);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('--help prints the usage on standard output', async () => {
    const all = await run(['--help']);
    expect([all.exitCode, all.err]).toEqual([0, '']);
    expect(all.out).toContain('restore [options] <FILE>');
    const one = await run(['key', 'create', '--help']);
    expect([one.exitCode, one.err]).toEqual([0, '']);
    expect(one.out).toContain('<ACCOUNT>');
    expect(one.out).toContain('--json');
  });

  test('--version prints that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
  });

  test('a file .env beside is read, and what the environment says goes before it', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=x\nGAMES_FILE=none.json\n');
    const { err } = await start(['check']);
    expect(err).toMatch(/^ {2}PORT: /m);
    expect(err).not.toContain('GAMES_FILE');
  });

  test('mistakes in the settings are told without their values', async () => {
    const { exitCode, out, err } = await run(['check'], { ENCRYPTION_KEY: 'hush', PORT: 'x' });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/^ {2}ENCRYPTION_KEY: /m);
    expect(err).toMatch(/^ {2}PORT: /m);
    expect(err).not.toContain('hush');
  });
});

describe('account', () => {
  test('create prints the account and its key, grant adds to what is left, both beside the running service', async () => {
    const store = open();
    const created = await run(['account', 'create', '--name', 'Shop', '--days', '30', '--purchased', '5']);
    expect(created).toMatchObject({ exitCode: 0, err: '' });
    expect(linesOf(created)).toEqual([{ accountId: 1, apiKey: expect.stringMatching(/^\S{20,}$/) }]);
    const end = store.read((tables) => tables.accounts.find(1)?.subscriptionExpiresAt ?? 0);
    const granted = await run(['account', 'grant', '1', '--days', '2']);
    const subscriptionExpiresAt = new Date(end + 2 * 24 * 60 * 60 * 1000).toISOString();
    expect(linesOf(granted)).toEqual([{ accountId: 1, subscriptionExpiresAt, purchased: 5 }]);
    expect(store.read((tables) => tables.quota.peek(1, 0).purchased)).toBe(20);
    const given = await run(['account', 'grant', '1', '--purchased', '10']);
    expect(linesOf(given)).toEqual([{ accountId: 1, subscriptionExpiresAt, purchased: 15 }]);
    await store.close();
  });

  test('create waits for a writer that holds the file', async () => {
    const store = open();
    const holder = new Database(database());
    holder.exec('begin immediate');
    const creating = start(['account', 'create', '--name', 'Shop']);
    setTimeout(() => holder.exec('commit'), 1500);
    expect(await creating).toMatchObject({ exitCode: 0, err: '' });
    holder.close();
    await store.close();
  });

  test.each([
    [['account', 'create', '--name', ' '], /name/],
    [['account', 'create', '--name', 'Shop', '--days', '1.5'], /--days <n>.*must be a whole number/],
    [['account', 'show', '7'], /There is no account 7/],
    [['key', 'create', '7'], /There is no account 7/],
    [['key', 'revoke', '7'], /There is no key 7/],
    [['key', 'revoke', 'crs_a'], /There is no key crs_a/],
    [['account', 'grant', '7', '--days', '1'], /There is no account 7/],
  ])('%j is refused in a sentence', async (args, sentence) => {
    await open().close();
    const { exitCode, out, err } = await run(args);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('accounts and keys', () => {
  test('are listed and shown, a key is made, works by its digest, and is revoked; no key is printed twice', async () => {
    const store = open();
    const accounts = ['One', 'Two'].map((name) => run(['account', 'create', '--name', name, '--days', '3']));
    await Promise.all(accounts);
    expect(linesOf(await run(['account', 'list']))).toMatchObject([
      { accountId: 1, purchased: 0, members: 0, owner: null },
      { accountId: 2 },
    ]);
    const made = await run(['key', 'create', '2', '--name', 'web']);
    const [{ keyId, apiKey }] = linesOf(made) as [{ keyId: number; apiKey: string }];
    const listed = await run(['key', 'list', '2']);
    expect(linesOf(listed)).toMatchObject([
      { name: null, revoked: false },
      { keyId, name: 'web', prefix: apiKey.slice(0, 12), revoked: false },
    ]);
    expect(listed.out).not.toContain(apiKey);
    const prefix = apiKey.slice(0, 12);
    for (const key of [String(keyId), prefix])
      expect([key, linesOf(await run(['key', 'revoke', key]))]).toEqual([
        key,
        [{ keyId, revoked: true, webhooks: [] }],
      ]);
    expect(linesOf(await run(['account', 'rename', '2', '--name', 'Corner shop']))).toEqual([
      { accountId: 2, name: 'Corner shop' },
    ]);
    expect(linesOf(await run(['account', 'show', '2']))).toMatchObject([
      { accountId: 2, daily: { limit: 300, used: 0 }, keys: [{ revoked: false }, { revoked: true }] },
    ]);
    await store.close();
  });
});

describe('console link', () => {
  const CONSOLE = { CONSOLE_URL: 'https://shop.example/console', HOST_IDS: '909' };
  const link = (id: string, env: Record<string, string> = CONSOLE) =>
    run(['console', 'link', '--telegram', id], env);

  test('brings a member and a host in, for five minutes', async () => {
    const store = open();
    const owner = { telegramId: 5, role: 'owner', name: 'Ann', username: null, now: 0 } as const;
    await store.write(({ accounts, members }) => {
      const accountId = accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
      members.insert({ ...owner, accountId });
    });
    const { findLink } = openVerbs(store).consoleAccess;
    for (const telegramId of [5, 909]) {
      const made = await link(String(telegramId));
      expect([made.exitCode, made.err]).toEqual([0, '']);
      const [, token = ''] =
        /^\{"link":"https:\/\/shop.example\/console\/enter\/([\w-]+)"\}\n$/.exec(made.out) ?? [];
      expect(findLink(token)).toEqual({ status: 'open', telegramId });
    }
    await store.close();
  });

  test.each([
    ['6', CONSOLE, /^Nobody of the number 6 is in an account, or among HOST_IDS\.\n$/],
    ['909', {}, /^There is no console: set CONSOLE_URL, and start the service again\.\n$/],
    ['@ann', CONSOLE, /--telegram <id>.*must be a whole number/],
  ])('for %s with %j is refused in a sentence', async (id, env, sentence) => {
    await open().close();
    const { exitCode, out, err } = await link(id, env);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
  });
});

describe('mint', () => {
  const mint = (game: string, denomination: string, count: string, env = {}) =>
    run(['mint', '--game', game, '--denomination', denomination, '--count', count], env);

  test('prints as many different bare codes as asked for, one a line', async () => {
    const { exitCode, out } = await mint('game_id_1', '325', '2500');
    const codes = out.trimEnd().split('\n');
    expect([exitCode, codes.length, new Set(codes).size]).toEqual([0, 2500, 2500]);
    for (const code of codes) expect(code).toMatch(/^325S[A-Za-z0-9]{12}$/);
  });

  test('knows any denomination of a game that lists none', async () => {
    expect((await mint('game_id_2', '77', '1')).out).toMatch(/^77S[A-Za-z0-9]{13}\n$/);
  });

  test.each([
    ['game_id_9', '60', '1', {}, /There is no game game_id_9 .* game_id_1, game_id_2, game_id_3/],
    ['game_id_1', '61', '1', {}, /60, 325, 660/],
    ['game_id_2', '0', '1', {}, /denomination/],
    ['game_id_1', '60', '0', {}, /--count must be from 1/],
    ['game_id_1', '60', '1', { GAMES_FILE: 'none.json' }, /games file none.json cannot be used/],
    [
      'game_id_1',
      '60',
      '1',
      { PLATFORM: 'upstream', UPSTREAM_URL: 'http://127.0.0.1:1', UPSTREAM_TOKEN: 't' },
      /PLATFORM is not sandbox/,
    ],
  ])('%s %s × %s %j is refused', async (game, denomination, count, env, sentence) => {
    const { exitCode, out, err } = await mint(game, denomination, count, env);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err).not.toContain('That did not work');
  });

  test('stops quietly when its reader does', async () => {
    const args = ['mint', '--game', 'game_id_1', '--denomination', '60', '--count', '50000'];
    countStart();
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env: environment({}) });
    let err = '';
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    child.stdout.once('data', () => child.stdout.destroy());
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect([exitCode, err]).toEqual([0, '']);
  });
});

describe('check', () => {
  test('beside the running service says drift 0 and the counts', async () => {
    const store = await makeTradedStore();
    const checked = await run(['check']);
    expect(checked).toMatchObject({ exitCode: 0, err: '' });
    expect(linesOf(checked)).toMatchObject([{ drift: 0, added: 15, codes: { available: 4, reserved: 1 } }]);
    await store.close();
  });

  test('names every row that drifts, then the summary, with exit 1', async () => {
    await (await makeTradedStore()).close();
    new Database(database()).exec('update quotas set purchased = purchased + 1').close();
    const checked = await run(['check']);
    expect(checked).toMatchObject({ exitCode: 1, err: '' });
    expect(linesOf(checked)).toMatchObject([{ check: 'quotaPurchased', accountId: 1 }, { drift: 1 }]);
    expect(hasFoundDamage(database())).toBe(true);
    new Database(database()).exec('update quotas set purchased = purchased - 1').close();
    await run(['check']);
    expect(hasFoundDamage(database())).toBe(false);
  });

  test.each([[['check']], [['backup', 'b.db']], [['account', 'grant', '1', '--days', '1']]])(
    '%j makes neither database nor key where there is none',
    async (args) => {
      const { exitCode, out, err } = await run(args, { ENCRYPTION_KEY: '' });
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toMatch(/There is no database at data\/redemption\.db/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('makes no new key for a database whose key is gone', async () => {
    await open().close();
    const { exitCode, err } = await run(['check'], { ENCRYPTION_KEY: '' });
    expect(exitCode).toBe(1);
    expect(err).toMatch(/key file .* does not/);
    expect(existsSync(join(folder, 'data/encryption.key'))).toBe(false);
  });
});

describe('backup and restore', () => {
  test('a backup beside the service, a refusal while it runs, a restore after it', async () => {
    const store = await makeTradedStore();
    expect(linesOf(await run(['backup', 'b.db']))).toEqual([{ backup: 'b.db', proof: 'whole' }]);
    // Beside the service: nothing of it is touched.
    const drill = await run(['restore', 'b.db', '--drill']);
    expect(drill).toMatchObject({ exitCode: 0, err: '' });
    expect(linesOf(drill)).toMatchObject([{ drilled: 'b.db', unreadable: 0, drift: 0, added: 15 }]);
    expect(readdirSync(folder).toSorted()).toEqual(['b.db', 'data']);
    writeFileSync(join(folder, 'broken.db'), 'no backup');
    expect((await run(['restore', 'broken.db', '--drill'])).exitCode).toBe(1);
    rmSync(join(folder, 'broken.db'));
    const refused = await start(['restore', 'b.db']);
    expect([refused.exitCode, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/Another process is using data\/redemption\.db/);
    await store.write((tables) => tables.accounts.insert({ name: 'B', now: 0, subscriptionExpiresAt: null }));
    await store.close();
    const sound = await run(['restore', 'b.db']);
    expect([sound.exitCode, sound.out]).toEqual([1, '']);
    const [, aside, since] =
      /is sound, .*`DATABASE_PATH=(\S+) redemption log --since (\S+)`/.exec(sound.err) ?? [];
    renameSync(database(), join(folder, aside!));
    expect(await run(['log', '--since', since!], { DATABASE_PATH: aside! })).toMatchObject({
      exitCode: 0,
      err: '',
    });
    const restored = await run(['restore', 'b.db']);
    expect(restored.exitCode).toBe(0);
    expect(restored.err).toMatch(/^Nothing is known of the time from/);
    expect(linesOf(restored)).toMatchObject([{ restored: 'b.db', inQuestion: 2, keptAs: null }]);
    expect(linesOf(await run(['check']))).toMatchObject([
      { drift: 0, codes: { available: 0, in_question: 2 } },
    ]);
  });

  test('rows that do not open, or contradict each other, are named and stop neither backup nor restore', async () => {
    const store = await makeTradedStore();
    await store.close();
    const connection = new Database(database());
    connection.exec(`update codes set code_secret = zeroblob(40) where id = (select max(id) from codes where state = 'available');
      update quotas set purchased = purchased + 1`);
    connection.close();
    const backup = await run(['backup', 'b.db']);
    expect(backup.exitCode).toBe(0);
    expect(linesOf(backup)).toMatchObject([
      { check: 'quotaPurchased' },
      { check: 'sealed', table: 'codes' },
      { backup: 'b.db', unreadable: 1, drift: 1 },
    ]);
    expect(backup.err).toMatch(/has 1 values that do not open any more.*\n.*contradicts itself in 1 rows/);
    rmSync(database());
    const restored = await run(['restore', 'b.db']);
    expect(restored.exitCode).toBe(0);
    expect(linesOf(restored).at(-1)).toMatchObject({
      restored: 'b.db',
      inQuestion: 1,
      unreadable: 1,
      drift: 1,
    });
    expect(restored.err).toMatch(/^The restored database has 1 values that do not open any more/m);
    expect(restored.err).toMatch(/^The restored database contradicts itself in 1 rows/m);
  });

  test('a restore over nothing says what time nothing is known of', async () => {
    const store = await makeTradedStore();
    await run(['backup', 'b.db']);
    await store.close();
    makeUnreadable(database());
    const restored = await run(['restore', 'b.db']);
    expect(restored.exitCode).toBe(0);
    const [line] = linesOf(restored) as { asOf?: string }[];
    expect(line).toMatchObject({ restored: 'b.db', inQuestion: 2 });
    expect(restored.err).toMatch(/^What was wrong with the replaced database: it cannot be read\.\n/);
    expect(restored.err).toContain(`Nothing is known of the time from ${String(line?.asOf)} to 20`);
    expect(linesOf(await run(['check']))).toMatchObject([{ drift: 0 }]);
  });

  test('a restore of another one than the newest says how to take it back', async () => {
    const store = await makeTradedStore();
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    await run(['backup', 'old.db']);
    await pause(1_100);
    const newest = join(backups, nameBackup(Date.now()));
    await run(['backup', newest]);
    await store.close();
    makeUnreadable(database());
    const restore = async (file: string) => (await run(['restore', file], { BACKUP_FOLDER: backups })).err;
    const told =
      /^A newer backup lies there\. Where it was meant: `mv (\S+) (\S+)`, then `redemption restore (\S+)`\.$/m;
    const [, keptAs, path, file] = told.exec(await restore('old.db')) ?? [];
    renameSync(join(folder, keptAs!), join(folder, path!));
    expect(file).toBe(newest);
    expect(await restore(newest)).not.toMatch(/A newer backup/);
  });

  test('a file is named from the folder that the command was called from', async () => {
    const store = await makeTradedStore();
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const called = (...args: string[]) => run(args, { CALLED_FROM: elsewhere });
    expect(linesOf(await called('backup', 'b.db'))).toMatchObject([{ backup: join(elsewhere, 'b.db') }]);
    expect((await called('backup', 'c.db', '--everyday')).exitCode).toBe(0);
    expect((await called('restore', 'b.db', '--drill')).exitCode).toBe(0);
    await store.close();
  });

  test('a restore without any key asks for it, and makes none', async () => {
    const { exitCode, err } = await run(['restore', 'b.db'], { ENCRYPTION_KEY: '' });
    expect(exitCode).toBe(1);
    expect(err).toMatch(/set ENCRYPTION_KEY/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
