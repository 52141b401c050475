// The keys that may open a database: the one that everything new is sealed with, and those that were given up. Turning
// from one to another is one transaction; which keys a file is sealed with it tells itself, by two canaries.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';

import { openReader } from './connection.ts';
import { formatKey, keyFileOf, loadKey, opensCanary, readCanary, readKey, sealCanary } from './keys.ts';
import { deleteMeta, readMetaBytes, writeMeta } from './meta.ts';
import { StoreRefusal } from './refusal.ts';
import { createSecrets, KEY_BYTES, namesOf, type Secrets } from './secrets.ts';
import { writeWhole } from './whole-file.ts';

export interface GivenKeys {
  /** 32 bytes; else `encryption.key` beside the database. */
  encryptionKey?: Buffer | undefined;
  /** What it was before it was changed. */
  encryptionKeyOld?: Buffer | undefined;
}

/** `others` open, and seal nothing. */
export interface KeyRing {
  current: Buffer;
  others: readonly Buffer[];
}

const OLDER_CANARY = 'canary_older';
const NAMES = 'names';
const NAMES_IDENTITY = 'meta:names';
const ID_BYTES = 4;

/** The next key, until the service has turned to it; one that was given up stays under its id. */
export const nextKeyFileOf = (databasePath: string): string => `${keyFileOf(databasePath)}.next`;
export const olderKeyFileOf = (databasePath: string, id: string): string =>
  `${keyFileOf(databasePath)}.${id}`;

/** The name of a key, which says nothing of it: 8 digits. */
export const idOf = (key: Buffer): string => createSecrets(key).keyId.toString('hex');

/** Throws StoreRefusal as `loadKey` does, and for a key file that is none. */
export function loadKeyRing(
  databasePath: string,
  { encryptionKey, encryptionKeyOld }: GivenKeys,
  logMade?: (file: string) => void,
): KeyRing {
  const current = loadKey(databasePath, encryptionKey, logMade);
  const files = [...(encryptionKey ? [] : [nextKeyFileOf(databasePath)]), ...listKept(databasePath)];
  const kept = files.filter((file) => existsSync(file)).map(readKey);
  return { current, others: [...(encryptionKeyOld ? [encryptionKeyOld] : []), ...kept] };
}

function listKept(databasePath: string): string[] {
  const folder = dirname(databasePath);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^encryption\.key\.[0-9a-f]{8}$/.test(name))
    .map((name) => join(folder, name));
}

/**
 * What opens a database and seals in it; a new one has no canary yet, and takes the current key. Throws StoreRefusal
 * where no key of the ring opens it (`name`: as the sentence calls it), or not all of it.
 */
export function openSecrets(connection: Connection, ring: KeyRing, name = 'the database'): Secrets {
  const canary = readCanary(connection);
  if (!canary) return createSecrets(ring.current);
  const key = findKey(ring, canary);
  if (!key) throw new StoreRefusal(formatMissing(name, canary));
  const sealedOlder = readMetaBytes(connection, OLDER_CANARY);
  const older = sealedOlder && findKey(ring, sealedOlder);
  if (sealedOlder && !older) throw new StoreRefusal(formatMissing(`a part of ${name}`, sealedOlder));
  const names = readMetaBytes(connection, NAMES);
  const opened = names && createSecrets(key).open(NAMES_IDENTITY, names);
  return createSecrets(key, {
    older,
    names: opened === undefined ? undefined : Buffer.from(opened, 'base64'),
  });
}

const findKey = ({ current, others }: KeyRing, canary: Buffer): Buffer | undefined =>
  [current, ...others].find((key) => opens(key, canary));

const opens = (key: Buffer, canary: Buffer): boolean => opensCanary(canary, createSecrets(key));

function formatMissing(name: string, canary: Buffer): string {
  const id = canary.subarray(0, ID_BYTES).toString('hex');
  return `The encryption key is not the one that is needed: ${name} was sealed with the key ${id}. Set the right ENCRYPTION_KEY, or put the right encryption.key beside the database; a key that was changed meanwhile is kept as encryption.key.${id}, or is set as ENCRYPTION_KEY_OLD. Nothing was changed.`;
}

/** Whether values of a database are sealed with two keys now. */
export const isRekeying = (connection: Connection): boolean =>
  readMetaBytes(connection, OLDER_CANARY) !== undefined;

/**
 * Turns to the key that waits as `….next`, or that the settings have changed to, where no rekey is under way: from then
 * on that one seals, and what was sealed before is sealed anew by the service. Interrupted anywhere it is done, or goes
 * on at the next start. Only for whoever has the lock. Throws StoreRefusal.
 */
export function turnToNext(
  connection: Connection,
  databasePath: string,
  ring: KeyRing,
  given: GivenKeys,
): void {
  const canary = readCanary(connection);
  if (!canary) return;
  const file = nextKeyFileOf(databasePath);
  const next = given.encryptionKey === undefined && existsSync(file) ? readKey(file) : undefined;
  if (next && !opens(next, canary)) {
    if (isRekeying(connection)) return;
    saveOldKey(databasePath, ring.current);
    turnTo(connection, ring, next);
  }
  if (next) {
    renameSync(file, keyFileOf(databasePath));
    return;
  }
  turnTo(connection, ring, ring.current);
}

/** The same in the file alone. Nothing where it is sealed with that key already, or is on its way to it. */
export function turnTo(connection: Connection, ring: KeyRing, wanted: Buffer): void {
  const canary = readCanary(connection);
  if (!canary || opens(wanted, canary)) return;
  const own = findKey(ring, canary);
  if (!own) throw new StoreRefusal(formatMissing('the database', canary));
  if (isRekeying(connection))
    throw new StoreRefusal(
      `A rekey to the key ${idOf(own)} is under way: go on with that one until it is over. Nothing was changed.`,
    );
  if (!areApart(own, wanted))
    throw new StoreRefusal(
      'This key cannot be told from the one before by its mark: make another one. Nothing was changed.',
    );
  connection
    .transaction(() => {
      const [before, after] = [createSecrets(own), createSecrets(wanted)];
      const kept = readMetaBytes(connection, NAMES);
      const known = kept ? before.open(NAMES_IDENTITY, kept) : namesOf(own).toString('base64');
      writeMeta(connection, NAMES, after.seal(NAMES_IDENTITY, known));
      writeMeta(connection, OLDER_CANARY, canary);
      writeMeta(connection, 'canary', sealCanary(after));
    })
    .immediate();
}

const areApart = (one: Buffer, other: Buffer): boolean =>
  createSecrets(one).keyId[0] !== createSecrets(other).keyId[0];

/**
 * Throws StoreRefusal in a transaction after which another key seals than when this was called: what was sealed
 * meanwhile would stay behind.
 */
export function createKeyGuard(connection: Connection): () => void {
  const read = connection.prepare<[], Buffer>("select value from meta where key = 'canary'").pluck();
  const own = read.get();
  return () => {
    if (own === undefined || read.get()?.equals(own) !== true) throw new StoreRefusal(TURNED);
  };
}

const TURNED = 'The encryption key was changed just now. Nothing was changed: say it again.';

/** Everything is sealed with one key. Call it in a transaction. */
export function endRekey(connection: Connection): void {
  deleteMeta(connection, OLDER_CANARY);
}

/** Makes the key that the next start turns to; where one waits already it stays. */
export function prepareNext(databasePath: string): string {
  const file = nextKeyFileOf(databasePath);
  if (existsSync(file)) return file;
  const own = readKey(keyFileOf(databasePath));
  let key = randomBytes(KEY_BYTES);
  while (!areApart(own, key)) key = randomBytes(KEY_BYTES);
  writeWhole(file, formatKey(key));
  return file;
}

/** A copy of a key that is given up: what was sealed before it opens with it alone. */
function saveOldKey(databasePath: string, key: Buffer): void {
  const file = olderKeyFileOf(databasePath, idOf(key));
  if (!existsSync(file)) writeWhole(file, formatKey(key));
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
