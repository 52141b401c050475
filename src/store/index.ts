// The store: what is kept, and nothing about why. `write` is the only way to write, `read` for the rest; neither ever
// awaits.
import type { Database as Connection } from 'better-sqlite3';

import { createCheckpoints, type Checkpoints } from './engine/checkpoints.ts';
import { createCodeSeals, type Secrets } from './engine/secrets.ts';
import { createCommitNotes, createQueuedNotes } from './engine/commit-notes.ts';
import { hasTable, openConnection, stopWaiting } from './engine/connection.ts';
import { hasHome, settleHome } from './engine/home.ts';
import {
  assertOwn,
  markPlatform,
  markStopped,
  unmarkStopped,
  type PlatformIdentity,
} from './engine/identity.ts';
import { loadKeyRing, openSecrets, writeCanary } from './engine/keys.ts';
import { isCurrent, migrate } from './engine/migrations.ts';
import { watchPlace } from './engine/place.ts';
import { takeProcessLock, type ProcessLock } from './engine/process-lock.ts';
import { reasonOf, StoreRefusal } from './engine/refusal.ts';
import { readState, writeState } from './engine/sidecar.ts';
import { createWriteHealth } from './engine/write-health.ts';
import { createWriter, type WriteOptions } from './engine/writer.ts';
import { systemClock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { readLost, type LostTime } from './backup/restored.ts';
import { createTables, type Tables } from './tables/index.ts';

export type { Tables } from './tables/index.ts';
export type { LostTime } from './backup/restored.ts';
export type { SealedCode } from './engine/secrets.ts';
export { StoreRefusal } from './engine/refusal.ts';
export type { KeyLimitsRow } from './tables/api-keys.ts';
export type { AnsweredAttempt, SentOrder } from './tables/attempts.ts';
export type { AuditRow, AuditValue } from './tables/audit-log.ts';
export type { ClaimRow } from './tables/claims.ts';
export type { TakenCode } from './tables/codes.ts';
export type { ConsoleSessionRow } from './tables/console.ts';
export type { OpenSweep } from './tables/takeover.ts';
export type { BriefRow, HistoryCursor, Outcome } from './tables/history.ts';
export type { DoubtRow } from './tables/doubts.ts';
export type { OrderRow } from './tables/orders.ts';
export type { OrderPlace, StoredOrderItem, WantingPlace } from './tables/order-items.ts';
export type { JobRow } from './tables/jobs.ts';
export type { StockLevel } from './tables/stock.ts';
export type { Task } from './tables/tasks.ts';
export type { PurchaseRow } from './tables/purchases.ts';
export type { MemberRow } from './tables/members.ts';
export type { RolledQuota } from './tables/quota.ts';
export type {
  NewRedemption,
  StoredCredentials,
  StoredReceipt,
  StoredRedemption,
} from './tables/redemptions.ts';
export type { AttemptRow, DeliveryPage, DeliveryRow } from './tables/webhook-deliveries.ts';
export type { WebhookRow } from './tables/webhooks.ts';
export type {
  AttemptProof,
  AuditDoor,
  ClaimState,
  ClaimTrouble,
  CodeState,
  DeliveryState,
  ErrorCode,
  JobKind,
  OrderState,
  OrderWait,
  StockKey,
} from './schema/index.ts';

export interface Store {
  /**
   * Runs `work` in a transaction, together with whatever arrived in the same moment; resolves when it is on disk.
   * `work` is synchronous. What it throws rolls back this work alone. `bulk`: slices of work that nobody waits for by
   * the millisecond; everything else is written before them.
   */
  write<T>(work: (tables: Tables) => T, options?: WriteOptions): Promise<T>;
  /**
   * Whether so much waits to be written that nothing new should begin (`bulk`: no bulk work). It refuses nothing by
   * itself: what has begun is always written.
   */
  isCrowded(options?: WriteOptions): boolean;
  /** How many writes wait for their commit now. */
  countWaiting(): number;
  /** False from a write that the disk refused until one has gone through; one of its own is tried every second. */
  isWritable(): boolean;
  /**
   * False while the name of the database leads to another file than the open one, or to none: then nothing is written.
   */
  isInPlace(): boolean;
  /** Runs `work`, which reads, between two commits of this process. What tries to write throws. */
  read<T>(work: (tables: Tables) => T): T;
  /**
   * Has `listen` told after each commit of the queues of tasks in which something has come to wait; a second late of
   * another process.
   */
  onQueued(listen: (queues: readonly string[]) => void): void;
  /** The same of what has changed: `order:ord_…`, `redemption:811`. */
  onChanged(listen: (names: readonly string[]) => void): void;
  /** Seals codes and makes look-up hashes outside any transaction. */
  seals: ReturnType<typeof createCodeSeals>;
  secrets: Secrets;
  path: string;
  /** The time that a restore has lost, of which nobody knows what was under way; undefined where none did. */
  lost: LostTime | undefined;
  /** Codes with higher numbers were added since; undefined where nothing was lost. */
  lastCodeBeforeLoss: number | undefined;
  /** Whether the process before ended without a stop, and when it was alive last, as far as it is known; ms UTC. */
  uncleanEnd: { aliveAt: number | undefined } | undefined;
  /**
   * Waits for what was handed in, then closes. `stoppedAt`, in ms UTC, is kept in the file: it holds all that ever
   * happened.
   */
  close(stoppedAt?: number): Promise<void>;
}

export interface StoreOptions {
  path: string;
  /** 32 bytes; else `encryption.key` beside the database. */
  encryptionKey?: Buffer | undefined;
  /** Take the single-process lock (the service does; the command line works beside it). */
  exclusive: boolean;
  /** Whom the service asks about codes (platform/identity.ts): a file that was used with somebody else is refused. */
  platform?: PlatformIdentity | undefined;
  /** Told of a key that is made, of a state that is missing, and of a database that is moved away. */
  log?: Pick<Logger, 'info' | 'warn' | 'error'> | undefined;
  /** The time of day, for the sign of life beside the file. */
  now?: () => number;
  /** Told of each commit: how many writes it held, and how long the event loop was held for it. */
  onCommit?: (writes: number, ms: number) => void;
  /**
   * Called where the file has yet to be brought to this version, and nothing has been changed; what it throws ends the
   * start.
   */
  beforeUpgrade?: (() => void) | undefined;
}

/** Opens the store: lock, key, identity, canary, migrations. Throws StoreRefusal with a sentence for the host. */
export function createStore(options: StoreOptions): Store {
  const { path, platform, log } = options;
  const lock = options.exclusive ? takeProcessLock(path) : undefined;
  let writer: Connection | undefined;
  try {
    const logMade = (file: string) => log?.info({ file }, KEY_MADE);
    const keys = loadKeyRing(path, options.encryptionKey, logMade);
    if (lock) assertOwn(path, platform);
    writer = openConnection(path);
    openSecrets(writer, keys);
    if (hasTable(writer, 'migrations') && !isCurrent(writer)) {
      if (!lock) throw new StoreRefusal(NOT_UPGRADED);
      options.beforeUpgrade?.();
    }
    migrate(writer);
    writeCanary(writer, keys.current);
    const secrets = openSecrets(writer, keys);
    if (platform !== undefined) markPlatform(writer, platform);
    const uncleanEnd = lock && beginServing(writer, options);
    // Until here waiting held up nobody; and the command line has nothing else to do meanwhile.
    if (options.exclusive) stopWaiting(writer);
    return { ...assemble(writer, secrets, lock, options), uncleanEnd };
  } catch (error) {
    writer?.close();
    lock?.release();
    throw formatTrouble(error, path);
  }
}

/**
 * From the first moment on the file itself tells, without its log, that it was not stopped. How the process before
 * ended.
 */
function beginServing(connection: Connection, { path, log }: StoreOptions): Store['uncleanEnd'] {
  const [state, wasServed] = [readState(path), hasHome(connection)];
  if (!state && wasServed) log?.warn({ path }, NO_STATE);
  settleHome(connection, path);
  const wasStopped = unmarkStopped(connection);
  if (wasStopped) connection.pragma('wal_checkpoint(PASSIVE)');
  return wasStopped || !(state || wasServed) ? undefined : { aliveAt: state?.aliveAt };
}

const NOT_UPGRADED =
  'The database is of an earlier version: start the service, which makes a backup of it and upgrades it. Nothing was changed.';
const KEY_MADE =
  'an encryption key was made: keep a copy of it apart from the backups, which are worthless without it';
const NO_STATE =
  'the state beside the database was missing and is made anew: whether this is an older file cannot be told this time';

/**
 * What cannot be opened, or has no room, as a sentence for the host. That it is busy passes by itself, and all else is a fault of
 * ours.
 */
function formatTrouble(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^(SQLITE_(NOTADB|CORRUPT|CANTOPEN|READONLY|FULL|IOERR)|ENOSPC|EDQUOT)/.test(code)) return error;
  return new StoreRefusal(`The database ${path} cannot be opened: ${reasonOf(error)}.`, { cause: error });
}

function assemble(
  connection: Connection,
  secrets: Secrets,
  lock: ProcessLock | undefined,
  { path, log, onCommit, now = systemClock.now }: StoreOptions,
): Omit<Store, 'uncleanEnd'> {
  const queued = createQueuedNotes(connection, () => tables.tasks.listQueues());
  const [seals, changed] = [createCodeSeals(secrets), createCommitNotes()];
  const tables = createTables(connection, secrets, queued.note, changed.note);
  const keepState = () => lock && writeState(connection, path, now());
  const place = lock && watchPlace(path, { lock, log, onCheck: () => [keepState(), queued.check()] });
  keepState();
  // None for the command line, which commits a few times and ends.
  let checkpoints: Checkpoints | undefined;
  const writer = createWriter(connection, {
    beforeCommit: () => place?.assert(),
    onCommit(writes, ms) {
      checkpoints?.afterCommit();
      for (const notes of [queued, changed]) notes.notify();
      onCommit?.(writes, ms);
    },
  });
  if (lock) checkpoints = createCheckpoints(connection, path);
  const health = createWriteHealth(connection, (work) => writer.write(work));

  return {
    path,
    ...readLost(connection),
    ...{ seals, secrets },
    write: (work, how) => health.watch(writer.write(() => work(tables), how)),
    isCrowded: (how) => writer.isCrowded(how),
    countWaiting: () => writer.countWaiting(),
    isWritable: () => health.isWritable(),
    isInPlace: () => place?.isHeld() ?? true,
    ...{ onQueued: queued.listen, onChanged: changed.listen },
    read: (work) => work(tables),
    async close(stoppedAt) {
      health.close();
      await writer.drain();
      place?.close();
      await checkpoints?.close();
      if (place?.isHeld()) keepState();
      if (place?.isHeld() && stoppedAt !== undefined) endServing(connection, stoppedAt);
      connection.close();
      lock?.release();
    },
  };
}

/**
 * A disk that takes no write any more leaves it as after a kill. Nobody is served: the command line may be waited for.
 */
function endServing(connection: Connection, stoppedAt: number): void {
  try {
    connection.pragma(`busy_timeout = ${ENDS_WITHIN_MS}`);
    markStopped(connection, stoppedAt);
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // It is no worse off.
  }
}

const ENDS_WITHIN_MS = 250;
