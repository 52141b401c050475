// The message of what one press ordered: it counts along, doubts among its lines, and tells the end. It is kept with the
// order, and looked at until then whenever there is news of it.
import { grantOf, type Press } from '../../core/index.ts';
import { isMuted } from '../actor.ts';
import type { BotDeps } from '../context.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { resultKey } from '../outbox/actions.ts';
import type { Target } from '../replies.ts';
import { toOutgoing, toOutgoingRow, type View, type ViewOrder } from '../outgoing.ts';
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
