// The files of the service: where they lie, and what of them is left after a kill (all that was written) or a power
// loss (what SQLite had told the disk to keep). In memory where the machine has such a folder: nothing waits for a real
// disk.
import fs, { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { hasTable } from '../../../src/store/engine/connection.ts';
import { settleHome } from '../../../src/store/engine/home.ts';
import { writeMeta } from '../../../src/store/engine/meta.ts';
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { copyFreshDatabase } from '../../harness/fresh-database.ts';

export interface Disk {
  /** Of the process that runs now. */
  databasePath(): string;
  /** Where backups lie. */
  backups: string;
  /** What a process leaves that is killed: the files as they lie, in another place; the old ones belong to the dead. */
  afterKill(): void;
  /** The same, but what was written and not yet kept safe is gone. */
  afterPowerLoss(): void;
  /** From now on files do not grow, or do again. */
  setFull(isFull: boolean): void;
  /** How many commits a full disk had room for so far. */
  countFitted(): number;
  remove(): void;
}

const MEMORY = '/dev/shm';
const SIDECARS = ['', '-wal', '.state'];
const SYNCHRONOUS_FULL = 2;

const isDurable = (connection: Database.Database) =>
  connection.pragma('synchronous', { simple: true }) === SYNCHRONOUS_FULL;

/** A file that nobody has served, with the same naming key in every world. */
function layFile(path: string, key: Buffer): void {
  copyFreshDatabase(path, key);
  const file = new Database(path);
  writeMeta(file, 'names', createSecrets(key).seal('meta:names', key.toString('base64')));
  file.close();
}

/** `key`: of its database. */
export function createDisk(key: Buffer): Disk {
  commits = 0;
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'world-'));
  const backups = join(root, 'backups');
  mkdirSync(backups);
  let number = 0;
  const folder = () => join(root, `process-${number}`);
  const databasePath = () => join(folder(), 'redemption.db');
  mkdirSync(folder());
  layFile(databasePath(), key);

  function moveOn(): void {
    const [from, old] = [databasePath(), folder()];
    number += 1;
    mkdirSync(folder());
    for (const suffix of SIDECARS)
      if (existsSync(from + suffix)) copyFileSync(from + suffix, databasePath() + suffix);
    for (const connection of connectionsOf(from)) OPEN.delete(connection);
    rmSync(old, { recursive: true });
  }

  const disk: Disk = {
    databasePath,
    backups,
    afterKill() {
      moveOn();
      makeTheSame(databasePath());
    },
    afterPowerLoss() {
      const isKept = connectionsOf(databasePath()).every(isDurable);
      moveOn();
      // What is told as written without a sync is in the log since the last checkpoint.
      const log = `${databasePath()}-wal`;
      if (!isKept && existsSync(log)) truncateSync(log, 0);
      makeTheSame(databasePath());
    },
    setFull: (isFull) => void (fullPath = isFull ? databasePath() : undefined),
    countFitted: () => fitted,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  return disk;
}

/**
 * From now on a copy is the file that was served: where the other cannot be, since it belongs to the dead, or lies
 * there no more.
 */
export function makeTheSame(path: string): void {
  if (!existsSync(path)) return;
  const connection = new Database(path);
  if (hasTable(connection, 'meta')) settleHome(connection, path);
  connection.close();
}

/** Somebody makes a little room now and then: of so many commits one fits. */
const FITS_EVERY = 3;
let commits = 0;
let fitted = 0;
/** The database for which there is no room. */
let fullPath: string | undefined;

/** Connections of this process that write, by their files. */
const OPEN = new Set<Database.Database>();

const connectionsOf = (path: string) =>
  [...OPEN].filter((one) => one.open && one.name === path && !one.readonly);

/**
 * From now on the disk knows every connection that is opened for writing, as it knows which process has which file
 * open.
 */
export function bindConnections(): void {
  bindVerdicts();
  const { prototype } = Database;
  const { pragma } = prototype;
  const { prepare } = prototype;
  // What only reads needs no room.
  const writing = new WeakSet<Database.Database>();
  prototype.prepare = function (this: Database.Database, source: string) {
    const statement = prepare.call(this, source);
    if (!['BEGIN', 'BEGIN IMMEDIATE', 'COMMIT'].includes(source)) return statement;
    const run = statement.run.bind(statement) as () => Database.RunResult;
    const begin = () => {
      if (source === 'BEGIN') writing.delete(this);
      else writing.add(this);
      return run();
    };
    // The log cannot grow: SQLite takes the transaction back, and says so.
    const commit = () => {
      if (!writing.has(this)) return run();
      commits += 1;
      if (fullPath !== this.name) return run();
      if (commits % FITS_EVERY === 0) {
        fitted += 1;
        return run();
      }
      this.exec('ROLLBACK');
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    };
    return Object.assign(statement, { run: source === 'COMMIT' ? commit : begin });
  } as typeof prototype.prepare;
  prototype.pragma = function (this: Database.Database, source: string, options?: Database.PragmaOptions) {
    const answer: unknown = pragma.call(this, source, options);
    // A file that is no database has refused by now.
    if (source.startsWith('journal_mode = WAL')) OPEN.add(this);
    return answer;
  };
}

/** What a check has found is written beside the database: where there is no room a file is emptied, and stays so. */
function bindVerdicts(): void {
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, data, options) => {
    const isFull = fullPath !== undefined && typeof file === 'string' && file.startsWith(`${fullPath}.check`);
    writeFileSync(file, isFull ? '' : data, options);
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  syncBuiltinESMExports();
}
