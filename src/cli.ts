// The host's commands: accounts, sandbox codes, backup, restore, check. One JSON object a line on standard output,
// mistakes as a sentence on standard error with exit 1. All but `restore` work beside the running service.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { print, printLine, Refusal, requireDatabase, type Command, type Values } from './cli/command.ts';
import { check, makeBackup, restoreBackup } from './cli/safekeeping.ts';
import { systemClock } from './clock.ts';
import { ConfigError, loadConfig, type Config } from './config.ts';
import { createAccounts } from './core/accounts/accounts.ts';
import { CoreError } from './core/errors.ts';
import { createGames, type Game } from './core/games.ts';
import { createCoreClock } from './core/steady.ts';
import { randomIds } from './ids.ts';
import { mintCodes } from './platform/sandbox/codes.ts';
import { createStore, StoreRefusal, type Store } from './store/index.ts';

const USAGE = `Usage: npm run cli -- <command>

  account create --name NAME [--days N] [--purchased N]
      Opens an account with its first API key, N days of subscription and N purchased activations.
  account grant --account ID --days N
      Adds days to the subscription of an account.
  mint --game ID --denomination N --count N
      Prints fresh codes that the sandbox redeems, one a line.
  backup FILE
      Copies the running database to FILE, proven sound; rows that do not open are kept and named. Keep the encryption key
      apart: without it FILE is worthless.
  restore FILE
      Replaces the database by a backup, while the service is stopped. The replaced one is kept beside it, and what happened
      since is carried from it where it can be read.
  check
      Proves that no code, charge or purchase was lost or counted twice; exit 1 and the rows otherwise.
`;

/** What was typed is not a command; the usage is printed beside it. */
class UsageError extends Error {}
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
