// Telegram's flood limits: per chat, shared by sends and edits, and in all. What is behind them is closed; the figures
// are the FAQ's ("more than one message per second", "20 messages per minute" in a group, "30 messages per second");
// edits share the limit of a chat with messages, about 20 a minute by the maintainer's words, which do not say of which
// chats (tdlib/td#2592, #3034).
import { MINUTE_MS } from '../../src/clock.ts';
import type { Params } from './params.ts';
import { ApiRefusal } from './types.ts';

/** Thresholds above which Telegram answers 429. */
export interface FloodLimits {
  /** Messages sent and edited in any second, over all chats. */
  perSecond: number;
  /** Messages sent and edited in any minute in one group, together. */
  perGroupMinute: number;
  /** The same in a private chat. */
  perPrivateMinute: number;
  /** How many of these may come at once; from then on one a second is the pace. */
  chatBurst: number;
  /** For how many seconds a chat is closed: the first time, the second, and so on; the last holds from then on. */
  penaltySeconds: readonly number[];
}

/** As the FAQ says. */
export const FAQ_LIMITS: FloodLimits = {
  perSecond: 30,
  perGroupMinute: 20,
  perPrivateMinute: Infinity,
  chatBurst: 10,
  // People report 30 to 245 s.
  penaltySeconds: [30, 60, 120, 245],
};

/** Twenty a minute everywhere: who is heard by these is heard by Telegram. */
export const STRICT_LIMITS: FloodLimits = { ...FAQ_LIMITS, perPrivateMinute: 20 };

/** What counts; answers to queries and chat actions are free (tdlib/telegram-bot-api#648). */
const COUNTED = /^(send(?!chataction)|editmessage|copymessage|forwardmessage)/i;
/** Who keeps to the limits for as long is a first offender again. */
const FORGIVEN_AFTER_MS = 600_000;

/** How one chat stands; times by the flood clock. */
interface ChatCount {
  /** Of the last minute, oldest first. */
  sent: number[];
  burstLeft: number;
  filledAt: number;
  closedUntil: number;
  penalties: number;
}

/**
 * Counts calls against the limits. Throws the 429 that Telegram would answer; a chat that is closed refuses everything.
 */
export function createFlood(
  limits: FloodLimits,
  elapsed: () => number,
): (method: string, params: Params) => void {
  const sentInAll: number[] = [];
  const chats = new Map<string, ChatCount>();

  return (method, params) => {
    if (!COUNTED.test(method)) return;
    const now = elapsed();
    const chat = params.text('chat_id');
    if (chat !== undefined) countInChat(limits, chats, chat, now);
    dropBefore(sentInAll, now - 1000);
    if (sentInAll.length >= limits.perSecond) throw tooMany(1);
    sentInAll.push(now);
  };
}

function countInChat(limits: FloodLimits, chats: Map<string, ChatCount>, chat: string, now: number): void {
  const count = chats.get(chat) ?? {
    sent: [],
    burstLeft: limits.chatBurst,
    filledAt: now,
    closedUntil: -Infinity,
    penalties: 0,
  };
  chats.set(chat, count);
  if (now < count.closedUntil) throw tooMany(Math.ceil((count.closedUntil - now) / 1000));
  if (now - count.closedUntil > FORGIVEN_AFTER_MS) count.penalties = 0;
  dropBefore(count.sent, now - MINUTE_MS);
  const perMinute = Number(chat) < 0 ? limits.perGroupMinute : limits.perPrivateMinute;
  count.burstLeft = Math.min(limits.chatBurst, count.burstLeft + (now - count.filledAt) / 1000);
  count.filledAt = now;
  if (count.sent.length >= perMinute || count.burstLeft < 1) close(limits, count, now);
  count.sent.push(now);
  count.burstLeft -= 1;
}

/** Who waits the penalty out begins anew. */
function close(limits: FloodLimits, count: ChatCount, now: number): never {
  const { penaltySeconds } = limits;
  const seconds = penaltySeconds[Math.min(count.penalties, penaltySeconds.length - 1)] ?? 1;
  count.penalties += 1;
  count.closedUntil = now + seconds * 1000;
  count.sent = [];
  count.burstLeft = limits.chatBurst;
  throw tooMany(seconds);
}

function dropBefore(times: number[], before: number): void {
  while (times[0] !== undefined && times[0] <= before) times.shift();
}

/** 429 as Telegram words it. */
export function tooMany(seconds: number): ApiRefusal {
  return new ApiRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}
