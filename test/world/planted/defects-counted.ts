// Defects of what is counted, limited and told at its hour: whoever does not count with it hears nothing wrong.
import type { PlantedDefect } from './defects.ts';

export const COUNTED: readonly PlantedDefect[] = [
  {
    name: 'keys may be guessed without an end',
    file: 'src/http/auth.ts',
    edits: [['if (seconds === 0)', 'if (seconds >= 0)']],
  },
  {
    name: 'the second page of what was found skips one',
    file: 'src/bot/receipts/find.ts',
    edits: [['ids.slice((page - 1) * PAGE_SIZE, page', 'ids.slice((page - 1) * (PAGE_SIZE + 1), page']],
  },
  {
    name: 'more codes are asked about than there are',
    file: 'src/bot/stock/extract-codes.ts',
    edits: [['Math.min(available, deps', 'Math.min(available + 5, deps']],
  },
  {
    name: 'another amount of the same confirmation is another extraction',
    file: 'src/bot/stock/extract-codes.ts',
    edits: [
      [
        'confirmation: action.confirmation,\n            messages: [action.result({ view: EXTRACTED',
        'messages: [action.result({ view: EXTRACTED',
      ],
    ],
  },
  {
    name: 'the last use of a key is not noted',
    file: 'src/core/accounts/api-keys.ts',
    edits: [
      ['      touch(row.id, row.lastUsedAt, now);\n', '      void [touch, row.id, row.lastUsedAt, now];\n'],
    ],
  },
  {
    name: 'a day used up by most is told late',
    file: 'src/core/quota/usage.ts',
    edits: [['DAILY_LIMIT_QUARTERS * 0.8', 'DAILY_LIMIT_QUARTERS * 0.9']],
  },
  {
    name: 'the end of a subscription is told one day before',
    file: 'src/store/tables/accounts.ts',
    edits: [['sql.raw(String(3 * DAY_MS))', 'sql.raw(String(1 * DAY_MS))']],
  },
  {
    name: 'a test goes to the newest address only',
    file: 'src/core/accounts/webhooks.ts',
    edits: [
      [
        'enqueue({ webhookId: id, messageId, now })',
        'enqueue({ webhookId: tables.webhooks.list(actor.accountId).at(-1)?.id ?? id, messageId, now })',
      ],
    ],
  },
  {
    name: 'an invitation lasts two days',
    file: 'src/core/accounts/invitations.ts',
    edits: [['const INVITATION_MS = 24', 'const INVITATION_MS = 48']],
  },
  {
    name: 'a failure says that a code of nobody is back',
    file: 'src/core/redemption/settle.ts',
    edits: [
      [
        "codePolicy === 'back' && open.mode === 'database' && open.codeId",
        "codePolicy === 'back' && open.codeId",
      ],
    ],
  },
  {
    name: 'the days of a subscription that are left are rounded down',
    file: 'src/bot/billing/quota.ts',
    edits: [['days: Math.ceil((endsAt', 'days: Math.floor((endsAt']],
  },
  {
    name: 'admins manage keys',
    file: 'src/core/context.ts',
    edits: [["manageApiKeys: ['yes', 'no'", "manageApiKeys: ['yes', 'yes'"]],
  },
  {
    name: 'an export ends with its first hundred',
    file: 'src/core/receipts/export.ts',
    edits: [
      [
        'if (!last || rows.length < AT_ONCE) return;\n    cursor',
        'if (!last || rows.length <= AT_ONCE) return;\n    cursor',
      ],
    ],
  },
  {
    name: 'undo tells that all of its codes had left',
    file: 'src/bot/stock/result-views.ts',
    edits: [['gone: (found?.added ?? taken) - taken', 'gone: found?.added ?? taken']],
  },
  {
    name: 'more than there is stands to be confirmed',
    file: 'src/bot/redemption/card.ts',
    edits: [
      ['(stock.get(denomination) ?? 0) < count);', '(stock.get(denomination) ?? 0) < Math.min(1, count));'],
    ],
  },
  {
    name: 'a code of the stock is held for what a calendar says',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['if (isOfStock && !othersHadIt) return true;', 'if (!isOfStock && !othersHadIt) return true;']],
  },
  {
    name: 'malformed look-ups have no limit',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      [
        "return deps.badRequestLimit.count(actor.accountId) ?? { status: 'notFound' };",
        "return { status: 'notFound' };",
      ],
    ],
  },
  {
    name: 'what helps next is told the other way round',
    file: 'src/bot/receipts/receipt-text.ts',
    edits: [["mode === 'direct' ? 'other-code' : 'again'", "mode === 'direct' ? 'again' : 'other-code'"]],
  },
  {
    name: 'a confirmation can be pressed for a day',
    file: 'src/bot/prompts/confirmations.ts',
    edits: [
      ['export const CONFIRMATION_MS = 15 * 60 * 1000', 'export const CONFIRMATION_MS = 24 * 60 * 60 * 1000'],
    ],
  },
  {
    name: 'only one address is told',
    file: 'src/core/notices/pending-webhooks.ts',
    edits: [
      ['for (const webhookId of addresses) tables', 'for (const webhookId of addresses.slice(0, 1)) tables'],
    ],
  },
  {
    name: 'answers that are none of success do not tell what is left',
    file: 'src/http/endpoints.ts',
    edits: [
      [
        '        setQuotaHeaders(c, answer, deps);',
        '        if (answer.ok) setQuotaHeaders(c, answer, deps);',
      ],
    ],
  },
  {
    name: 'several cost one activation by what is confirmed',
    file: 'src/bot/redemption/confirm-order.ts',
    edits: [
      ["ctx.say('redeem-confirm-cost', { count })", "ctx.say('redeem-confirm-cost', { count: count && 1 })"],
    ],
  },
  {
    name: 'back is another page than before',
    file: 'src/bot/receipts/history.ts',
    edits: [["? ['n', lines[0]] : ['o', lines.at(-1)]", "? ['n', lines.at(-1)] : ['o', lines.at(-1)]"]],
  },
  {
    name: 'a doubt that was returned is told to nobody',
    file: 'src/core/redemption/conclude-doubt.ts',
    edits: [
      [
        '    notifyDoubtSettled(tables, doubt, outcome, now);',
        "    if (outcome !== 'returned') notifyDoubtSettled(tables, doubt, outcome, now);",
      ],
    ],
  },
  {
    name: 'operators take codes out',
    file: 'src/core/context.ts',
    edits: [["extractCodes: ['yes', 'yes', 'no'", "extractCodes: ['yes', 'yes', 'yes'"]],
  },
];
