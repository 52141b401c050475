// The message that shows how a redemption goes on: some of the seconds while one runs, that it is held, its end. It is
// one task, held until the redemption has come to something, and once more where that is a doubt.
import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { resultKey } from '../outbox/actions.ts';
import { isMuted } from '../actor.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoingRow, toOutgoing, toPlain, type View } from '../outgoing.ts';
import { renderRunning, renderReceipt, type ReceiptPlace } from '../receipts/receipt-text.ts';
import { findReceiptView, countLeft, receiptKeyboard } from '../receipts/show-receipt.ts';
import type { Language } from '../texts.ts';

/** Where a redemption is shown, to whom. */
interface LiveMessage {
  redemptionId: number;
  chatId: number;
  messageId: number;
  telegramId: number;
  language: Language;
  /** The confirmation that was the order. */
  orderKey: string;
}

/** When the seconds are shown: more would use up what Telegram takes in one chat, and leave no room for answers. */
const SHOWN_AFTER_MS = [2_000, 5_000, 13_000, 34_000] as const;

/** The message that shows what a redemption has come to: kept with its beginning, said when that is known. */
export function toLiveMessageRow(liveMessage: LiveMessage): OutgoingRow {
  const { redemptionId, chatId, messageId, telegramId, language, orderKey } = liveMessage;
  const of: RedemptionResult = { id: redemptionId };
  const content = { view: REDEMPTION, of, telegramId, language, messageId };
  return { ...toOutgoingRow(resultKey(orderKey), chatId, content), redemptionId, lookMs: SHOWN_AFTER_MS[0] };
}

/** The name of the view. */
export const REDEMPTION = 'redemption';

/**
 * `shownMs`: how long it runs at least when it is looked at; `isDoubtTold`: it was shown that nothing is certain yet.
 */
interface RedemptionResult {
  id: number;
  shownMs?: number;
  isDoubtTold?: true;
}

export function createRedemptionView(deps: Pick<BotDeps, 'core' | 'texts' | 'store' | 'clock'>): View {
  const { core, texts, clock } = deps;
  return ({ of, telegramId, language }) => {
    const result = of as RedemptionResult;
    const { id, shownMs = SHOWN_AFTER_MS[0], isDoubtTold = false } = result;
    const actor = core.members.findActor(telegramId);
    const view = actor && findReceiptView(core, actor, id);
    if (!view) return { html: texts.say(language, 'redeem-gone', { id: String(id) }) };
    const { state, createdAt } = view.redemption;
    const waitsFor = `redemption:${id}`;
    const mayRedeem = grantOf(actor, 'redeem') !== 'no';
    const place: ReceiptPlace = { texts, language, group: undefined, mayRedeem };
    if (state === 'pending') {
      const ms = Math.max(shownMs, clock.now() - createdAt);
      const next = SHOWN_AFTER_MS.find((each) => each > ms);
      const goesOn = { of: { ...result, shownMs: next ?? ms }, waitsFor, lookMs: next && next - ms };
      return { html: renderRunning(view, place, Math.round(ms / 1000)), goesOn };
    }
    const html = renderReceipt({ ...view, left: countLeft(core, actor, view.redemption) }, place);
    const [title = ''] = html.split('\n');
    const plain = `${toPlain(title)}\n/receipt_${id}`;
    const shown = { ...toOutgoing(html, receiptKeyboard(view, place)), plain };
    if (state !== 'redeemed' && state !== 'failed')
      return { ...shown, rest: { of: { ...result, isDoubtTold: true }, waitsFor } };
    return { ...shown, rings: isDoubtTold && !isMuted(deps, telegramId, 'doubtSettled') };
  };
}
