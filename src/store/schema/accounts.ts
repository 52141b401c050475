// The tables of accounts: who they are, what they may, what they paid and what they used.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bytes, oneOf } from './column-helpers.ts';

const INVITED_ROLES = ['admin', 'operator', 'support'] as const;
const MEMBER_ROLES = ['owner', ...INVITED_ROLES] as const;
const PURCHASE_KINDS = ['activations', 'subscription'] as const;
const CHARGE_NOTE_KINDS = ['unbooked', 'refunded'] as const;
const USAGE_KINDS = ['redeem', 'character', 'redemptionTime'] as const;

/** Facts about this file: the key canary, the encryption's salt. */
export const meta = sqliteTable('meta', {
  key: text('key').primaryKey(),
  value: bytes('value').notNull(),
});

export const accounts = sqliteTable(
  'accounts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    subscriptionExpiresAt: integer('subscription_expires_at'),
    /** In which its people read times: `UTC`, `+03:00`, or an IANA name. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** How the shop is reached, as the page of a claim link tells it. */
    contact: text('contact'),
    /** Since when it spends and hands out nothing, by a host. */
    pausedAt: integer('paused_at'),
    /** Since when it has neither people nor keys, by a host; those whom it had, as JSON. */
    closedAt: integer('closed_at'),
    closedMembers: text('closed_members'),
    /** Of which end people were told last, and how near it was: 3 or 1 days before, 0 when it came. */
    endNotifiedOf: integer('end_notified_of').notNull().default(0),
    endNotifiedStage: integer('end_notified_stage').notNull().default(0),
  },
  (table) => [index('accounts_by_end').on(table.subscriptionExpiresAt)],
);

/** A Telegram user is a member of at most one account. */
export const members = sqliteTable(
  'members',
  {
    telegramId: integer('telegram_id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    role: text('role', { enum: MEMBER_ROLES }).notNull(),
    name: text('name').notNull(),
    username: text('username'),
    joinedAt: integer('joined_at').notNull(),
    /** Since when the role is what it is: of two pasts that a restore joins, the later decision holds. */
    roleAt: integer('role_at').notNull().default(0),
  },
  (table) => [
    index('members_by_account').on(table.accountId),
    index('members_by_username')
      .on(sql.raw('username collate nocase'))
      .where(sql.raw('username is not null')),
    uniqueIndex('members_one_owner').on(table.accountId).where(sql.raw("role = 'owner'")),
    check('members_role', oneOf('role', MEMBER_ROLES)),
  ],
);

/** A link for one person; the token itself is never kept. */
export const invitations = sqliteTable(
  'invitations',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    role: text('role', { enum: INVITED_ROLES }).notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedBy: integer('used_by'),
    /** The owner whom it replaces, by their number at Telegram; null: nobody. */
    replaces: integer('replaces'),
  },
  (table) => [
    index('invitations_by_account').on(table.accountId),
    check('invitations_role', oneOf('role', INVITED_ROLES)),
  ],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The first characters, for telling keys apart. */
    prefix: text('prefix').notNull(),
    digest: bytes('digest').notNull(),
    /** What its owner calls it, where they do. */
    name: text('name'),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
    /** Quarters of an activation in any 24 hours; null: as many as the account has. */
    dayLimit: integer('day_limit'),
    /** A JSON list of CIDRs from which alone it is taken; null: from everywhere. */
    addresses: text('addresses'),
    expiresAt: integer('expires_at'),
  },
  (table) => [
    uniqueIndex('api_keys_by_digest').on(table.digest),
    index('api_keys_by_account').on(table.accountId),
  ],
);

/** Payments, each credited once: the charge id is the payment provider's. `host:…` for what a host grants. */
export const purchases = sqliteTable(
  'purchases',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    chargeId: text('charge_id').notNull(),
    kind: text('kind', { enum: PURCHASE_KINDS }).notNull(),
    currency: text('currency').notNull(),
    /** In the currency's smallest unit. */
    amount: integer('amount').notNull(),
    activationsQuarters: integer('activations_quarters').notNull(),
    subscriptionDays: integer('subscription_days').notNull(),
    paidBy: text('paid_by').notNull(),
    at: integer('at').notNull(),
    refundedAt: integer('refunded_at'),
    /** What a refund took back; less than bought when some were spent. */
    refundedQuarters: integer('refunded_quarters').notNull().default(0),
  },
  (table) => [
    uniqueIndex('purchases_by_charge').on(table.chargeId),
    index('purchases_by_account').on(table.accountId),
    check('purchases_kind', oneOf('kind', PURCHASE_KINDS)),
  ],
);

/** What an invoice asks money for; its payload is the id. Known for a year, since its payment may be told that late. */
export const purchaseOrders = sqliteTable(
  'purchase_orders',
  {
    /** Opaque. */
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The Telegram id of the member who asked. */
    orderedBy: integer('ordered_by').notNull(),
    kind: text('kind', { enum: PURCHASE_KINDS }).notNull(),
    /** Thousands of activations, or days of subscription. */
    count: integer('count').notNull(),
    currency: text('currency').notNull(),
    /** In the currency's smallest unit. */
    amount: integer('amount').notNull(),
    at: integer('at').notNull(),
    /** The first charge that was booked for it: an invoice can be paid more than once. */
    chargeId: text('charge_id'),
  },
  (table) => [
    index('purchase_orders_by_age').on(table.at),
    check('purchase_orders_kind', oneOf('kind', PURCHASE_KINDS)),
    check('purchase_orders_amounts', sql.raw('count > 0 and amount > 0')),
  ],
);

/**
 * What Telegram told of a charge that no payment of ours is booked for: `unbooked`: it was taken and belongs to no
 * order; `refunded`: it went back, perhaps before its payment was told. Kept for good, since Telegram's list names them
 * for as long.
 */
export const chargeNotes = sqliteTable(
  'charge_notes',
  {
    /** Telegram's. */
    chargeId: text('charge_id').notNull(),
    kind: text('kind', { enum: CHARGE_NOTE_KINDS }).notNull(),
    /** The Telegram id of whoever paid. */
    payerId: integer('payer_id').notNull(),
    currency: text('currency').notNull(),
    /** In the currency's smallest unit. */
    amount: integer('amount').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chargeId, table.kind] }),
    check('charge_notes_kind', oneOf('kind', CHARGE_NOTE_KINDS)),
  ],
);

/**
 * The running total of each account. `used` is the sum of `usages.daily` with `at > windowStart` that were not
 * returned; `purchased` is what was bought, less what was charged or refunded.
 */
export const quotas = sqliteTable(
  'quotas',
  {
    accountId: integer('account_id')
      .primaryKey()
      .references(() => accounts.id),
    used: integer('used').notNull().default(0),
    windowStart: integer('window_start').notNull().default(0),
    purchased: integer('purchased').notNull().default(0),
    noticed80At: integer('noticed_80_at').notNull().default(0),
    noticed100At: integer('noticed_100_at').notNull().default(0),
  },
  () => [check('quotas_bounds', sql.raw('used >= 0 and purchased >= 0'))],
);

/** The ledger: every usage ever made, split, and returned or not. */
export const usages = sqliteTable(
  'usages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    at: integer('at').notNull(),
    daily: integer('daily').notNull(),
    purchased: integer('purchased').notNull(),
    kind: text('kind', { enum: USAGE_KINDS }).notNull(),
    returnedAt: integer('returned_at'),
    /** The key by which it was ordered. */
    apiKeyId: integer('api_key_id'),
  },
  (table) => [
    // Of a key that has a window of its own: purchased activations count in it as the daily ones do.
    index('usages_by_key')
      .on(table.apiKeyId, table.at, table.daily, table.purchased)
      .where(sql.raw('api_key_id is not null and returned_at is null')),
    // Purchased activations are in no window: however many were charged, a window has at most 1,200 rows.
    index('usages_in_window')
      .on(table.accountId, table.at, table.daily)
      .where(sql.raw('returned_at is null and daily > 0')),
    check('usages_kind', oneOf('kind', USAGE_KINDS)),
    check('usages_amounts', sql.raw('daily >= 0 and purchased >= 0')),
  ],
);
