// Defects of what people order in the chat, of what they are told and sent there, and of who may do it.
import type { PlantedDefect } from './defects.ts';

export const CHAT: readonly PlantedDefect[] = [
  {
    name: 'the file of an extraction lacks its last code',
    file: 'src/bot/stock/result-views.ts',
    edits: [['[`${stockKey}:`, ...codes]', '[`${stockKey}:`, ...codes.slice(0, -1)]']],
  },
  {
    name: 'the file of what was taken back holds one denomination',
    file: 'src/bot/stock/result-views.ts',
    edits: [['  const text = stockKeys\n    .map(', '  const text = stockKeys\n    .slice(0, 1)\n    .map(']],
  },
  {
    name: 'the rest of an order is one code of each denomination',
    file: 'src/bot/redemption/confirm-order.ts',
    edits: [
      [
        '  const lines = orders.map(leftOf);',
        '  const lines = orders.map(leftOf).map((line) => ({\n    ...line,\n    items: line.items.map((item) => ({ ...item, count: 1 })),\n  }));',
      ],
    ],
  },
  {
    name: 'an order of several goes on after a failure',
    file: 'src/core/orders/verdict.ts',
    edits: [["return { kind: 'stop', reason: ended.errorCode };", "return { kind: 'failed' };"]],
  },
  {
    name: 'of several players the first gets the codes of all',
    file: 'src/bot/redemption/several.ts',
    edits: [
      [
        '...{ playerId, playerName, items },',
        '...{ playerName, items, playerId: lines[0]?.player.playerId ?? playerId },',
      ],
    ],
  },
  {
    name: 'an order of several goes on in whatever account its person is',
    file: 'src/core/members.ts',
    edits: [['if (redeemer?.accountId !== accountId)', 'if (!redeemer)']],
  },
  {
    name: 'a doubt that came to nothing is told as spent elsewhere',
    file: 'src/bot/outbox/notices.ts',
    edits: [
      [
        "{ redeemed: 'redeemed', returned: 'returned', spentElsewhere: 'spent' }",
        "{ redeemed: 'redeemed', returned: 'spent', spentElsewhere: 'returned' }",
      ],
    ],
  },
  {
    name: 'the caption of a file is not read',
    file: 'src/bot/stock/collect-codes.ts',
    edits: [['text: withCaption(message.caption, text)', 'text: withCaption(undefined, text)']],
  },
  {
    name: 'of several codes beside a player always the first is meant',
    file: 'src/bot/redemption/free-text.ts',
    edits: [['player.codes[Number(which)]', 'player.codes[0]']],
  },
  {
    name: 'more is added than the preview showed',
    file: 'src/core/stock/imports.ts',
    edits: [
      [
        "  if (previewed !== undefined && previewed !== revision) throw new CoreError('CONFLICT', OTHER_REVISION);\n",
        '',
      ],
    ],
  },
  {
    name: 'an admin exports credentials',
    file: 'src/core/context.ts',
    edits: [
      [
        "  exportCredentials: ['yes', 'no', 'no', 'no', 'no'],",
        "  exportCredentials: ['yes', 'yes', 'no', 'no', 'no'],",
      ],
    ],
  },
  {
    name: 'an admin gives another admin a role',
    file: 'src/core/accounts/members.ts',
    edits: [
      [
        '    requireTouchable(current, seen);\n    const missed = findMissed(tables, actor, telegramId, seen);\n    if (missed) return missed;\n    if (seen === role)',
        "    if (seen === 'owner') requireTouchable(current, seen);\n    const missed = findMissed(tables, actor, telegramId, seen);\n    if (missed) return missed;\n    if (seen === role)",
      ],
    ],
  },
  {
    name: 'a link outlives the right of whoever made it',
    file: 'src/core/accounts/invitations.ts',
    edits: [
      [
        "        nameActor(actor) === invitation.createdBy && grantOf(actor, permissionFor(invitation.role)) === 'yes',",
        "        nameActor(actor) === invitation.createdBy || grantOf(actor, permissionFor(invitation.role)) === 'yes',",
      ],
    ],
  },
  {
    name: 'an account that holds something is left behind',
    file: 'src/core/accounts/invitations.ts',
    edits: [
      [
        "  return member.role === 'owner' && tables.accounts.isEmpty(member.accountId, now);",
        "  return member.role === 'owner' && (now > 0 || tables.accounts.isEmpty(member.accountId, now));",
      ],
    ],
  },
];
