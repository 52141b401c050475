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
    name: 'the rest of an order is all of it',
    file: 'src/bot/redemption/bulk-order.ts',
    edits: [
      ['isRest ? leftOf(order) : order.items', 'isRest && leftOf(order).length === 0 ? [] : order.items'],
    ],
  },
  {
    name: 'an order of several goes on after a doubt',
    file: 'src/bot/redemption/bulk-order-steps.ts',
    edits: [
      [
        "      case 'in_doubt':\n        return { kind: 'end', reason: 'doubt' };",
        "      case 'in_doubt':\n        break;",
      ],
    ],
  },
  {
    name: 'of several players the first gets the codes of all',
    file: 'src/bot/redemption/bulk-order-runner.ts',
    edits: [['playerId: item.playerId', "playerId: order.items[0]?.playerId ?? ''"]],
  },
  {
    name: 'an order of several goes on in whatever account its person is',
    file: 'src/bot/redemption/bulk-order-runner.ts',
    edits: [
      ["  if (actor?.accountId !== order.accountId) return 'account';", "  if (!actor) return 'account';"],
    ],
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
