// The tables of jobs: bulk work that goes on a slice at a time, wherever it was interrupted.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { bytes, oneOf } from './column-helpers.ts';

export const JOB_KINDS = ['add', 'undo', 'extract'] as const;
export type JobKind = (typeof JOB_KINDS)[number];
export const JOB_STATES = ['running', 'done', 'set_aside', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** One piece of bulk work. The subject of `add` and `undo` is a batch, of `extract` an extraction. */
export const jobs = sqliteTable(
  'jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    actor: text('actor').notNull(),
    kind: text('kind', { enum: JOB_KINDS }).notNull(),
    subjectId: integer('subject_id').notNull(),
    state: text('state', { enum: JOB_STATES }).notNull(),
    /** How much was gone through, of how much; in codes. */
    done: integer('done').notNull().default(0),
    total: integer('total').notNull(),
    /** Where the next slice begins, as the kind of work writes it. Never a secret. */
    cursor: text('cursor'),
    /** Why it was set aside, for its owner. */
    problem: text('problem'),
    at: integer('at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [
    uniqueIndex('jobs_by_subject').on(table.kind, table.subjectId),
    index('jobs_running').on(table.id).where(sql.raw("state = 'running'")),
    index('jobs_by_age').on(table.endedAt),
    index('jobs_set_aside').on(table.accountId).where(sql.raw("state = 'set_aside'")),
    check('jobs_kind', oneOf('kind', JOB_KINDS)),
    check('jobs_state', oneOf('state', JOB_STATES)),
    check('jobs_ended', sql.raw("(state = 'running') = (ended_at is null)")),
  ],
);

/**
 * The codes that a job adds, in slices. `added` is null until the slice was gone through; then `contentSecret` holds
 * what became of those that were not added, instead of the codes.
 */
export const jobSlices = sqliteTable(
  'job_slices',
  {
    jobId: integer('job_id')
      .notNull()
      .references(() => jobs.id),
    position: integer('position').notNull(),
    denomination: integer('denomination').notNull(),
    contentSecret: bytes('content_secret').notNull(),
    added: integer('added'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.position] })],
);
