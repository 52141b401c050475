// The messages that show how redemptions go on: some of the seconds while one runs, that it is held, its end. Rows say which
// message shows which redemption; only those that changed since are looked at, so that what is open costs nothing.
import { grantOf, type InTransaction, type Redemption } from '../../core/index.ts';
import { createTicking } from '../../ticking.ts';
import type { BotDeps } from '../context.ts';
import { resultKey } from '../outbox/actions.ts';
import { isMuted } from '../actor.ts';
import type { Progress, Shown } from '../telegram/progress.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { LiveMessage, LiveMessageChange } from '../../store/bot-store.ts';
import { toOutgoingRow, toOutgoing, toPlain, type View } from '../outgoing.ts';
import { renderRunning, renderReceipt, type ReceiptPlace } from '../receipts/receipt-text.ts';
import { findReceiptView, countLeft, receiptKeyboard } from '../receipts/show-receipt.ts';
import type { Language } from '../texts.ts';

/** One whose message is there. */
type PlacedLiveMessage = LiveMessage & { messageId: number };

type Ended = Pick<LiveMessage, 'redemptionId' | 'chatId'>;

export interface LiveMessages extends BotBackground {
  /** A redemption has begun. */
  begin(liveMessage: PlacedLiveMessage & { language: Language }): void;
  /** The same without its seconds: something else shows them. */
  follow(ended: Ended): void;
}

export interface LiveMessageTools {
  progress: Progress;
}

const TICK_MS = 1_000;
const AT_ONCE = 200;
/** When the seconds are shown: more would use up what Telegram takes in one chat, and leave no room for answers. */
const SHOWN_AFTER_MS = [2_000, 5_000, 13_000, 34_000] as const;

export function createLiveMessages(deps: BotDeps, { progress }: LiveMessageTools): LiveMessages {
  const { core, store, log } = deps;
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  const ticking = createTicking(TICK_MS, look, (error) =>
    log.error({ error: describeError(error) }, 'watching redemptions failed, it is tried again'),
  );

  async function look(): Promise<void> {
    for (;;) {
      const changed = store.liveMessages.listChanged(AT_ONCE);
      if (changed.length === 0) return;
      await store.liveMessages.show(changed.map((liveMessage) => toChange(deps, liveMessage)));
      if (changed.length < AT_ONCE || stopped) return;
    }
  }

  function showSeconds(liveMessage: PlacedLiveMessage & { language: Language }): () => void {
    const line = progress.open(liveMessage);
    const own = SHOWN_AFTER_MS.map((ms) =>
      setTimeout(() => line.show(() => describeRunning(deps, liveMessage, ms), { orNever: true }), ms),
    );
    for (const timer of own) timers.add(timer);
    return () => {
      for (const timer of own) {
        clearTimeout(timer);
        timers.delete(timer);
      }
    };
  }

  /** Its message was kept with its end; what ended otherwise is looked for at the next tick. */
  async function follow({ redemptionId }: Ended): Promise<void> {
    await core.redemptionEnded(redemptionId);
  }

  return {
    start: ticking.start,
    begin(liveMessage) {
      const endSeconds = showSeconds(liveMessage);
      void follow(liveMessage).then(endSeconds);
    },
    follow: (ended) => void follow(ended),
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await ticking.stop();
    },
  };
}

/** What is kept in the transaction of a redemption's end: the message that shows it. */
export function showAtEnd(
  deps: Pick<BotDeps, 'store'>,
  liveMessage: Omit<LiveMessage, 'redemptionId'>,
): InTransaction<Redemption> {
  return deps.store.inTransaction(({ id: redemptionId, state }: Redemption) => ({
    liveMessageChange: toChange(deps, { ...liveMessage, redemptionId, state, shown: 'pending' }),
  }));
}

function toChange(
  deps: Pick<BotDeps, 'store'>,
  liveMessage: LiveMessage & { state: string; shown: string },
): LiveMessageChange {
  const { redemptionId, chatId, messageId, telegramId, language, orderKey, state, shown } = liveMessage;
  const isDone = state !== 'in_doubt';
  const isSettled = shown === 'in_doubt';
  // `<order>:n`: of an order of several, whose message tells of it, but where a doubt was told by itself.
  const [order = '', n] = messageId === null ? (orderKey ?? '').split(':') : [];
  const of: RedemptionResult = { id: redemptionId, state, ...(n !== undefined && !isSettled && { order }) };
  const key = orderKey === null ? `live:${redemptionId}` : resultKey(orderKey);
  const rings = isSettled && !isMuted(deps, telegramId, 'doubtSettled');
  const place = messageId === null ? {} : { messageId, rings };
  const content = { view: REDEMPTION, of, telegramId, language: language as Language | null, ...place };
  const message = toOutgoingRow(isDone ? key : `${key}:${state}`, chatId, content);
  return { redemptionId, shown: state, done: isDone, message };
}

/** undefined where it does not run any more, or is no longer this person's to see. */
function describeRunning(
  { core, texts }: BotDeps,
  { redemptionId, telegramId, language }: LiveMessage & { language: Language },
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

/** `state`: as it was when this was to be told. `order`: of several codes, which it is of. */
interface RedemptionResult {
  id: number;
  state: string;
  order?: string;
}

export function createRedemptionView({
  core,
  texts,
  store,
}: Pick<BotDeps, 'core' | 'texts' | 'store'>): View {
  return ({ of, telegramId, language }) => {
    const { id, state, order } = of as RedemptionResult;
    const actor = core.members.findActor(telegramId);
    const view = actor && findReceiptView(core, actor, id);
    if (!view) return { html: texts.say(language, 'redeem-gone', { id: String(id) }) };
    const several = order === undefined ? undefined : store.orders.find(order);
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
