// Bringing one state of a redemption to its message: an edit where the message stands, a new one where it is gone. What
// Telegram has taken is written down after it, so every end is told at least once.
import { GrammyError, type Api, type InlineKeyboard } from 'grammy';

import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { Watch } from '../keeping.ts';
import { fit, HTML, isRefusal } from '../replies.ts';
import type { Language } from '../texts.ts';

/** How one watch stands in this process. */
export interface Lane {
  busy: boolean;
  failures: number;
  /** The message is gone: what comes next is a new one. */
  lost: boolean;
  /** The text that Telegram took last. */
  shown: string;
  /** When, in elapsed time. */
  shownAt: number;
  language: Language | undefined;
}

/** What a message should say now. */
export interface Step {
  watch: Watch;
  lane: Lane;
  /** `pending` passes the seconds, `gone` is no longer this person's to see; only these two and `in_doubt` are no end. */
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed' | 'gone';
  html: string;
  keyboard?: InlineKeyboard;
}

interface Delivery extends Pick<BotDeps, 'keeping' | 'log'> {
  api: Api;
  signal: AbortSignal;
}

const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const MESSAGE_GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/;
/** Nobody is there to be told; the receipt stays where /receipt finds it. */
const PERSON_GONE = /chat not found|blocked|deactivated|can't initiate|kicked/;

/** Rejects where it should be tried again. */
export async function deliver(delivery: Delivery, step: Step): Promise<void> {
  const { watch, state } = step;
  const { keeping, log } = delivery;
  try {
    await bring(delivery, step);
  } catch (error) {
    if (state === 'pending' && isRefusal(error, MESSAGE_GONE)) {
      step.lane.lost = true;
      return;
    }
    if (!isRefusal(error, PERSON_GONE)) throw error;
    if (state !== 'pending')
      log.warn(
        { redemptionId: watch.redemptionId, error: describeError(error) },
        'nobody is there to be told',
      );
  }
  if (state === 'pending') return;
  await keeping.watches.show(watch.redemptionId, state, state !== 'in_doubt');
}

/** How long a chat is left alone after a failure. */
export function pauseAfter(error: unknown, failures: number): number {
  const asked = error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0;
  return Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
}

async function bring(delivery: Delivery, step: Step): Promise<void> {
  const { watch, lane, state, html, keyboard } = step;
  if (!lane.lost) {
    try {
      return await edit(delivery, watch, html, keyboard);
    } catch (error) {
      if (state === 'pending' || !isRefusal(error, MESSAGE_GONE)) throw error;
    }
  }
  await send(delivery, step);
}

async function send({ api, signal }: Delivery, { watch, html, keyboard }: Step): Promise<void> {
  const options = { ...HTML, ...(keyboard && { reply_markup: keyboard }) };
  await api.sendMessage(watch.chatId, fit(html), options, signal as never);
}

async function edit(
  { api, signal }: Delivery,
  { chatId, messageId }: Watch,
  html: string,
  keyboard?: InlineKeyboard,
): Promise<void> {
  const options = { ...HTML, ...(keyboard && { reply_markup: keyboard }) };
  try {
    await api.editMessageText(chatId, messageId, fit(html), options, signal as never);
  } catch (error) {
    if (!isRefusal(error, /message is not modified/)) throw error;
  }
}
