// The host's commands: accounts, sandbox codes, backup, restore, check. One JSON object a line on standard output,
// mistakes as a sentence on standard error with exit 1. All but `restore` work beside the running service.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { systemClock } from './clock.ts';
import { ConfigError, loadConfig, type Config } from './config.ts';
import { createAccounts } from './core/accounts/accounts.ts';
import { CoreError } from './core/errors.ts';
import { createGames, type Game } from './core/games.ts';
import { createCoreClock } from './core/steady.ts';
import { randomIds } from './ids.ts';
import { mintCodes } from './platform/sandbox/codes.ts';
import { backup } from './store/safekeeping/backup.ts';
import { openReader } from './store/engine/connection.ts';
import { loadKey } from './store/engine/keys.ts';
import { checkConservation } from './store/safekeeping/conservation.ts';
import { createStore, StoreRefusal, type Store } from './store/index.ts';
import { restore } from './store/safekeeping/restore.ts';
import { createSecrets, type Secrets } from './store/engine/secrets.ts';
import { assertSound } from './store/safekeeping/snapshot-file.ts';

const USAGE = `Usage: npm run cli -- <command>

  account create --name NAME [--days N] [--purchased N]
      Opens an account with its first API key, N days of subscription and N purchased activations.
  account grant --account ID --days N
      Adds days to the subscription of an account.
  mint --game ID --denomination N --count N
      Prints fresh codes that the sandbox redeems, one a line.
  backup FILE
      Copies the running database to FILE, proven sound. Keep the encryption key apart: without it FILE is worthless.
  restore FILE
      Replaces the database by a backup, while the service is stopped. The replaced one is kept beside it.
  check
      Proves that no code, charge or purchase was lost or counted twice; exit 1 and the rows otherwise.
`;

/** What was typed is not a command; the usage is printed beside it. */
class UsageError extends Error {}
/** A command that cannot be done as asked; the message is the whole sentence. */
class Refusal extends Error {}

type Values = Record<string, string | undefined>;

interface Command {
  required: readonly string[];
  optional: readonly string[];
  /** Names of what follows without a name, all required. */
  operands: readonly string[];
  /** Returns the exit code. */
  run(values: Values, config: Config): Promise<number>;
}

const LARGEST_MINT = 1_000_000;
const LINES_PER_WRITE = 1000;
const BUSY_RETRIES = 40;
const BUSY_PAUSE_MS = 250;

const COMMANDS: Record<string, Command> = {
  'account create': { required: ['name'], optional: ['days', 'purchased'], operands: [], run: createAccount },
  'account grant': { required: ['account', 'days'], optional: [], operands: [], run: grantDays },
  mint: { required: ['game', 'denomination', 'count'], optional: [], operands: [], run: mint },
  backup: { required: [], optional: [], operands: ['FILE'], run: makeBackup },
  restore: { required: [], optional: [], operands: ['FILE'], run: restoreBackup },
  check: { required: [], optional: [], operands: [], run: check },
};

async function createAccount(values: Values, config: Config): Promise<number> {
  const request = {
    name: values.name ?? '',
    ...(values.days !== undefined && { days: toWhole('--days', values.days) }),
    ...(values.purchased !== undefined && { purchased: toWhole('--purchased', values.purchased) }),
  };
  return withStore(config, async (store) => {
    await printLine(
      await createAccounts({ store, clock: createCoreClock(systemClock), ids: randomIds }).create(
        { kind: 'host' },
        request,
      ),
    );
  });
}

async function grantDays(values: Values, config: Config): Promise<number> {
  const accountId = toWhole('--account', values.account);
  const days = toWhole('--days', values.days);
  requireDatabase(config);
  return withStore(config, async (store) => {
    const accounts = createAccounts({ store, clock: createCoreClock(systemClock), ids: randomIds });
    const { subscriptionExpiresAt } = await accounts.grant({ kind: 'host' }, { accountId, days });
    await printLine({ accountId, subscriptionExpiresAt: new Date(subscriptionExpiresAt).toISOString() });
  });
}

async function mint(values: Values, config: Config): Promise<number> {
  const denomination = toWhole('--denomination', values.denomination);
  const count = toWhole('--count', values.count);
  if (count < 1 || count > LARGEST_MINT) throw new Refusal(`--count must be from 1 to ${LARGEST_MINT}.`);
  if (config.platform.kind !== 'sandbox')
    throw new Refusal('Only the sandbox redeems minted codes, and PLATFORM is not sandbox.');
  const game = findGame(config.gamesFile, values.game ?? '');
  if (game.denominations.length > 0 && !game.denominations.includes(denomination)) {
    throw new Refusal(`${game.id} has these denominations: ${game.denominations.join(', ')}.`);
  }
  const codes = mintSandboxCodes(count, denomination);
  if (!codes.every((code) => game.codePattern.test(code))) {
    throw new Refusal(
      `The codes of the sandbox do not have the form that ${config.gamesFile} demands of ${game.id}.`,
    );
  }
  for (let start = 0; start < codes.length; start += LINES_PER_WRITE) {
    await print(`${codes.slice(start, start + LINES_PER_WRITE).join('\n')}\n`);
  }
  return 0;
}

function mintSandboxCodes(count: number, denomination: number): string[] {
  try {
    return mintCodes({ count, denomination, randomBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(error.message);
    throw error;
  }
}

function findGame(gamesFile: string, id: string): Game {
  const games = readGames(gamesFile);
  const game = games.find(id);
  if (game) return game;
  throw new Refusal(
    `There is no game ${id} in ${gamesFile}, which has ${games.all.map((known) => known.id).join(', ')}.`,
  );
}

function readGames(gamesFile: string) {
  try {
    return createGames(JSON.parse(readFileSync(gamesFile, 'utf8')));
  } catch (error) {
    throw new Refusal(`The games file ${gamesFile} cannot be used: ${describe(error)}`);
  }
}

async function makeBackup(values: Values, config: Config): Promise<number> {
  const file = values.FILE ?? '';
  await backup(config.databasePath, file, loadSecrets(config));
  await printLine({ backup: file });
  return 0;
}

async function restoreBackup(values: Values, config: Config): Promise<number> {
  const file = values.FILE ?? '';
  const keyFile = join(dirname(config.databasePath), 'encryption.key');
  if (!config.encryptionKey && !existsSync(keyFile)) {
    throw new Refusal(
      `A backup opens with its key only: set ENCRYPTION_KEY, or put the key file at ${keyFile}.`,
    );
  }
  const key = loadKey(config.databasePath, config.encryptionKey);
  const { keptAs, ...restored } = restore({
    file,
    databasePath: config.databasePath,
    key,
    now: systemClock.now(),
  });
  await printLine({ restored: file, keptAs: keptAs ?? null, ...restored });
  return 0;
}

async function check(_values: Values, config: Config): Promise<number> {
  const secrets = loadSecrets(config);
  const connection = openReader(config.databasePath);
  try {
    assertSound(connection, secrets, config.databasePath);
    const { drift, rows, counts } = checkConservation(connection, { secrets });
    for (const row of rows) await printLine(row);
    await printLine({ drift, ...counts });
    return drift === 0 ? 0 : 1;
  } finally {
    connection.close();
  }
}

/** For commands that only read: makes neither a database nor a key. */
function loadSecrets(config: Config): Secrets {
  requireDatabase(config);
  return createSecrets(loadKey(config.databasePath, config.encryptionKey));
}

function requireDatabase({ databasePath }: Config): void {
  if (!existsSync(databasePath))
    throw new Refusal(`There is no database at ${databasePath}. Is DATABASE_PATH right?`);
}

async function withStore(config: Config, work: (store: Store) => Promise<void>): Promise<number> {
  const store = await openStore(config);
  try {
    await work(store);
    return 0;
  } finally {
    await store.close();
  }
}

/** The service may hold the file for a moment: opening waits for it, as every write does by itself. */
async function openStore({ databasePath: path, encryptionKey }: Config): Promise<Store> {
  for (let tries = 1; ; tries += 1) {
    try {
      return createStore({ path, encryptionKey, exclusive: false });
    } catch (error) {
      if (!isBusy(error) || tries > BUSY_RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

function toWhole(option: string, value: string | undefined): number {
  if (value === undefined || !/^\d{1,15}$/.test(value))
    throw new Refusal(`${option} must be a whole number.`);
  return Number(value);
}

const printLine = (line: object) => print(`${JSON.stringify(line)}\n`);

async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

function parse(args: readonly string[]): { command: Command; values: Values } {
  const name = args[0] === 'account' ? args.slice(0, 2).join(' ') : (args[0] ?? '');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(name === '' ? 'A command is missing.' : `There is no command ${name}.`);
  const { values, positionals } = parseOptions(command, args.slice(name.split(' ').length));
  const missing = command.required.find((option) => values[option] === undefined);
  if (missing !== undefined) throw new UsageError(`${name} needs --${missing}.`);
  if (positionals.length !== command.operands.length) {
    throw new UsageError(`${name} takes ${command.operands.join(' ') || 'nothing without a name'}.`);
  }
  return {
    command,
    values: { ...values, ...Object.fromEntries(command.operands.map((key, at) => [key, positionals[at]])) },
  };
}

function parseOptions({ required, optional }: Command, args: string[]) {
  const names = [...required, ...optional];
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(describe(error));
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  const sentence = error instanceof Refusal || error instanceof StoreRefusal || error instanceof CoreError;
  if (sentence || error instanceof ConfigError) return `${error.message}\n`;
  if (isBusy(error)) return 'The database is busy. Try again in a moment.\n';
  return `That did not work: ${describe(error)}\n`;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await print(USAGE);
    return 0;
  }
  try {
    const { command, values } = parse(args);
    return await command.run(values, loadConfig(process.env));
  } catch (error) {
    process.stderr.write(explain(error));
    return 1;
  }
}

// What is kept is for the owner of the process alone.
process.umask(0o077);
// Whoever reads may stop reading (`mint … | head`): nothing is left to say then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
