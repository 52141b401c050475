// The keys that may open a database, and its canary: a sealed word in the file, which tells which key it was written
// with before anything is sealed. A key that was given up stays beside the database under its id.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable, openReader } from './connection.ts';
import { readMetaBytes, writeMeta } from './meta.ts';
import { reasonOf, StoreRefusal, WRITTEN_BEFORE } from './refusal.ts';
import { createSecrets, KEY_BYTES, type Secrets } from './secrets.ts';
import { writeWhole } from './whole-file.ts';

/** `others` were given up, or are on their way to be the current one (backup/rekey.ts). */
export interface KeyRing {
  current: Buffer;
  others: readonly Buffer[];
}

const CANARY_IDENTITY = 'meta:canary';
const CANARY = 'the key is right';
const NAMES_IDENTITY = 'meta:names';
const ID_BYTES = 4;

export const keyFileOf = (databasePath: string): string => join(dirname(databasePath), 'encryption.key');

/** Where a key is kept under its id. */
export const keptKeyFileOf = (databasePath: string, key: Buffer): string =>
  `${keyFileOf(databasePath)}.${idOf(key)}`;

/** The name of a key, which says nothing of it: 8 digits. */
export const idOf = (key: Buffer): string => createSecrets(key).keyId.toString('hex');

/**
 * `configured`, else `encryption.key` beside the database, made at the very first start (`logMade`: where), and those
 * that are kept there. Throws StoreRefusal when a database exists but its key file is gone, and for a key file that is
 * none.
 */
export function loadKeyRing(
  databasePath: string,
  configured: Buffer | undefined,
  logMade?: (file: string) => void,
): KeyRing {
  const current = configured ?? loadKeyFile(databasePath, logMade);
  return { current, others: listKept(databasePath).map(readKey) };
}

function loadKeyFile(databasePath: string, logMade: ((file: string) => void) | undefined): Buffer {
  const file = keyFileOf(databasePath);
  if (existsSync(file)) return readKey(file);
  if (existsSync(databasePath)) {
    throw new StoreRefusal(
      `The database ${databasePath} exists, but its key file ${file} does not. Put the key file back, or set ENCRYPTION_KEY.`,
    );
  }
  mkdirSync(dirname(file), { recursive: true });
  const made = randomBytes(KEY_BYTES);
  writeWhole(file, formatKey(made), { isNew: true });
  // Another process may have made it in the same moment: its key is the key.
  const key = readKey(file);
  if (key.equals(made)) logMade?.(file);
  return key;
}

function listKept(databasePath: string): string[] {
  const folder = dirname(databasePath);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^encryption\.key\.[0-9a-f]{8}$/.test(name))
    .map((name) => join(folder, name));
}

const formatKey = (key: Buffer): string => `${key.toString('base64')}\n`;

function readKey(file: string): Buffer {
  const key = Buffer.from(readText(file).trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new StoreRefusal(`The key file ${file} does not hold 32 bytes in base64.`);
  return key;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = reasonOf(error);
    throw new StoreRefusal(`The key file ${file} cannot be read (${reason}).`, { cause: error });
  }
}

/** On disk when it returns; one that is kept already stays as it is. */
export function keepKey(databasePath: string, key: Buffer): void {
  writeWhole(keptKeyFileOf(databasePath, key), formatKey(key), { isNew: true });
}

/** The key that `encryption.key` holds from now on. Keep both under their ids first. */
export function writeKeyFile(databasePath: string, key: Buffer): void {
  writeWhole(keyFileOf(databasePath), formatKey(key));
}

/** As it is sealed. Undefined where there is none. */
export const readCanary = (connection: Connection): Buffer | undefined =>
  hasTable(connection, 'meta') ? readMetaBytes(connection, 'canary') : undefined;

/**
 * The key of the ring that a file names; undefined for a new one, which has no canary yet. Throws StoreRefusal where
 * none of the ring opens it (`name`: as the sentence calls it); writes nothing.
 */
export function findKey(connection: Connection, ring: KeyRing, name = 'the database'): Buffer | undefined {
  const canary = readCanary(connection);
  if (!canary) return undefined;
  const key = [ring.current, ...ring.others].find((each) => opensCanary(canary, createSecrets(each)));
  if (!key) throw new StoreRefusal(formatMissing(name, canary.subarray(0, ID_BYTES).toString('hex')));
  return key;
}

const formatMissing = (name: string, id: string): string =>
  `The encryption key is not the one that is needed: ${name} was sealed with the key ${id}. Set the right ENCRYPTION_KEY, or put the right encryption.key beside the database; a key that was changed meanwhile is kept as encryption.key.${id}. Nothing was changed.`;

/** What opens a database and seals in it; a new one takes the current key. Throws as `findKey` does. */
export function openSecrets(connection: Connection, ring: KeyRing, name?: string): Secrets {
  const key = findKey(connection, ring, name);
  if (!key) return createSecrets(ring.current);
  return createSecrets(key, readNames(connection, key));
}

/** The naming key. Under another one no key of a request would be known any more, and orders be begun twice. */
function readNames(connection: Connection, key: Buffer): Buffer {
  const sealed = readMetaBytes(connection, 'names');
  if (!sealed) throw new StoreRefusal(WRITTEN_BEFORE);
  return Buffer.from(createSecrets(key).open(NAMES_IDENTITY, sealed), 'base64');
}

/** As `openSecrets`, of a file that is only read. What SQLite cannot read is for whoever reads it next to tell. */
export function readSecrets(path: string, ring: KeyRing): Secrets {
  let connection: Connection | undefined;
  try {
    connection = openReader(path);
    return openSecrets(connection, ring, path);
  } catch (error) {
    if (error instanceof StoreRefusal) throw error;
    return createSecrets(ring.current);
  } finally {
    connection?.close();
  }
}

/** Proves that a file was sealed with this key. One without a canary (it has no tables yet) passes. Throws StoreRefusal. */
export function assertCanary(connection: Connection, secrets: Secrets): void {
  const sealed = readCanary(connection);
  if (sealed && !opensCanary(sealed, secrets)) {
    throw new StoreRefusal(
      'The encryption key is not the one this database was written with. Set the right ENCRYPTION_KEY, or put the right encryption.key beside the database. Nothing was changed.',
    );
  }
}

/** Leaves the canary in a new file, and its naming key. Safe to repeat. */
export function writeCanary(connection: Connection, key: Buffer): void {
  if (!readCanary(connection)) writeKeys(connection, createSecrets(key), randomBytes(KEY_BYTES));
}

/** Another key from now on; the naming key stays. Of what seals with it. */
export function turnTo(connection: Connection, from: Buffer, next: Buffer): Secrets {
  const names = readNames(connection, from);
  const secrets = createSecrets(next, names);
  writeKeys(connection, secrets, names);
  return secrets;
}

function writeKeys(connection: Connection, secrets: Secrets, names: Buffer): void {
  writeMeta(connection, 'names', secrets.seal(NAMES_IDENTITY, names.toString('base64')));
  writeMeta(connection, 'canary', secrets.seal(CANARY_IDENTITY, CANARY));
}

function opensCanary(sealed: Buffer, secrets: Secrets): boolean {
  try {
    return secrets.open(CANARY_IDENTITY, sealed) === CANARY;
  } catch {
    return false;
  }
}
