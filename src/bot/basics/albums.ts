// Albums arrive as a message for each picture, and at most one of them has words: the others are no questions of their
// own.
import type { BotContext } from '../context.ts';

export interface Albums {
  /** Looks at every message, before anything answers it. */
  note(ctx: BotContext): void;
  /** Whether this message is a wordless piece of an album of which another one was looked at before. */
  isLater(ctx: BotContext): boolean;
}

/** Of so many chats the newest album is known. Whoever is forgotten is answered once more. */
const MOST_CHATS = 1_000;

export function createAlbums(): Albums {
  /** By chat: the newest album, and the piece of it that came first. */
  const newest = new Map<number, { album: string; first: number }>();
  return {
    note({ message, chat }) {
      const album = message?.media_group_id;
      if (album === undefined || !chat || newest.get(chat.id)?.album === album) return;
      if (newest.size >= MOST_CHATS) newest.clear();
      newest.set(chat.id, { album, first: message?.message_id ?? 0 });
    },
    isLater({ message, chat }) {
      if (message?.media_group_id === undefined || message.caption !== undefined || !chat) return false;
      const known = newest.get(chat.id);
      return known?.album === message.media_group_id && known.first !== message.message_id;
    },
  };
}
