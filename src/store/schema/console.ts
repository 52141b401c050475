// The tables of the console: links that are entered by once, and the sessions of browsers. Of either secret a hash
// alone is kept; triggers end what a person has open when their role changes or goes. Times are of the monotonic scale.
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bytes } from './column-helpers.ts';

export const consoleLinks = sqliteTable(
  'console_links',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    telegramId: integer('telegram_id').notNull(),
    madeAt: integer('made_at').notNull(),
    usedAt: integer('used_at'),
    /** That used it, as it is called: `Firefox on Linux`. */
    browser: text('browser'),
  },
  (table) => [
    index('console_links_by_person').on(table.telegramId),
    index('console_links_by_age').on(table.madeAt),
  ],
);

export const consoleSessions = sqliteTable(
  'console_sessions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    tokenHash: bytes('token_hash').notNull(),
    telegramId: integer('telegram_id').notNull(),
    browser: text('browser').notNull(),
    enteredAt: integer('entered_at').notNull(),
    seenAt: integer('seen_at').notNull(),
  },
  (table) => [
    uniqueIndex('console_sessions_by_token').on(table.tokenHash),
    index('console_sessions_by_person').on(table.telegramId),
    index('console_sessions_by_age').on(table.enteredAt),
  ],
);
