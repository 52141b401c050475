// The tables of outgoing webhooks: addresses, what they are to be told, and how that went.
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { bytes, oneOf } from './column-helpers.ts';

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Addresses of an account. One that was removed is gone as soon as its deliveries are. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** A random UUID: what its secrets are sealed under, and by what a restore knows it again. */
    reference: text('reference').notNull(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Sealed, since an address may hold a token. */
    urlSecret: bytes('url_secret').notNull(),
    signingSecret: bytes('signing_secret').notNull(),
    /** Names with commas between them. */
    events: text('events').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Since when every attempt failed; null from one that went through. */
    failingSince: integer('failing_since'),
    /** When it was switched off, since it answered nothing for too long. */
    disabledAt: integer('disabled_at'),
    removedAt: integer('removed_at'),
  },
  (table) => [
    uniqueIndex('webhooks_by_reference').on(table.reference),
    index('webhooks_by_account').on(table.accountId).where(sql.raw('removed_at is null')),
    index('webhooks_removed').on(table.removedAt).where(sql.raw('removed_at is not null')),
  ],
);

/** A fact that programs are told, written in its transaction; the number is its `webhook-id`, and grows. */
export const webhookMessages = sqliteTable(
  'webhook_messages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    type: text('type').notNull(),
    /** JSON: what the body is made of. Never a secret. */
    subject: text('subject').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [index('webhook_messages_by_age').on(table.at)],
);

/** A message that is due to one address, and how its attempts went. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    webhookId: integer('webhook_id')
      .notNull()
      .references(() => webhooks.id),
    messageId: integer('message_id')
      .notNull()
      .references(() => webhookMessages.id),
    state: text('state', { enum: DELIVERY_STATES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** The next attempt, while it waits. */
    nextAt: integer('next_at'),
    /** Since when it is tried: it was written, or ordered once more. */
    pendingSince: integer('pending_since').notNull(),
    lastAt: integer('last_at'),
    /** What the address answered last; null where it did not answer. */
    status: integer('status'),
    /** Why the last attempt failed, for its owner. */
    problem: text('problem'),
  },
  (table) => [
    index('webhook_deliveries_waiting').on(table.webhookId, table.nextAt).where(sql.raw("state = 'waiting'")),
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.id),
    index('webhook_deliveries_by_message').on(table.messageId),
    check('webhook_deliveries_state', oneOf('state', DELIVERY_STATES)),
    check('webhook_deliveries_next', sql.raw("(state = 'waiting') = (next_at is not null)")),
  ],
);
