// Defects of what is shown, sent, counted and waited for, many of them where two mechanisms meet.
import type { PlantedDefect } from './defects.ts';

export const SHOWN: readonly PlantedDefect[] = [
  {
    name: 'a plain export holds the codes',
    file: 'src/core/receipts/export.ts',
    edits: [['codeTail: tailOf(code)', 'codeTail: code']],
  },
  {
    name: 'an export begins where the day begins in UTC',
    file: 'src/core/receipts/export.ts',
    edits: [
      [
        'const from = startOfDay(timeZone, firstOfDays(timeZone, now',
        "const from = startOfDay('UTC', firstOfDays(timeZone, now",
      ],
    ],
  },
  {
    name: 'whoever lost the right to credentials before the export was sent gets them',
    file: 'src/core/receipts/export.ts',
    edits: [["if (full) requirePermission(actor, 'exportCredentials');", '']],
  },
  {
    name: 'the text for the customer names whoever redeemed',
    file: 'src/bot/receipts/customer-text.ts',
    edits: [
      [" }: Omit<ReceiptView, 'facts'>,", ', facts }: ReceiptView,'],
      [
        "say('customer-number', { id: String(id) }),",
        "say('customer-number', { id: String(id) }), ...(facts?.actorLabel?.name ? [facts.actorLabel.name] : []),",
      ],
    ],
  },
  {
    name: 'a day that is searched for is one of UTC',
    file: 'src/core/receipts/find-receipts.ts',
    edits: [
      ['timeZone = readTimeZone(store, accountId)', "timeZone = readTimeZone(store, accountId) && 'UTC'"],
    ],
  },
  {
    name: 'the end of an ID finds nobody',
    file: 'src/core/receipts/terms.ts',
    edits: [['row.playerId.endsWith(term.idPart) || ', '']],
  },
  {
    name: 'a spreadsheet tells its times in UTC',
    file: 'src/bot/receipts/export-sheet.ts',
    edits: [['shown: at + offsetAt(timeZone, at)', 'shown: at + 0 * offsetAt(timeZone, at)']],
  },
  {
    name: 'what has been in doubt for ten minutes is not warned of',
    file: 'src/core/redemption/duplicates.ts',
    edits: [
      ["return state !== 'redeemed' || createdAt > now - freshMs;", 'return createdAt > now - freshMs;'],
    ],
  },
  {
    name: 'the end of a doubt is not told where its doubt was',
    file: 'src/bot/redemption/live-messages.ts',
    edits: [
      [
        'return { ...shown, rest: { of: { ...result, isDoubtTold: true }, waitsFor: `redemption:${id}` } };',
        'return shown;',
      ],
    ],
  },
  {
    name: 'an operator is not told how his own doubt ended',
    file: 'src/core/notices/notices.ts',
    edits: [
      [
        "if (!isOwn && grantOf(member, needed) === 'no') return [];",
        "if (grantOf(member, needed) === 'no') return [];",
      ],
    ],
  },
  {
    name: 'a look-up that a crash interrupted is charged again',
    file: 'src/core/redemption/look-ups.ts',
    edits: [['key.remember({});', '']],
  },
  {
    name: 'an invoice is paid at the price that was',
    file: 'src/bot/billing/checkout.ts',
    edits: [
      [
        '(terms) => terms.currency === now?.currency && terms.amount === now.amount,',
        '(terms) => terms.currency === order.currency && terms.amount === order.amount && now !== null,',
      ],
    ],
  },
  {
    name: 'an invoice is paid however old it is',
    file: 'src/bot/billing/checkout.ts',
    edits: [["if (!found?.isOpen) return 'checkout-old';", "if (!found) return 'checkout-old';"]],
  },
  {
    name: 'a direct code stays in the stock that has it',
    file: 'src/core/redemption/begin.ts',
    edits: [
      [
        'const claimed = tables.codes.claim({ gameId: game.id, hash: code.hash, now });',
        'const claimed = (now < 0 ? tables.codes.claim({ gameId: game.id, hash: code.hash, now }) : undefined) as ReturnType<typeof tables.codes.claim>;',
      ],
    ],
  },
  {
    name: 'a code in doubt is told as not redeemed to whoever asks for its time',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      [
        "const answer = live || told.status === 'underWay' ? 'underWay' : told.status;",
        "const answer = live?.state === 'redeemed' || told.status === 'underWay' ? 'underWay' : told.status;",
      ],
    ],
  },
  {
    name: 'a calendar that jumps ends the subscription',
    file: 'src/core/quota/usage.ts',
    edits: [
      [
        'if (!isSubscribed(account, moment)) {',
        'if (!isSubscribed(account, moment) || (account.subscriptionExpiresAt ?? 0) <= moment.now) {',
      ],
    ],
  },
  {
    name: 'a calendar that jumps tells that the subscription has ended',
    file: 'src/core/accounts/subscriptions.ts',
    edits: [['const now = clock.safeNow();', 'const now = clock.now();']],
  },
  {
    name: 'a service that cannot write says that it is ready',
    file: 'src/http/routes/system.ts',
    edits: [["return core.health.isWritable() ? 'open' : 'unwritable';", "return 'open';"]],
  },
  {
    name: 'the codes of an extraction can be had for a day only',
    file: 'src/core/stock/extraction-history.ts',
    edits: [
      [
        'if (found?.accountId !== actor.accountId) return undefined;',
        'if (found?.accountId !== actor.accountId || clock.now() - found.at > SENT_AGAIN_WITHIN_MS) return undefined;',
      ],
    ],
  },
  {
    name: 'messages with codes that were not added are deleted, too',
    file: 'src/core/stock/finish-import.ts',
    edits: [
      ["  if (token.kind === 'unknown') message.isAdded = false;\n", ''],
      ['message.isAdded = store.read((tables) => tables.batches.holds(batchId, hash));', 'void hash;'],
    ],
  },
  {
    name: 'what was spent today is counted by the day of UTC',
    file: 'src/core/stock/extraction-history.ts',
    edits: [
      [
        'const timeZone = readTimeZone(store, accountId);',
        "const timeZone = readTimeZone(store, accountId) === '' ? '' : 'UTC';",
      ],
    ],
  },
  {
    name: 'a failed redemption of a code is told as its receipt',
    file: 'src/core/redemption/look-ups.ts',
    edits: [
      ["receiptSuccessful: own.state === 'redeemed' }", "receiptSuccessful: own.state !== 'pending' }"],
    ],
  },
  {
    name: 'a name that several accounts have is granted to the first',
    file: 'src/bot/host/grants.ts',
    edits: [
      [
        'if (ids.length > 1 && named[0]?.accountId !== account.id)',
        "if (ids.length > 1 && who === '' && named[0]?.accountId !== account.id)",
      ],
    ],
  },
  {
    name: 'whoever is removed is not told',
    file: 'src/bot/accounts/member-changes.ts',
    edits: [
      [
        'return [result({ html: shown }), told];',
        "return change.kind === 'remove' ? [result({ html: shown })] : [result({ html: shown }), told];",
      ],
    ],
  },
  {
    name: 'two payments of one invoice are one',
    file: 'src/bot/billing/book-payment.ts',
    edits: [
      [
        'if (order?.currency !== currency || order.amount !== amount) return false;',
        'if (order?.currency !== currency || order.amount !== amount) return false;\n  if (deps.store.findPurchaseOrder(orderId)?.chargeId) return true;',
      ],
    ],
  },
];
