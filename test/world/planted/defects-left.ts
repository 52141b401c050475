// Defects of what was left standing, taken away, put in question or could not be done: a confirmation, an address, a
// code, a backup.
import type { PlantedDefect } from './defects.ts';

export const LEFT: readonly PlantedDefect[] = [
  {
    name: 'a pasted message with a malformed code in it counts as wholly added',
    file: 'src/core/stock/finish-import.ts',
    edits: [["  if (token.kind === 'unknown') message.isAdded = false;\n", '']],
  },
  {
    name: 'a delivery that goes through does not end the time for which a webhook counts as failing',
    file: 'src/core/accounts/webhook-deliveries.ts',
    edits: [['    if (webhook.failingSince !== null) tables.webhooks.noteFailing(webhookId, null);\n', '']],
  },
  {
    name: 'an order of several codes that the backup caught under way goes on after a restore',
    file: 'src/store/backup/unfinished-work.ts',
    edits: [
      [
        "update orders set ending = coalesce(ending, 'RESTORED'), look_at = @now where ended_at is null",
        'update orders set look_at = @now where ended_at is null',
      ],
    ],
  },
  {
    name: 'long polling counts a batch of updates as received before the inbox has kept it',
    file: 'src/bot/inbox/polling.ts',
    edits: [
      [
        '          await inbox.accept(updates);\n          const last = updates.at(-1);\n          if (last) offset = last.update_id + 1;\n',
        '          const last = updates.at(-1);\n          if (last) offset = last.update_id + 1;\n          await inbox.accept(updates);\n',
      ],
    ],
  },
  {
    name: 'the same role button pressed twice gives the same invitation',
    file: 'src/bot/accounts/invite.ts',
    edits: [['`${ctx.update.update_id}:${date}`', '`${ctx.message?.message_id ?? 0}:${date}`']],
  },
  {
    name: 'the button for the link that makes an owner asks for no host',
    file: 'src/bot/host/cards.ts',
    edits: [
      [
        '  handlers.callbackQuery(/^host:owner:(\\d{1,15})$/, requiresHost(), async (ctx) => {',
        '  handlers.callbackQuery(/^host:owner:(\\d{1,15})$/, async (ctx) => {',
      ],
    ],
  },
  {
    name: 'cancel under a confirmation that has expired says that it was already used',
    file: 'src/bot/basics/cancelling.ts',
    edits: [['    if (!taken && confirmation.takenBy !== null)\n', '    if (!taken)\n']],
  },
  {
    name: 'hosts are told of failing backups once in the life of the process',
    file: 'src/backups.ts',
    edits: [['      last.failure = null;\n', '']],
  },
  {
    name: 'whoever became the owner meanwhile may leave by a confirmation they had open',
    file: 'src/core/accounts/members.ts',
    edits: [
      [
        "if (!isSelf || seen === 'owner') requireTouchable(current, seen);",
        'if (!isSelf) requireTouchable(current, seen);',
      ],
    ],
  },
  {
    name: 'a full disk sets bulk work aside for good',
    file: 'src/core/stock/jobs.ts',
    edits: [["String(error.code).startsWith('SQLITE_');", "String(error.code).startsWith('SQLITE_BUSY');"]],
  },
  {
    name: '"again" and the game of last time are of whoever in the account redeemed last',
    file: 'src/core/receipts/last-players.ts',
    edits: [
      [
        'listNewest(store, actor).find((row) => row.actor === nameActor(actor));',
        'listNewest(store, actor).at(0);',
      ],
    ],
  },
  {
    name: 'a direct redemption does not claim a code that is unverified since a restore',
    file: 'src/store/tables/codes.ts',
    edits: [
      [
        "and state in ('available', 'unverified', 'in_question', 'used', 'invalid')`",
        "and state in ('available', 'in_question', 'used', 'invalid')`",
      ],
    ],
  },
  {
    name: 'a receipt fetched after a doubt is always called full',
    file: 'src/platform/upstream/find-code.ts',
    edits: [['fullReceipt: !receipt.warning } };', 'fullReceipt: true } };']],
  },
  {
    name: 'stars that could not be sent back for an outage are booked as refunded',
    file: 'src/bot/host/refund.ts',
    edits: [
      [
        "return readTelegramError(error)?.kind === 'refused' ? REFUSED : UNSURE;",
        "return readTelegramError(error)?.kind === 'refused' ? REFUSED : undefined;",
      ],
    ],
  },
  {
    name: 'an update is set aside after two interruptions instead of three',
    file: 'src/bot/inbox/handle-update.ts',
    edits: [["if (count <= MOST_ATTEMPTS) return 'begun';", "if (count < MOST_ATTEMPTS) return 'begun';"]],
  },
  {
    name: 'a paste that was decided before its update was over is handled again',
    file: 'src/store/bot-store.ts',
    edits: [["  for (const updateId of ended) tables.inbox.finish(updateId, 'done');\n", '']],
  },
  {
    name: '/cancel of any conversation drops the codes that are collected beside it',
    file: 'src/bot/stock/add-codes.ts',
    edits: [['  if (!isLeft && left.length > 0) return false;\n', '']],
  },
];
