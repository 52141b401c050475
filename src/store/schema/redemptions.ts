// The tables of redemptions, and of the keys by which a request that is repeated finds its own.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { usages } from './accounts.ts';
import { codes } from './codes.ts';
import { bytes, oneOf } from './column-helpers.ts';
import { REDEMPTION_ERRORS, REDEMPTION_STATES } from './states.ts';

const REDEMPTION_MODES = ['database', 'direct'] as const;

/** Redemptions, whatever became of them; the id is the receipt identifier. */
export const redemptions = sqliteTable(
  'redemptions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id').notNull(),
    actor: text('actor').notNull(),
    gameId: text('game_id').notNull(),
    playerId: text('player_id').notNull(),
    mode: text('mode', { enum: REDEMPTION_MODES }).notNull(),
    denomination: integer('denomination'),
    codeId: integer('code_id').references(() => codes.id),
    codeHash: bytes('code_hash'),
    /** Of a code that came with the request; one of the database is sealed in its own row. */
    codeSecret: bytes('code_secret'),
    /** Of the ends of the code, for search (tables/code-ends.ts). */
    codeHeadHash: bytes('code_head_hash'),
    codeTailHash: bytes('code_tail_hash'),
    state: text('state', { enum: REDEMPTION_STATES }).notNull(),
    errorCode: text('error_code', { enum: REDEMPTION_ERRORS }),
    errorMessage: text('error_message'),
    codeReset: integer('code_reset').notNull().default(0),
    warning: integer('warning').notNull().default(0),
    openid: text('openid'),
    playerName: text('player_name'),
    region: text('region'),
    productName: text('product_name'),
    amount: integer('amount'),
    credentialsSecret: bytes('credentials_secret'),
    usageId: integer('usage_id').references(() => usages.id),
    createdAt: integer('created_at').notNull(),
    settledAt: integer('settled_at'),
    tookMs: integer('took_ms').notNull().default(0),
    /** When it fell in doubt; stays after it is settled. */
    doubtedAt: integer('doubted_at'),
    looks: integer('looks').notNull().default(0),
    /** JSON: what the looks said that did not end it, like ones in a row as one. */
    looksTold: text('looks_told'),
    /** 1 while it is open or redeemed, null once it failed: the one live attempt that a code may have. */
    live: integer('live'),
    /** The key of its request as it was sent, where programs are to be told of its end. */
    idempotencyKeySecret: bytes('idempotency_key_secret'),
    /**
     * Of a direct one that was refused because another one of its code was under way: that one, with which it is
     * settled. Until then it is `failed` with `UNKNOWN`, and since when it is final is not told.
     */
    firstId: integer('first_id').references((): AnySQLiteColumn => redemptions.id),
  },
  (table) => [
    uniqueIndex('redemptions_by_hash').on(table.codeHash).where(sql.raw('live is not null')),
    index('redemptions_by_account').on(table.accountId, table.createdAt),
    index('redemptions_by_player').on(table.accountId, table.playerId),
    index('redemptions_by_head').on(table.accountId, table.codeHeadHash),
    index('redemptions_by_tail').on(table.accountId, table.codeTailHash),
    index('redemptions_pending').on(table.createdAt).where(sql.raw("state = 'pending'")),
    index('redemptions_in_doubt').on(table.id).where(sql.raw("state = 'in_doubt'")),
    index('redemptions_with_credentials')
      .on(table.settledAt)
      .where(sql.raw('credentials_secret is not null')),
    index('redemptions_tried')
      .on(table.gameId, table.codeHash)
      .where(sql.raw('(doubted_at is not null or live is null)')),
    index('redemptions_waiting')
      .on(table.firstId)
      .where(sql.raw("first_id is not null and error_code = 'UNKNOWN'")),
    index('redemptions_lost').on(table.accountId).where(sql.raw("actor = 'lost'")),
    check('redemptions_state', oneOf('state', REDEMPTION_STATES)),
    check('redemptions_mode', oneOf('mode', REDEMPTION_MODES)),
    check('redemptions_settled', sql.raw("(state in ('redeemed', 'failed')) = (settled_at is not null)")),
    check('redemptions_error', sql.raw("(state <> 'failed') or (error_code is not null)")),
  ],
);

/** One row per key and account: which redemption, extraction, addition or order it began. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    accountId: integer('account_id').notNull(),
    keyHash: bytes('key_hash').notNull(),
    requestHash: bytes('request_hash').notNull(),
    redemptionId: integer('redemption_id'),
    extractionId: integer('extraction_id'),
    batchId: integer('batch_id'),
    orderId: integer('order_id'),
    /** Which time something under the key is sent: more than the first where an end had freed it. */
    tries: integer('tries').notNull().default(1),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.keyHash] }),
    index('idempotency_keys_by_age')
      .on(table.at)
      .where(sql.raw('(redemption_id is not null or order_id is not null)')),
    index('idempotency_keys_of_work_by_age')
      .on(table.at)
      .where(sql.raw('redemption_id is null and order_id is null')),
  ],
);
