// The encryption key and its canary: a sealed word in the file, which proves the key before anything is sealed with it.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable } from './connection.ts';
import { readMetaBytes, writeMeta } from './meta.ts';
import { reasonOf, StoreRefusal } from './refusal.ts';
import { KEY_BYTES, type Secrets } from './secrets.ts';
import { writeWhole } from './whole-file.ts';

const CANARY_IDENTITY = 'meta:canary';
const CANARY = 'the key is right';

export const keyFileOf = (databasePath: string): string => join(dirname(databasePath), 'encryption.key');

/**
 * The encryption key: `configured`, else `encryption.key` beside the database, made at the very first start
 * (`logMade`: where). Throws StoreRefusal when a database exists but its key file is gone.
 */
export function loadKey(
  databasePath: string,
  configured: Buffer | undefined,
  logMade?: (file: string) => void,
): Buffer {
  if (configured) return configured;
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

export const formatKey = (key: Buffer): string => `${key.toString('base64')}\n`;

export function readKey(file: string): Buffer {
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

/** As it is sealed. Undefined where there is none. */
export const readCanary = (connection: Connection): Buffer | undefined =>
  hasTable(connection, 'meta') ? readMetaBytes(connection, 'canary') : undefined;

/**
 * Proves that the key is the one this file was written with. A file without a canary (it has no tables yet) passes.
 * Throws StoreRefusal; writes nothing.
 */
export function assertCanary(connection: Connection, secrets: Secrets): void {
  const sealed = readCanary(connection);
  if (sealed && !opensCanary(sealed, secrets)) {
    throw new StoreRefusal(
      'The encryption key is not the one this database was written with. Set the right ENCRYPTION_KEY, or put the right encryption.key beside the database. Nothing was changed.',
    );
  }
}

/** Leaves the canary in a new file. Safe to repeat. */
export function writeCanary(connection: Connection, secrets: Secrets): void {
  if (readCanary(connection)) return;
  writeMeta(connection, 'canary', sealCanary(secrets));
}

export const sealCanary = (secrets: Secrets): Buffer => secrets.seal(CANARY_IDENTITY, CANARY);

export function opensCanary(sealed: Buffer, secrets: Secrets): boolean {
  try {
    return secrets.open(CANARY_IDENTITY, sealed) === CANARY;
  } catch {
    return false;
  }
}
