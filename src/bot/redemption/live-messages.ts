// The messages that show how redemptions go on: some of the seconds while one runs, that it is held, its end. Each is
// one task, held until the redemption has come to something, and once more where that is a doubt.
import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { resultKey } from '../outbox/actions.ts';
import { isMuted } from '../actor.ts';
import type { Progress, Shown } from '../telegram/progress.ts';
import type { BotBackground } from '../feature.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoingRow, toOutgoing, toPlain, type View } from '../outgoing.ts';
import { renderRunning, renderReceipt, type ReceiptPlace } from '../receipts/receipt-text.ts';
import { findReceiptView, countLeft, receiptKeyboard } from '../receipts/show-receipt.ts';
import type { Language } from '../texts.ts';

/** Where a redemption is shown, to whom. */
export interface LiveMessage {
  redemptionId: number;
  chatId: number;
  messageId: number;
  telegramId: number;
  language: Language;
  /** The confirmation that was the order. */
  orderKey: string;
}

export interface LiveMessages extends BotBackground {
  /** A redemption has begun: some of its seconds are shown. */
  begin(liveMessage: LiveMessage): void;
}

/** When the seconds are shown: more would use up what Telegram takes in one chat, and leave no room for answers. */
const SHOWN_AFTER_MS = [2_000, 5_000, 13_000, 34_000] as const;

export function createLiveMessages(deps: BotDeps, { progress }: { progress: Progress }): LiveMessages {
  const timers = new Set<NodeJS.Timeout>();
  const clear = (own: Iterable<NodeJS.Timeout>) => {
    for (const timer of own) {
      clearTimeout(timer);
      timers.delete(timer);
    }
  };
  return {
    start: () => undefined,
    begin(liveMessage) {
      const line = progress.open(liveMessage);
      const own = SHOWN_AFTER_MS.map((ms) =>
        setTimeout(() => line.show(() => describeRunning(deps, liveMessage, ms), { orNever: true }), ms),
      );
      for (const timer of own) timers.add(timer);
      void deps.core.redemptionEnded(liveMessage.redemptionId).then(() => clear(own));
    },
    stop: () => Promise.resolve(clear(timers)),
  };
}

/** The message that shows what a redemption has come to: kept with its beginning, said when that is known. */
export function toLiveMessageRow(liveMessage: LiveMessage): OutgoingRow {
  const { redemptionId, chatId, messageId, telegramId, language, orderKey } = liveMessage;
  const of: RedemptionResult = { id: redemptionId };
  const content = { view: REDEMPTION, of, telegramId, language, messageId };
  return { ...toOutgoingRow(resultKey(orderKey), chatId, content), redemptionId };
}

/** undefined where it does not run any more, or is no longer this person's to see. */
function describeRunning(
  { core, texts }: BotDeps,
  { redemptionId, telegramId, language }: LiveMessage,
  ms: number,
): Shown | undefined {
  const actor = core.members.findActor(telegramId);
  const view = actor && findReceiptView(core, actor, redemptionId);
  if (view?.redemption.state !== 'pending') return undefined;
  const mayRedeem = actor !== undefined && grantOf(actor, 'redeem') !== 'no';
  const place = { texts, language, group: undefined, mayRedeem };
  return { html: renderRunning(view, place, Math.round(ms / 1000)) };
}

/** The name of the view. */
export const REDEMPTION = 'redemption';

/** `isDoubtTold`: it was shown that nothing is certain yet. */
interface RedemptionResult {
  id: number;
  isDoubtTold?: true;
}

export function createRedemptionView(deps: Pick<BotDeps, 'core' | 'texts' | 'store'>): View {
  const { core, texts } = deps;
  return ({ of, telegramId, language }) => {
    const result = of as RedemptionResult;
    const { id, isDoubtTold = false } = result;
    const actor = core.members.findActor(telegramId);
    const view = actor && findReceiptView(core, actor, id);
    if (!view) return { html: texts.say(language, 'redeem-gone', { id: String(id) }) };
    const { state } = view.redemption;
    const mayRedeem = grantOf(actor, 'redeem') !== 'no';
    const place: ReceiptPlace = { texts, language, group: undefined, mayRedeem };
    const html = renderReceipt({ ...view, left: countLeft(core, actor, view.redemption) }, place);
    const [title = ''] = html.split('\n');
    const plain = `${toPlain(title)}\n/receipt_${id}`;
    const shown = { ...toOutgoing(html, receiptKeyboard(view, place)), plain };
    if (state !== 'redeemed' && state !== 'failed')
      return { ...shown, rest: { of: { ...result, isDoubtTold: true }, waitsFor: `redemption:${id}` } };
    return { ...shown, rings: isDoubtTold && !isMuted(deps, telegramId, 'doubtSettled') };
  };
}
