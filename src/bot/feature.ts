// A feature of the bot as tables: its commands, its buttons, what it asks, what it does with plain messages, its
// views. router.ts finds in them what an update is for, and looks up who may.
import type { InlineKeyboard } from 'grammy';

import type { TaskHandler } from '../core/index.ts';
import type { Allowed } from './actor.ts';
import type { BotContext } from './context.ts';
import type { Confirmation } from '../store/bot-store.ts';
import type { View } from './outgoing.ts';
import type { Variables } from './texts.ts';

/** A command; `command-<name>` in the locales describes it (underscores as hyphens). */
export interface Command {
  needs: Allowed;
  /** Who has it in the menu and in /help, where those are others than may use it. */
  menu?: Allowed | 'nobody';
  /** Answers in groups, too. */
  inGroups?: boolean;
  /** `/receipt_15` is `/receipt 15`, and answers in groups. */
  isNumbered?: boolean;
  /** `text`: what stands behind it. */
  run(ctx: BotContext, text: string): unknown;
}

/** A button, by what its callback data begins with. */
export interface Button {
  needs: Allowed;
  /** What pressing it does, by what stands behind its name; undefined where no button of ours has that. */
  read(behind: string | undefined): ((ctx: BotContext) => unknown) | undefined;
}

const NOT_OURS = Symbol('no button of ours has this');

/** Reads one part of callback data; parts stand behind colons. undefined: it is not there. */
type Part<T> = (part: string | undefined) => T | typeof NOT_OURS;

/**
 * `run` gets what `parts` read. The last part takes all that is left; a tap that `run` does not answer is answered when it
 * has spoken, or is over.
 */
export function button<const A extends readonly unknown[]>(
  needs: Allowed,
  parts: { readonly [K in keyof A]: Part<A[K]> },
  run: (ctx: BotContext, ...args: A) => unknown,
): Button {
  return {
    needs,
    read(behind) {
      const given = behind?.split(':') ?? [];
      if (given.length > parts.length && parts.length > 0)
        given.splice(parts.length - 1, given.length, given.slice(parts.length - 1).join(':'));
      if (given.length > parts.length) return undefined;
      const args = parts.map((part, at) => part(given[at]));
      return args.includes(NOT_OURS) ? undefined : (ctx) => run(ctx, ...(args as unknown as A));
    },
  };
}

/** The last button of a confirmation: behind its name stand the confirmation's id, and which of its buttons it is. */
export const confirmed = (needs: Allowed, run: (ctx: BotContext) => unknown): Button => ({
  needs,
  read: () => run,
});

/** A whole number of at most so many digits. */
export const wholeNumber =
  (digits = 15): Part<number> =>
  (part = '') =>
    /^\d+$/.test(part) && part.length <= digits ? Number(part) : NOT_OURS;

/** The same of seven digits, or less than nothing. */
export const signed: Part<number> = (part = '') => (/^-?\d{1,7}$/.test(part) ? Number(part) : NOT_OURS);

/** Letters, digits, `_` and `-`: an opaque id, a choice. */
export const word: Part<string> = (part = '') => (/^[\w-]{1,40}$/.test(part) ? part : NOT_OURS);

/** What `read` makes of what stands there, undefined for none of ours. */
export const checked =
  <T>(read: (part: string) => T | undefined): Part<T> =>
  (part = '') =>
    read(part) ?? NOT_OURS;

/** Whatever stands there. */
export const anything: Part<string> = (part) => part ?? NOT_OURS;

export const among =
  <const T extends string>(...known: readonly T[]): Part<T> =>
  (part) =>
    known.find((each) => each === part) ?? NOT_OURS;

/** undefined where it is not there. */
export const perhaps =
  <T>(read: Part<T>): Part<T | undefined> =>
  (part) =>
    part === undefined ? undefined : read(part);

/** What the next message may answer. */
export interface Question {
  needs: Allowed;
  /** Any words are an answer, such as those of a button: a name, a reason. */
  takesWords?: boolean;
  takesFiles?: boolean;
  /**
   * `of`: what it was asked about. A sentence where it is asked again; false where the message is no answer: it is read
   * as if nothing had been asked.
   */
  hear(ctx: BotContext, of: string, text: string): Heard | Promise<Heard>;
}

type Heard = boolean | string;

export interface Feature {
  commands?: Readonly<Record<string, Command>>;
  buttons?: Readonly<Record<string, Button>>;
  /** A message of a private chat that is no command; true where it was answered. */
  message?(ctx: BotContext): Promise<boolean>;
  /** What Telegram tells of money; true where it was that. It is fed to no conversation. */
  payment?(ctx: BotContext): Promise<boolean>;
  /** What it asks (prompts/ask.ts), by name. */
  questions?: Readonly<Record<string, Question>>;
  background?: readonly BotBackground[];
  /** What runs its tasks, by their names. */
  tasks?: Readonly<Record<string, TaskHandler>>;
  /** What its results look like, by the names under which they are kept for their turn. */
  views?: Readonly<Record<string, View>>;
  /**
   * `/cancel` was said: leaves what the feature has open; undefined where nothing was, `told` where the person is told
   * of it. `isAsked`: it was for a question.
   */
  cancel?(ctx: BotContext, isAsked: boolean): Promise<'told' | 'left' | undefined>;
  /**
   * What Cancel under a last confirmation of this feature says where something is left of it, such as what pressing it
   * before may have done: a key, what it holds, what can be pressed. undefined: nothing was done.
   */
  formatCancelled?(
    confirmation: Pick<Confirmation, 'action' | 'payload' | 'userId'>,
    ctx: BotContext,
  ): { key: string; facts?: Variables; keyboard?: InlineKeyboard } | undefined;
}

/** Work beside the updates: sending, watching. */
export interface BotBackground {
  start(): void;
  stop(): Promise<void>;
}

/** A command with its name. */
export type NamedCommand = Command & { name: string };

/** Every command, in the order of the menu. */
export const listCommands = (features: readonly Feature[]): NamedCommand[] =>
  features.flatMap(({ commands = {} }) =>
    Object.entries(commands).map(([name, command]) => ({ ...command, name })),
  );
