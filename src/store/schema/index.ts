// The tables. Every one is STRICT (written into the migrations by hand, asserted by a test). Times are milliseconds UTC,
// amounts of quota are quarters of an activation, `…Secret` columns are encrypted (secrets.ts), `…Hash` columns are HMACs.
import { check, index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../engine/drizzle.ts';
import { accounts, charges } from './accounts.ts';
import { bytes, oneOf } from './parts.ts';

export * from './accounts.ts';
export * from './bot.ts';

/** The states a code can be in; `claimedFrom` remembers where it returns to. */
export const CODE_STATES = [
  'available',
  'unverified',
  'reserved',
  'in_doubt',
  'redeemed',
  'used',
  'invalid',
  'extracted',
  'undone',
] as const;
export type CodeState = (typeof CODE_STATES)[number];

export const REDEMPTION_STATES = ['pending', 'in_doubt', 'redeemed', 'failed'] as const;
export type RedemptionState = (typeof REDEMPTION_STATES)[number];

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
    added: integer('added').notNull().default(0),
    undoneAt: integer('undone_at'),
  },
  (table) => [index('batches_by_account').on(table.accountId, table.at)],
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
    state: text('state').notNull(),
    claimedFrom: text('claimed_from'),
    codeHash: bytes('code_hash').notNull(),
    codeSecret: bytes('code_secret').notNull(),
    batchId: integer('batch_id')
      .notNull()
      .references(() => batches.id),
    extractionId: integer('extraction_id').references(() => extractions.id),
    changedAt: integer('changed_at').notNull(),
  },
  (table) => [
    uniqueIndex('codes_owned')
      .on(table.gameId, table.codeHash)
      .where(sql.raw("state not in ('extracted', 'undone')")),
    index('codes_takeable')
      .on(table.accountId, table.gameId, table.denomination, table.id)
      .where(sql.raw("state in ('available', 'unverified')")),
    index('codes_by_batch').on(table.batchId),
    index('codes_by_extraction').on(table.extractionId).where(sql.raw('extraction_id is not null')),
    check('codes_state', oneOf('state', CODE_STATES)),
    check('codes_claimed', sql.raw("(state in ('reserved', 'in_doubt')) <= (claimed_from is not null)")),
  ],
);

/** Redemptions, whatever became of them; the id is the receipt identifier. */
export const redemptions = sqliteTable(
  'redemptions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Ours towards the platform: a random UUID. */
    reference: text('reference').notNull(),
    accountId: integer('account_id').notNull(),
    actor: text('actor').notNull(),
    gameId: text('game_id').notNull(),
    playerId: text('player_id').notNull(),
    mode: text('mode').notNull(),
    denomination: integer('denomination'),
    codeId: integer('code_id').references(() => codes.id),
    codeHash: bytes('code_hash'),
    codeSecret: bytes('code_secret'),
    /** HMAC of the last six characters of the code, for search. */
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
    chargeId: integer('charge_id').references(() => charges.id),
    createdAt: integer('created_at').notNull(),
    settledAt: integer('settled_at'),
    tookMs: integer('took_ms').notNull().default(0),
    /** When it fell in doubt; stays after it is settled. */
    doubtedAt: integer('doubted_at'),
    looks: integer('looks').notNull().default(0),
    nextLookAt: integer('next_look_at'),
  },
  (table) => [
    uniqueIndex('redemptions_live')
      .on(table.gameId, table.codeHash)
      .where(sql.raw("state in ('pending', 'in_doubt', 'redeemed')")),
    index('redemptions_by_account').on(table.accountId, table.createdAt),
    index('redemptions_by_player').on(table.accountId, table.playerId),
    index('redemptions_by_tail').on(table.accountId, table.codeTailHash),
    index('redemptions_pending').on(table.createdAt).where(sql.raw("state = 'pending'")),
    index('redemptions_in_doubt').on(table.nextLookAt).where(sql.raw("state = 'in_doubt'")),
    index('redemptions_doubted').on(table.gameId, table.codeHash).where(sql.raw('doubted_at is not null')),
    check('redemptions_state', oneOf('state', REDEMPTION_STATES)),
    check('redemptions_mode', oneOf('mode', ['database', 'direct'])),
    check('redemptions_settled', sql.raw("(state in ('redeemed', 'failed')) = (settled_at is not null)")),
    check('redemptions_error', sql.raw("(state <> 'failed') or (error_code is not null)")),
  ],
);

/** One row per key and account, for 24 hours: which redemption or extraction it began. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    accountId: integer('account_id').notNull(),
    keyHash: bytes('key_hash').notNull(),
    requestHash: bytes('request_hash').notNull(),
    redemptionId: integer('redemption_id'),
    extractionId: integer('extraction_id'),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.keyHash] }),
    index('idempotency_keys_by_age').on(table.at),
  ],
);

/** What people are to be told, written in the transaction of the fact. Without an account it is for the host. */
export const notices = sqliteTable(
  'notices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id').references(() => accounts.id),
    kind: text('kind').notNull(),
    payloadSecret: bytes('payload_secret').notNull(),
    at: integer('at').notNull(),
    deliveredAt: integer('delivered_at'),
  },
  (table) => [index('notices_waiting').on(table.id).where(sql.raw('delivered_at is null'))],
);

/** Below how many codes of a denomination the account wants to be told; `told` until it is refilled. */
export const stockAlerts = sqliteTable(
  'stock_alerts',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    threshold: integer('threshold').notNull(),
    told: integer('told').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.gameId, table.denomination] })],
);

/** An import under way: pieces are collected before anything is added. */
export const imports = sqliteTable(
  'imports',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    actor: text('actor').notNull(),
    denomination: integer('denomination'),
    state: text('state').notNull(),
    batchId: integer('batch_id').references(() => batches.id),
    at: integer('at').notNull(),
  },
  (table) => [
    index('imports_by_actor').on(table.accountId, table.actor),
    index('imports_committing').on(table.id).where(sql.raw("state = 'committing'")),
    check('imports_state', oneOf('state', ['collecting', 'committing', 'committed', 'cancelled'])),
  ],
);

/** The pieces of an import, in order of `position`; the same `pieceKey` again is the same piece. */
export const importPieces = sqliteTable(
  'import_pieces',
  {
    importId: integer('import_id')
      .notNull()
      .references(() => imports.id),
    pieceKey: text('piece_key').notNull(),
    position: integer('position').notNull(),
    kind: text('kind').notNull(),
    textSecret: bytes('text_secret').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.pieceKey] })],
);
