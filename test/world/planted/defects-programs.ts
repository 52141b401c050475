// Defects of what programs are given and told: keys, webhooks, lists, and of who works in an account.
import type { PlantedDefect } from './defects.ts';

export const PROGRAMS: readonly PlantedDefect[] = [
  {
    name: 'a revoked key goes on opening',
    file: 'src/core/accounts/api-keys.ts',
    edits: [
      [
        'if (!row || row.revokedAt !== null) return undefined;',
        'if (!row || row.revokedAt === -1) return undefined;',
      ],
    ],
  },
  {
    name: 'a webhook is told of what every account does',
    file: 'src/store/tables/webhooks.ts',
    edits: [
      [
        "sql`account_id = ${ph('accountId')}+0 and removed_at is null and disabled_at is null`",
        "sql`${ph('accountId')}+0 > 0 and removed_at is null and disabled_at is null`",
      ],
    ],
  },
  {
    name: 'the end of a failure is not told by webhook',
    file: 'src/core/redemption/settle.ts',
    edits: [
      [
        "  enqueueSettled(tables, open, now);\n  settleDuplicates(tables, open.id, errorCode === 'CODE_USED', now);",
        "  settleDuplicates(tables, open.id, errorCode === 'CODE_USED', now);",
      ],
    ],
  },
  {
    name: 'a failed delivery is not repeated',
    file: 'src/core/accounts/webhook-deliveries.ts',
    edits: [
      [
        'nextAt: planNext(delivery, moment) });',
        'nextAt: delivery.attempts > 99 ? planNext(delivery, moment) : null });',
      ],
    ],
  },
  {
    name: 'a delivered message is delivered again and again under new numbers',
    file: 'src/core/redemption/settle.ts',
    edits: [
      [
        '  enqueueSettled(tables, open, now);\n  settleDuplicates',
        '  enqueueSettled(tables, open, now);\n  enqueueSettled(tables, open, now);\n  settleDuplicates',
      ],
    ],
  },
  {
    name: 'a changed role counts from the next start',
    file: 'src/core/members.ts',
    edits: [
      ['if (row?.accountId === actor.accountId) return {', 'if (row) return actor;\n  if (row) return {'],
    ],
  },
  {
    name: 'whoever was removed stays',
    file: 'src/core/accounts/members.ts',
    edits: [['    tables.members.remove(actor.accountId, telegramId, seen);\n', '']],
  },
  {
    name: 'extractions of others are listed',
    file: 'src/core/stock/extraction-history.ts',
    edits: [
      [
        'accountId: actor.accountId, gameId: id, before',
        'accountId: actor.accountId - 1, gameId: id, before',
      ],
    ],
  },
  {
    name: 'a delivery asked for again is tried once only',
    file: 'src/store/tables/webhook-deliveries.ts',
    edits: [["nextAt: bound('now'), pendingSince: bound('now') })", "nextAt: bound('now') })"]],
  },
  {
    name: 'the settlement is tried once, and then given up',
    file: 'src/core/redemption/in-flight.ts',
    edits: [['await retry(growingPauseMs, ', 'await retry(() => undefined, ']],
  },
];
