// The store: what is kept, and nothing about why. `write` is the only way to write, `read` for the rest; neither ever awaits.
import type { Database as Connection } from 'better-sqlite3';

import { createAccountsTable, createApiKeysTable } from './accounts.ts';
import { createBatchesTable } from './batches.ts';
import { createCodesTable, createCodeSeals } from './codes.ts';
import {
  assertCanary,
  loadKey,
  migrate,
  openConnection,
  openReader,
  takeProcessLock,
  writeCanary,
} from './connection.ts';
import { openOrm } from './drizzle.ts';
import { createExtractionsTable } from './extractions.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdempotencyKeysTable } from './idempotency-keys.ts';
import { createImportsTable } from './imports.ts';
import { createInvitationsTable, createMembersTable } from './members.ts';
import { createNoticesTable } from './notices.ts';
import { createPurchasesTable } from './purchases.ts';
import { createQuotaTable } from './quota.ts';
import { createRedemptionsTable } from './redemptions.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createStockTable } from './stock.ts';

export { StoreRefusal } from './connection.ts';
export type { SealedCode, TakenCode } from './codes.ts';
export type { StoredNotice } from './notices.ts';
export type { PurchaseRow } from './purchases.ts';
export type { MemberRow } from './members.ts';
export type { RolledQuota } from './quota.ts';
export type { StoredCredentials, StoredReceipt, StoredRedemption } from './redemptions.ts';
export type { CodeState } from './schema.ts';

/** Every table of the store, over one connection. */
export type Tables = ReturnType<typeof createTables>;

export interface Store {
  /**
   * Runs `work` in a transaction, together with whatever arrived in the same moment; resolves when it is on disk.
   * `work` is synchronous and may run once only; what it throws rolls back this work alone.
   */
  write<T>(work: (tables: Tables) => T): Promise<T>;
  /** Runs `work` on one consistent snapshot of what is committed. */
  read<T>(work: (tables: Tables) => T): T;
  /** Seals codes and makes look-up hashes outside any transaction. */
  seals: ReturnType<typeof createCodeSeals>;
  secrets: Secrets;
  path: string;
  /** Waits for what was handed in, then closes. */
  close(): Promise<void>;
}

export interface StoreOptions {
  path: string;
  /** 32 bytes; else `encryption.key` beside the database. */
  encryptionKey?: Buffer | undefined;
  /** Take the single-process lock (the service does; the command line works beside it). */
  exclusive: boolean;
  onCommit?: (jobs: number) => void;
}

/** Opens the store: lock, key, canary, migrations. Throws StoreRefusal with a sentence for the host. */
export function createStore(options: StoreOptions): Store {
  const { path } = options;
  const lock = options.exclusive ? takeProcessLock(path) : undefined;
  let writer: Connection | undefined;
  try {
    const secrets = createSecrets(loadKey(path, options.encryptionKey));
    writer = openConnection(path);
    assertCanary(writer, secrets);
    migrate(writer);
    writeCanary(writer, secrets);
    return assemble(path, writer, openReader(path), secrets, () => lock?.release(), options.onCommit);
  } catch (error) {
    writer?.close();
    lock?.release();
    throw error;
  }
}

function assemble(
  path: string,
  writer: Connection,
  reader: Connection,
  secrets: Secrets,
  release: () => void,
  onCommit: ((jobs: number) => void) | undefined,
): Store {
  const seals = createCodeSeals(secrets);
  const writing = createTables(writer, secrets);
  const reading = createTables(reader, secrets);
  const commits = createGroupCommit(writer, onCommit ? { onCommit } : {});
  const snapshot = reader.transaction((work: (tables: Tables) => unknown) => work(reading));

  return {
    path,
    seals,
    secrets,
    write: (work) => commits.write(() => work(writing)),
    read: <T>(work: (tables: Tables) => T) => snapshot(work) as T,
    async close() {
      await commits.drain();
      reader.close();
      writer.close();
      release();
    },
  };
}

function createTables(connection: Connection, secrets: Secrets) {
  const orm = openOrm(connection);
  const seals = createCodeSeals(secrets);
  return {
    accounts: createAccountsTable(orm),
    apiKeys: createApiKeysTable(orm),
    batches: createBatchesTable(orm),
    codes: createCodesTable(orm, seals),
    extractions: createExtractionsTable(orm, seals),
    idempotencyKeys: createIdempotencyKeysTable(orm, secrets),
    imports: createImportsTable(orm, secrets),
    invitations: createInvitationsTable(orm),
    members: createMembersTable(orm),
    notices: createNoticesTable(orm, secrets),
    purchases: createPurchasesTable(orm),
    quota: createQuotaTable(orm),
    redemptions: createRedemptionsTable(orm, secrets, seals),
    stock: createStockTable(orm),
  };
}
