// The message of what one press ordered: it counts along, doubts among its lines, and tells the end. It is kept with the
// order and held until then; how far it is meanwhile is shown.
import { grantOf, ORDER_NEWS, type Press } from '../../core/index.ts';
import { isMuted } from '../actor.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { resultKey } from '../outbox/actions.ts';
import { toOutgoing, toOutgoingRow, type View, type ViewOrder } from '../outgoing.ts';
import type { Progress, Target } from '../telegram/progress.ts';
import type { Language } from '../texts.ts';
import { isOver, renderEnd, renderUnderWay } from './order-words.ts';

/** The name of the view. */
export const ORDER_VIEW = 'order';

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
        if (view !== ORDER_VIEW || messageId === undefined) continue;
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
export function toOrderRow(
  id: string,
  press: Press,
  { chatId, ...shown }: Omit<ShownOrder, 'order'>,
): OutgoingRow {
  const row = toOutgoingRow(resultKey(id), chatId, { view: ORDER_VIEW, of: press, ...shown });
  return { ...row, waitsFor: press.news };
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
