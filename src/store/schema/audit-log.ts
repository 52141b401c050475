// The table of the audit log: who has done what, in the transaction of the act. Triggers keep it as it was written: no
// row changes, and none goes that is not 400 days older than the newest.
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { oneOf } from './column-helpers.ts';

/** By which surface an act came in; `service`: by itself. */
const DOORS = ['chat', 'http', 'cli', 'page', 'service'] as const;
export type AuditDoor = (typeof DOORS)[number];

/** Holds no secret: no code, no key, no address beyond its host. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** null: of the service as a whole. */
    accountId: integer('account_id').references(() => accounts.id),
    /** As `nameActor` writes it, or `service`. */
    actor: text('actor').notNull(),
    door: text('door', { enum: DOORS }).notNull(),
    what: text('what').notNull(),
    /** On what: `member:5170925570`, `key:3`, `batch:7`; null where the account or the service itself is meant. */
    object: text('object'),
    /** JSON objects of what the act changed, as it was and as it is. */
    before: text('before'),
    after: text('after'),
    reason: text('reason'),
    at: integer('at').notNull(),
  },
  (table) => [
    index('audit_log_by_account').on(table.accountId),
    index('audit_log_by_object').on(table.object).where(sql.raw('object is not null')),
    check('audit_log_door', oneOf('door', DOORS)),
  ],
);
