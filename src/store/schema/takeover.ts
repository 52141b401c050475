// The table of a takeover: what a restore over a lost database has put in question.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Stock keys whose codes are asked about, in the order of taking, before anything of them is sold. `afterReturns`,
 * `afterId`: the code that was asked about last; `unspent`: how many in a row were; as many as `needed` end the sweep,
 * 0 by a host's word: what is called unused is sold, whoever says so.
 */
export const sweeps = sqliteTable(
  'sweeps',
  {
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    needed: integer('needed').notNull(),
    unspent: integer('unspent').notNull().default(0),
    afterReturns: integer('after_returns').notNull().default(-1),
    afterId: integer('after_id').notNull().default(0),
    endedAt: integer('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.gameId, table.denomination] })],
);
