// The table of notices, where they wait to be delivered.
import { index, integer, sql, sqliteTable, text } from '../engine/drizzle.ts';
import { accounts } from './accounts.ts';
import { bytes } from './parts.ts';

/** What people are to be told, written in the transaction of the fact. Without an account it is for the host. */
export const notices = sqliteTable(
  'notices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id').references(() => accounts.id),
    kind: text('kind').notNull(),
    payloadSecret: bytes('payload_secret').notNull(),
    at: integer('at').notNull(),
    deliveredAt: integer('delivered_at'),
  },
  (table) => [index('notices_waiting').on(table.id).where(sql.raw('delivered_at is null'))],
);
