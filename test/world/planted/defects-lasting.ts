// Defects of orders whose end is long in coming, of what stands in a chat for good, and of what is split, ordered and
// given.
import type { PlantedDefect } from './defects.ts';

export const LASTING: readonly PlantedDefect[] = [
  {
    name: 'a usage is never split between the daily quota and purchased activations',
    file: 'src/core/quota/usage.ts',
    edits: [
      [
        '  const dailyQuarters = Math.min(left, costQuarters);',
        '  const dailyQuarters = left >= costQuarters ? costQuarters : 0;',
      ],
    ],
  },
  {
    name: 'a subscription that has ended is extended from its old end, not from now',
    file: 'src/store/tables/accounts.ts',
    edits: [
      [
        "sql`max(coalesce(subscription_expires_at, 0), ${ph('now')}) + ${ph('ms')}`",
        "sql`coalesce(subscription_expires_at, ${ph('now')}) + ${ph('ms')}`",
      ],
    ],
  },
  {
    name: 'an extraction takes codes by number alone, those that came back among them',
    file: 'src/store/tables/extractions.ts',
    edits: [['walked(sql`returns = 0 order', 'walked(sql`returns >= 0 order']],
  },
  {
    name: 'an idempotency key is over 24 hours after its beginning although its redemption is still in doubt',
    file: 'src/core/idempotency.ts',
    edits: [
      [
        '  return ends.every((end) => end !== null && end <= moment.safeNow - keptMs);',
        '  return ends.every((end) => end === null || end <= moment.safeNow - keptMs);',
      ],
    ],
  },
  {
    name: 'a code that a direct redemption has under way or in doubt can be added to the stock',
    file: 'src/store/tables/batches.ts',
    edits: [
      [
        "and code_hash = +${ph('hash')} and live is not null)`",
        "and code_hash = +${ph('hash')} and live is not null and state = 'redeemed')`",
      ],
    ],
  },
  {
    name: 'undoing a batch does not stop the adding that still goes on',
    file: 'src/core/stock/undo-batch.ts',
    edits: [
      [
        "  const adding = tables.jobs.findOfSubject('add', batchId);\n  if (adding) tables.jobs.end(adding.id, 'cancelled', now);\n",
        '',
      ],
    ],
  },
  {
    name: 'a result is brought to its message without ending what that message still shows of its progress',
    file: 'src/bot/outbox/send-message.ts',
    edits: [
      [
        '      const { messageId } = content;\n      if (messageId !== undefined) await deps.progress.end({ chatId, messageId });\n',
        '',
      ],
    ],
  },
  {
    name: 'an alert that Telegram does not take as the answer to a tap is not said in the chat either',
    file: 'src/bot/replies.ts',
    edits: [
      [
        '      replyChannel.forgive(error);\n      return sayInstead();\n',
        '      replyChannel.forgive(error);\n',
      ],
    ],
  },
  {
    name: 'a conversation of the version before vanishes without a word',
    file: 'src/bot/prompts/conversations.ts',
    edits: [
      [
        '    if (!changed && clock.now() - kept.touchedAt <= IDLE_MS) return state;',
        '    if (clock.now() - kept.touchedAt <= IDLE_MS) return state;',
      ],
    ],
  },
  {
    name: 'commands that a role may use for its own things are missing from its menu and /help',
    file: 'src/bot/prompts/menus.ts',
    edits: [
      [
        "      return entry.for === 'members' || grantOf(actor, entry.for) !== 'no';",
        "      return entry.for === 'members' || grantOf(actor, entry.for) === 'yes';",
      ],
    ],
  },
  {
    name: 'an extraction from the chat begins without its idempotency key',
    file: 'src/bot/stock/extract-codes.ts',
    edits: [
      [
        '{ gameId, denomination, amount, idempotencyKey, inTransaction }',
        '{ gameId, denomination, amount, inTransaction }',
      ],
    ],
  },
  {
    name: 'the receipt for the customer says of a redemption in doubt that nothing was topped up',
    file: 'src/bot/receipts/customer-text.ts',
    edits: [["  if (state !== 'failed') return 'wait';", "  if (state === 'pending') return 'wait';"]],
  },
  {
    name: 'every 4xx of the upstream counts as certainly not redeemed, 408 and 422 among them',
    file: 'src/platform/upstream/redeem.ts',
    edits: [
      ['  if (hostNotice === undefined) {', '  if (httpStatus < 400 || httpStatus >= 500 || !whole) {'],
    ],
  },
  {
    name: 'a page of something between is taken for a history without the receipt',
    file: 'src/platform/upstream/find-code.ts',
    edits: [['if (httpStatus !== 200) return AWAITED;', 'if (httpStatus !== 200) return NONE;']],
  },
  {
    name: 'what an earlier process left to say is overtaken by the first words of the next',
    file: 'src/core/tasks/worker.ts',
    edits: [['queues.peek(key)?.priority === 0', 'queues.peek(key)?.priority === -1']],
  },
  {
    name: 'an extraction that a crash interrupted is shown as under way over its result',
    file: 'src/bot/stock/extract-codes.ts',
    edits: [['        if (action.isDone) return;\n', '']],
  },
  {
    name: 'a restart repeats what hosts were told',
    file: 'src/core/alerts/host-alerts.ts',
    edits: [['new Map(isRestoreTold ? kept.alerts.map((alert) => [keyOf(alert), alert]) : [])', 'new Map()']],
  },
  {
    name: 'hosts are told of a trouble that passes within five minutes',
    file: 'src/core/alerts/host-conditions.ts',
    edits: [
      [
        'everyMs: 30 * SECOND_MS, begunAfterMs: 5 * MINUTE_MS, overAfterMs: MINUTE_MS',
        'everyMs: 0, begunAfterMs: 0, overAfterMs: 0',
      ],
    ],
  },
  {
    name: 'that a trouble is over is noted and not told',
    file: 'src/core/alerts/host-alerts.ts',
    edits: [['if (overSince !== undefined || begunIsTold', 'if (overSince === undefined && begunIsTold']],
  },
  {
    name: 'each of the ends of a service counts as unclean',
    file: 'src/core/alerts/known-to-host.ts',
    edits: [
      [
        '  let uncleanEnd = store.uncleanEnd;',
        '  let uncleanEnd: Store["uncleanEnd"] = store.uncleanEnd ?? { aliveAt: undefined };',
      ],
    ],
  },
  {
    name: 'that an upstream refuses an order is taken for one that refuses us',
    isQuiet: true,
    file: 'src/core/alerts/refusals.ts',
    edits: [
      [
        'const { hostNotice: sentence, hostTrouble',
        "const { hostNotice: sentence = answer.status === 'refused' ? 'No.' : undefined, hostTrouble",
      ],
    ],
  },
];
