// The table of tasks: work that is pending, written in the transaction that causes it.
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bytes } from './column-helpers.ts';

/** A task waits while it has a time to run at; it is held where it waits for something else, done, or dead; held at most
 * until a time where it has both. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Which handler runs it. */
    task: text('task').notNull(),
    payloadSecret: bytes('payload_secret').notNull(),
    /** Tasks of one queue run one after the other, in order. */
    queueKey: text('queue_key').notNull(),
    /** The same key again is the same task. */
    jobKey: text('job_key'),
    /** The lowest of a queue is run first. */
    priority: integer('priority').notNull().default(0),
    /** What lets it go where it is held: the end of a job or of a redemption, a chat that opens. */
    waitsFor: text('waits_for'),
    /** null: it does not wait for its turn. */
    runAt: integer('run_at'),
    /** How often it has failed since it was queued. */
    attempts: integer('attempts').notNull().default(0),
    /** Under way since then. */
    lockedAt: integer('locked_at'),
    /** How often the process ended without stopping while it was under way. */
    crashes: integer('crashes').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** Since when it waits for its turn: a queue is in this order. */
    queuedAt: integer('queued_at').notNull(),
    doneAt: integer('done_at'),
    /** It is not run any more, and why. */
    deadAt: integer('dead_at'),
    lastError: text('last_error'),
  },
  (table) => [
    uniqueIndex('tasks_by_key').on(table.jobKey),
    index('tasks_waiting')
      .on(table.queueKey, table.priority, table.queuedAt, table.id)
      .where(sql.raw('run_at is not null')),
    index('tasks_by_task').on(table.task, table.queuedAt).where(sql.raw('run_at is not null')),
    index('tasks_by_what_they_wait_for').on(table.waitsFor).where(sql.raw('waits_for is not null')),
    index('tasks_locked').on(table.id).where(sql.raw('locked_at is not null')),
    index('tasks_by_age').on(table.queuedAt),
  ],
);
