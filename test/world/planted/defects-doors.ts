// Defects of what people and programs see and may do: languages, lists, pages, old buttons, what belongs to others.
import type { PlantedDefect } from './defects.ts';

export const DOORS: readonly PlantedDefect[] = [
  {
    name: 'notices are worded in English for everybody',
    file: 'src/bot/outbox/notices.ts',
    edits: [
      ['language: findLanguageOf(deps, telegramId), timeZone', "language: 'en' as const, timeZone"],
      ['import { findLanguageOf', 'import { findLanguageOf as _unused'],
    ],
  },
  {
    name: 'a button of the shop that somebody left still orders',
    file: 'src/bot/prompts/confirmations.ts',
    edits: [
      [
        "  if (madeIn !== undefined && madeIn !== (ctx.actor?.accountId ?? null))\n    return { status: 'refused', id, key: 'confirmation-other-account' };\n",
        '',
      ],
    ],
  },
  {
    name: 'a confirmation can be pressed for ever',
    file: 'src/bot/prompts/confirmations.ts',
    edits: [
      [
        "  if (confirmation.expiresAt <= clock.now()) return { status: 'refused', id, key: 'confirmation-expired' };\n",
        '',
      ],
    ],
  },
  {
    name: 'nobody is warned of what was just redeemed',
    file: 'src/core/redemption/duplicates.ts',
    edits: [['createdAt > now - freshMs', 'createdAt < now - freshMs']],
  },
  {
    name: 'a new role is told to whoever gave it',
    file: 'src/bot/accounts/member-changes.ts',
    edits: [
      [
        "change.kind === 'leave' ? owner : change.telegramId;",
        "change.kind === 'remove' ? change.telegramId : owner;",
      ],
    ],
  },
  {
    name: 'anybody may pay the invoice of another shop',
    file: 'src/bot/billing/checkout.ts',
    edits: [
      [
        "  if (actor?.accountId !== order.accountId) return 'checkout-not-yours';\n",
        "  if (!actor) return 'checkout-not-yours';\n",
      ],
    ],
  },
  {
    name: 'a page back in the history lists upside down',
    file: 'src/core/receipts/history.ts',
    edits: [['toPage(reading, ids.reverse(), size)', 'toPage(reading, ids, size)']],
  },
  {
    name: 'whoever wants no notices gets them all the same',
    file: 'src/bot/actor.ts',
    edits: [["'').split(',').includes(kind)", "'').split(',').includes(`not ${kind}`)"]],
  },
  {
    name: 'an operator reads any receipt by its number',
    file: 'src/core/receipts/receipts.ts',
    edits: [["      if (grant === 'own' && stored.actor !== nameActor(actor)) return undefined;\n", '']],
  },
  {
    name: 'an extraction is read by any account',
    file: 'src/core/stock/extraction-history.ts',
    edits: [
      [
        '      if (found?.accountId !== actor.accountId) return undefined;\n',
        '      if (!found) return undefined;\n',
      ],
    ],
  },
  {
    name: 'history after a moment comes newest first',
    file: 'src/store/tables/redemptions-queries.ts',
    edits: [
      [
        "created_at > ${ph('after')}+0`)\n      .orderBy(asc(redemptions.createdAt), asc(redemptions.id))",
        "created_at > ${ph('after')}+0`)\n      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))",
      ],
    ],
  },
  {
    name: 'what was bought is told in quarters beside answers',
    file: 'src/http/endpoints.ts',
    edits: [['`"purchased";r=${Math.floor(purchased)}`', '`"purchased";r=${Math.floor(purchased * 4)}`']],
  },
  {
    name: 'statistics count by the receipt, not by what was ordered',
    file: 'src/core/receipts/day-statistics.ts',
    edits: [['[activations, denomination || amount]', '[activations, amount || denomination]']],
  },
  {
    name: "a code of another shop is told as one's own",
    file: 'src/core/stock/code-conflict.ts',
    edits: [
      [
        "  if (owner) return owner.accountId === accountId ? 'used' : 'disowned';",
        "  if (owner) return 'used';",
      ],
    ],
  },
  {
    name: 'a webhook of any account is removed by its number',
    file: 'src/core/accounts/webhooks.ts',
    edits: [
      [
        '  const found = tables.webhooks.find(id, accountId);\n  if (found) return found;',
        '  const found = tables.webhooks.find(id);\n  if (found && accountId > 0) return found;',
      ],
      [
        'removeWebhook(tables, actor, webhook,',
        'removeWebhook(tables, { ...actor, accountId: webhook.accountId }, webhook,',
      ],
    ],
  },
  {
    name: 'an account without a subscription goes on reading',
    file: 'src/http/endpoints.ts',
    edits: [['() => requireSubscription(authenticate(c), deps);', '() => authenticate(c).actor;']],
  },
];
