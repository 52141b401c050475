// Defects of what is kept, carried over a restore, told to programs, and read of the platform.
import type { PlantedDefect } from './defects.ts';

export const FACTS: readonly PlantedDefect[] = [
  {
    name: 'a code that cannot be asked about is handed out',
    file: 'src/core/stock/extract-codes.ts',
    edits: [
      [
        'settleUnverified(recordRecovered, tables,',
        "if (asked.status !== 'redeemed') tables.codes.verify(id, now);\n        else settleUnverified(recordRecovered, tables,",
      ],
      [
        "return told.some(({ asked }) => asked.status === 'notRedeemed' || asked.status === 'redeemed');",
        'return true;',
      ],
    ],
  },
  {
    name: 'a second request of a code that was redeemed ends as a network error',
    file: 'src/core/redemption/settle.ts',
    edits: [['const failure = isSpent\n', 'const failure = !isSpent\n']],
  },
  {
    name: 'what a bulk request did is forgotten after an hour',
    file: 'src/core/stock/jobs.ts',
    edits: [['const KEPT_MS = 48 * 60 * 60 * 1000;', 'const KEPT_MS = 60 * 60 * 1000;']],
  },
  {
    name: 'whoever used up the day is told to come back at once',
    file: 'src/core/quota/usage.ts',
    edits: [['Math.max(0, usage.at + WINDOW_MS - now)', 'Math.max(0, now - usage.at - WINDOW_MS)']],
  },
  {
    name: 'whoever asks about a code is told of the receipt of another shop',
    file: 'src/store/tables/redemptions-queries.ts',
    edits: [
      [
        "sql`account_id = ${ph('accountId')} and code_tail_hash = +${ph('tail')}",
        "sql`account_id <= max(account_id, ${ph('accountId')}) and code_tail_hash = +${ph('tail')}",
      ],
    ],
  },
  {
    name: 'a subscription that is bought early loses what was left',
    file: 'src/store/tables/accounts.ts',
    edits: [
      [
        "sql`max(coalesce(subscription_expires_at, 0), ${ph('now')}) + ${ph('ms')}`",
        "sql`max(coalesce(subscription_expires_at, 0), ${ph('now')} + ${ph('ms')})`",
      ],
    ],
  },
  {
    name: 'a page of the history leaves a line out',
    file: 'src/store/tables/history.ts',
    edits: [['skipped: count - 1', 'skipped: count']],
  },
  {
    name: 'what a restore put in question counts as no stock',
    file: 'src/store/tables/stock.ts',
    edits: [["${counted('available')} + ${counted('unverified')}", "${counted('available')}"]],
  },
  {
    name: 'a failure is told without the key of its order',
    file: 'src/webhooks/bodies.ts',
    edits: [
      [
        '    ...(settledAt !== undefined && { settledAt: formatTime(settledAt) }),\n    idempotencyKey,\n',
        '    ...(settledAt !== undefined && { settledAt: formatTime(settledAt) }),\n',
      ],
      [
        'function formatError({ redemption, idempotencyKey }: Told)',
        'function formatError({ redemption }: Told)',
      ],
    ],
  },
  {
    name: 'an address is told the code in the words of a failure',
    file: 'src/webhooks/bodies.ts',
    edits: [
      [
        "code === undefined ? errorMessage : errorMessage?.replaceAll(code, '…')",
        'code === undefined ? errorMessage : (errorMessage ?? code)',
      ],
    ],
  },
  {
    name: 'a code under two denominations is stored under the first',
    file: 'src/http/routes/codes.ts',
    edits: [['    requireOneDenominationEach(body);\n', '']],
  },
  {
    name: 'a replay does not say that it is one',
    file: 'src/http/routes/redeem.ts',
    edits: [
      [
        'const headers = replayed ? REPLAYED : {};',
        "const headers = replayed && activation.type === 'ActivationError' ? REPLAYED : {};",
      ],
    ],
  },
  {
    name: 'any 404 says that a code is not redeemed',
    file: 'src/platform/upstream/find-code.ts',
    edits: [["httpStatus === 404 && errorCode === 'CODE_NOT_FOUND'", 'httpStatus === 404']],
  },
  {
    name: 'an answer that the upstream could not read is taken for a failure',
    file: 'src/platform/upstream/redeem.ts',
    edits: [
      [
        "    case 'INVALID_ACTIVATION_RESPONSE':\n      return unknown(errorCode, message);",
        "    case 'INVALID_ACTIVATION_RESPONSE':\n      return refuse('NETWORK_ERROR', message, true);",
      ],
    ],
  },
  {
    name: 'an upstream that still works on its receipt is not waited for',
    file: 'src/platform/upstream/find-code.ts',
    edits: [['return failure && !isOpen(failure) ? NONE : AWAITED;', 'return failure ? NONE : AWAITED;']],
  },
  {
    name: 'doubts are no errors in the history',
    file: 'src/core/receipts/receipts.ts',
    edits: [["error: stored.state !== 'redeemed'", "error: stored.state === 'failed'"]],
  },
];
