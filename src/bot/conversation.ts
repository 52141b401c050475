// What a conversation is, and what it asks and hears by (prompts/prompts.ts).
import type { Message } from 'grammy/types';

import type { BotContext, BotConversation, InnerContext } from './context.ts';

/** What Telegram paints a button in: red what cannot be taken back, green what is wanted. */
export type ButtonStyle = 'danger' | 'success';

/** A conversation. It collects input only: no spending, no storing but idempotent staging. */
export interface ConversationEntry {
  name: string;
  /** Hears files; where it does not, they are answered as if there were no conversation. */
  takesFiles?: boolean;
  /** Any words are an answer, such as those of a button: a name, a reason. */
  takesWords?: boolean;
  /** Goes on where a command is answered beside it. */
  outlivesCommands?: boolean;
  run(prompts: Prompts, ctx: InnerContext, given: never, conversation: BotConversation): Promise<void>;
}

/** A button of a question. */
export interface Choice {
  label: string;
  value: string;
  style?: ButtonStyle;
}

/** What a person answered: a button of this very question, or a message. */
export type Answer = { kind: 'choice'; value: string } | { kind: 'message'; message: Message };

/** A failure of the core, as the key of a sentence. */
export interface Failed {
  failed: string;
}

export interface Prompts {
  /** Says something; the id of the message, undefined where Telegram refused it. */
  reply(html: string, choices?: readonly (readonly Choice[])[]): Promise<number | undefined>;
  /** Changes a message said before. */
  change(messageId: number, html: string, choices?: readonly (readonly Choice[])[]): Promise<void>;
  /**
   * Waits for the next message or tap that is meant for this conversation; the tap is answered. After many answers the
   * conversation is left with a sentence, and this never resolves.
   */
  hear(): Promise<Answer>;
  /** Ends the conversation; the message heard last is answered as if there had been none. Never resolves. */
  leave(): Promise<never>;
  /**
   * Reaches the core with the outer context; runs at least once, so it must be idempotent. Plain data comes back. Where
   * the core fails that is said, the conversation is over, and this never resolves.
   */
  core<T>(work: (ctx: BotContext) => T | Promise<T>): Promise<T>;
  /** The same, but a failure comes back unsaid. */
  tryCore<T>(work: (ctx: BotContext) => T | Promise<T>): Promise<T | Failed>;
}
