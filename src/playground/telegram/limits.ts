// What goes wrong on the way: Telegram's flood limits, and faults that a test or a person orders.
import { ApiRefusal } from './types.ts';
import type { Params } from './params.ts';

/** Thresholds above which Telegram answers 429. */
export interface FloodLimits {
  /** Messages sent and edited in any second, over all chats. */
  perSecond: number;
  /** Edits of one message that may come at once, before one a second is the pace. */
  editBurst: number;
  /** Seconds to wait after too many edits; real ones grow to minutes. */
  editPenaltySeconds: number;
}

/** Counts calls against the limits. Throws the 429 that Telegram would answer. */
export function createFlood(
  limits: FloodLimits,
  elapsed: () => number,
): (method: string, params: Params) => void {
  const sent: number[] = [];
  const edits = new Map<string, { tokens: number; at: number; closedUntil: number }>();

  function countSend(now: number): void {
    while (sent[0] !== undefined && sent[0] <= now - 1000) sent.shift();
    if (sent.length >= limits.perSecond) throw tooMany(1);
    sent.push(now);
  }

  function countEdit(now: number, key: string): void {
    const bucket = edits.get(key) ?? { tokens: limits.editBurst, at: now, closedUntil: 0 };
    edits.set(key, bucket);
    if (now < bucket.closedUntil) throw tooMany(Math.ceil((bucket.closedUntil - now) / 1000));
    bucket.tokens = Math.min(limits.editBurst, bucket.tokens + (now - bucket.at) / 1000);
    bucket.at = now;
    if (bucket.tokens < 1) {
      bucket.closedUntil = now + limits.editPenaltySeconds * 1000;
      throw tooMany(limits.editPenaltySeconds);
    }
    bucket.tokens -= 1;
  }

  return (method, params) => {
    const now = elapsed();
    if (/^editMessage/.test(method)) countEdit(now, `${params.text('chat_id')} ${params.text('message_id')}`);
    if (/^(send(?!ChatAction)|editMessage)/.test(method)) countSend(now);
  };
}

/** What the next call meets. `after`: the call is carried out and only its answer is lost. */
export type Fault =
  | { kind: 'flood'; retryAfter: number }
  | { kind: 'error'; code: number; description?: string }
  | { kind: 'hang'; after?: boolean }
  | { kind: 'cut'; after?: boolean };

export interface Faults {
  /** The next `times` calls of the method (`*`: of any but getUpdates) meet this fault. */
  next(method: string, fault: Fault, times?: number): void;
  clear(): void;
}

/** Faults in the order in which they were ordered. */
export function createFaults(): Faults & { take(method: string): Fault | undefined } {
  let orders: { method: string; fault: Fault; left: number }[] = [];
  return {
    next: (method, fault, times = 1) => void orders.push({ method, fault, left: times }),
    clear: () => void (orders = []),
    take(method) {
      const order = orders.find(
        (one) => one.method === method || (one.method === '*' && method !== 'getUpdates'),
      );
      if (!order) return undefined;
      order.left -= 1;
      orders = orders.filter((one) => one.left > 0);
      return order.fault;
    },
  };
}

/** 429 as Telegram words it. */
export function tooMany(seconds: number): ApiRefusal {
  return new ApiRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}
