// What every handler of the bot finds on its context.
import type { ConversationFlavor } from '@grammyjs/conversations';
import type { Context } from 'grammy';

import type { Clock } from '../clock.ts';
import type { Core, HostActor, MemberActor } from '../core/index.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { BotStore } from '../store/bot-store.ts';
import type { Turn } from './outgoing.ts';
import type { Language, Texts, Variables } from './texts.ts';

export type { Logger as BotLog };

/** What the bot is made of. */
export interface BotDeps {
  core: Core;
  store: BotStore;
  texts: Texts;
  clock: Clock;
  ids: Ids;
  log: Logger;
  settings: BotSettings;
}

export interface BotSettings {
  hostIds: readonly number[];
  /** When the last backup was made, or undefined; undefined itself where the service makes none. */
  lastBackupAt?: (() => number | undefined) | undefined;
  openSignup: boolean;
  /** Where the console is; undefined: there is none. */
  consoleUrl?: string | undefined;
  /** The origin that claim links begin with; undefined: there are none. */
  publicUrl?: string | undefined;
  /** Whom people write to about payments, as it is shown to them; undefined: nobody is named. */
  supportContact?: string | undefined;
  starsPerUsd: number;
  /** undefined: payment in Telegram Stars alone. */
  paymentProviderToken: string | undefined;
  /** Of 30 days; undefined: subscriptions are not sold. */
  subscriptionPriceCents: number | undefined;
}

/** On the outer context, looked up for this very update. */
export interface BotFlavor {
  /** The member who acts; undefined for a stranger. */
  actor: MemberActor | undefined;
  isHost: boolean;
  /** A chat with one person: the only place for credentials, codes and decisions. */
  isPrivate: boolean;
  language: Language;
  /** The messages of the person's that lead to what is done now, as `?,7,9,`; the one at hand where it is not said. */
  madeOf?: string | undefined;
  /** What is asked: which question, what it is about, by which update; `isOver`: why nothing answers it any more. */
  asked?: { question: string; of: string; by: number; isOver?: 'idle' | 'changed' } | undefined;
  /** This message answers what is asked. */
  isAnswer?: boolean;
  /** What this update says and changes. */
  turn: Turn;
  /** A message in the person's language: HTML, variables escaped. */
  say(key: string, variables?: Variables): string;
  /** A label in the person's language: plain. */
  label(key: string, variables?: Variables): string;
}

export type BotContext = ConversationFlavor<Context & BotFlavor>;

/** The member who acts, where the middleware has let only members through. */
export function actorOf(ctx: Pick<BotFlavor, 'actor'>): MemberActor {
  if (!ctx.actor) throw new Error('A handler for members was reached by a stranger.');
  return ctx.actor;
}

/** Whoever acts, as a member where they are one, else as a host. */
export const actingOf = (ctx: Pick<BotContext, 'actor' | 'from' | 'isHost'>): MemberActor | HostActor =>
  ctx.actor ?? hostOf(ctx);

/** The host who acts, where the middleware has let only hosts through. */
export function hostOf(ctx: Pick<BotContext, 'from' | 'isHost'>): HostActor {
  if (!ctx.from || !ctx.isHost) throw new Error('A handler for hosts was reached by somebody else.');
  return { kind: 'host', by: ctx.from.id };
}
