// How a redemption stands, as a result that is brought to its message: looked up when its turn has come, with the rights that its
// reader has by then.
import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { toOutgoing, toPlain, type View } from '../outgoing.ts';
import { receiptKeyboard } from '../receipts/receipt-keyboard.ts';
import { renderReceipt, type ReceiptPlace } from '../receipts/receipt-text.ts';
import { countLeft, findReceiptView } from '../receipts/show-receipt.ts';

/** The name of the view. */
export const REDEMPTION = 'redemption';

/** `state`: as it was when this was to be told. `order`: of several codes, which it is of. */
export interface RedemptionResult {
  id: number;
  state: string;
  order?: string;
}

export function createRedemptionView({
  core,
  texts,
  keeping,
}: Pick<BotDeps, 'core' | 'texts' | 'keeping'>): View {
  return ({ of, telegramId, language }) => {
    const { id, state, order } = of as RedemptionResult;
    const actor = core.members.findActor(telegramId);
    const view = actor && findReceiptView(core, actor, id);
    if (!view) return { html: texts.say(language, 'redeem-gone', { id: String(id) }) };
    const several = order === undefined ? undefined : keeping.orders.find(order);
    const isTold = several !== undefined && several.reason !== 'doubt';
    // The message of the order has it, with its login; what was in doubt, failed or wants a look is told by itself.
    if (isTold && state === 'redeemed' && view.redemption.warning !== true) return undefined;
    // A doubt that is over by now: its end has a turn of its own.
    if (state === 'in_doubt' && view.redemption.state !== 'in_doubt') return undefined;
    const mayRedeem = grantOf(actor, 'redeem') !== 'no';
    const place: ReceiptPlace = { texts, language, group: undefined, mayRedeem };
    const html = renderReceipt({ ...view, left: countLeft(core, actor, view.redemption) }, place);
    const [title = ''] = html.split('\n');
    const plain = `${toPlain(title)}\n/receipt_${id}`;
    return { ...toOutgoing(html, receiptKeyboard(view, place)), plain };
  };
}
