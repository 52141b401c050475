// The tables of orders: several codes for one player, begun one after another; what of the stock is promised to them;
// and how much of each stock key that is, so that nobody counts rows. Triggers of the migration keep that count, let
// the youngest promises fall where the stock shrinks, and hold that no order ends while a redemption of it is open.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { bytes, oneOf } from './column-helpers.ts';
import { redemptions } from './redemptions.ts';

const ORDER_STATES = ['running', 'waiting', 'done', 'stopped', 'cancelled'] as const;
export type OrderState = (typeof ORDER_STATES)[number];
/** `unclaimed`: it is nobody's yet, and only promised: a claim link stands for it (claims.ts). */
const STORED_STATES = ['unclaimed', ...ORDER_STATES] as const;

export const ORDER_WAITS = ['stock', 'quota', 'subscription', 'platform', 'doubt'] as const;
export type OrderWait = (typeof ORDER_WAITS)[number];

/** `open`: its redemption is under way or in doubt; `missing`: its order ended without it. */
const ITEM_STATES = ['waiting', 'open', 'redeemed', 'failed', 'missing'] as const;
export type OrderItemState = (typeof ITEM_STATES)[number];

export const orders = sqliteTable(
  'orders',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** As programs call it: `ord_…`; the key of its nth redemption is `<name>:<n>:<try>`. */
    name: text('name').notNull(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** By whose rights it goes on: who placed it, or resumed it last. */
    actor: text('actor').notNull(),
    gameId: text('game_id').notNull(),
    /** Empty where nobody has claimed it. */
    playerId: text('player_id').notNull(),
    /** As whoever ordered has confirmed it, until the platform names the player. */
    playerName: text('player_name'),
    reference: text('reference'),
    onShortage: text('on_shortage', { enum: ['refuse', 'wait'] }).notNull(),
    onBadCode: text('on_bad_code', { enum: ['replace', 'stop'] }).notNull(),
    state: text('state', { enum: STORED_STATES }).notNull(),
    waitsFor: text('waits_for', { enum: ORDER_WAITS }),
    /** Since when it waits for that. */
    waitsSince: integer('waits_since'),
    /** Nothing more begins: `cancelled`, or the reason why it is to stop, once nothing of it is open. */
    ending: text('ending'),
    /** Why it stopped before its end. */
    reason: text('reason'),
    /** Nothing begins after it. */
    deadline: integer('deadline'),
    /** 1; once more for each time it was resumed. */
    run: integer('run').notNull().default(1),
    /** How often in a row the platform could not carry anything out. */
    failures: integer('failures').notNull().default(0),
    /** How many bad codes were replaced. */
    replaced: integer('replaced').notNull().default(0),
    /** The name of the order, maybe for another player, by which what was missing of it went on. */
    replacedBy: text('replaced_by'),
    /** How many codes it is of; counted by a trigger. */
    items: integer('items').notNull().default(0),
    /** The Idempotency-Key of its request, by which its program knows it. */
    keySecret: bytes('key_secret'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [
    uniqueIndex('orders_by_name').on(table.name),
    // What nobody has claimed is in no list of orders.
    index('orders_by_account').on(table.accountId, table.createdAt).where(sql.raw("player_id <> ''")),
    index('orders_by_player').on(table.playerId),
    index('orders_by_state').on(table.accountId, table.state, table.createdAt),
    index('orders_by_reference')
      .on(table.accountId, table.reference, table.createdAt)
      .where(sql.raw('reference is not null')),
    index('orders_open').on(table.id).where(sql.raw('ended_at is null')),
    check('orders_state', oneOf('state', STORED_STATES)),
    check('orders_claimed', sql.raw("player_id <> '' or state in ('unclaimed', 'cancelled')")),
    check('orders_unclaimed', sql.raw("state <> 'unclaimed' or player_id = ''")),
    check('orders_waits', sql.raw("(state = 'waiting') = (waits_for is not null)")),
    check('orders_ended', sql.raw("(state in ('done', 'stopped', 'cancelled')) = (ended_at is not null)")),
    check('orders_reason', sql.raw("(state = 'stopped') = (reason is not null)")),
    check('orders_over', sql.raw('ended_at is null or ending is null')),
  ],
);

/** The codes of an order, from 1 on: each by a denomination, or given. */
export const orderItems = sqliteTable(
  'order_items',
  {
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    n: integer('n').notNull(),
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination'),
    codeSecret: bytes('code_secret'),
    state: text('state', { enum: ITEM_STATES }).notNull(),
    /**
     * Whether one code of the stock is promised to it: 0 not yet, 1 yes, 2 yes, to an order that waits where there is
     * none; -1: no more, since the order waited for quota for too long.
     */
    promised: integer('promised').notNull().default(0),
    /** How many redemptions were begun for it. */
    tries: integer('tries').notNull().default(0),
    /** How many of these that have ended were sent: what it is called at the upstreams is told apart by it. */
    sent: integer('sent').notNull().default(0),
    /** How many of these had a bad code. */
    replaced: integer('replaced').notNull().default(0),
    /** The newest of them. */
    redemptionId: integer('redemption_id').references(() => redemptions.id),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.n] }),
    uniqueIndex('order_items_by_redemption')
      .on(table.redemptionId)
      .where(sql.raw('redemption_id is not null')),
    index('order_items_promised')
      .on(table.accountId, table.gameId, table.denomination, table.orderId, table.n)
      .where(sql.raw('promised > 0')),
    index('order_items_wanting')
      .on(table.accountId, table.gameId, table.denomination, table.orderId, table.n)
      .where(sql.raw("promised = 0 and state = 'waiting' and denomination is not null")),
    check('order_items_state', oneOf('state', ITEM_STATES)),
    check('order_items_what', sql.raw('(denomination is null) = (code_secret is not null)')),
    check(
      'order_items_promised',
      sql.raw(
        "promised in (-1, 0, 1, 2) and (promised = 0 or (state = 'waiting' and denomination is not null))",
      ),
    ),
    check(
      'order_items_begun',
      sql.raw("(tries = 0) = (redemption_id is null) and (state <> 'open' or tries > 0) and sent <= tries"),
    ),
  ],
);

/** How many codes of a stock key are promised; never more than are available. `patient`: to orders that wait. */
export const stockPromises = sqliteTable(
  'stock_promises',
  {
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    count: integer('count').notNull(),
    patient: integer('patient').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.gameId, table.denomination] }),
    check('stock_promises_count', sql.raw('patient >= 0 and count >= patient')),
  ],
);
