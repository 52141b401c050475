// The newest message of each chat, as this process has heard of it: whoever looks at a chat sees that one, and an edit
// further up rings no bell.
export interface Newest {
  /** A message that came, or that Telegram answered to have sent; whatever else is answered is none. */
  note(message: unknown): void;
  /** False, too, where nothing of the chat was heard since the start. */
  is(chatId: number, messageId: number): boolean;
}

interface Heard {
  message_id?: number;
  chat?: { id: number };
}

const CLEARED_FROM = 10_000;

export function createNewest(): Newest {
  const newest = new Map<number, number>();
  return {
    note(message) {
      if (typeof message !== 'object' || message === null) return;
      const { chat, message_id: id } = message as Heard;
      if (chat === undefined || id === undefined) return;
      const known = newest.get(chat.id) ?? 0;
      if (newest.size >= CLEARED_FROM && known === 0) newest.clear();
      newest.set(chat.id, Math.max(known, id));
    },
    is: (chatId, messageId) => newest.get(chatId) === messageId,
  };
}
