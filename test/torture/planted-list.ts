// One planted bug a promise of money: each an exact change of one source file, and the tests that must notice it. Where
// the source changes, the text to find is changed here with it: a text that is not found is told as a violation.
import type { Planting } from '../mutate/planted-tree.ts';

export interface PlantedBug extends Planting {
  name: string;
  /** Test files, of which one must fail. */
  tests: string[];
}

/** A code is spent once, is shown to whoever it belongs to alone, and what nobody knows is never told as failed. */
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
    tests: ['src/core/redemption/redeem.test.ts'],
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
        'and denomination = @denomination + 0\n          and ${TAKEABLE} ${also}',
        'and denomination = @denomination + 0',
      ],
    ],
    tests: ['src/core/redemption/redeem.test.ts'],
  },
  {
    name: 'another account’s code is taken',
    file: 'src/store/tables/codes.ts',
    edits: [
      ['where account_id = @accountId + 0 and game_id = +', 'where @accountId + 0 > 0 and game_id = +'],
    ],
    tests: ['test/world/core/core.test.ts'],
  },
  {
    name: 'a code may have two live redemptions, whatever the program does',
    file: 'drizzle/0000_baseline.sql',
    edits: [
      ['CREATE UNIQUE INDEX `redemptions_by_hash`', 'CREATE INDEX `redemptions_by_hash`'],
      [
        'WHERE `code_hash` = new.`code_hash` AND `live` is not null',
        'WHERE `code_hash` = new.`code_hash` AND `live` < 0',
      ],
    ],
    tests: ['src/store/schema/schema.test.ts'],
  },
  {
    name: 'the unique index over owned codes is dropped',
    file: 'drizzle/0000_baseline.sql',
    edits: [['CREATE UNIQUE INDEX `codes_by_hash`', 'CREATE INDEX `codes_by_hash`']],
    tests: ['src/store/schema/schema.test.ts'],
  },
  {
    name: 'codes of a restored backup are not asked about',
    file: 'src/core/redemption/check-unspent.ts',
    edits: [['current.unverified; asks', 'current.unverified && current.id < 0; asks']],
    tests: ['src/core/stock/codes.test.ts'],
  },
  {
    name: 'undoing a batch takes back codes that are spent',
    file: 'src/store/tables/batches.ts',
    edits: [['where ${IN_SLICE} and ${TAKEABLE}', 'where ${IN_SLICE}']],
    tests: ['src/core/stock/imports.test.ts'],
  },
  {
    name: 'receipts are read without a look at the account',
    file: 'src/core/receipts/receipts.ts',
    edits: [
      ['if (stored?.accountId !== actor.accountId) return undefined;', 'if (!stored) return undefined;'],
    ],
    tests: ['src/core/receipts/receipts.test.ts'],
  },
  {
    name: 'what no rule knows is taken for a refusal',
    file: 'src/platform/profiles/profiled-platform.ts',
    edits: [
      [
        'return { answer, means: rule?.means, told };',
        "return { answer, means: rule?.means ?? ('NETWORK_ERROR' as M), told };",
      ],
    ],
    tests: ['src/platform/profiles/proofs.test.ts'],
  },
];

/** How redemptions end, are recovered, and how doubts are decided. */
const SETTLING: PlantedBug[] = [
  {
    name: 'settling does not compare before it sets',
    file: 'src/store/tables/redemptions.ts',
    edits: [['where id = @id + 0 and ${OPEN}', 'where id = @id + 0']],
    tests: ['src/core/redemption/settle.test.ts'],
  },
  {
    name: 'a code in doubt is returned before the settling period is over',
    file: 'src/core/redemption/doubt-rules.ts',
    edits: [['d.isBelieved && d.isQuiet && !d.isUnderWay', 'd.isBelieved && !d.isUnderWay']],
    tests: ['src/core/redemption/doubt-rules.test.ts', 'src/core/redemption/doubt-task.test.ts'],
  },
  {
    name: 'what was redeemed for somebody else is taken as ours',
    file: 'src/core/redemption/doubt-look.ts',
    edits: [['player.openid !== told.openid) return', "player.openid === '') return"]],
    tests: ['src/core/redemption/doubt-task.test.ts'],
  },
  {
    name: 'what a dead process left pending is forgotten',
    file: 'src/core/redemption/recover.ts',
    edits: [['pending.filter(isOrphan).map(end)', 'pending.filter(() => false).map(end)']],
    tests: ['src/core/redemption/recover.test.ts'],
  },
  {
    name: 'a settlement that fails once is given up',
    file: 'src/core/redemption/in-flight.ts',
    edits: [['await retry(growingPauseMs, ', 'await retry(() => undefined, ']],
    tests: ['src/core/redemption/execute.test.ts'],
  },
  {
    name: 'a receipt that may be another account’s is handed over',
    file: 'src/core/redemption/doubt-known.ts',
    edits: [["doubt.mode === 'database' && !othersHadIt", "doubt.mode === 'database'"]],
    tests: ['src/core/redemption/doubt-task.test.ts'],
  },
  {
    name: 'a code in doubt is told as not redeemed',
    file: 'src/core/redemption/look-ups.ts',
    edits: [["live || told.status === 'underWay'", "(live && live.id < 0) || told.status === 'underWay'"]],
    tests: ['src/core/redemption/look-ups.test.ts'],
  },
];

/** Several upstreams, and what they say of a code. */
const UPSTREAMS: PlantedBug[] = [
  {
    name: 'a reference is of its key alone, whatever code it has',
    file: 'src/core/idempotency.ts',
    edits: [['key.key, gameId, code, tries]', 'key.key, gameId, tries]']],
    tests: ['src/core/redemption/reference.test.ts'],
  },
  {
    name: '"used" of a second upstream is believed, whatever the first one did',
    file: 'src/core/redemption/execute.ts',
    edits: [
      ['OF_CODE.includes(errorCode) && !earlier.wereNeverSent', 'OF_CODE.includes(errorCode) && false'],
    ],
    tests: ['src/core/redemption/failover.test.ts'],
  },
  {
    name: '"unused" is believed at once',
    file: 'src/core/upstreams/witnesses.ts',
    edits: [['if (all.every((each) =>', 'if (all.some((each) =>']],
    tests: ['src/core/redemption/doubt-look.test.ts'],
  },
  {
    name: 'a code is sent again while it may still be carried out',
    file: 'src/core/redemption/doubt-rules.ts',
    edits: [['d.isQuiet && !d.isHeldBack && d.maySend', '!d.isHeldBack && d.maySend']],
    tests: ['src/core/redemption/doubt-rules.test.ts', 'src/core/redemption/doubt-look.test.ts'],
  },
  {
    name: 'what was sent by a dead process is taken for never sent',
    file: 'src/core/redemption/recover.ts',
    edits: [['if (!orphan.wasSent)', 'if (orphan.wasSent)']],
    tests: ['src/core/redemption/attempts.test.ts'],
  },
  {
    name: 'a profile may call a code unspent after a timeout',
    file: 'src/platform/profiles/profile.ts',
    edits: [["if (status === 'timeout' || status === 408)", 'if (status === 408)']],
    tests: ['src/platform/profiles/proofs.test.ts'],
  },
];

/** Activations and payments. */
const MONEY: PlantedBug[] = [
  {
    name: 'a usage is returned twice',
    file: 'src/store/tables/quota.ts',
    edits: [['where id = @id + 0 and returned_at is null', 'where id = @id + 0']],
    tests: ['src/core/quota/usage.test.ts'],
  },
  {
    name: 'the window is a millisecond too long',
    file: 'src/core/quota/usage.ts',
    edits: [['start = at - WINDOW_MS', 'start = at - WINDOW_MS - 1']],
    tests: ['src/core/quota/usage.test.ts'],
  },
  {
    name: 'a calendar that jumps moves the window on',
    file: 'src/clock.ts',
    edits: [['Math.floor(start + elapsed())', 'now() + 0 * start']],
    tests: ['src/core/quota/usage.test.ts'],
  },
  {
    name: 'a payment that was told twice is credited twice',
    file: 'src/core/quota/purchases.ts',
    edits: [
      [
        '  if (booked)\n    return',
        '  if (booked) tables.quota.credit(accountId, 4_000);\n  if (booked)\n    return',
      ],
    ],
    tests: ['src/core/quota/purchases.test.ts', 'src/core/quota/payments.test.ts'],
  },
  {
    name: 'a refund takes back what is spent',
    file: 'src/core/quota/purchases.ts',
    edits: [
      [
        'Math.min(activationsQuarters, purchasedQuarters(tables, accountId, now))',
        'activationsQuarters + 0 * purchasedQuarters(tables, accountId, now)',
      ],
    ],
    tests: ['src/core/quota/purchases.test.ts', 'src/core/quota/payments.test.ts'],
  },
  {
    name: 'anybody may pay the invoice of another shop',
    file: 'src/bot/billing/purchases.ts',
    edits: [
      [
        "  if (actor?.accountId !== order.accountId) return 'checkout-not-yours';\n",
        "  if (!actor) return 'checkout-not-yours';\n",
      ],
    ],
    tests: ['src/bot/billing/payments.test.ts', 'src/bot/billing/chats.test.ts'],
  },
];

/** A key is one order, and a button is one action. */
const KEYS: PlantedBug[] = [
  {
    name: 'an idempotency key is not remembered where the redemption begins',
    file: 'src/core/redemption/begin.ts',
    edits: [['key.remember({ redemptionId: id });', '']],
    tests: ['src/core/redemption/redeem.test.ts'],
  },
  {
    name: 'an idempotency key is shared by all accounts',
    file: 'src/store/tables/idempotency-keys.ts',
    edits: [
      ['account_id = @accountId + 0 and key_hash = @keyHash', '@accountId + 0 > 0 and key_hash = @keyHash'],
    ],
    tests: ['src/core/stock/codes.test.ts'],
  },
  {
    name: 'a repeated extraction takes other codes',
    file: 'src/core/stock/extract-codes.ts',
    edits: [["if (typeof earlier === 'number')", "if (typeof earlier === 'number' && earlier < 0)"]],
    tests: ['src/core/stock/codes.test.ts'],
  },
  {
    name: 'what is promised to an order is taken by whoever comes first',
    file: 'src/core/redemption/take-code.ts',
    edits: [['freeOf(level) === 0) return undefined;', 'freeOf(level) < 0) return undefined;']],
    tests: ['src/core/promises.test.ts'],
  },
  {
    name: 'a button works again and again',
    file: 'src/bot/prompts/confirmations.ts',
    edits: [
      [
        "  if (confirmation.takenBy !== null) return { status: 'refused', id, key: keyOfTaken(confirmation.takenBy) };\n",
        '',
      ],
    ],
    tests: ['src/bot/redemption/chats.test.ts'],
  },
];

/** The file, its backups, its key and its queue. */
const STORE: PlantedBug[] = [
  {
    name: 'a failed commit is told as done',
    file: 'src/store/engine/group-commit.ts',
    edits: [['else if (failure) write.reject(failure.reason);', '']],
    tests: ['src/store/engine/writer.test.ts'],
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
    name: 'two services run on one database',
    file: 'src/store/engine/process-lock.ts',
    edits: [["'BEGIN EXCLUSIVE'", "'BEGIN'"]],
    tests: ['src/store/engine/connection.test.ts'],
  },
  {
    name: 'a restore goes on with what the backup was in the middle of',
    file: 'src/store/backup/restore.ts',
    edits: [['      closeUnfinished(connection, secrets, now);\n', '      void closeUnfinished;\n']],
    tests: ['src/store/backup/unfinished-work.test.ts'],
  },
  {
    name: 'a restored code is not in question',
    file: 'src/store/backup/unfinished-work.ts',
    edits: [
      [
        "set state = 'unverified' where state = 'available'",
        "set state = 'available' where state = 'available'",
      ],
    ],
    tests: ['src/store/backup/unfinished-work.test.ts', 'src/store/backup/restore.test.ts'],
  },
  {
    name: 'a live redemption is left behind by its code',
    file: 'src/store/backup/rekey.ts',
    edits: [['    update.run({ at, hash: anew.hash,', '    if (secret) update.run({ at, hash: anew.hash,']],
    tests: ['src/store/backup/rekey.test.ts'],
  },
  {
    name: 'what was under way at a kill is lost',
    file: 'src/store/tables/tasks.ts',
    edits: [['crashes = crashes + 1', 'crashes = crashes + 1, run_at = null']],
    tests: ['src/store/tables/tasks.test.ts'],
  },
];

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...SPENDING,
  ...SETTLING,
  ...UPSTREAMS,
  ...MONEY,
  ...KEYS,
  ...STORE,
];
