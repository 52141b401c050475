// The tables of codes: the database itself, how codes came in and went out, and when a stock runs low.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { bytes, oneOf } from './column-helpers.ts';
import { CODE_STATES } from './states.ts';

/** Whose codes, of which game and denomination. */
export type StockKey = { accountId: number; gameId: string; denomination: number };

/** What was added together, and can be undone together. `added` counts what was accepted, for conservation. */
export const batches = sqliteTable(
  'batches',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    actor: text('actor').notNull(),
    at: integer('at').notNull(),
    /** From whom the account bought them, by its own name for them. */
    supplier: text('supplier'),
    added: integer('added').notNull().default(0),
    undoneAt: integer('undone_at'),
    /** Who took it back. */
    undoneBy: text('undone_by'),
  },
  (table) => [
    index('batches_by_account').on(table.accountId, table.at),
    index('batches_by_actor').on(table.accountId, table.actor, table.at),
    index('batches_of_suppliers').on(table.accountId, table.at).where(sql.raw('supplier is not null')),
  ],
);

/** Codes handed out of the database for good. */
export const extractions = sqliteTable(
  'extractions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    actor: text('actor').notNull(),
    at: integer('at').notNull(),
    /** How many were asked for, and how many it took. */
    requested: integer('requested').notNull().default(0),
    taken: integer('taken').notNull().default(0),
    /** When the last of its codes was taken; null while it goes on. */
    endedAt: integer('ended_at'),
    /** Ordered in a chat: when Telegram took its file, and when people were told that it did not. */
    sentAt: integer('sent_at'),
    unsentNotifiedAt: integer('unsent_notified_at'),
  },
  (table) => [index('extractions_by_account').on(table.accountId, table.at)],
);

/** The code database. A code belongs to one account at most, until it is extracted or undone. */
export const codes = sqliteTable(
  'codes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    state: text('state', { enum: CODE_STATES }).notNull(),
    claimedFrom: text('claimed_from', { enum: CODE_STATES }),
    codeHash: bytes('code_hash').notNull(),
    codeSecret: bytes('code_secret').notNull(),
    batchId: integer('batch_id')
      .notNull()
      .references(() => batches.id),
    extractionId: integer('extraction_id').references(() => extractions.id),
    changedAt: integer('changed_at').notNull(),
    /**
     * How often it came back refused for no fault of its own: such codes step behind the others of their denomination.
     */
    returns: integer('returns').notNull().default(0),
    /**
     * 1 while somebody has it, else null: a column of its own, so that changes of state leave the index below alone.
     */
    owned: integer('owned'),
  },
  (table) => [
    uniqueIndex('codes_by_hash').on(table.codeHash).where(sql.raw('owned is not null')),
    // The id follows of itself: every index ends with it.
    index('codes_takeable')
      .on(table.accountId, table.gameId, table.denomination, table.returns)
      .where(sql.raw("state in ('available', 'unverified')")),
    index('codes_refused')
      .on(table.accountId, table.gameId, table.denomination)
      .where(sql.raw("state in ('used', 'invalid')")),
    index('codes_in_question')
      .on(table.accountId, table.gameId, table.denomination, table.returns)
      .where(sql.raw("state = 'in_question'")),
    // What a batch has had it never gets again, whatever became of it.
    uniqueIndex('codes_in_batch').on(table.batchId, table.codeHash),
    index('codes_by_extraction').on(table.extractionId).where(sql.raw('extraction_id is not null')),
    check('codes_state', oneOf('state', CODE_STATES)),
    check('codes_claimed', sql.raw("(state in ('reserved', 'in_doubt')) <= (claimed_from is not null)")),
  ],
);

/**
 * How many codes there are: so that nobody counts rows. Changes of state move it by a trigger of the migration; what
 * adds codes counts them itself, once a slice. `check` proves it against the codes.
 */
export const stockCounts = sqliteTable(
  'stock_counts',
  {
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    state: text('state', { enum: CODE_STATES }).notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.gameId, table.denomination, table.state] })],
);

/**
 * How many codes of a denomination the platform refused in a row, until it redeems one. `pausedAt`: since when none is
 * taken, until somebody says that it goes on.
 */
export const stockPauses = sqliteTable(
  'stock_pauses',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    refused: integer('refused').notNull(),
    pausedAt: integer('paused_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.gameId, table.denomination] })],
);

/** Below how many codes of a denomination the account wants to be told; `notified` until it is refilled. */
export const stockAlerts = sqliteTable(
  'stock_alerts',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    threshold: integer('threshold').notNull(),
    notified: integer('notified').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.gameId, table.denomination] })],
);
