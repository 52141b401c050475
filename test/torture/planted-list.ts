// The bugs that are planted, each an exact change of one source file, and the tests that must notice it.
// Where the source changes, the text to find is changed here with it: a text that is not found is told as a violation.

import { ATTEMPTS } from './planted-attempts.ts';
import type { PlantedBug } from './planted-bug.ts';
import { CONSOLE } from './planted-console.ts';
import { PROFILES } from './planted-profiles.ts';
import { REKEYS } from './planted-rekey.ts';
import { RESTORES } from './planted-restores.ts';
import { SETTLING } from './planted-settling.ts';
import { ORDERS_OF_CODES } from './planted-orders.ts';
import { TASKS } from './planted-tasks.ts';

const USAGES = 'src/core/quota/usage.test.ts';
const CODES = 'src/core/stock/codes.test.ts';
const REDEEM = 'src/core/redemption/redeem.test.ts';
const RECEIPTS = 'src/core/receipts/receipts.test.ts';
const KEYS = 'src/core/idempotency.test.ts';
const SCHEMA = 'src/store/schema/schema.test.ts';
const COMMIT = 'src/store/engine/writer.test.ts';
const JOBS = 'src/core/stock/jobs.test.ts';
const MODEL = 'test/world/core/core.test.ts';

const SPENDING: PlantedBug[] = [
  {
    name: 'the code is released on a timeout',
    file: 'src/core/redemption/attempt.ts',
    edits: [
      [
        "status: 'unknown',\n      errorCode: 'UNKNOWN',\n      message: describeLateness(cause)",
        "status: 'refused',\n      errorCode: 'NETWORK_ERROR',\n      asked: false,\n      message: describeLateness(cause)",
      ],
    ],
    tests: [REDEEM],
  },
  {
    name: 'an unknown outcome is settled as failed',
    file: 'src/core/redemption/execute.ts',
    edits: [
      [
        'fallInDoubt(tables, begun, { errorCode, message, told }, until, now);',
        "settleRefused(tables, begun, { errorCode: 'NETWORK_ERROR', message: '', asked: false }, { now, isLate: false });",
      ],
    ],
    tests: [MODEL],
  },
  {
    name: '500 is answered after a code was taken',
    file: 'src/http/routes/redeem.ts',
    edits: [
      [
        "log.error({ err: error, requestId: c.get('requestId') }, 'a redemption could not be worded');",
        'throw error;',
      ],
    ],
    tests: ['src/http/routes/redeem.test.ts'],
  },
  {
    name: 'a code is taken without a condition on its state',
    file: 'src/store/tables/codes.ts',
    edits: [
      [
        "and denomination = ${ph('denomination')}+0 and ${TAKEABLE} ${also} order by",
        "and denomination = ${ph('denomination')}+0 order by",
      ],
    ],
    tests: [REDEEM],
  },
  {
    name: 'a code in doubt can be taken',
    file: 'src/store/tables/codes.ts',
    edits: [
      [
        "sql.raw(\"state in ('available', 'unverified')\")",
        "sql.raw(\"state in ('available', 'unverified', 'in_doubt')\")",
      ],
    ],
    tests: [REDEEM],
  },
  {
    name: 'another account’s code is taken',
    file: 'src/store/tables/codes.ts',
    edits: [
      ["where account_id = ${ph('accountId')}+0 and game_id", "where ${ph('accountId')}+0 > 0 and game_id"],
    ],
    tests: [MODEL],
  },
  {
    name: 'the newest code is taken first',
    file: 'src/store/tables/codes.ts',
    edits: [['order by returns, id limit 1', 'order by returns, id desc limit 1']],
    tests: [REDEEM],
  },
  {
    name: 'a direct code is not claimed in the database',
    file: 'src/core/redemption/begin.ts',
    edits: [
      [
        'const claimed = tables.codes.claim({ gameId: game.id, hash: code.hash, now });\n  if (claimed) watchStock(tables, { ...claimed, gameId: game.id }, now);',
        'const claimed = undefined as { id: number } | undefined;\n  void [game, now];',
      ],
    ],
    tests: [REDEEM],
  },
  {
    name: 'a direct code under way or redeemed is not noticed',
    file: 'src/core/redemption/refusals.ts',
    edits: [
      ['hash && tables.redemptions.findLive(game.id, hash)', 'undefined as { state: string } | undefined'],
    ],
    tests: [REDEEM],
  },
  {
    name: 'the unique index over live redemptions is dropped',
    file: 'drizzle/0000_baseline.sql',
    edits: [['CREATE UNIQUE INDEX `redemptions_by_hash`', 'CREATE INDEX `redemptions_by_hash`']],
    tests: [SCHEMA],
  },
  {
    name: 'the unique index over owned codes is dropped',
    file: 'drizzle/0000_baseline.sql',
    edits: [['CREATE UNIQUE INDEX `codes_by_hash`', 'CREATE INDEX `codes_by_hash`']],
    tests: [SCHEMA],
  },
  {
    name: 'a redemption that failed stays the live one of its code',
    file: 'drizzle/0000_baseline.sql',
    edits: [["WHEN (old.`state` = 'failed') <> (new.`state` = 'failed')", 'WHEN false']],
    tests: [SCHEMA],
  },
  {
    name: 'codes of a restored backup are not asked about',
    file: 'src/core/redemption/check-unspent.ts',
    edits: [['current.unverified; asks', 'current.unverified && current.id < 0; asks']],
    tests: [CODES],
  },
  {
    name: 'extraction hands out codes of a restored backup unasked',
    file: 'src/store/tables/extractions.ts',
    edits: [["sql`id in (${last}) and state = 'available'`", 'sql`id in (${last})`']],
    tests: [CODES],
  },
  {
    name: 'undoing a batch takes back codes that are spent',
    file: 'src/store/tables/batches.ts',
    edits: [["code_hash <= ${ph('until')} and ${TAKEABLE}`", "code_hash <= ${ph('until')}`"]],
    tests: [MODEL],
  },
];

const BULK: PlantedBug[] = [
  {
    name: 'a batch may have a code twice',
    file: 'drizzle/0000_baseline.sql',
    edits: [['CREATE UNIQUE INDEX `codes_in_batch`', 'CREATE INDEX `codes_in_batch`']],
    tests: [SCHEMA],
  },
  {
    name: 'a job that was ended adds its slice all the same',
    file: 'src/core/stock/add-codes.ts',
    edits: [
      [
        'if (!tables.jobs.advance(job.id, { done, cursor: null })) return;',
        'tables.jobs.advance(job.id, { done, cursor: null });',
      ],
    ],
    tests: [JOBS],
  },
  {
    name: 'what adds codes does not count them in the stock',
    file: 'src/store/tables/batches.ts',
    edits: [['countAdded.run({', 'void ({']],
    tests: [JOBS, CODES],
  },
  {
    name: 'a change of state is not counted',
    file: 'drizzle/0000_baseline.sql',
    edits: [['`stock_counts` SET `count` = `count` - 1', '`stock_counts` SET `count` = `count` - 0']],
    tests: [JOBS, CODES],
  },
  {
    name: 'a job that cannot go on is tried for ever',
    file: 'src/core/stock/jobs.ts',
    edits: [["return error.code === 'OVERLOADED';", 'return error.code.length > 0;']],
    tests: [JOBS],
  },
  {
    name: 'the end of a batch that is undone is not undone',
    file: 'src/store/tables/batches.ts',
    edits: [['until: last ?? BEHIND_ALL', 'until: last ?? after']],
    tests: [JOBS],
  },
];

const QUOTA: PlantedBug[] = [
  {
    name: 'the usage of a failure is not returned',
    file: 'src/core/redemption/settle.ts',
    edits: [['if (!charged && open.usageId !== null)', 'if (!charged && open.usageId === -1)']],
    tests: [REDEEM],
  },
  {
    name: 'a usage is returned twice',
    file: 'src/store/tables/quota.ts',
    edits: [['where id = @id + 0 and returned_at is null', 'where id = @id + 0']],
    tests: [USAGES],
  },
  {
    name: 'purchased activations are used first',
    file: 'src/core/quota/usage.ts',
    edits: [
      [
        'const dailyQuarters = Math.min(left, costQuarters);',
        'const dailyQuarters = Math.min(left, Math.max(0, costQuarters - balance.purchasedQuarters));',
      ],
    ],
    tests: ['src/core/quota/quota.test.ts'],
  },
  {
    name: 'the window is the calendar day',
    file: 'src/core/quota/usage.ts',
    edits: [['const start = at - WINDOW_MS;', 'const start = Math.floor(at / WINDOW_MS) * WINDOW_MS - 1;']],
    tests: [USAGES],
  },
  {
    name: 'the window is a millisecond too long',
    file: 'src/core/quota/usage.ts',
    edits: [['start = at - WINDOW_MS', 'start = at - WINDOW_MS - 1']],
    tests: [USAGES],
  },
  {
    name: 'a usage that left the window is taken off it again',
    file: 'src/store/tables/quota.ts',
    edits: [['case when @at > window_start then @daily else 0 end', '@daily + 0 * @at']],
    tests: [USAGES],
  },
  {
    name: 'a calendar that goes back takes the scale of ages with it',
    file: 'src/clock.ts',
    edits: [
      ['Math.max(now() - from.calendarAheadMs, from.notBefore)', 'Math.max(now() - from.calendarAheadMs, 0)'],
    ],
    tests: [USAGES],
  },
  {
    name: 'the notices of the quota are repeated',
    file: 'src/core/quota/usage.ts',
    edits: [['told > room.at;', 'told > 0;']],
    tests: [USAGES],
  },
  {
    name: 'a calendar that jumps moves the window on',
    file: 'src/clock.ts',
    edits: [['Math.floor(start + elapsed())', 'now() + 0 * start']],
    tests: [USAGES],
  },
  {
    name: 'a subscription lasts a millisecond too long',
    file: 'src/core/members.ts',
    edits: [['?? 0) > moment.safeNow', '?? 0) >= moment.safeNow']],
    tests: [USAGES],
  },
];

const KEYS_AND_EYES: PlantedBug[] = [
  {
    name: 'a calendar that jumps ends idempotency keys',
    file: 'src/core/idempotency.ts',
    edits: [
      ['entry.at > moment.monotonicNow - keptMs', 'entry.at > moment.now - keptMs'],
      ['end <= moment.safeNow - keptMs', 'end <= moment.now - keptMs'],
      ['began: moment.monotonicNow - keptMs', 'began: moment.now - keptMs'],
      ['settled: moment.safeNow - keptMs', 'settled: moment.now - keptMs'],
    ],
    tests: [KEYS],
  },
  {
    name: 'a key whose redemption was settled late is forgotten at once',
    file: 'src/store/tables/idempotency-keys.ts',
    edits: [
      ["and (${isLate('r.settled_at')} or", "and ((r.settled_at is null and 1 < ${ph('settled')}+0) or"],
    ],
    tests: [KEYS],
  },
  {
    name: 'an idempotency key is not remembered where the redemption begins',
    file: 'src/core/redemption/begin.ts',
    edits: [['key.remember({ redemptionId: id });', '']],
    tests: [REDEEM],
  },
  {
    name: 'an idempotency key is shared by all accounts',
    file: 'src/store/tables/idempotency-keys.ts',
    edits: [
      [
        "account_id = ${ph('accountId')}+0 and key_hash = ${ph('keyHash')}",
        "${ph('accountId')}+0 > 0 and key_hash = ${ph('keyHash')}",
      ],
    ],
    tests: [CODES, MODEL],
  },
  {
    name: 'an idempotency key stands for any request',
    file: 'src/core/idempotency.ts',
    edits: [['!earlier.requestHash.equals(requestHash)', 'earlier.at < 0']],
    tests: [REDEEM],
  },
  {
    name: 'an extraction does not remember its key',
    file: 'src/core/stock/extract-codes.ts',
    edits: [['key.remember({ extractionId });', '']],
    tests: [CODES],
  },
  {
    name: 'a repeated extraction takes other codes',
    file: 'src/core/stock/extract-codes.ts',
    edits: [["if (typeof earlier === 'number')", "if (typeof earlier === 'number' && earlier < 0)"]],
    tests: [CODES],
  },
  {
    name: 'receipts are read without a look at the account',
    file: 'src/core/receipts/receipts.ts',
    edits: [
      ['if (stored?.accountId !== actor.accountId) return undefined;', 'if (!stored) return undefined;'],
    ],
    tests: [RECEIPTS],
  },
  {
    name: 'an operator reads the receipts of others',
    file: 'src/core/receipts/receipts.ts',
    edits: [
      [
        "if (grant === 'own' && stored.actor !== nameActor(actor)) return undefined;",
        'nameActor(actor); grant.length;',
      ],
    ],
    tests: [RECEIPTS],
  },
  {
    name: 'a page of the history cuts a millisecond apart',
    file: 'src/core/receipts/receipts.ts',
    edits: [['if (!last || page.length < PAGE)', 'if (!last || page.length <= PAGE)']],
    tests: [RECEIPTS],
  },
  {
    name: 'a code redeemed here can be added again',
    file: 'src/core/stock/code-conflict.ts',
    edits: [
      [
        'const live = tables.redemptions.findLive(gameId, hash);',
        'const live = undefined as { state: string; accountId: number } | undefined;',
      ],
    ],
    tests: [CODES],
  },
];

const STORE: PlantedBug[] = [
  {
    name: 'a failed commit is told as done',
    file: 'src/store/engine/group-commit.ts',
    edits: [['else if (failure) write.reject(failure.reason);', '']],
    tests: [COMMIT],
  },
  {
    name: 'what a failed job wrote stays',
    file: 'src/store/engine/group-commit.ts',
    edits: [['statements.rollbackTo.run();', '']],
    tests: [COMMIT],
  },
  {
    name: 'a job may return a promise',
    file: 'src/store/engine/group-commit.ts',
    edits: [
      ['if (isThenable(value)) {', 'if (isThenable(value) && jobIsNever) {'],
      ['const ROLLED_BACK =', 'const jobIsNever = false;\nconst ROLLED_BACK ='],
    ],
    tests: [COMMIT],
  },
  {
    name: 'a reopened file is synchronised as NORMAL',
    file: 'src/store/engine/connection.ts',
    edits: [
      ["connection.pragma('synchronous = FULL');", "connection.pragma('synchronous = NORMAL');"],
      ['synchronous: 2,', ''],
    ],
    tests: ['src/store/engine/connection.test.ts'],
  },
  {
    name: 'a key is made anew beside a database',
    file: 'src/store/engine/keys.ts',
    edits: [
      ['if (existsSync(databasePath)) {\n    throw', 'if (existsSync(`${databasePath}.never`)) {\n    throw'],
    ],
    tests: ['src/store/engine/connection.test.ts'],
  },
  {
    name: 'sealed values open in any row',
    file: 'src/store/engine/secrets.ts',
    edits: [['.setAAD(about)', '.setAAD(about.subarray(0, 0))']],
    tests: ['src/store/engine/secrets.test.ts'],
  },
  {
    name: 'two services run on one database',
    file: 'src/store/engine/process-lock.ts',
    edits: [["'BEGIN EXCLUSIVE'", "'BEGIN'"]],
    tests: ['src/store/engine/connection.test.ts'],
  },
];

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...SPENDING,
  ...BULK,
  ...SETTLING,
  ...ATTEMPTS,
  ...QUOTA,
  ...KEYS_AND_EYES,
  ...STORE,
  ...RESTORES,
  ...PROFILES,
  ...REKEYS,
  ...TASKS,
  ...ORDERS_OF_CODES,
  ...CONSOLE,
];
