// The tables of counts by day: so that statistics of any range are read without walking through redemptions.
import { check, integer, primaryKey, sqliteTable, text } from '../engine/drizzle.ts';
import { oneOf } from './column-helpers.ts';

/**
 * What is counted; what is `pending` is read from its own small index instead, so that beginning costs nothing here.
 */
export const COUNTED_OUTCOMES = ['redeemed', 'failed', 'in_doubt'] as const;
export type CountedOutcome = (typeof COUNTED_OUTCOMES)[number];

/**
 * How many redemptions began on a UTC day, by what became of them. Moved by triggers of the migration in the
 * transaction that settles; `check` proves it against the redemptions. The day comes first, so that what one commit
 * moves for many accounts lies on few pages.
 */
export const dayCounts = sqliteTable(
  'day_counts',
  {
    /** Whole days since 1970-01-01 UTC. */
    day: integer('day').notNull(),
    accountId: integer('account_id').notNull(),
    gameId: text('game_id').notNull(),
    outcome: text('outcome', { enum: COUNTED_OUTCOMES }).notNull(),
    /** What was redeemed; 0 where it is not known, or nothing was. */
    amount: integer('amount').notNull(),
    /** What was asked for; 0 where the code came with the request. */
    denomination: integer('denomination').notNull(),
    /** The denomination of the code of the database that it spent; 0 where it spent none. */
    spent: integer('spent').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.day,
        table.accountId,
        table.gameId,
        table.outcome,
        table.amount,
        table.denomination,
        table.spent,
      ],
    }),
    check('day_counts_outcome', oneOf('outcome', COUNTED_OUTCOMES)),
  ],
);
