// Claim links: each stands for an order that is nobody's until whoever opens the link says for which player. What the
// stock promises to it, and what it is redeemed by, is that order's; triggers of the migration hold that none is deleted
// and none takes the place of another.
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { bytes, oneOf } from './column-helpers.ts';
import { orders } from './orders.ts';

const CLAIM_STATES = ['open', 'confirmed', 'settled', 'stuck', 'revoked', 'expired'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/**
 * Why one is stuck: its codes are not there; too many players were looked up by it; its order ended without all of it;
 * it was open in a backup that was restored, and may have been used since.
 */
const CLAIM_TROUBLES = ['shortage', 'lookUps', 'stopped', 'afterRestore'] as const;
export type ClaimTrouble = (typeof CLAIM_TROUBLES)[number];

export const claims = sqliteTable(
  'claims',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** As programs call it: `clm_…`; no name opens a link. */
    name: text('name').notNull(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The order that is redeemed by it: another one each time it was opened again. */
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    /** Of the token in its link, which itself is not kept. */
    tokenHash: bytes('token_hash').notNull(),
    /** Of the key by which it was made, together with others: it is the nth of them. */
    issueHash: bytes('issue_hash').notNull(),
    n: integer('n').notNull(),
    state: text('state', { enum: CLAIM_STATES }).notNull(),
    trouble: text('trouble', { enum: CLAIM_TROUBLES }),
    reference: text('reference'),
    /** Of its page; null: the browser's. */
    language: text('language'),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** How many players were looked up by it, and how many of them there are not, since it was last opened. */
    looks: integer('looks').notNull().default(0),
    misses: integer('misses').notNull().default(0),
    /** When the last few of these were, on the monotonic scale: a JSON list. */
    lookedAt: text('looked_at').notNull().default('[]'),
    /** The player who was found last, and is not confirmed. */
    playerId: text('player_id'),
    playerName: text('player_name'),
    /** Of the cookie of the browser that confirmed the player. */
    browserHash: bytes('browser_hash'),
    confirmedAt: integer('confirmed_at'),
    /** Nobody could tell whether a lost time has used it, and it was stuck for that: whoever opens it then has decided. */
    undecided: integer('undecided').notNull().default(0),
  },
  (table) => [
    uniqueIndex('claims_by_name').on(table.name),
    uniqueIndex('claims_by_token').on(table.tokenHash),
    uniqueIndex('claims_by_issue').on(table.accountId, table.issueHash, table.n),
    uniqueIndex('claims_by_order').on(table.orderId),
    index('claims_by_account').on(table.accountId, table.id),
    index('claims_first').on(table.accountId, table.id).where(sql.raw('n = 1')),
    index('claims_by_state').on(table.accountId, table.state, table.id),
    index('claims_by_reference')
      .on(table.accountId, table.reference, table.id)
      .where(sql.raw('reference is not null')),
    index('claims_by_player').on(table.playerId).where(sql.raw('player_id is not null')),
    index('claims_by_end')
      .on(table.expiresAt)
      .where(sql.raw("confirmed_at is null and state in ('open', 'stuck')")),
    check('claims_state', oneOf('state', CLAIM_STATES)),
    check('claims_trouble', sql.raw("(state = 'stuck') = (trouble is not null)")),
    check(
      'claims_player',
      sql.raw("player_id is null or (state in ('open', 'stuck') and confirmed_at is null)"),
    ),
    check('claims_confirmed', sql.raw("state not in ('confirmed', 'settled') or confirmed_at is not null")),
    check(
      'claims_unconfirmed',
      sql.raw("state not in ('open', 'revoked', 'expired') or confirmed_at is null"),
    ),
  ],
);
