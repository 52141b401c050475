// Defects of what is done twice, offered, and told at its end: of each of them somebody had to be there, or to look.
import type { PlantedDefect } from './defects.ts';

export const UNSEEN: readonly PlantedDefect[] = [
  {
    name: 'the key of an extraction ignores its denomination',
    file: 'src/core/stock/extract-codes.ts',
    edits: [["['extract', gameId, denomination, amount]", "['extract', gameId, amount]"]],
  },
  {
    name: 'an extraction takes whole slices',
    file: 'src/core/stock/extract-codes.ts',
    edits: [['Math.min(SLICE, job.total - job.done)', 'Math.min(SLICE, job.total)']],
  },
  {
    name: 'stock that was taken back is not watched',
    file: 'src/core/stock/undo-batch.ts',
    edits: [['    if (batch) watchStock(tables', '    if (batch === null) watchStock(tables']],
  },
  {
    name: 'look-ups go on without a subscription',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      ['    requireSubscription(tables, actor.accountId, moment);\n', '    void requireSubscription;\n'],
    ],
  },
  {
    name: 'whether a code is under way is looked at before the platform is asked',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      [
        '    const told = await ask<Dated>(\n',
        '    const hash = store.seals.hash(game.id, code);\n    const live = store.read((tables) => tables.redemptions.findLive(game.id, hash));\n    const told = await ask<Dated>(\n',
      ],
      [
        '    // Asked after the platform: what we settled as redeemed meanwhile must not be told as unspent.\n    const hash = store.seals.hash(game.id, code);\n    const live = store.read((tables) => tables.redemptions.findLive(game.id, hash));\n',
        '',
      ],
    ],
  },
  {
    name: 'an operator is offered the players of others',
    file: 'src/core/receipts/last-players.ts',
    edits: [["      if (grant === 'own' && row.actor !== nameActor(actor)) continue;\n", '']],
  },
  {
    name: 'the same is not looked at once more at the press',
    file: 'src/bot/redemption/redeem.ts',
    edits: [
      [
        '        unlessDuplicate: { warnedOf, warnedOfOrder },\n',
        '        ...(warnedOf < 0 && { unlessDuplicate: { warnedOf } }),\n',
      ],
    ],
  },
  {
    name: 'of the end of a subscription only the first is told',
    file: 'src/store/tables/accounts.ts',
    edits: [[' or end_notified_stage > ${stage})', ')']],
  },
  {
    name: 'HEAD is charged',
    file: 'src/http/endpoints.ts',
    edits: [["        if (c.req.method === 'HEAD') throw refuseMethod(allowed(route.path));\n", '']],
  },
  {
    name: 'a look-up of a player that failed upstream says that there is none',
    file: 'src/platform/upstream/upstream.ts',
    edits: [['if (httpStatus === 404 && PlainError', 'if (httpStatus >= 400 && PlainError']],
  },
  {
    name: 'a message is named by its delivery',
    file: 'src/webhooks/attempt.ts',
    edits: [
      ["'webhook-id': delivery.messageId", "'webhook-id': `msg_${delivery.id}`"],
      ['sign(delivery.messageId, now', 'sign(`msg_${delivery.id}`, now'],
    ],
  },
  {
    name: 'Stars go back to the host',
    file: 'src/bot/host/refund.ts',
    edits: [['refundStarPayment(payerId, chargeId)', 'refundStarPayment(ctx.from?.id ?? payerId, chargeId)']],
  },
  {
    name: 'a chat that Telegram has closed is spoken to',
    file: 'src/bot/telegram/rate-limits.ts',
    edits: [['Math.max(0, closedUntil - now,', 'Math.max(0, -closedUntil,']],
  },
  {
    name: 'whoever has used up the day is not told for how long',
    file: 'src/http/errors.ts',
    edits: [['{ error, limit: DAILY_LIMIT }, retryAfter(refusal))', '{ error, limit: DAILY_LIMIT })']],
  },
  {
    name: 'that a key was revoked is written down for hosts alone',
    file: 'src/core/accounts/api-keys.ts',
    edits: [
      [
        "  record(tables, actor, 'keyRevoked'",
        "  if (actor.kind === 'host') record(tables, actor, 'keyRevoked'",
      ],
    ],
  },
  {
    name: 'an extraction that is asked for again is written down again',
    file: 'src/core/stock/extract-codes.ts',
    edits: [
      [
        "  if (typeof earlier === 'number') return { extractionId: earlier, replayed: true };",
        "  if (typeof earlier === 'number') {\n    record(tables, actor, 'codesExtracted', { object: `extraction:${earlier}` }, moment.now);\n    return { extractionId: earlier, replayed: true };\n  }",
      ],
    ],
  },
  {
    name: 'the audit log is forgotten after a day',
    file: 'drizzle/0000_baseline.sql',
    edits: [
      [
        "CREATE TRIGGER `audit_log_kept` BEFORE DELETE ON `audit_log`\nWHEN old.`at` > (SELECT `at` FROM `audit_log` WHERE `id` = (SELECT max(`id`) FROM `audit_log`)) - 34560000000\nBEGIN\n\tSELECT raise(ABORT, 'The audit log is kept for 400 days.');",
        'CREATE TRIGGER `audit_log_kept` AFTER INSERT ON `audit_log`\nBEGIN\n\tDELETE FROM `audit_log` WHERE `at` < new.`at` - 86400000;',
      ],
    ],
  },
  {
    name: 'a changed role is written down as what it was',
    file: 'src/core/accounts/members.ts',
    edits: [
      [
        "    record(tables, current, 'roleChanged', changed, now);",
        "    record(tables, current, 'roleChanged', { ...changed, after: { role: seen } }, now);",
      ],
    ],
  },
  {
    name: 'an invitation is written down twice',
    file: 'src/core/accounts/invitations.ts',
    edits: [
      [
        "    record(tables, actor, 'memberInvited', { after: { role } }, now);",
        "    record(tables, actor, 'memberInvited', { after: { role } }, now);\n    record(tables, actor, 'memberInvited', { after: { role } }, now);",
      ],
    ],
  },
  {
    name: 'a day that a host gives is not written down',
    file: 'src/core/accounts/grants.ts',
    edits: [
      [
        "  recordAdjustment(tables, actor, 'daysGranted'",
        "  if (days !== 1) recordAdjustment(tables, actor, 'daysGranted'",
      ],
    ],
  },
];
