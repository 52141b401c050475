// `check`: the proof of conservation beside a running service, on a copy of one moment.
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';

import { systemClock } from '../../clock.ts';
import { openReader } from '../engine/connection.ts';
import { isCurrent } from '../engine/migrations.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import type { Secrets } from '../engine/secrets.ts';
import { checkConservation, type Conservation } from './conservation.ts';
import {
  assertSound,
  copyRunning,
  foldIntoOneFile,
  openForProof,
  refuseUnreadable,
} from './snapshot-file.ts';

const SUFFIX = '.checking-';
/** What must be left on the disk beside the copy, for the log of the service. */
const SPARE = 0.1;
/** No check takes longer: what is older was left by one that was killed. */
const LEFT_MS = 24 * 60 * 60 * 1000;

/**
 * Proves that the database is sound and that every rule of conservation holds, all of it at one moment, however much is
 * written meanwhile: a copy of that moment is made beside the database, checked and removed. The copy is what SQLite
 * reads of every page, damage included, so that what is proven of it is proven of the database. Reading the database
 * itself for the minutes that this takes would keep its log from being used again all the while; that is done only
 * where the disk has no room for the copy. Throws StoreRefusal when the database cannot be read, is damaged, not of
 * this service, or of an earlier version.
 */
export async function checkRunning(
  databasePath: string,
  secrets: Secrets,
  options: { hasRoom?: (databasePath: string) => boolean } = {},
): Promise<Conservation> {
  removeLeft(databasePath);
  const { hasRoom = hasRoomForCopy } = options;
  const connection = hasRoom(databasePath)
    ? await openCopy(databasePath)
    : refuseUnreadable(databasePath, () => openReader(databasePath));
  try {
    assertSound(connection, secrets, databasePath);
    if (!isCurrent(connection)) {
      throw new StoreRefusal('The database is of an earlier version: start the service once, then check.');
    }
    return checkConservation(connection, { secrets });
  } finally {
    connection.close();
  }
}

/** A copy that has no name any more: it is gone when it is closed, also where the process is killed. */
async function openCopy(databasePath: string): Promise<Connection> {
  const folder = mkdtempSync(`${databasePath}${SUFFIX}`);
  try {
    const copy = join(folder, basename(databasePath));
    await copyRunning(databasePath, copy);
    const connection = openForProof(copy);
    foldIntoOneFile(connection);
    return connection;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `free`: bytes; those of its disk without. */
export function hasRoomForCopy(databasePath: string, free = freeBeside(databasePath)): boolean {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const needed = sizeOf(databasePath) + sizeOf(`${databasePath}-wal`);
  return free > needed * (1 + SPARE);
}

function freeBeside(databasePath: string): number {
  const { bavail, bsize } = statfsSync(dirname(databasePath));
  return bavail * bsize;
}

function removeLeft(databasePath: string): void {
  const folder = dirname(databasePath);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(databasePath)}${SUFFIX}`));
  for (const name of names) {
    const path = join(folder, name);
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (systemClock.now() - madeAt > LEFT_MS) rmSync(path, { recursive: true, force: true });
  }
}
