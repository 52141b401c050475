// The tables of a takeover: what a restore over a lost database has put in question, and what the lost time turned out
// to have done.
import { index, integer, primaryKey, sqliteTable, text } from '../engine/drizzle.ts';
import { redemptions } from './redemptions.ts';

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

/**
 * Redemptions that were carried out in the lost time and found by their codes. `playerId` is null where the platform
 * named none; `givenAt`: since when one is the answer to the order that was repeated; `isProven`: by the platform's own
 * replay of that order, while one that had no key has it by its likeness alone.
 */
export const recoveredRedemptions = sqliteTable(
  'recovered_redemptions',
  {
    redemptionId: integer('redemption_id')
      .primaryKey()
      .references(() => redemptions.id),
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    denomination: integer('denomination').notNull(),
    playerId: text('player_id'),
    openid: text('openid').notNull(),
    foundAt: integer('found_at').notNull(),
    givenAt: integer('given_at'),
    isProven: integer('is_proven').notNull().default(0),
  },
  (table) => [index('recovered_by_player').on(table.accountId, table.playerId)],
);
