// Rate limits. Of one chat, messages and edits together: one a second in a private chat, 20 a minute in a group, short
// bursts; after a 429 a chat is told half as much, and more again by and by; room is left for answers. Of all chats
// together: Telegram allows about 30 messages a second, and who has just asked goes first.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transformer } from 'grammy';

import { type Clock, MINUTE_MS, runTime } from '../../clock.ts';

/** `answer`: somebody waits for it. `notice`: nobody asked for it. `progress`: how something goes on, dropped first. */
type Urgency = 'answer' | 'notice' | 'progress';

export interface ChatRateLimit {
  allows(chatId: number, urgency: Urgency): boolean;
  /** In how many ms it may allow it; 0: it does. */
  waitMs(chatId: number, urgency: Urgency): number;
  /** Takes the place of one edit that shows progress; false where there is none. */
  takeProgress(chatId: number): boolean;
  /** Counts what leaves through the API, and hears when Telegram closes a chat. */
  transformer: Transformer;
}

const A_MINUTE = { private: 60, group: 19 };
/** Of what the chat may be told in a minute. */
const SHARE: Record<Urgency, number> = { answer: 1, notice: 0.9, progress: 0.6 };
/** Never less than this share of what the FAQ allows. */
const LEAST_SHARE = 1 / 4;
/** Who was refused nothing for so long may say twice as much. */
const FORGIVEN_AFTER_MS = 10 * MINUTE_MS;
const BURST = 9;
/** Of these, so many are left for what is more urgent. */
const BURST_LEFT: Record<Urgency, number> = { answer: 1, notice: 3, progress: 5 };
const PROGRESS_A_MINUTE = 6;
/** Answers to queries and chat actions are free. */
const COUNTED = /^(send(?!ChatAction)|edit|copy|forward)/;
const PRUNED_FROM = 1_000;

interface Count {
  /** Of the last minute, oldest first. */
  times: number[];
  progress: number[];
  tokens: number;
  filledAt: number;
  closedUntil: number;
  /** How many a minute Telegram takes, as far as it is known; less than `full` since it refused some. */
  limit: number;
  full: number;
  learnedAt: number;
}

/** `clock`: what Telegram counts by. */
export function createChatRateLimit(clock: Pick<Clock, 'elapsed'>): ChatRateLimit {
  const chats = new Map<number, Count>();

  function refill(chatId: number): Count {
    const now = clock.elapsed();
    const count = chats.get(chatId) ?? beginCount(chatId, now);
    if (count.limit < count.full && now - count.learnedAt > FORGIVEN_AFTER_MS)
      Object.assign(count, { limit: Math.min(count.full, count.limit * 2), learnedAt: now });
    dropBefore(count.times, now - MINUTE_MS);
    dropBefore(count.progress, now - MINUTE_MS);
    count.tokens = Math.min(BURST, count.tokens + (now - count.filledAt) / 1000);
    count.filledAt = now;
    return count;
  }

  function note(chatId: number): void {
    const count = refill(chatId);
    count.times.push(clock.elapsed());
    count.tokens -= 1;
    if (chats.size > PRUNED_FROM && !chats.has(chatId)) prune();
    chats.set(chatId, count);
  }

  function prune(): void {
    for (const [chatId] of chats) {
      const { times, closedUntil, limit, full } = refill(chatId);
      if (times.length === 0 && closedUntil < clock.elapsed() && limit === full) chats.delete(chatId);
    }
  }

  function waitMs(chatId: number, urgency: Urgency): number {
    if (!chats.has(chatId)) return 0;
    const { times, tokens, closedUntil, limit } = refill(chatId);
    const now = clock.elapsed();
    // The message that has to be a minute old, so that there is room for one.
    const full = times.at(-Math.floor(limit * SHARE[urgency])) ?? -Infinity;
    return Math.max(0, closedUntil - now, full + MINUTE_MS - now, (BURST_LEFT[urgency] - tokens) * 1000);
  }

  const allows = (chatId: number, urgency: Urgency) => waitMs(chatId, urgency) === 0;

  return {
    allows,
    waitMs,
    takeProgress(chatId) {
      if (!allows(chatId, 'progress')) return false;
      const count = refill(chatId);
      if (count.progress.length >= PROGRESS_A_MINUTE) return false;
      count.progress.push(clock.elapsed());
      chats.set(chatId, count);
      return true;
    },
    transformer: async (call, method, payload, signal) => {
      const chatId = 'chat_id' in payload && COUNTED.test(method) ? Number(payload.chat_id) : NaN;
      if (Number.isSafeInteger(chatId)) note(chatId);
      const answer = await call(method, payload, signal);
      if (!answer.ok && answer.error_code === 429 && Number.isSafeInteger(chatId)) {
        const count = refill(chatId);
        if (clock.elapsed() >= count.closedUntil) learn(count, clock.elapsed());
        count.closedUntil = clock.elapsed() + (answer.parameters?.retry_after ?? 1) * 1000;
        chats.set(chatId, count);
      }
      return answer;
    },
  };
}

function beginCount(chatId: number, now: number): Count {
  // Telegram's own numbering: chats of several have ids below zero.
  const full = chatId < 0 ? A_MINUTE.group : A_MINUTE.private;
  const limits = { limit: full, full, learnedAt: -Infinity };
  return { times: [], progress: [], tokens: BURST, filledAt: now, closedUntil: -Infinity, ...limits };
}

/** Half as much, and less than was just too much. */
function learn(count: Count, now: number): void {
  const { limit, full, times } = count;
  const taken = times.length - 1;
  count.limit = Math.max(full * LEAST_SHARE, Math.min(limit / 2, taken - 1));
  count.learnedAt = now;
}

function dropBefore(times: number[], before: number): void {
  while (times[0] !== undefined && times[0] <= before) times.shift();
}

/**
 * Resolves when the next message may leave. Of those who have just asked the newest and the oldest are let go by turns:
 * a crowd that asks in one moment is four seconds of messages too, and whoever asks after it does not wait for all of
 * it. The others go in the order of asking. What is said in one chat is not asked for side by side, so that its order
 * holds.
 */
export type OverallRateLimit = (signal: AbortSignal) => Promise<void>;

/** What may go at once after a quiet moment. */
const ALL_BURST = 5;
/** After so many in a row that have just asked, one of the others: nobody waits for ever. */
const IN_A_ROW = 4;
/** Whoever waits for longer than this waits for something else than the bot. */
const JUST_MS = 1_000;

const asked = new AsyncLocalStorage<number | undefined>();

/** Runs the work of somebody's question: what is said in it soon is said before what was not just asked. */
export function runAsked<T>(work: () => T): T {
  return asked.run(runTime(), work);
}

/** Runs work that nobody's question is answered by, whoever caused it to run now. */
export function runUnasked<T>(work: () => T): T {
  return asked.run(undefined, work);
}

function isJustAsked(): boolean {
  const since = asked.getStore();
  return since !== undefined && runTime() - since < JUST_MS;
}

/** `clock`: what Telegram counts by. */
export function createOverallRateLimit(perSecond: number, clock: Pick<Clock, 'elapsed'>): OverallRateLimit {
  const [hasty, others]: [(() => void)[], (() => void)[]] = [[], []];
  let tokens = ALL_BURST;
  let filledAt = clock.elapsed();
  let inARow = 0;
  let timer: NodeJS.Timeout | undefined;

  function takeNext(): (() => void) | undefined {
    const isOthersTurn = others.length > 0 && (hasty.length === 0 || inARow >= IN_A_ROW);
    inARow = isOthersTurn ? 0 : inARow + 1;
    if (isOthersTurn) return others.shift();
    return inARow % 2 === 1 ? hasty.pop() : hasty.shift();
  }

  function letGo(): void {
    const now = clock.elapsed();
    tokens = Math.min(ALL_BURST, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    for (; tokens >= 1 && hasty.length + others.length > 0; tokens -= 1) takeNext()?.();
    if (hasty.length + others.length === 0 || timer) return;
    const again = () => {
      timer = undefined;
      letGo();
    };
    timer = setTimeout(again, Math.ceil(((1 - tokens) / perSecond) * 1000));
  }

  return (signal) =>
    new Promise((resolve) => {
      const line = isJustAsked() ? hasty : others;
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      // Whoever is given up does not wait, and takes nobody's turn.
      const leave = () => {
        const at = line.indexOf(go);
        if (at >= 0) line.splice(at, 1);
        go();
      };
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', leave);
      line.push(go);
      letGo();
    });
}
