// How much may be said in one chat: Telegram takes about 20 messages and edits a minute, together, and short bursts; who says
// more is not heard for minutes. Everything that leaves is counted here, whoever sends it, and room is left for answers.
import type { Transformer } from 'grammy';

import type { Clock } from '../../clock.ts';

/** `answer`: somebody waits for it. `lane`: what is said in its turn. `progress`: how something goes on, dropped first. */
export type Urgency = 'answer' | 'lane' | 'progress';

export interface Meter {
  allows(chatId: number, urgency: Urgency): boolean;
  /** Takes the place of one edit that shows progress; false where there is none. */
  takeProgress(chatId: number): boolean;
  /** Counts what leaves through the API, and hears when Telegram closes a chat. */
  transformer: Transformer;
}

const MINUTE_MS = 60_000;
const A_MINUTE: Record<Urgency, number> = { answer: 19, lane: 17, progress: 11 };
const BURST = 9;
/** Of these, so many are left for what is more urgent. */
const BURST_LEFT: Record<Urgency, number> = { answer: 1, lane: 2, progress: 5 };
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
}

/** `clock`: what Telegram counts by. */
export function createMeter(clock: Pick<Clock, 'elapsed'>): Meter {
  const chats = new Map<number, Count>();

  function look(chatId: number): Count {
    const now = clock.elapsed();
    const count = chats.get(chatId) ?? {
      times: [],
      progress: [],
      tokens: BURST,
      filledAt: now,
      closedUntil: -Infinity,
    };
    forget(count.times, now - MINUTE_MS);
    forget(count.progress, now - MINUTE_MS);
    count.tokens = Math.min(BURST, count.tokens + (now - count.filledAt) / 1000);
    count.filledAt = now;
    return count;
  }

  function note(chatId: number): void {
    const count = look(chatId);
    count.times.push(clock.elapsed());
    count.tokens -= 1;
    if (chats.size > PRUNED_FROM && !chats.has(chatId)) prune();
    chats.set(chatId, count);
  }

  function prune(): void {
    for (const [chatId] of chats) {
      const { times, closedUntil } = look(chatId);
      if (times.length === 0 && closedUntil < clock.elapsed()) chats.delete(chatId);
    }
  }

  function allows(chatId: number, urgency: Urgency): boolean {
    if (!chats.has(chatId)) return true;
    const { times, tokens, closedUntil } = look(chatId);
    if (clock.elapsed() < closedUntil) return false;
    return times.length < A_MINUTE[urgency] && tokens >= BURST_LEFT[urgency];
  }

  return {
    allows,
    takeProgress(chatId) {
      if (!allows(chatId, 'progress')) return false;
      const count = look(chatId);
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
        const count = look(chatId);
        count.closedUntil = clock.elapsed() + (answer.parameters?.retry_after ?? 1) * 1000;
        chats.set(chatId, count);
      }
      return answer;
    },
  };
}

function forget(times: number[], before: number): void {
  while (times[0] !== undefined && times[0] <= before) times.shift();
}
