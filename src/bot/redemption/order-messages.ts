// The messages of what one press ordered: the one that counts along, doubts among its lines, and tells the end; and one
// for each code that needs looking at then. Both are kept with the order and held until there is something to say; how
// far it is meanwhile is show.
import { grantOf, ORDER_NEWS, type Press } from '../../core/index.ts';
import { isMuted } from '../actor.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { resultKey } from '../outbox/actions.ts';
import { toOutgoing, toOutgoingRow, toPlain, type View, type ViewOrder } from '../outgoing.ts';
import { renderReceipt, type ReceiptPlace, type ReceiptView } from '../receipts/receipt-text.ts';
import { countLeft, findReceiptView, receiptKeyboard } from '../receipts/show-receipt.ts';
import type { Progress, Target } from '../telegram/progress.ts';
import type { Language } from '../texts.ts';
import { isOver, renderEnd, renderUnderWay } from './order-words.ts';

/** The names of the views. */
export const ORDER = 'order';
export const ORDER_CODES = 'order-codes';

/** A message that counts along. */
interface ShownOrder extends Target {
  order: string;
  telegramId: number;
  language: Language | null;
}

export interface OrderMessages extends BotBackground {
  begin(shown: ShownOrder): void;
}

/** What is missed of a change is seen by then. */
const LOOK_MS = 60_000;

export function createOrderMessages(deps: BotDeps, { progress }: { progress: Progress }): OrderMessages {
  const { core, store, log } = deps;
  const stopped = new AbortController();

  async function follow(shown: ShownOrder): Promise<void> {
    while (!stopped.signal.aborted) {
      const open = listOf(deps, shown).filter((each) => !isOver(each));
      if (open.length === 0) return;
      progress.at(shown).show(() => {
        const orders = listOf(deps, shown);
        if (orders.every(isOver)) return undefined;
        return renderUnderWay(deps, orders, shown.language ?? languageOf(deps, shown));
      });
      await nextChange(open.map(({ order }) => `order:${order.id}`));
    }
  }

  async function nextChange(names: readonly string[]): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, stopped.signal]);
    await Promise.race(names.map((name) => core.changes.next(name, LOOK_MS, signal)));
    over.abort();
  }

  function begin(shown: ShownOrder): void {
    void follow(shown).catch((error: unknown) =>
      log.warn({ error: describeError(error) }, 'how far an order is could not be shown, its end will be'),
    );
  }

  return {
    begin,
    start() {
      for (const { chatId, content } of store.outbox.listHeld(ORDER_NEWS)) {
        const { view, of, telegramId, language, messageId } = JSON.parse(content) as Kept;
        if (view !== ORDER || messageId === undefined) continue;
        begin({ order: (of as Press).order, chatId, messageId, telegramId, language });
      }
    },
    stop: () => Promise.resolve(stopped.abort()),
  };
}

type Kept = ViewOrder & { messageId?: number };

const languageOf = ({ store }: Pick<BotDeps, 'store'>, { telegramId }: { telegramId: number }): Language =>
  (store.preferences.find(telegramId)?.language ?? 'en') as Language;

/** None where they are not this person's to see any more. */
function listOf(
  { core }: Pick<BotDeps, 'core'>,
  { order, telegramId }: { order: string; telegramId: number },
) {
  const actor = core.members.findActor(telegramId);
  return actor && grantOf(actor, 'readReceipts') !== 'no' ? core.presses.listOfPress(actor, order) : [];
}

/** What is kept with an order; `id`: of its confirmation. */
export function toOrderRows(
  id: string,
  press: Press,
  { chatId, messageId, telegramId, language }: Omit<ShownOrder, 'order'>,
): OutgoingRow[] {
  const reader = { telegramId, language };
  const end = { view: ORDER, of: press, ...reader, messageId };
  const codes = { view: ORDER_CODES, of: { ...press, told: [] } satisfies CodesResult, ...reader };
  return [
    { ...toOutgoingRow(resultKey(id), chatId, end), waitsFor: press.news },
    { ...toOutgoingRow(`${resultKey(id)}:codes`, chatId, codes), waitsFor: press.news },
  ];
}

/** `hadDoubt`: something of it was in doubt. */
interface OrderResult extends Press {
  hadDoubt?: true;
}

/** How all orders of the press have ended: it rings where one has stopped, or a doubt of theirs is settled. */
export function createOrderView(deps: Pick<BotDeps, 'core' | 'texts' | 'store'>): View {
  return ({ of, telegramId, language }) => {
    const result = of as OrderResult;
    const { order, news, hadDoubt = false } = result;
    const orders = listOf(deps, { order, telegramId });
    const actor = deps.core.members.findActor(telegramId);
    if (orders.length === 0 || !actor) return { html: deps.texts.say(language, 'order-gone') };
    if (!orders.every(isOver)) {
      const isInDoubt = orders.some((each) => each.order.items.some(({ state }) => state === 'inDoubt'));
      return { rest: { of: isInDoubt ? { ...result, hadDoubt: true } : of, waitsFor: news } };
    }
    const { html, keyboard } = renderEnd(deps, orders, { actor, language });
    const isStopped = orders.some((each) => each.order.state === 'stopped');
    const rings = isStopped || (hadDoubt && !isMuted(deps, telegramId, 'doubtSettled'));
    return { ...toOutgoing(html, keyboard), rings };
  };
}

/** `told`: of which redemptions it was said what they have come to. */
interface CodesResult extends Press {
  told: number[];
}

/**
 * What needs looking at has its receipt in a message of its own: a login that wants a look, what failed in the end. All
 * else is in the order's.
 */
export function createOrderCodesView(deps: Pick<BotDeps, 'core' | 'texts'>): View {
  return ({ of, telegramId, language }) => {
    const { told, ...press } = of as CodesResult;
    const orders = listOf(deps, { order: press.order, telegramId });
    const actor = deps.core.members.findActor(telegramId);
    if (orders.length === 0 || !actor) return undefined;
    const isAllOver = orders.every(isOver);
    const asked = orders.flatMap(({ order }) =>
      order.items.flatMap(({ redemptionId }) => redemptionId ?? []),
    );
    for (const id of asked.filter((each) => !told.includes(each))) {
      const view = findReceiptView(deps.core, actor, id);
      if (!view || !needsLook(view, isAllOver)) continue;
      const rest = { of: { ...press, told: [...told, id] } };
      const place: ReceiptPlace = {
        ...{ texts: deps.texts, language, group: undefined },
        // While the order goes on it is tried again by itself.
        mayRedeem: isAllOver && grantOf(actor, 'redeem') !== 'no',
      };
      const html = renderReceipt({ ...view, left: countLeft(deps.core, actor, view.redemption) }, place);
      const [title = ''] = html.split('\n');
      const plain = `${toPlain(title)}\n/receipt_${id}`;
      return { ...toOutgoing(html, receiptKeyboard(view, place)), plain, rest };
    }
    return isAllOver ? undefined : { rest: { of, waitsFor: press.news } };
  };
}

/** What is tried once more is not told before there is an end. */
const needsLook = ({ redemption: { state, warning } }: ReceiptView, isAllOver: boolean): boolean =>
  state === 'redeemed' ? warning === true : state === 'failed' && isAllOver;
