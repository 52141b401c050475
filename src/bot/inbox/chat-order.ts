// Per-chat ordering of updates: one line a chat, chats side by side; and those that wait a moment to be handled again.
import type { Update } from 'grammy/types';

/** An update on its way through the inbox. */
export interface Entry {
  update: Update;
  /** When it arrived; milliseconds. */
  receivedAt: number;
  /** How often it was under way when an earlier process ended without stopping. */
  attempts: number;
  /** How often this process put it back into its line. */
  tries: number;
}

/** One line a chat: who comes first is called at once, the others when it leaves. A chat that is stuck stops itself alone. */
export function createChatOrder(call: (entry: Entry) => void) {
  // Those behind the one that is called.
  const waiting = new Map<string, Entry[]>();
  let count = 0;
  return {
    join(entry: Entry): void {
      count += 1;
      const chat = chatOf(entry.update);
      const line = waiting.get(chat);
      if (line) return void line.push(entry);
      waiting.set(chat, []);
      call(entry);
    },
    leave({ update }: Entry): void {
      count -= 1;
      const chat = chatOf(update);
      const next = waiting.get(chat)?.shift();
      if (next) call(next);
      else waiting.delete(chat);
    },
    /** How many there are, those that are called included. */
    size: () => count,
    /** The ids of those of them that are called at once when they join. */
    findHeads: (arriving: readonly Update[]): number[] =>
      [...Map.groupBy(arriving, chatOf)].flatMap(([chat, [head]]) =>
        head && !waiting.has(chat) ? [head.update_id] : [],
      ),
    /** How many wait in this chat behind the one that is called. */
    countWaiting: (chat: string): number => waiting.get(chat)?.length ?? 0,
  };
}

/** Those that wait to be handled again: each stays at the head of its chat's line. */
export function createPauses(call: (entry: Entry) => void) {
  const timers = new Map<Entry, NodeJS.Timeout>();
  return {
    add(entry: Entry, ms: number): void {
      const again = () => {
        timers.delete(entry);
        call(entry);
      };
      timers.set(entry, setTimeout(again, ms));
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Whether Telegram waits for the answer, ten seconds long, before it takes somebody's money. */
export function isCheckout(update: Update): boolean {
  return update.pre_checkout_query !== undefined;
}

/** Chats side by side, each in order; what has no chat belongs to the person's private one. */
export function chatOf(update: Update): string {
  // It changes nothing, and does not wait for what the chat is doing.
  if (update.pre_checkout_query) return `checkout:${update.pre_checkout_query.id}`;
  const content = Object.values(update).find((value) => typeof value === 'object' && value !== null) as
    { chat?: { id: number }; message?: { chat?: { id: number } }; from?: { id: number } } | undefined;
  return String(content?.chat?.id ?? content?.message?.chat?.id ?? content?.from?.id ?? 'none');
}
