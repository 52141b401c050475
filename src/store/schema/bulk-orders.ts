// The tables of orders of several codes, for one player or several: each code is redeemed by itself, one after another.
import { check, index, integer, primaryKey, sql, sqliteTable, text } from '../engine/drizzle.ts';
import { oneOf } from './column-helpers.ts';

const BULK_ORDER_STATES = ['running', 'done', 'stopped'] as const;

/** An order given in a chat, and the message that counts along. */
export const bulkOrders = sqliteTable(
  'bulk_orders',
  {
    /** The confirmation that was the order; the key of its nth redemption is `<id>:n`. */
    id: text('id').primaryKey(),
    accountId: integer('account_id').notNull(),
    /** Who ordered. */
    telegramId: integer('telegram_id').notNull(),
    chatId: integer('chat_id').notNull(),
    messageId: integer('message_id').notNull(),
    /** null: as they chose. */
    language: text('language'),
    gameId: text('game_id').notNull(),
    /** The newest redemption of the same that the person was warned of; 0 for none. */
    warnedOf: integer('warned_of').notNull(),
    state: text('state', { enum: BULK_ORDER_STATES }).notNull(),
    /** Stop was pressed: nothing more begins. */
    stopRequested: integer('stop_requested').notNull().default(0),
    /** Why it stopped before its end. */
    reason: text('reason'),
    at: integer('at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [
    index('bulk_orders_running').on(table.id).where(sql.raw("state = 'running'")),
    index('bulk_orders_by_age').on(table.endedAt),
    check('bulk_orders_state', oneOf('state', BULK_ORDER_STATES)),
    check('bulk_orders_ended', sql.raw("(state = 'running') = (ended_at is null)")),
    check('bulk_orders_reason', sql.raw("(state = 'stopped') = (reason is not null)")),
  ],
);

/** The codes of an order, from 1 on, and the redemption that each became. */
export const bulkOrderItems = sqliteTable(
  'bulk_order_items',
  {
    orderId: text('order_id')
      .notNull()
      .references(() => bulkOrders.id),
    n: integer('n').notNull(),
    playerId: text('player_id').notNull().default(''),
    playerName: text('player_name').notNull().default(''),
    denomination: integer('denomination').notNull(),
    redemptionId: integer('redemption_id'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.n] })],
);
