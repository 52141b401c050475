// The message of what one press ordered: it counts along, doubts among its lines, and tells the end. It is kept with the
// order, and looked at until then whenever there is news of it.
import { grantOf, type Press } from '../../core/index.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { isMuted } from '../actor.ts';
import type { BotDeps } from '../context.ts';
import { resultKey } from '../outbox/actions.ts';
import { toOutgoing, toOutgoingRow, toPlain, type View, type ViewOrder } from '../outgoing.ts';
import { type ReceiptPlace, renderReceipt, renderRunning } from '../receipts/receipt-text.ts';
import { countLeft, findReceiptView, receiptKeyboard } from '../receipts/show-receipt.ts';
import type { Target } from '../replies.ts';
import type { Language } from '../texts.ts';
import { isOver, renderEnd, renderUnderWay } from './order-words.ts';

/** The name of the view. */
export const ORDER_VIEW = 'order';

/** What is missed of its news is seen by then. */
const LOOK_MS = 60_000;

/** None where they are not this person's to see any more. */
function listOf(
  { core }: Pick<BotDeps, 'core'>,
  { order, telegramId }: { order: string; telegramId: number },
) {
  const actor = core.members.findActor(telegramId);
  return actor && grantOf(actor, 'readReceipts') !== 'no' ? core.presses.listOfPress(actor, order) : [];
}

/** What is kept with an order; `id`: of its confirmation. */
export function toOrderRow(
  id: string,
  press: Press,
  { chatId, ...shown }: Target & Pick<ViewOrder, 'telegramId' | 'language'>,
): OutgoingRow {
  const row = toOutgoingRow(resultKey(id), chatId, { view: ORDER_VIEW, of: press, ...shown });
  return { ...row, waitsFor: press.news, lookMs: 0 };
}

/** `hadDoubt`: something of it was in doubt. */
interface OrderResult extends Press {
  hadDoubt?: boolean;
}

/** How far all orders of the press are, then how they have ended: it rings where one has stopped, or a doubt of theirs is settled. */
export function createOrderView(deps: Pick<BotDeps, 'core' | 'texts' | 'store'>): View {
  return ({ of, telegramId, language }) => {
    const result = of as OrderResult;
    const { order, news, hadDoubt = false } = result;
    const orders = listOf(deps, { order, telegramId });
    const actor = deps.core.members.findActor(telegramId);
    if (orders.length === 0 || !actor) return { html: deps.texts.say(language, 'order-gone') };
    if (!orders.every(isOver)) {
      const isInDoubt = orders.some((each) => each.order.items.some(({ state }) => state === 'inDoubt'));
      const goesOn = { of: { ...result, hadDoubt: hadDoubt || isInDoubt }, waitsFor: news, lookMs: LOOK_MS };
      const { html, keyboard } = renderUnderWay(deps, orders, language);
      return { ...toOutgoing(html, keyboard), goesOn };
    }
    const { html, keyboard } = renderEnd(deps, orders, { actor, language });
    const isStopped = orders.some((each) => each.order.state === 'stopped');
    const rings = isStopped || (hadDoubt && !isMuted(deps, telegramId, 'doubtSettled'));
    return { ...toOutgoing(html, keyboard), rings };
  };
}

// The message that shows how a redemption goes on: some of the seconds while one runs, that it is held, its end. It is
// one task, held until the redemption has come to something, and once more where that is a doubt.

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
