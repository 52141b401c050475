// What the page and the playground's server say to each other. The page is served at `/`; everything else is under
// `/play`.
//
//   GET  /play/events          server-sent events: one `Snapshot` at first, then a `PlayEvent` each time something happens
//   POST /play/action             a `PlayAction` as JSON; answers a `PlayActionAnswer`
//   GET  /play/files/<fileId>  a document or picture of a message, with its name
//   GET  /play/behind/message/<chat>/<id>   a `BehindMessage`: what went between Telegram and the bot because of it
//   GET  /play/behind/redemption/<id>       a `BehindRedemption`: its rows, and what the platform knows
//   *    /http/<path>          the HTTP interface of the service, passed on with the playground's API key
import type { Button, SeenMessage } from './telegram/types.ts';

export type PageLanguage = 'en' | 'ru';
/** A sentence in each language of the page. */
export type Said = Record<PageLanguage, string>;

export const PERSON_KEYS = ['owner', 'admin', 'operator', 'support', 'stranger', 'host'] as const;
export type PersonKey = (typeof PERSON_KEYS)[number];
/** A private chat with one of the people, or the group they are all in. */
export type ChatKey = PersonKey | 'group';

export function isChat(text: string | undefined): text is ChatKey {
  return text === 'group' || PERSON_KEYS.some((key) => key === text);
}

export type MemberRole = 'owner' | 'admin' | 'operator' | 'support';

export interface PersonView {
  key: PersonKey;
  language: PageLanguage;
  /** What they are now: of the shop, the owner of an account of their own, in none, or not yet known to the bot. */
  membership: MemberRole | 'ownAccount' | 'nobody' | 'stranger' | 'host';
  /** The command menu that Telegram shows this person now, in the private chat. */
  menu: { command: string; description: string }[];
}

/**
 * A message as the page draws it. `html` uses Telegram's tags only: b, i, u, s, a, code, pre, tg-spoiler, blockquote.
 */
export interface MessageView extends Pick<
  SeenMessage,
  'id' | 'html' | 'buttons' | 'byBot' | 'edits' | 'deleted'
> {
  chat: ChatKey;
  /**
   * The inline keyboard as it is laid out: `press` counts rows and columns in it, from 0. `buttons` is the same, flat.
   */
  keyboard: Button[][];
  /** The person who wrote it; undefined for the bot. */
  from: PersonKey | undefined;
  sentAt: number;
  editedAt: number | undefined;
  document: { fileId: string; name: string; bytes: number } | undefined;
  photo: { fileId: string } | undefined;
  invoice:
    | { title: string; description: string; currency: string; totalAmount: number; isPaid: boolean }
    | undefined;
  /** A line in the middle of the chat: money that went through, or came back. */
  money: { kind: 'paid' | 'refunded'; currency: string; totalAmount: number } | undefined;
}

/** What just happened underneath, in words. */
export interface EventView {
  at: number;
  /**
   * Chooses the icon: a code moved, an activation was charged or returned, a redemption went on, the process, the
   * platform.
   */
  kind: 'code' | 'usage' | 'redemption' | 'process' | 'platform' | 'update' | 'payment' | 'clock';
  text: Said;
  /** The redemption that it is about. */
  redemption?: number;
}

interface StockRow {
  denomination: number;
  available: number;
  reserved: number;
  inDoubt: number;
}

export interface ServiceView {
  state: 'running' | 'starting' | 'down';
  /** Milliseconds the clock of the service is ahead of the machine's. */
  clockAheadMs: number;
  platform: 'up' | 'down';
  /** Of each upstream, in their order, whether it is up by itself. */
  upstreams: boolean[];
  /** The next redemption will time out. */
  nextTimesOut: boolean;
  stock: StockRow[];
  /** In which the denominations are counted. */
  unit: string;
  quota: { used: number; limit: number; purchased: number };
  apiUrl: string;
  apiKey: string;
  docsUrl: string;
}

export interface Snapshot {
  kind: 'snapshot';
  people: PersonView[];
  messages: MessageView[];
  events: EventView[];
  service: ServiceView;
  samples: Sample[];
}

/** Codes that were minted for the visitor to paste: fresh ones of a denomination, or one that goes wrong in its way. */
export interface Sample {
  /** `fresh-60`, or how the code begins: `TIMEOUT`. */
  key: string;
  codes: string[];
  /** What is put on the clipboard: fresh codes come with the heading that a supplier writes over them. */
  text: string;
}

/** Secrets are covered before they leave the server. */
export interface BehindMessage {
  steps: {
    at: number;
    /** What Telegram told the bot, or what the bot asked of Telegram. */
    kind: 'update' | 'call';
    /** The kind of update with its number, or the method. */
    title: string;
    body: unknown;
    /** What Telegram answered to a call. */
    answer?: unknown;
  }[];
}

export interface BehindRedemption {
  id: number;
  rows: { table: string; row: Record<string, string | number | null> }[];
  /** The platform's own row, in its own file; null where it knows nothing of this redemption. */
  platform: Record<string, string | number | null> | null;
}

export type PlayEvent =
  | { kind: 'message'; message: MessageView }
  | { kind: 'person'; person: PersonView }
  | { kind: 'typing'; chat: ChatKey; action: string }
  | { kind: 'event'; event: EventView }
  | { kind: 'service'; service: ServiceView }
  /** After `freshSamples`: these take the place of the earlier ones. */
  | { kind: 'samples'; samples: Snapshot['samples'] };

export type PlayAction =
  /** Answered with a link of theirs into the console. */
  | { action: 'console'; person: PersonKey }
  | { action: 'say'; person: PersonKey; chat: ChatKey; text: string }
  | { action: 'attach'; person: PersonKey; chat: ChatKey; name: string; base64: string; caption?: string }
  | { action: 'press'; person: PersonKey; chat: ChatKey; messageId: number; row: number; column: number }
  /** A `t.me` link to the bot, in a text or on a button. */
  | { action: 'open'; person: PersonKey; link: string }
  | { action: 'pay'; person: PersonKey; chat: ChatKey; messageId: number }
  /**
   * Mints other codes in place of those of this key, so that what is copied next is fresh again; of every key without
   * one.
   */
  | { action: 'freshSamples'; key?: string }
  /** What everybody's Telegram speaks from now on. */
  | { action: 'language'; language: PageLanguage }
  | { action: 'nextTimesOut' }
  | { action: 'platform'; up: boolean }
  /** `number` from 1. */
  | { action: 'upstream'; number: number; up: boolean }
  | { action: 'kill' }
  | { action: 'jumpDay' }
  | { action: 'redeliver' };

export type PlayActionAnswer =
  /** `toast`: what the bot answered to a tap; `alert` asks for a box to be closed. */
  { ok: true; toast?: string; alert?: boolean; url?: string } | { ok: false; error: string };
