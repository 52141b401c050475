// What the page and the playground's server say to each other. The page is served at `/`; everything else is under `/play`.
//
//   GET  /play/events          server-sent events: one `Snapshot` at first, then a `PlayEvent` each time something happens
//   POST /play/act             an `Act` as JSON; answers an `ActAnswer`
//   GET  /play/files/<fileId>  a document or picture of a message, with its name
//   *    /http/<path>          the HTTP interface of the service, passed on with the playground's API key
import type { Button, SeenMessage } from './telegram/types.ts';

export type PersonKey = 'owner' | 'admin' | 'operator' | 'support' | 'stranger' | 'host';
/** A private chat with one of the people, or the group they are all in. */
export type ChatKey = PersonKey | 'group';

export interface PersonView {
  key: PersonKey;
  name: string;
  /** One line: what this person does here. */
  about: string;
  language: 'en' | 'ru';
  /** The command menu that Telegram shows this person now, in the private chat. */
  menu: { command: string; description: string }[];
}

/** A message as the page draws it. `html` uses Telegram's tags only: b, i, u, s, a, code, pre, tg-spoiler, blockquote. */
export interface MessageView extends Pick<
  SeenMessage,
  'id' | 'html' | 'buttons' | 'byBot' | 'edits' | 'deleted'
> {
  chat: ChatKey;
  /** The inline keyboard as it is laid out: `press` counts rows and columns in it, from 0. `buttons` is the same, flat. */
  keyboard: Button[][];
  /** The person who wrote it; undefined for the bot. */
  from: PersonKey | undefined;
  sentAt: number;
  editedAt: number | undefined;
  document: { fileId: string; name: string; bytes: number } | undefined;
  photo: { fileId: string } | undefined;
  invoice: { title: string; description: string; currency: string; totalAmount: number } | undefined;
  /** A line in the middle of the chat: a payment or a refund that went through. */
  service: string | undefined;
}

/** What just happened underneath, in words. */
export interface HappeningView {
  at: number;
  /** Chooses the icon: a code moved, an activation was charged or returned, a redemption went on, the process, the platform. */
  kind: 'code' | 'charge' | 'redemption' | 'process' | 'platform' | 'update' | 'payment' | 'clock';
  text: string;
}

export interface ServiceView {
  state: 'running' | 'starting' | 'down';
  /** Milliseconds the calendar of the service is ahead of the machine's. */
  clockAheadMs: number;
  platform: 'up' | 'down';
  /** The next redemption will time out. */
  nextTimesOut: boolean;
  stock: { denomination: number; available: number; reserved: number; inDoubt: number }[];
  quota: { used: number; limit: number; purchased: number };
  apiUrl: string;
  apiKey: string;
  docsUrl: string;
}

export interface Snapshot {
  kind: 'snapshot';
  people: PersonView[];
  groupTitle: string;
  messages: MessageView[];
  happenings: HappeningView[];
  service: ServiceView;
  /** Codes that were minted for the visitor to paste, by what they do. */
  samples: { label: string; codes: string[] }[];
}

export type PlayEvent =
  | { kind: 'message'; message: MessageView }
  | { kind: 'person'; person: PersonView }
  | { kind: 'typing'; chat: ChatKey; action: string }
  | { kind: 'happening'; happening: HappeningView }
  | { kind: 'service'; service: ServiceView }
  /** After `freshSamples`: these take the place of the earlier ones. */
  | { kind: 'samples'; samples: Snapshot['samples'] };

export type Act =
  | { act: 'say'; person: PersonKey; chat: ChatKey; text: string }
  | { act: 'attach'; person: PersonKey; chat: ChatKey; name: string; base64: string; caption?: string }
  | { act: 'press'; person: PersonKey; chat: ChatKey; messageId: number; row: number; column: number }
  /** A `t.me` link to the bot, in a text or on a button. */
  | { act: 'open'; person: PersonKey; link: string }
  | { act: 'pay'; person: PersonKey; chat: ChatKey; messageId: number }
  | { act: 'freshSamples' }
  | { act: 'nextTimesOut' }
  | { act: 'platform'; up: boolean }
  | { act: 'kill' }
  | { act: 'jumpDay' }
  | { act: 'redeliver' };

export type ActAnswer =
  /** `toast`: what the bot answered to a tap; `alert` asks for a box to be closed. */
  { ok: true; toast?: string; alert?: boolean; url?: string } | { ok: false; error: string };
