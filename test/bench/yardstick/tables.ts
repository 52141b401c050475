// Round 1's tables of a redemption, as drizzle knows them; the file itself is made by round-1.sql. Frozen.
import type { drizzle } from 'drizzle-orm/better-sqlite3';
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export type Orm = ReturnType<typeof drizzle>;

const bytes = (name: string) => blob(name, { mode: 'buffer' });

export const accounts = sqliteTable('accounts', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  createdAt: integer('created_at').notNull(),
  subscriptionExpiresAt: integer('subscription_expires_at'),
  endToldOf: integer('end_told_of').notNull().default(0),
  endToldStage: integer('end_told_stage').notNull().default(0),
});

export const quotas = sqliteTable('quotas', {
  accountId: integer('account_id').primaryKey(),
  used: integer('used').notNull().default(0),
  windowStart: integer('window_start').notNull().default(0),
  purchased: integer('purchased').notNull().default(0),
  noticed80At: integer('noticed_80_at').notNull().default(0),
  noticed100At: integer('noticed_100_at').notNull().default(0),
});

export const charges = sqliteTable('charges', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  accountId: integer('account_id').notNull(),
  at: integer('at').notNull(),
  daily: integer('daily').notNull(),
  purchased: integer('purchased').notNull(),
  kind: text('kind').notNull(),
  returnedAt: integer('returned_at'),
});

export const codes = sqliteTable('codes', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  accountId: integer('account_id').notNull(),
  gameId: text('game_id').notNull(),
  denomination: integer('denomination').notNull(),
  state: text('state').notNull(),
  claimedFrom: text('claimed_from'),
  codeHash: bytes('code_hash').notNull(),
  codeSecret: bytes('code_secret').notNull(),
  batchId: integer('batch_id').notNull(),
  extractionId: integer('extraction_id'),
  changedAt: integer('changed_at').notNull(),
});

export const stockAlerts = sqliteTable('stock_alerts', {
  accountId: integer('account_id').notNull(),
  gameId: text('game_id').notNull(),
  denomination: integer('denomination').notNull(),
  threshold: integer('threshold').notNull(),
  told: integer('told').notNull().default(0),
});

export const redemptions = sqliteTable('redemptions', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  reference: text('reference').notNull(),
  accountId: integer('account_id').notNull(),
  actor: text('actor').notNull(),
  gameId: text('game_id').notNull(),
  playerId: text('player_id').notNull(),
  mode: text('mode').notNull(),
  denomination: integer('denomination'),
  codeId: integer('code_id'),
  codeHash: bytes('code_hash'),
  codeSecret: bytes('code_secret'),
  codeTailHash: bytes('code_tail_hash'),
  state: text('state').notNull(),
  errorCode: text('error_code'),
  errorMessage: text('error_message'),
  codeReset: integer('code_reset').notNull().default(0),
  warning: integer('warning').notNull().default(0),
  openid: text('openid'),
  playerName: text('player_name'),
  region: text('region'),
  productName: text('product_name'),
  amount: integer('amount'),
  credentialsSecret: bytes('credentials_secret'),
  chargeId: integer('charge_id'),
  createdAt: integer('created_at').notNull(),
  settledAt: integer('settled_at'),
  tookMs: integer('took_ms').notNull().default(0),
  doubtedAt: integer('doubted_at'),
  looks: integer('looks').notNull().default(0),
  nextLookAt: integer('next_look_at'),
});
