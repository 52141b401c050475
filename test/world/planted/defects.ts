// Defects that cost money or words, as they have been or could be: each an exact change of one source file. Where the
// source changes, the text to find is changed here with it. Those of test/torture/planted-list.ts are planted, too.
import { CHAT } from './defects-chat.ts';
import { COUNTED } from './defects-counted.ts';
import { DOORS } from './defects-doors.ts';
import { FACTS } from './defects-facts.ts';
import { LASTING } from './defects-lasting.ts';
import { LEFT } from './defects-left.ts';
import { ORDERS } from './defects-orders.ts';
import { PASTS } from './defects-pasts.ts';
import { PROGRAMS } from './defects-programs.ts';
import { RULES } from './defects-rules.ts';
import { SHOWN } from './defects-shown.ts';
import { UNSEEN } from './defects-unseen.ts';
import type { Planting } from '../../mutate/planted-tree.ts';

export interface PlantedDefect extends Planting {
  name: string;
  /** It is looked for where nothing befalls the service. */
  isQuiet?: boolean;
}

const SENDING = 'src/bot/outbox/send-message.ts';
const OUTBOX = 'src/bot/outbox/send-message.ts';
const HANDLING = 'src/bot/inbox/handle-update.ts';
const CONFIRMATIONS = 'src/bot/prompts/confirmations.ts';
const BOOKING = 'src/bot/billing/book-payment.ts';
const REPLIES = 'src/bot/replies.ts';

const WORDS: PlantedDefect[] = [
  {
    name: 'a result that Telegram does not take at once is dropped',
    file: SENDING,
    edits: [
      [
        'if (signal.aborted || !isFinal(task, error)) throw error;',
        'if (signal.aborted) throw error;\n      isFinal(task, error);',
      ],
    ],
  },
  {
    name: 'words that Telegram does not take at once are silence',
    file: REPLIES,
    edits: [
      [
        '      replyChannel.forgive(error);\n      await replyChannel.save(chatId, content);\n    }\n    return undefined;',
        '      replyChannel.forgive(error);\n    }\n    return undefined;',
      ],
    ],
  },
  {
    name: 'an update that Telegram made fail is given up at once',
    file: 'src/bot/retries.ts',
    edits: [
      [
        "if (cause === undefined || (cause === 'telegram' && failures > MOST_FAILURES_OF_TELEGRAM)) return undefined;",
        "if (cause !== 'overload') return undefined;",
      ],
    ],
  },
  {
    name: 'a form that Telegram refuses is not said more plainly',
    file: OUTBOX,
    edits: [
      [
        'else if (isRefused(error) && form < forms.length - 1) form += 1;',
        'else if (isRefused(error) && form > forms.length) form += 1;',
      ],
    ],
  },
  {
    name: 'what belongs to a message that is gone is not said',
    file: OUTBOX,
    edits: [
      [
        'if (messageId !== undefined && isRefusal(error, MESSAGE_GONE)) messageId = undefined;',
        'if (messageId !== undefined && isRefusal(error, MESSAGE_GONE)) return;',
      ],
    ],
  },
  {
    name: 'which message shows a redemption is not kept with its beginning',
    file: 'src/bot/redemption/redeem.ts',
    edits: [
      [
        '            confirmation,\n            messages: [toLiveMessageRow({ ...liveMessage, redemptionId })],',
        '            confirmation,',
      ],
    ],
  },
  {
    name: 'an update that the disk did not let begin is over',
    file: HANDLING,
    edits: [['return again(entry, growingPauseMs(entry.tries + 1));', 'return OVER;']],
  },
  {
    name: 'a tap waits for its answer, and its action with it',
    file: REPLIES,
    edits: [
      [
        '  const answered = ctx.answerCallbackQuery(answer);\n',
        '  const answered = ctx.answerCallbackQuery(answer);\n  if (!alert) return answered.then(() => undefined);\n',
      ],
    ],
  },
  {
    name: 'what waits for the end of a job is never released',
    file: 'src/store/tables/jobs.ts',
    edits: [['      release(`job:${id}`, now);\n', '      release(`job:${-id}`, now);\n']],
  },
  {
    name: 'updates are confirmed before they are kept',
    file: 'src/bot/inbox/polling.ts',
    edits: [
      [
        'await inbox.accept(updates);',
        'setTimeout(() => void inbox.accept(updates).catch(() => undefined), 2_000);',
      ],
    ],
  },
  {
    name: 'a message that was heard twice is handled twice',
    file: 'src/bot/inbox/inbox.ts',
    edits: [['if (fresh.delete(update.update_id))', 'if (fresh.size >= 0)']],
  },
  {
    name: 'waiting updates are not looked for at the start',
    file: 'src/bot/inbox/inbox.ts',
    edits: [['work.start(loadWaiting(deps));', 'work.start(loadWaiting(deps).slice(0, 0));']],
  },
  {
    name: 'a heading that is not understood leaves the one before it',
    file: 'src/core/paste/filing.ts',
    edits: [
      [
        'const denomination = isDoubtful ? undefined : told;',
        'const denomination = isDoubtful ? undefined : (told ?? reading.denomination);',
      ],
    ],
  },
];

const MONEY: PlantedDefect[] = [
  {
    name: 'a payment that was told twice is credited twice',
    file: 'src/core/quota/purchases.ts',
    edits: [
      [
        '  if (booked)\n    return',
        '  if (booked) tables.quota.credit(accountId, 4_000);\n  if (booked)\n    return',
      ],
    ],
  },
  {
    name: 'payments that only the list of Telegram knows are not booked',
    file: 'src/bot/billing/reconcile-payments.ts',
    edits: [
      [
        'const found = await bookPayment(deps, paid);',
        "const found = 'known' as 'known' | 'booked' | 'stranger';",
      ],
    ],
  },
  {
    name: 'a refund that Telegram tells of is not booked',
    file: BOOKING,
    edits: [
      [
        'await deps.core.purchases.refund(PAYMENT_SYSTEM, charge.chargeId, inTransaction);',
        'void inTransaction;',
      ],
    ],
  },
  {
    name: 'whoever pays is not told',
    file: BOOKING,
    edits: [['messages: [formatPayment(balance)],', 'messages: [formatPayment(balance)].slice(1),']],
  },
  {
    name: 'a refund takes back what is spent',
    file: 'src/core/quota/purchases.ts',
    edits: [
      [
        'Math.min(activationsQuarters, purchasedQuarters(tables, accountId, now))',
        'activationsQuarters + 0 * purchasedQuarters(tables, accountId, now)',
      ],
    ],
  },
];

const RIGHTS: PlantedDefect[] = [
  {
    name: 'a button works for whoever presses it',
    file: CONFIRMATIONS,
    edits: [
      [
        "if (confirmation.userId !== ctx.from?.id) return { status: 'refused', id, key: 'confirmation-not-yours' };",
        '',
      ],
      [
        "if (confirmation.chatId !== ctx.chat?.id) return { status: 'refused', id, key: 'confirmation-elsewhere' };",
        '',
      ],
      ['if (madeIn !== undefined && madeIn !== (ctx.actor?.accountId ?? null))', 'if (madeIn === -1)'],
    ],
  },
  {
    name: 'a button works again and again',
    file: CONFIRMATIONS,
    edits: [
      [
        "  if (confirmation.takenBy !== null) return { status: 'refused', id, key: keyOfTaken(confirmation.takenBy) };\n",
        '',
      ],
    ],
  },
  {
    name: 'a receipt in a group shows its code',
    file: 'src/bot/receipts/show-receipt.ts',
    edits: [['group: ctx.isPrivate ? undefined : { botUsername: ctx.me.username },', 'group: undefined,']],
  },
  {
    name: 'support may take codes out',
    file: 'src/core/context.ts',
    edits: [
      [
        "extractCodes: ['yes', 'yes', 'no', 'no', 'yes'],",
        "extractCodes: ['yes', 'yes', 'yes', 'yes', 'yes'],",
      ],
    ],
  },
];

export const PLANTED_DEFECTS: readonly PlantedDefect[] = [
  ...WORDS,
  ...MONEY,
  ...RIGHTS,
  ...PROGRAMS,
  ...RULES,
  ...DOORS,
  ...PASTS,
  ...CHAT,
  ...FACTS,
  ...SHOWN,
  ...UNSEEN,
  ...ORDERS,
  ...COUNTED,
  ...LASTING,
  ...LEFT,
];
