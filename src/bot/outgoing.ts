// Outgoing messages, sent by the chat queue: words as they are, or a view of something that is looked up when its turn
// has come.
import type { Api, InlineKeyboard } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';

import type { InTransaction } from '../core/index.ts';
import type { ActionRows, Confirmation, ConversationChange, OutgoingRow, Task } from '../store/bot-store.ts';
import type { Language } from './texts.ts';

/** Words in HTML, as a handler builds them. */
export interface Shown {
  html: string;
  keyboard?: InlineKeyboard | undefined;
}

/** Words in HTML. */
export interface Outgoing {
  html: string;
  keyboard?: InlineKeyboardMarkup | undefined;
  /** What matters of it, where Telegram refuses its form; without it the same words, plain. */
  plain?: string | undefined;
  /** Who has something else before their eyes than the message whose words it replaces gets it anew. */
  rings?: boolean;
  /** Where the message whose words it replaces is gone nothing is said. */
  isThereAlone?: boolean;
  /** Of a view, what comes after it. */
  rest?: Rest;
  /** Of a view that knows which message shows it. */
  standing?: Standing;
}

/**
 * `messageId`: the message to put it into, in place of a new one; `before`: the one that shows it until now. Told which
 * shows it from now on it says whether that is right: else that goes again.
 */
interface Standing {
  messageId: number | undefined;
  before: number | undefined;
  move(messageId: number): Promise<boolean>;
}

/** How something goes on, in the message that it was ordered in: nothing but show. */
export interface Progress extends Pick<Outgoing, 'html' | 'keyboard'> {
  /** It is looked up again once `waitsFor` is released, and after so long, where that is given, with this `of`. */
  goesOn: Required<Rest> & { lookMs?: number | undefined };
}

/**
 * Something that a module of the bot knows to show: the fact, never its words, since those may hold what must not be
 * kept.
 */
export interface ViewOrder {
  /** The name of the view, and what it shows; JSON. */
  view: string;
  of: unknown;
  telegramId: number;
  /** Of whoever ordered it; null: as they chose. */
  language: Language | null;
}

/**
 * The content of a message that waits. `messageId`: the message whose words it replaces; `topic`: of a forum, where it
 * is said in one.
 */
export type OutboxContent = (Outgoing | ViewOrder) & {
  messageId?: number | undefined;
  topic?: number | undefined;
  /** JSON, where some of it was said: what it was at first. */
  first?: string | undefined;
};

/** What is no words: files, an invoice. Sent again as a whole where it fails. */
export interface Sending {
  send(api: Api, chatId: number, signal: AbortSignal): Promise<void>;
  /** Sends the thing alone, without words and buttons beside it, where Telegram refuses it with them. */
  sendBare?(api: Api, chatId: number, signal: AbortSignal): Promise<void>;
  /** The message that is named as its place goes once Telegram took this. */
  isInstead?: boolean;
  /** What is said where Telegram refuses that, too. */
  otherwise: Outgoing;
}

/** What comes next of it, in its place in the queue; not before `waitsFor` is released, where it is given. */
export interface Rest extends Pick<ViewOrder, 'of'> {
  waitsFor?: string;
}

/** There is nothing to say yet. */
export interface NotYet {
  rest: Rest;
}

/** Asked when its turn has come, and again at every try. undefined: there is nothing to say any more. */
export type View = (
  order: Omit<ViewOrder, 'view' | 'language'> & { language: Language },
) => ViewAnswer | Promise<ViewAnswer>;

export type ViewAnswer = Outgoing | Progress | Sending | NotYet | undefined;

/** What one update says and changes, written in one transaction with its end. */
export interface Turn {
  /** Says something in a chat, when its turn there has come. */
  say(chatId: number, content: Outgoing & Pick<OutboxContent, 'messageId' | 'topic'>): void;
  /** The same of what is looked up then: files, an invoice, what holds a secret. It is owed, whoever cannot be told now. */
  show(chatId: number, order: ViewOrder & Pick<OutboxContent, 'messageId' | 'topic'>): void;
  /** Messages that have keys of their own. */
  add(...rows: readonly OutgoingRow[]): void;
  /** What a button orders or answers; `madeOf`: the messages that a question was made of. */
  offers(confirmation: Confirmation, madeOf: string | null): void;
  /** A question is answered: none of its buttons answers it again. */
  uses(confirmationId: string): void;
  /** Where the person stands in a conversation then; undefined where they stand as before. */
  changes(find: () => ConversationChange | undefined): void;
  /** The update is not over before this is. Never rejects. */
  follow(work: Promise<void>): void;
  /** What was nothing but show did not get through. */
  forgive(error: unknown): void;
  /** For an act of the core: it, what its answer leads to, and all that was said before are one transaction with the end. */
  ends<A>(rows?: (answer: A) => ActionRows): InTransaction<A>;
  /** The same for an act that is nothing but its rows. Rejects with ConfirmationUsed. */
  write(rows: ActionRows): Promise<void>;
}

/** The queue of what is said in a chat: those of what waits for something begin so (store/bot-store.ts). */
export const nameChatQueue = (chatId: number): string => `chat:${chatId}`;

/** In which chat it is said. */
export const chatOfTask = ({ queue }: Pick<Task, 'queue'>): number => Number(queue.split(':')[1]);

/** A message of the outbox. The key makes it the same message when it is written again. */
export function toOutgoingRow(key: string, chatId: number, content: OutboxContent): OutgoingRow {
  return { key, chatId, content: JSON.stringify(content) };
}

export function toOutgoing(html: string, keyboard?: InlineKeyboard): Outgoing {
  return { html, ...(keyboard && { keyboard: { inline_keyboard: keyboard.inline_keyboard } }) };
}

/** The words of a message without its markup. */
export function toPlain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
