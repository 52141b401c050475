// Defects of rules that cost money or codes: what is charged, what a key stands for, what a receipt keeps, how long a
// thing may be done.
import type { PlantedDefect } from './defects.ts';

export const RULES: readonly PlantedDefect[] = [
  {
    name: 'a refunded subscription keeps its days',
    file: 'src/core/quota/purchases.ts',
    edits: [
      [
        '  if (subscriptionDays > 0) tables.accounts.shortenSubscription(accountId, subscriptionDays * DAY_MS, now);\n',
        '',
      ],
    ],
  },
  {
    name: 'a look-up of a player that failed is charged',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      [
        "      case 'unreachable':\n        await returnUsage(deps, begun.usageId);\n",
        "      case 'unreachable':\n",
      ],
    ],
  },
  {
    name: 'a code under way is charged to whoever asks about it',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      [
        '    await returnUsage(deps, begun.usageId);\n    return { status: answer };',
        "    if (answer === 'unreachable') await returnUsage(deps, begun.usageId);\n    return { status: answer };",
      ],
    ],
  },
  {
    name: 'a key ignores for which player it was used',
    file: 'src/core/redemption/begin.ts',
    edits: [
      [
        "JSON.stringify(['redeem', gameId, playerId, denomination ?? null",
        "JSON.stringify(['redeem', gameId, denomination ?? null",
      ],
      [
        'function describeRequest({ gameId, playerId, denomination, code }',
        'function describeRequest({ gameId, denomination, code }',
      ],
    ],
  },
  {
    name: 'a key stays bound to a failure that cost nothing',
    file: 'src/core/idempotency.ts',
    edits: [
      [
        "(isOver(tables, found, moment) || (key.scope === 'http' && isFreed(tables, found)))",
        'isOver(tables, found, moment)',
      ],
    ],
  },
  {
    name: 'the receipt that the platform kept is thrown away',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [
      [
        "    return { status: 'received', receipt, warning: !fullReceipt, loginAwaited: false };\n  }",
        "    const { email: _email, password: _password, ...known } = receipt;\n    return { status: 'received', receipt: known, warning: !fullReceipt, loginAwaited: false };\n  }",
      ],
    ],
  },
  {
    name: 'a missing full receipt is not told',
    file: 'src/core/redemption/attempt.ts',
    edits: [
      ['return { ...outcome, warning: !outcome.fullReceipt };', 'return { ...outcome, warning: false };'],
    ],
  },
  {
    name: 'whoever redeemed is taken for our player',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [
      [
        "      return player.openid === told.openid ? receive(player.name) : { status: 'conceded' };",
        '      return receive(player.name);',
      ],
      ["  if (told.playerId !== undefined) return { status: 'conceded' };\n", ''],
    ],
  },
  {
    name: 'a batch can be undone for a week',
    file: 'src/core/stock/undo-batch.ts',
    edits: [
      [
        'export const UNDO_WITHIN_MS = 60 * 60 * 1000;',
        'export const UNDO_WITHIN_MS = 7 * 24 * 60 * 60 * 1000;',
      ],
    ],
  },
  {
    name: 'a code of another game is taken',
    file: 'src/store/tables/codes.ts',
    edits: [
      [
        "where account_id = ${ph('accountId')}+0 and game_id = +${ph('gameId')}\n            and denomination",
        "where account_id = ${ph('accountId')}+0 and game_id is not null\n            and denomination",
      ],
    ],
  },
  {
    name: 'stock that was filled up again does not warn again',
    file: 'src/core/notices/notices.ts',
    edits: [['  if (level === notified) return;\n', '  if (level <= notified) return;\n']],
  },
  {
    name: '80 % are told at every order',
    file: 'src/core/quota/usage.ts',
    edits: [['    noticed.noticed80At = room.at;\n', '']],
  },
];
