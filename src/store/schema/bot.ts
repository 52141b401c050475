// The tables of what the bot keeps for itself: updates that arrived, conversations, confirmations, preferences.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bytes, oneOf } from './column-helpers.ts';

/** Updates of Telegram, on disk before Telegram is told that they arrived. */
export const inbox = sqliteTable(
  'inbox',
  {
    updateId: integer('update_id').primaryKey(),
    updateSecret: bytes('update_secret').notNull(),
    state: text('state').notNull(),
    /** How often it was begun; more than once when the process ended in the middle. */
    attempts: integer('attempts').notNull().default(0),
    receivedAt: integer('received_at').notNull(),
  },
  (table) => [
    index('inbox_waiting').on(table.updateId).where(sql.raw("state = 'waiting'")),
    index('inbox_set_aside').on(table.updateId).where(sql.raw("state = 'set_aside'")),
    index('inbox_by_age').on(table.receivedAt),
    check('inbox_state', oneOf('state', ['waiting', 'done', 'failed', 'set_aside'])),
  ],
);

/** Where a person stands in a conversation: one row a chat and user. */
export const conversations = sqliteTable(
  'conversations',
  {
    chatId: integer('chat_id').notNull(),
    userId: integer('user_id').notNull(),
    stateSecret: bytes('state_secret').notNull(),
    touchedAt: integer('touched_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.userId] })],
);

/** Last confirmations: what pressing the button will do, bound to user, chat, action and expiry. */
export const confirmations = sqliteTable(
  'confirmations',
  {
    id: text('id').primaryKey(),
    chatId: integer('chat_id').notNull(),
    userId: integer('user_id').notNull(),
    action: text('action').notNull(),
    payloadSecret: bytes('payload_secret').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** The update that pressed it, or withdrew it (below zero); by the same update again it is the same. */
    takenBy: integer('taken_by'),
    /** Of a question: the messages of the person's that it was made of, as `?,7,9,`. */
    madeOf: text('made_of'),
    /** The message that asks it, where that is known. */
    messageId: integer('message_id'),
  },
  (table) => [
    index('confirmations_by_age').on(table.expiresAt),
    index('confirmations_asked').on(table.chatId, table.messageId).where(sql.raw('made_of is not null')),
  ],
);

/** What a person chose in /settings. */
export const preferences = sqliteTable('preferences', {
  telegramId: integer('telegram_id').primaryKey(),
  /** null: as Telegram says. */
  language: text('language'),
  /** Kinds of notices that are not wanted, separated by commas. */
  mutedNotices: text('muted_notices').notNull().default(''),
  /** For which role and language the command menu of the private chat was set last. */
  menu: text('menu').notNull().default(''),
});
