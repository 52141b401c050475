// Per-chat ordering of updates: one line a chat, chats side by side; and the bound of what waits in one chat. What comes
// beyond it is not kept and the chat is told so, once until half of it has room again; what may hold money or
// somebody's decision (payments, checkouts, taps) is always kept.
import type { Update } from 'grammy/types';

import type { OutgoingRow } from '../../store/bot-store.ts';
import { findLanguageOf } from '../actor.ts';
import type { BotDeps } from '../context.ts';
import { toOutgoingRow } from '../outgoing.ts';
import { toLanguage } from '../texts.ts';

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

/**
 * One line a chat: who comes first is called at once, the others when it leaves. A chat that is stuck stops itself
 * alone.
 */
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

/** So many updates of one chat wait, at most. */
export const FULL_CHAT = 100;

export interface ChatBound {
  /** `taken`: to be kept; `refused`: the first that is not, of each chat that has to be told. */
  divide(updates: readonly Update[]): { taken: Update[]; refused: Update[] };
}

/** `countWaiting`: of a chat, by its key. */
export function createChatBound(countWaiting: (chat: string) => number): ChatBound {
  const told = new Set<string>();
  return {
    divide(updates) {
      for (const chat of told) if (countWaiting(chat) <= FULL_CHAT / 2) told.delete(chat);
      const arriving = new Map<string, number>();
      const [taken, refused]: [Update[], Update[]] = [[], []];
      for (const update of updates) {
        const chat = chatOf(update);
        const count = arriving.get(chat) ?? countWaiting(chat);
        if (count < FULL_CHAT || !isRefusable(update)) {
          arriving.set(chat, count + 1);
          taken.push(update);
        } else if (!told.has(chat)) {
          told.add(chat);
          refused.push(update);
        }
      }
      return { taken, refused };
    },
  };
}

function isRefusable({ message, edited_message: edited }: Update): boolean {
  if (message) return !message.successful_payment && !message.refunded_payment;
  return edited !== undefined;
}

/** What a chat is told of the first message that was not kept. */
export function renderChatFull(
  { texts, store }: Pick<BotDeps, 'texts' | 'store'>,
  { update_id: id, message, edited_message: edited }: Update,
): OutgoingRow[] {
  const { chat, from } = message ?? edited ?? {};
  if (!chat || !from) return [];
  const kept = store.preferences.find(from.id);
  const language = kept ? findLanguageOf({ store }, from.id) : toLanguage(from.language_code);
  const html = texts.say(language, 'chat-full', { most: String(FULL_CHAT) });
  return [toOutgoingRow(`chat-full:${id}`, chat.id, { html })];
}
