// The table of attempts: one row for each time a code was sent to an upstream, from just before it until it is known
// whether the code is spent. Checks and triggers hold what the service promises of it: a second order is sent only when
// every earlier one is proven not to have spent the code, no row goes, and none changes but towards its end.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bytes, oneOf } from './column-helpers.ts';
import { redemptions } from './redemptions.ts';

/** `resend`: the same code for the same player once more, to learn what became of an unknown attempt. */
const ATTEMPT_KINDS = ['order', 'resend'] as const;

const ATTEMPT_STATES = ['open', 'spent', 'not_spent', 'unknown'] as const;

/** By what it is known whether an attempt spent its code; `record`: the upstream's own of this attempt. */
const ATTEMPT_PROOFS = ['answer', 'never_sent', 'record', 'lookup', 'resend', 'person'] as const;
export type AttemptProof = (typeof ATTEMPT_PROOFS)[number];

export const attempts = sqliteTable(
  'attempts',
  {
    redemptionId: integer('redemption_id')
      .notNull()
      .references(() => redemptions.id),
    /** 1, 2, … within its redemption. */
    n: integer('n').notNull(),
    /** The name of the upstream. */
    upstream: text('upstream').notNull(),
    /** The names of those it could have been sent to then, in their order; null where there was but that one. */
    candidates: text('candidates'),
    kind: text('kind', { enum: ATTEMPT_KINDS }).notNull(),
    /** Ours towards the upstream: a UUID. */
    reference: text('reference').notNull(),
    state: text('state', { enum: ATTEMPT_STATES }).notNull(),
    proof: text('proof', { enum: ATTEMPT_PROOFS }),
    /** The upstream that the code was looked up at, where that is another. */
    witness: text('witness'),
    /** What the upstream answered; a receipt stands in the redemption. */
    errorCode: text('error_code'),
    httpStatus: integer('http_status'),
    message: text('message'),
    /** The answer as it came, without its secrets, 4 KiB at most, for 30 days. */
    rawSecret: bytes('raw_secret'),
    /** The upstream's own name of it. */
    theirId: text('their_id'),
    cost: text('cost'),
    /** Of a resend on the monotonic scale, as `quiet_until` of all. */
    begunAt: integer('begun_at').notNull(),
    /** When it was answered, or known not to be. */
    endedAt: integer('ended_at'),
    /** Of one that was unknown: until when the upstream may still carry it out. */
    quietUntil: integer('quiet_until'),
    /** When what was unknown became known. */
    resolvedAt: integer('resolved_at'),
  },
  (table) => [
    primaryKey({ columns: [table.redemptionId, table.n] }),
    uniqueIndex('attempts_open').on(table.redemptionId).where(sql.raw("state = 'open'")),
    index('attempts_their_id').on(table.theirId).where(sql.raw('their_id is not null')),
    index('attempts_kept').on(table.endedAt).where(sql.raw('raw_secret is not null')),
    index('attempts_witnessed').on(table.witness).where(sql.raw('witness is not null')),
    uniqueIndex('attempts_spent').on(table.redemptionId).where(sql.raw("state = 'spent'")),
    check('attempts_kind', oneOf('kind', ATTEMPT_KINDS)),
    check('attempts_state', oneOf('state', ATTEMPT_STATES)),
    check('attempts_proof', oneOf('proof', ATTEMPT_PROOFS)),
    check('attempts_proven', sql.raw("(state in ('spent', 'not_spent')) = (proof is not null)")),
    check('attempts_never_sent', sql.raw("proof is not 'never_sent' or state = 'not_spent'")),
    check('attempts_witness', sql.raw("witness is null or proof = 'lookup'")),
    check('attempts_ended', sql.raw("(state = 'open') = (ended_at is null)")),
    check(
      'attempts_quiet',
      sql.raw(
        "case state when 'open' then quiet_until is null when 'unknown' then quiet_until is not null else 1 end",
      ),
    ),
    check(
      'attempts_resolved',
      sql.raw('(resolved_at is not null) = (quiet_until is not null and proof is not null)'),
    ),
  ],
);
