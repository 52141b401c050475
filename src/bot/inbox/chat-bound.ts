// Bound of what waits in one chat. What comes beyond it is not kept and the chat is told so, once until half of it has room again; what
// may hold money or somebody's decision (payments, checkouts, taps) is always kept.
import type { Update } from 'grammy/types';

import type { BotDeps } from '../context.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toLanguage } from '../texts.ts';
import { chatOf } from './chat-order.ts';
import { toOutgoingRow } from '../outgoing.ts';
import { findLanguageOf } from '../actor.ts';

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
export function wordChatFull(
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
