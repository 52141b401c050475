// `doctor`: whether everything that the service needs is as it should be. Nothing is changed, and no secret is printed.
import { statfsSync, statSync, existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { dirname } from 'node:path';

import Database from 'better-sqlite3';
import { Command } from 'commander';

import { newestBackup } from '../backup-files.ts';
import { systemClock, HOUR_MS } from '../clock.ts';
import { ConfigError, SETTINGS, type BotConfig, type Config } from '../config.ts';
import { assertFirstStart, findTrace } from '../first-start.ts';
import { connectUpstream, identifyPlatforms, toUpstream } from '../platforms.ts';
import { listMisspelt } from '../setting-names.ts';
import { hasTable, openReader } from '../store/engine/connection.ts';
import { canTellCopies } from '../store/engine/home.ts';
import { assertOwn } from '../store/engine/identity.ts';
import { assertCanary, keyFileOf } from '../store/engine/keys.ts';
import { isCurrent } from '../store/engine/migrations.ts';
import { assertUnlocked } from '../store/engine/process-lock.ts';
import { assertRights } from '../store/engine/rights.ts';
import { ASKED_WITHIN_MS, askBotName } from './bot-name.ts';
import { loadSecrets, printLine, readSettings } from './command.ts';
import { readGames } from './mint.ts';
import { canProveBySettings } from '../core/upstreams/witnesses.ts';
import { assertUsable, readUpstreams, type UpstreamSettings } from '../upstreams.ts';

/** A note is what works and may not be meant; what is bad ends the command with 1. */
type Finding = { state: 'ok' | 'note' | 'bad'; says: string };

/** Less than this is soon none: a day of a busy shop, with its log and one backup. */
const LEAST_FREE_BYTES = 500 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Of what answers at the port, which may be somebody else. */
const SAID = 300;

const MAY_USE = 'this user may read and write the database, its log, lock and state, and may read the key';

export const doctorCommand = new Command('doctor')
  .description(
    'looks at settings, games, rights, key, database, disk, lock, backups, token and platform, a line each; exit 1 when one is bad',
  )
  .action(async () => {
    const settings = await check('settings', examineNames, readSettings);
    if (!settings) return;
    await check('games', () => examineGames(settings));
    if (
      await check(
        'rights',
        () => ({ state: 'ok', says: MAY_USE }),
        () => mayUse(settings),
      )
    ) {
      await check('key', () => examineKey(settings));
      await check('database', () => examineDatabase(settings));
    }
    await check('disk', () => examineDisk(settings));
    await check('lock', () => examineLock(settings));
    await check('backup', () => examineBackups(settings));
    await check('token', () => examineToken(settings.bot));
    await examinePlatform(settings);
  });

function examineNames(): Finding {
  const misspelt = listMisspelt(process.env, SETTINGS);
  return { state: misspelt.length === 0 ? 'ok' : 'note', says: ['can be used', ...misspelt].join('; ') };
}

function mayUse({ databasePath }: Config): boolean {
  assertRights(databasePath);
  return true;
}

/** Prints one line; what is thrown is its sentence. Returns what was looked for first, where there was anything. */
async function check<T>(
  name: string,
  examine: () => Finding | Promise<Finding>,
  first?: () => T,
): Promise<T | undefined> {
  let found: T | undefined;
  let finding: Finding;
  try {
    found = first?.();
    finding = await examine();
  } catch (error) {
    const says = error instanceof ConfigError ? error.mistakes.join('; ') : describe(error);
    finding = { state: 'bad', says };
  }
  await printLine({ check: name, ...finding });
  if (finding.state === 'bad') process.exitCode = 1;
  return found;
}

function examineGames({ gamesFile, defaultGameId }: Config): Finding {
  const games = readGames(gamesFile);
  if (defaultGameId !== undefined && !games.find(defaultGameId))
    return { state: 'bad', says: `DEFAULT_GAME_ID is not a game of ${gamesFile}` };
  return { state: 'ok', says: `${gamesFile} has ${games.all.map(({ id }) => id).join(', ')}` };
}

function examineKey(config: Config): Finding {
  const { databasePath, encryptionKey } = config;
  const file = keyFileOf(databasePath);
  if (!existsSync(databasePath)) {
    if (encryptionKey) return { state: 'ok', says: 'ENCRYPTION_KEY is set; there is no database' };
    if (existsSync(file)) return { state: 'ok', says: `${file} is there; there is no database` };
    return findTrace(config) === undefined
      ? { state: 'ok', says: `${file} is made at the first start; there is no database yet` }
      : { state: 'bad', says: `${file} is gone with the database: put its copy back, backups need it` };
  }
  const secrets = loadSecrets(config);
  const database = new Database(databasePath, { readonly: true });
  try {
    assertCanary(database, secrets);
  } finally {
    database.close();
  }
  if (encryptionKey) return { state: 'ok', says: 'ENCRYPTION_KEY opens the database' };
  const isOpen = (statSync(file).mode & 0o077) !== 0;
  if (isOpen) return { state: 'bad', says: `${file} can be read by others: chmod 600 it` };
  return { state: 'ok', says: `${file} opens the database. Keep a copy of it apart from the backups` };
}

/** Whether the service would start on it; the sentence is that of the refusal. */
function examineDatabase(config: Config): Finding {
  const { databasePath: path } = config;
  assertFirstStart(config);
  if (!existsSync(path)) return { state: 'ok', says: `${path} is made at the first start` };
  const settings = identifyPlatforms(config.platform);
  assertOwn(path, settings);
  if (isOfEarlierVersion(path))
    return {
      state: 'note',
      says: `${path} is of an earlier version: the next start of the service upgrades it`,
    };
  const says = `${path} is no backup, no older file than it was, and of the platform ${settings.platform}`;
  if (canTellCopies(path)) return { state: 'ok', says: `${says}, and no copy` };
  return {
    state: 'note',
    says: `${says}. Its file system does not tell files apart for good: a copy of the database is not refused here`,
  };
}

/** Throws StoreRefusal for one that a newer program wrote. */
function isOfEarlierVersion(path: string): boolean {
  const connection = openReader(path);
  try {
    return hasTable(connection, 'migrations') && !isCurrent(connection);
  } finally {
    connection.close();
  }
}

function examineDisk({ databasePath }: Config): Finding {
  let folder = dirname(databasePath);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = existsSync(databasePath) ? statSync(databasePath).size : 0;
  const says = `${Math.floor(free / MIB)} MiB free at ${folder}, the database has ${Math.ceil(size / MIB)} MiB`;
  // A check and a backup need room for a copy.
  return { state: free > Math.max(LEAST_FREE_BYTES, 2 * size) ? 'ok' : 'bad', says };
}

/** Whether the service serves. A database that nobody serves is bad: each night it is looked at by this. */
async function examineLock({ databasePath, http }: Config): Promise<Finding> {
  try {
    assertUnlocked(databasePath);
    return { state: existsSync(databasePath) ? 'bad' : 'ok', says: 'the service does not run here' };
  } catch (error) {
    return http.port === 0
      ? { state: 'ok', says: 'the service runs' }
      : examineReadiness(http, describe(error));
  }
}

/** `why`: what keeps others from the database. */
async function examineReadiness({ host, port }: Config['http'], why: string): Promise<Finding> {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${isIPv6(here) ? `[${here}]` : here}:${port}/readyz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(ASKED_WITHIN_MS) }).catch(() => undefined);
  const answer = await response?.text().catch(() => undefined);
  if (!response || answer === undefined)
    return { state: 'bad', says: `nothing answers at ${url}, and yet: ${why}` };
  return {
    state: response.ok ? 'ok' : 'bad',
    says: `the service runs, and ${url} says ${answer.slice(0, SAID)}`,
  };
}

/** Late is one that should have been made twice by now. */
function examineBackups({ backups, databasePath }: Config): Finding {
  if (!backups)
    return { state: 'note', says: 'BACKUP_FOLDER is not set: the service makes no backups by itself' };
  const now = systemClock.now();
  const newest = newestBackup(backups.folder, now);
  if (newest === undefined) {
    const says = `there is none in ${backups.folder} yet; the service makes the first within a minute`;
    return { state: existsSync(databasePath) ? 'bad' : 'ok', says };
  }
  const age = now - newest;
  const says = `the last in ${backups.folder} is ${(age / HOUR_MS).toFixed(1)} hours old`;
  return { state: age <= 2 * backups.everyMs ? 'ok' : 'bad', says };
}

async function examineToken(bot: BotConfig | undefined): Promise<Finding> {
  if (!bot) return { state: 'note', says: 'TELEGRAM_BOT_TOKEN is not set: HTTP alone is served' };
  const { username, status } = await askBotName(bot);
  if (username !== undefined) return { state: 'ok', says: `Telegram knows it as @${username}` };
  if (status === undefined) return { state: 'bad', says: 'Telegram cannot be reached' };
  if (status === 401 || status === 404)
    return { state: 'bad', says: 'Telegram does not know this token: take it from @BotFather again' };
  return { state: 'bad', says: `Telegram answered with status ${status}` };
}

/** A line an upstream. */
async function examinePlatform({ platform, gamesFile }: Config): Promise<void> {
  if (platform.kind === 'sandbox') return void (await check('platform', () => examineSandbox(platform.path)));
  try {
    const upstreams = readUpstreams(platform);
    assertUsable(upstreams);
    for (const upstream of upstreams) await check('platform', () => examineUpstream(upstream));
    const all = upstreams.map((each) => toUpstream(each, systemClock));
    const unproven = readGames(gamesFile)
      .managed.map(({ id }) => id)
      .filter((gameId) => !canProveBySettings(all, gameId));
    if (unproven.length > 0)
      await check('witness', () => ({ state: 'note', says: formatUnproven(unproven) }));
  } catch (error) {
    await check('platform', () => ({ state: 'bad', says: describe(error) }));
  }
}

const formatUnproven = (gameIds: readonly string[]): string =>
  `by the settings nobody's word that a code of ${gameIds.join(', ')} is unspent counts: after a restore its codes are sent last and not handed out (docs/upstreams.md, Who is believed)`;

async function examineUpstream(upstream: UpstreamSettings): Promise<Finding> {
  const platform = connectUpstream(upstream, systemClock);
  try {
    const isReachable = await platform.isReachable({ signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
    if (!isReachable) return { state: 'bad', says: `the upstream ${upstream.name} does not answer` };
    const now = platform.findNow?.();
    const clock = now === undefined ? 'its clock is not known' : formatClock(now - systemClock.now());
    return { state: 'ok', says: `the upstream ${upstream.name} answers; ${clock}` };
  } finally {
    platform.close();
  }
}

/**
 * An answer tells the time in whole seconds. What is redeemed for whom is told by ages, so that no difference is bad.
 */
function formatClock(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (seconds <= 3) return 'its clock agrees with ours';
  const amount = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `its clock is ${amount} ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`;
}

/** Its file is made where there is none; one that is there must be a database. */
function examineSandbox(path: string): Finding {
  try {
    if (existsSync(path)) {
      const ledger = new Database(path, { readonly: true });
      ledger.pragma('schema_version');
      ledger.close();
    }
  } catch (error) {
    return { state: 'bad', says: `SANDBOX_PATH: ${path} is no file for the sandbox: ${describe(error)}` };
  }
  const says =
    'the sandbox: for trying, nothing reaches a game. PLATFORM=upstream with UPSTREAM_URL and UPSTREAM_TOKEN redeems for real';
  return { state: 'note', says };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
