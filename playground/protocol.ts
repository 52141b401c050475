// What the page and the playground's server say to each other. The page is served at `/`; everything else is under
// `/play`.
//
//   GET  /play/events          server-sent events: one `Snapshot` at first, then a `PlayEvent` each time something happens
//   POST /play/action          a `PlayAction` as JSON; answers a `PlayActionAnswer`
//   GET  /play/files/<fileId>  a document or picture of a message, with its name
import type { Button, SeenMessage } from '../test/telegram/types.ts';

export type PageLanguage = 'en' | 'ru';
/** A sentence in each language of the page. */
export type Said = Record<PageLanguage, string>;

export const PERSON_KEYS = ['owner', 'admin', 'operator', 'support', 'stranger', 'host'] as const;
export type PersonKey = (typeof PERSON_KEYS)[number];
/** A private chat with one of the people, or the group they are all in. */
export type ChatKey = PersonKey | 'group';

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

interface StockRow {
  denomination: number;
  available: number;
  reserved: number;
  inDoubt: number;
}

export interface ServiceView {
  state: 'running' | 'starting' | 'down';
  stock: StockRow[];
  /** In which the denominations are counted. */
  unit: string;
  quota: { used: number; limit: number; purchased: number };
  /** Where the HTTP interface is, with the console and the documentation under it. */
  apiUrl: string;
  apiKey: string;
}

export interface Snapshot {
  kind: 'snapshot';
  people: PersonView[];
  messages: MessageView[];
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

export type PlayEvent =
  | { kind: 'message'; message: MessageView }
  | { kind: 'person'; person: PersonView }
  | { kind: 'typing'; chat: ChatKey; action: string }
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
  /** SIGKILL to the service, which is started again a moment later. */
  | { action: 'kill' };

export type PlayActionAnswer =
  /** `toast`: what the bot answered to a tap; `alert` asks for a box to be closed. */
  { ok: true; toast?: string; alert?: boolean; url?: string } | { ok: false; error: string };
