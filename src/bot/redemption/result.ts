// How a redemption stands, as a result that is brought to its message: looked up when its turn has come, with the rights that its
// reader has by then.
import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { toOutgoing, toPlain, type View } from '../outgoing.ts';
import { receiptKeyboard } from '../receipts/receipt-keyboard.ts';
import { renderReceipt, type ReceiptPlace } from '../receipts/receipt-text.ts';
import { findReceiptView } from '../receipts/showing.ts';

/** The name of the view. */
export const REDEMPTION = 'redemption';

/** `state`: as it was when this was to be told. */
export interface RedemptionResult {
  id: number;
  state: string;
}

export function createRedemptionView({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): View {
  return ({ of, telegramId, language }) => {
    const { id, state } = of as RedemptionResult;
    const actor = core.members.findActor(telegramId);
    const view = actor && findReceiptView(core, actor, id);
    if (!view) return { html: texts.say(language, 'redeem-gone', { id: String(id) }) };
    // A doubt that is over by now: its end has a turn of its own.
    if (state === 'in_doubt' && view.redemption.state !== 'in_doubt') return undefined;
    const mayRedeem = grantOf(actor, 'redeem') !== 'no';
    const place: ReceiptPlace = { texts, language, group: undefined, mayRedeem };
    const html = renderReceipt(view, place);
    const [title = ''] = html.split('\n');
    const plain = `${toPlain(title)}\n/receipt_${id}`;
    return { ...toOutgoing(html, receiptKeyboard(view, place)), plain };
  };
}
