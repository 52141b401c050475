// Chats that Telegram has closed for a while (429): whoever speaks there all the same is not heard for longer.
import type { Life } from './time.ts';

export interface ClosedChats {
  /** A call that this process makes now; told what it is answered where that is a 429. */
  ask(life: Life, method: string, body: Buffer): (answer: string) => void;
  /** What was said in closed chats since this was last asked. */
  takeEarly(): string[];
}

/** What Telegram counts: answers to taps and chat actions are free. */
const COUNTED = /^(send(?!ChatAction)|edit|copy|forward)/;
/** Of JSON, or of the form in which a file is sent. */
const CHAT_ID = /"chat_id"(?::"?|\r\n\r\n)(-?\d+)/;
/** What was on its way when the chat was closed. */
const ON_ITS_WAY_MS = 1_000;
/** Whole seconds are named. */
const ROUNDED_MS = 1_000;

/** Of one chat: what an unanswered call is repeated by is one of them. */
const REMEMBERED = 8;
/** Bytes of it: a file is told from others by what stands before it. */
const COMPARED = 2_000;

interface Chat {
  from: number;
  until: number;
  /** What was asked last, the newest at the end. */
  asked: string[];
}

/** Each process knows of those alone that it was told of. `now`: what Telegram counts by. */
export function createClosedChats(now: () => number): ClosedChats {
  const known = new WeakMap<Life, Map<number, Chat>>();
  const early: string[] = [];
  return {
    ask(life, method, body) {
      const chatId = Number(CHAT_ID.exec(body.toString('latin1'))?.[1]);
      if (!COUNTED.test(method) || !Number.isSafeInteger(chatId)) return () => undefined;
      const chats = known.get(life) ?? new Map<number, Chat>();
      known.set(life, chats);
      const chat = chats.get(chatId) ?? { from: 0, until: 0, asked: [] };
      chats.set(chatId, chat);
      const { from, until, asked } = chat;
      const call = `${method} ${body.toString('latin1').slice(0, COMPARED)}`;
      // What was begun before the chat was closed, and not answered, is repeated by what knows of no chats.
      const isRepeated = asked.includes(call);
      if (!isRepeated && now() > from + ON_ITS_WAY_MS && now() < until - ROUNDED_MS)
        early.push(`${method} to ${chatId}, ${until - now()} ms before Telegram opens the chat`);
      asked.push(call);
      asked.splice(0, asked.length - REMEMBERED);
      return (answer) => {
        const { parameters } = JSON.parse(answer) as { parameters?: { retry_after?: number } };
        Object.assign(chat, { from: now(), until: now() + (parameters?.retry_after ?? 0) * 1_000 });
      };
    },
    takeEarly: () => early.splice(0),
  };
}
