// What every command of the host is made of: how it answers, how it refuses, how it opens the store.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { loadConfig, type Config } from '../config.ts';
import { assertFirstStart } from '../first-start.ts';
import { isBusy } from '../store/engine/group-commit.ts';
import { loadKeyRing, readSecrets } from '../store/engine/keys.ts';
import { assertRights } from '../store/engine/rights.ts';
import type { Secrets } from '../store/engine/secrets.ts';
import { createStore, type Store } from '../store/index.ts';
import { retry } from '../waiting.ts';
import { formatTables } from './table.ts';

/** A command that cannot be done as asked; the message is the whole sentence. */
export class Refusal extends Error {}

const BUSY_RETRIES = 40;
const BUSY_PAUSE_MS = 250;

/**
 * What waits for the end of the command: a column is as wide as its widest cell. undefined: nobody at a terminal reads.
 */
let tables: object[] | undefined;

/** A person at a terminal is answered in tables; everybody else, and who says --json, in JSON. */
export function answerIn(form: 'json' | 'tables'): void {
  tables = form === 'tables' ? [] : undefined;
}

export const answersPerson = (): boolean => tables !== undefined;

/** One JSON object a line, or a row of a table. */
export async function printLine(line: object): Promise<void> {
  if (tables) tables.push(line);
  else await print(`${JSON.stringify(line)}\n`);
}

/** Prints the rows that are there. */
export function endTables(): void {
  if (tables) process.stdout.write(formatTables(tables.splice(0)));
}

export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A sentence beside the answer: something is not as it should be. */
export function warn(sentence: string): void {
  endTables();
  process.stderr.write(`${sentence}\n`);
}

/** For what works long beside a service: customers wait for that one, so the processor is given to it first. */
export function giveWay(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The settings, from the environment. Throws ConfigError. */
export const readSettings = (): Config => loadConfig(process.env);

/** For an option or operand that is a whole number. */
export function toWhole(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, without a sign.');
  return Number(value);
}

/**
 * For an operand that is a file: deploy/redemption leaves the folder that it was called from, and says which it was.
 */
export function toFilePath(value: string): string {
  const { CALLED_FROM: folder } = process.env;
  return folder === undefined ? value : resolve(folder, value);
}

/** A command about one account, whose number stands behind it. */
export const accountCommand = (name: string): Command =>
  new Command(name).argument('<ACCOUNT>', 'its number, as `account list` tells it', toWhole);

/** A number that may be less than nothing. */
export function toChange(value: string): number {
  return value.startsWith('-') ? -toWhole(value.slice(1)) : toWhole(value);
}

/** Where a database lies, and what opens it. */
type Place = Pick<Config, 'databasePath' | 'encryptionKey' | 'backups'>;

/** For commands that only read: makes neither a database nor a key. */
export function loadSecrets(config: Place): Secrets {
  requireDatabase(config, { isRead: true });
  return readSecrets(config.databasePath, loadKeyRing(config.databasePath, config.encryptionKey));
}

/** Throws Refusal where there is none. `isRead`: it may lie on a disk that may only be read by now. */
export function requireDatabase({ databasePath }: Place, { isRead = false } = {}): void {
  assertRights(databasePath, { isRead });
  if (!existsSync(databasePath))
    throw new Refusal(`There is no database at ${databasePath}. Is DATABASE_PATH right?`);
}

/** Opens the store beside a service that may run, and closes it again. */
export async function withStore<T>(place: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The same of the settings, for commands about a database that is there. Throws Refusal where there is none. */
export function withDatabase<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const config = readSettings();
  requireDatabase(config);
  return withStore(config, work);
}

/** The service may hold the file for a moment: opening waits for it, as every write does by itself. */
async function openStore(place: Place): Promise<Store> {
  assertFirstStart(place);
  const { databasePath: path, encryptionKey } = place;
  const policy = (failures: number, error: unknown) =>
    isBusy(error) && failures <= BUSY_RETRIES ? BUSY_PAUSE_MS : undefined;
  return retry(policy, () => createStore({ path, encryptionKey, exclusive: false }));
}
