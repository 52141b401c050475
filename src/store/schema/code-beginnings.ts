// The tables by which a redemption is found by the beginning of its code. They are filled behind the redemptions, a slice at a
// time (tables/code-beginnings.ts): beginning a redemption costs nothing here.
import { integer, primaryKey, sqliteTable } from '../engine/drizzle.ts';
import { bytes } from './parts.ts';

/** A keyed hash of how a code begins, in steps, so that a longer beginning is found by a longer part of it. */
export const codeBeginnings = sqliteTable(
  'code_beginnings',
  {
    accountId: integer('account_id').notNull(),
    hash: bytes('hash').notNull(),
    redemptionId: integer('redemption_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.hash, table.redemptionId] })],
);

/**
 * One row: of which redemptions the beginnings are not noted yet. Those with a greater id than `newer`, and those up to `older`,
 * which a restore has noted again (0 for none).
 */
export const codeBeginningsLeft = sqliteTable('code_beginnings_left', {
  newer: integer('newer').notNull(),
  older: integer('older').notNull(),
});
