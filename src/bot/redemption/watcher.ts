// The messages that show how redemptions go on: the seconds while one runs, that it is held, its end. Rows say which message
// shows which redemption, so nothing is lost by a restart; a watch is over only after Telegram has taken the last text.
import type { Api } from 'grammy';

import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { Watch } from '../keeping.ts';
import { receiptKeyboard } from '../receipts/receipt-keyboard.ts';
import { findLanguageOf } from '../delivery/people.ts';
import { renderReceipt, renderRunning, type ReceiptPlace } from '../receipts/receipt-text.ts';
import { findReceiptView } from '../receipts/showing.ts';
import { deliver, pauseAfter, type Lane, type Step } from './bringing.ts';
import type { Language } from '../texts.ts';

export interface RedemptionWatcher extends BotBackground {
  /** Looks at once: a redemption has begun, for somebody who reads this language. */
  begin(redemptionId: number, language: Language): void;
}

const TICK_MS = 250;
/** Of one message, and of all messages of one chat. */
const BETWEEN_EDITS_MS = 1_000;
/** A tick: ends first, then seconds. With the tick this makes about 16 a second, 24 when many end at once. */
const EDITS_A_TICK = 4;
const ENDS_A_TICK = 6;
const WATCHES_AT_ONCE = 5_000;
const STOP_WITHIN_MS = 2_000;

const NEW_LANE: Lane = { busy: false, failures: 0, lost: false, shown: '', shownAt: 0, language: undefined };

export function createRedemptionWatcher(deps: BotDeps, api: Api): RedemptionWatcher {
  const stopping = new AbortController();
  const board = createBoard(deps, api, stopping.signal);
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    try {
      board.show();
    } catch (error) {
      deps.log.error({ error: describeError(error) }, 'watching redemptions failed, it is tried again');
    }
    schedule(TICK_MS);
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(tick, ms);
  }

  return {
    start: () => schedule(TICK_MS),
    begin(redemptionId, language) {
      board.laneOf(redemptionId).language = language;
      if (timer) schedule(0);
    },
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      // What waits for Telegram longer is told after the next start.
      const giveUp = setTimeout(() => stopping.abort(), STOP_WITHIN_MS);
      await Promise.allSettled(board.underWay);
      clearTimeout(giveUp);
      stopping.abort();
    },
  };
}

/** Every open watch, and what each message should say next. */
function createBoard(deps: BotDeps, api: Api, signal: AbortSignal) {
  const { keeping, clock, log } = deps;
  const lanes = new Map<number, Lane>();
  const chatFreeAt = new Map<number, number>();
  const underWay = new Set<Promise<void>>();

  function laneOf(redemptionId: number): Lane {
    const lane = lanes.get(redemptionId) ?? { ...NEW_LANE };
    lanes.set(redemptionId, lane);
    return lane;
  }

  function plan(): Step[] {
    const open = keeping.watches.listOpen(WATCHES_AT_ONCE);
    const ids = new Set(open.map((watch) => watch.redemptionId));
    for (const id of lanes.keys()) if (!ids.has(id)) lanes.delete(id);
    for (const [chat, at] of chatFreeAt) if (at <= clock.elapsed()) chatFreeAt.delete(chat);
    const steps = open.map((watch) => {
      const lane = laneOf(watch.redemptionId);
      return lane.busy || chatFreeAt.has(watch.chatId) ? undefined : describeStep(deps, watch, lane);
    });
    return choose(steps.filter((step) => step !== undefined));
  }

  async function carryOut(step: Step): Promise<void> {
    const { watch, lane } = step;
    lane.busy = true;
    chatFreeAt.set(watch.chatId, clock.elapsed() + BETWEEN_EDITS_MS);
    try {
      await deliver({ keeping, log, api, signal }, step);
      lane.shown = step.html;
      lane.shownAt = clock.elapsed();
      lane.failures = 0;
    } catch (error) {
      lane.failures += 1;
      chatFreeAt.set(watch.chatId, clock.elapsed() + pauseAfter(error, lane.failures));
      const fields = { redemptionId: watch.redemptionId, error: describeError(error) };
      if (!signal.aborted) log.warn(fields, 'a redemption could not be shown, it is tried again');
    } finally {
      lane.busy = false;
    }
  }

  return {
    laneOf,
    underWay,
    /** Begins to bring the next texts to their messages. */
    show() {
      for (const step of plan()) {
        const task: Promise<void> = carryOut(step).finally(() => underWay.delete(task));
        underWay.add(task);
      }
    },
  };
}

/** Ends and doubts before seconds, the seconds that stand longest first; one a chat. */
function choose(steps: readonly Step[]): Step[] {
  const chats = new Set<number>();
  const chosen: Step[] = [];
  const urgent = (step: Step) => step.state !== 'pending' || step.lane.shown === '';
  const passing = steps.filter((step) => !urgent(step)).sort((a, b) => a.lane.shownAt - b.lane.shownAt);
  for (const step of [...steps.filter(urgent), ...passing]) {
    if (chosen.length >= (urgent(step) ? ENDS_A_TICK : EDITS_A_TICK)) break;
    if (chats.has(step.watch.chatId)) continue;
    chats.add(step.watch.chatId);
    chosen.push(step);
  }
  return chosen;
}

/** What the message should say now; undefined when it says so already. */
function describeStep(deps: BotDeps, watch: Watch, lane: Lane): Step | undefined {
  const { core, texts, clock } = deps;
  const actor = core.members.findActor(watch.telegramId);
  const language = lane.language ?? findLanguageOf(deps, watch.telegramId);
  const view = actor && findReceiptView(core, actor, watch.redemptionId);
  if (!view) {
    const html = texts.say(language, 'redeem-gone', { id: String(watch.redemptionId) });
    return { watch, lane, state: 'gone', html };
  }
  const mayRedeem = grantOf(actor, 'redeem') !== 'no';
  const place: ReceiptPlace = { texts, language, group: undefined, mayRedeem };
  const { state, createdAt } = view.redemption;
  if (state === 'pending') {
    const seconds = Math.max(0, Math.floor((clock.now() - createdAt) / 1000));
    const html = renderRunning(view, place, seconds);
    return lane.lost || lane.shown === html ? undefined : { watch, lane, state, html };
  }
  if (state === 'in_doubt' && watch.shown === 'in_doubt') return undefined;
  const html = renderReceipt(view, place);
  return { watch, lane, state, html, keyboard: receiptKeyboard(view, place) };
}
