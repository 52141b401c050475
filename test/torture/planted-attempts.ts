// Bugs in the ledger of attempts: in what the database holds of it, and in how the core writes it; part of
// planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const FAILOVER = 'src/core/redemption/failover.test.ts';
const RESOLVING = 'src/core/redemption/resolving.test.ts';
const BREAKER = 'src/core/upstreams/circuit-breaker.test.ts';
const WANTED = 'src/core/redemption/still-wanted.test.ts';
const DECIDING = 'src/core/redemption/decide-doubt.test.ts';
const SCHEMA = 'src/store/schema/attempts.test.ts';
const LEDGER = 'src/core/redemption/attempts.test.ts';
const RESTORE = 'src/store/backup/restore.test.ts';
const BASELINE = 'drizzle/0000_baseline.sql';

export const ATTEMPTS: PlantedBug[] = [
  {
    name: '"used" of a second upstream is believed, whatever the first one did',
    file: 'src/core/redemption/after-attempt.ts',
    edits: [
      ['OF_CODE.includes(errorCode) && !earlier.wereNeverSent', 'OF_CODE.includes(errorCode) && false'],
    ],
    tests: [FAILOVER],
  },
  {
    name: 'candidates are counted off by index, not by who was tried',
    file: 'src/core/upstreams/upstreams.ts',
    edits: [
      ['  !tried.includes(name) &&\n', '  tried.every((each) => each !== `${name} `) &&\n'],
      ['let candidates = open.filter(', 'let candidates = open.slice(order.tried.length).filter('],
    ],
    tests: [FAILOVER],
  },
  {
    name: 'the id of a job is not kept before it is asked for',
    file: 'src/platform/profiles/profiled-platform.ts',
    edits: [['(await call.saveJobId?.(jobId)) === false', 'call.saveJobId === undefined']],
    tests: ['src/core/redemption/kept-job.test.ts'],
  },
  {
    name: 'a receipt is settled without its login while who keeps it is silent',
    file: 'src/core/redemption/resolve-doubt.ts',
    edits: [['isPatienceOver = known.isPatienceOver || isLast', 'isPatienceOver = isLast || true']],
    tests: [RESOLVING],
  },
  {
    name: '"unused" is believed at once',
    file: 'src/core/upstreams/witnesses.ts',
    edits: [['if (all.every((each) =>', 'if (all.some((each) =>']],
    tests: [RESOLVING],
  },
  {
    name: 'the word of one that did not carry it out ends a doubt before who keeps its receipt is asked',
    file: 'src/core/upstreams/witnesses.ts',
    edits: [['new Set([...unknown, ...sent]', 'new Set([...sent, ...unknown]']],
    tests: [RESOLVING],
  },
  {
    name: 'a witness shows that it hears of others by what it was sent itself',
    file: 'src/store/tables/attempt-figures.ts',
    edits: [["o.upstream = ${ph('witness')}", "o.upstream = '' and 0"]],
    tests: [RESOLVING],
  },
  {
    name: 'after a rest everybody tries at once',
    file: 'src/core/upstreams/circuit-breaker.ts',
    edits: [['(probe === undefined || probe.reference === reference || probe.until <= now)', 'true']],
    tests: [BREAKER],
  },
  {
    name: 'a code is sent again while it may still be carried out',
    file: 'src/core/redemption/resolve-doubt.ts',
    edits: [['  if (!isFinal) return {', '  if (!isFinal && known.isRestored) return {']],
    tests: [RESOLVING],
  },
  {
    name: 'a code of a cancelled order is sent again',
    file: 'src/core/redemption/still-wanted.ts',
    edits: [['  if (order && (order.ending ?? order.endedAt) !== null) return false;\n', '']],
    tests: [WANTED],
  },
  {
    name: 'a time decides against our own player',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [
      ['  if (isOfStock && !othersHadIt) return true;\n', '  if (isOfStock && othersHadIt) return true;\n'],
    ],
    tests: [DECIDING],
  },
  {
    name: 'what is unknown is called unspent',
    file: 'src/store/tables/attempts.ts',
    edits: [
      ["state: sql`'unknown'`,", "state: sql`'not_spent'`,\n        proof: sql`'answer'`,"],
      [
        "quietUntil: sql`max(coalesce(quiet_until, 0), ${ph('quietUntil')})`,",
        "quietUntil: sql`nullif(${ph('quietUntil')}, ${ph('quietUntil')})`,",
      ],
    ],
    tests: [LEDGER],
  },
  {
    name: 'the unique index over open attempts is dropped',
    file: BASELINE,
    edits: [['CREATE UNIQUE INDEX `attempts_open`', 'CREATE INDEX `attempts_open`']],
    tests: [SCHEMA],
  },
  {
    name: 'the unique index over spent attempts is dropped',
    file: BASELINE,
    edits: [['CREATE UNIQUE INDEX `attempts_spent`', 'CREATE INDEX `attempts_spent`']],
    tests: [SCHEMA],
  },
  {
    name: 'an open attempt of a doubt is left open at a start',
    file: 'src/core/redemption/recover.ts',
    edits: [['    await doubtAttempts(deps, broken);\n', '']],
    tests: [LEDGER],
  },
  {
    name: 'what falls in doubt leaves its attempt open',
    file: 'src/core/redemption/settle.ts',
    edits: [['  tables.attempts.doubt(open.id,', '  if (open.id < 0) tables.attempts.doubt(open.id,']],
    tests: [LEDGER],
  },
  {
    name: 'what was sent by a dead process is taken for never sent',
    file: 'src/core/redemption/recover.ts',
    edits: [['if (!orphan.wasSent)', 'if (orphan.wasSent)']],
    tests: [LEDGER],
  },
  {
    name: 'a code in question is sent before that is written down',
    file: 'src/core/redemption/check-unspent.ts',
    edits: [
      [
        "next.status === 'verified' && !next.begun.unverified",
        "next.status === 'verified' && next.begun.unverified",
      ],
    ],
    tests: [LEDGER],
  },
  {
    name: 'an order is sent while an earlier one may have spent the code',
    file: BASELINE,
    edits: [
      ["AND (`state` <> 'not_spent' OR (`kind` = 'order'", "AND (`state` = 'open' OR (`kind` = 'order'"],
    ],
    tests: [SCHEMA],
  },
  {
    name: 'an attempt is sent again while it may still be carried out',
    file: BASELINE,
    edits: [["AND `state` = 'unknown' AND `quiet_until` <= new.`begun_at`", "AND `state` = 'unknown'"]],
    tests: [SCHEMA],
  },
  {
    name: 'a restore leaves what was under way open',
    file: 'src/store/backup/unfinished-work.ts',
    edits: [
      ["error_code = 'UNKNOWN' where state = 'open'`", "error_code = 'UNKNOWN' where state = 'closed'`"],
    ],
    tests: [RESTORE],
  },
];
