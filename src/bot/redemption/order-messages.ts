// The messages of what one press ordered: the one that counts along and tells the end, and one for each code that needs
// looking at. Both are kept with the order and held until there is something to say; how far it is meanwhile is show.
import { grantOf, ORDER_END, type Press } from '../../core/index.ts';
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
      for (const { chatId, content } of store.outbox.listHeld(ORDER_END)) {
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
  const codes = { view: ORDER_CODES, of: { ...press, told: {} } satisfies CodesResult, ...reader };
  return [
    { ...toOutgoingRow(resultKey(id), chatId, end), waitsFor: press.end },
    { ...toOutgoingRow(`${resultKey(id)}:codes`, chatId, codes), waitsFor: press.news },
  ];
}

/** Each end of an order of the press, until all of them are over. */
export function createOrderView(deps: Pick<BotDeps, 'core' | 'texts'>): View {
  return ({ of, telegramId, language }) => {
    const { order, end } = of as Press;
    const orders = listOf(deps, { order, telegramId });
    const actor = deps.core.members.findActor(telegramId);
    if (orders.length === 0 || !actor) return { html: deps.texts.say(language, 'order-gone') };
    if (!orders.every(isOver)) {
      const { html, keyboard } = renderUnderWay(deps, orders, language);
      return { ...toOutgoing(html, keyboard), rest: { of, waitsFor: end } };
    }
    const { html, keyboard } = renderEnd(deps, orders, { actor, language });
    return { ...toOutgoing(html, keyboard), rings: orders.some((each) => each.order.state === 'stopped') };
  };
}

/** `told`: of which redemptions it was said that they are in doubt, and of which what they have come to. */
interface CodesResult extends Press {
  told: Record<number, 'doubt' | 'end'>;
}

/**
 * What needs looking at has its receipt in a message of its own: a doubt and its end, a login that wants a look, what
 * failed in the end. All else is in the order's.
 */
export function createOrderCodesView(deps: Pick<BotDeps, 'core' | 'texts' | 'store'>): View {
  return ({ of, telegramId, language }) => {
    const { told, ...press } = of as CodesResult;
    const orders = listOf(deps, { order: press.order, telegramId });
    const actor = deps.core.members.findActor(telegramId);
    if (orders.length === 0 || !actor) return undefined;
    const isAllOver = orders.every(isOver);
    const asked = new Set([
      ...Object.keys(told).map(Number),
      ...orders.flatMap(({ order }) => order.items.flatMap(({ redemptionId }) => redemptionId ?? [])),
    ]);
    for (const id of asked) {
      const view = findReceiptView(deps.core, actor, id);
      const tells = view && whatItTells(view, told[id], isAllOver);
      if (!tells) continue;
      const rest = { of: { ...press, told: { ...told, [id]: tells } } };
      const place: ReceiptPlace = {
        ...{ texts: deps.texts, language, group: undefined },
        // While the order goes on it is tried again by itself.
        mayRedeem: isAllOver && grantOf(actor, 'redeem') !== 'no',
      };
      const html = renderReceipt({ ...view, left: countLeft(deps.core, actor, view.redemption) }, place);
      const [title = ''] = html.split('\n');
      const plain = `${toPlain(title)}\n/receipt_${id}`;
      const rings = told[id] === 'doubt' && !isMuted(deps, telegramId, 'doubtSettled');
      return { ...toOutgoing(html, receiptKeyboard(view, place)), plain, rings, rest };
    }
    return isAllOver ? undefined : { rest: { of, waitsFor: press.news } };
  };
}

function whatItTells(
  { redemption: { state, warning } }: ReceiptView,
  told: 'doubt' | 'end' | undefined,
  isAllOver: boolean,
): 'doubt' | 'end' | undefined {
  if (told === 'end') return undefined;
  if (state === 'in_doubt') return told === undefined ? 'doubt' : undefined;
  if (state === 'redeemed') return told === 'doubt' || warning === true ? 'end' : undefined;
  // What is tried once more is not told before there is an end.
  return state === 'failed' && (told === 'doubt' || isAllOver) ? 'end' : undefined;
}
