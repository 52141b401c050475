// The words that the parts of the local Bot API share: people, chats, messages as they stand, and a refusal.
// Shapes on the wire are Telegram's and are made in world.ts.

/** A person as Telegram describes one. */
export interface User {
  id: number;
  is_bot: boolean;
  first_name: string;
  username?: string | undefined;
  language_code?: string | undefined;
}

/** A chat by its id; a private chat has the id of its person. */
export interface ChatRef {
  id: number;
}

/** A stretch of text with a meaning, in UTF-16 units, as Telegram counts. */
export interface Entity {
  type: string;
  offset: number;
  length: number;
  url?: string | undefined;
  language?: string | undefined;
  custom_emoji_id?: string | undefined;
  user?: { id: number } | undefined;
}

/** A button under a message: a label and exactly one action. */
export interface Button {
  text: string;
  callback_data?: string | undefined;
  url?: string | undefined;
  copy_text?: { text: string } | undefined;
  pay?: boolean | undefined;
  style?: string | undefined;
  [action: string]: unknown;
}

/** What stands under a message or in place of the keyboard; only an inline keyboard is part of the message. */
export interface Markup {
  inline_keyboard?: Button[][] | undefined;
  keyboard?: unknown[][] | undefined;
  [kind: string]: unknown;
}

/** Bytes that Telegram keeps, found by id. */
export interface StoredFile {
  fileId: string;
  path: string;
  /** Empty where the sender's client told neither name nor kind nor size. */
  name: string;
  mimeType: string;
  bytes: Buffer;
}

/** What an invoice asks for, and where it leads when it was forwarded. */
export interface Invoice {
  title: string;
  description: string;
  payload: string;
  currency: string;
  totalAmount: number;
  startParameter: string;
}

/** Money that went one way (`successful_payment`) or came back (`refunded_payment`). */
export interface PaymentNote {
  currency: string;
  total_amount: number;
  invoice_payload: string;
  telegram_payment_charge_id: string;
  provider_payment_charge_id: string;
}

/** A message as the stand-in keeps it. */
export interface StoredMessage {
  id: number;
  chatId: number;
  /** Undefined for a post in a channel. */
  from: User | undefined;
  byBot: boolean;
  sentAt: number;
  editedAt: number | undefined;
  /** Counts every change but its deletion. */
  edits: number;
  deleted: boolean;
  /** The text, or the caption of a document or a picture. */
  text: string;
  entities: Entity[];
  markup: Markup | undefined;
  document: StoredFile | undefined;
  photo: StoredFile | undefined;
  invoice: Invoice | undefined;
  payment: PaymentNote | undefined;
  refund: PaymentNote | undefined;
  replyTo: number | undefined;
  /** Whether an administrator wrote it in the name of the group. */
  anonymous: boolean;
  /** The topic of a forum that it stands in. */
  topic: number | undefined;
  /** What the files of one album have in common. */
  album: string | undefined;
  /** The group's new id, in the last message under its old one; and the other way round. */
  migratedTo: number | undefined;
  migratedFrom: number | undefined;
  /** Who wrote it first, when it was forwarded. */
  forwardedFrom: User | undefined;
  protectContent: boolean;
}

/** A message as a person sees it now: a copy, safe to keep and compare. */
export interface SeenMessage extends StoredMessage {
  /** The text with its entities, as HTML. */
  html: string;
  /** The text with what is behind a spoiler blotted out. */
  visible: string;
  /** Every button of the inline keyboard, row after row. */
  buttons: Button[];
}

/** What the bot answered to a tap; `text` undefined when it only stopped the spinner. */
export interface TapAnswer {
  text: string | undefined;
  alert: boolean;
  url: string | undefined;
}

/** An update on its way to the bot. */
export interface Update {
  update_id: number;
  [kind: string]: unknown;
}

/** What happened, for whoever watches (a page, a test that waits). */
export interface WorldEvent {
  kind: 'message' | 'edited' | 'deleted' | 'action' | 'answer' | 'call' | 'update' | 'menu';
  chatId?: number | undefined;
  messageId?: number | undefined;
  detail?: unknown;
}

/** What a refusal tells beside its words. */
export interface RefusalParameters {
  /** Seconds; a header says the same. */
  retry_after?: number;
  migrate_to_chat_id?: number;
}

/** An answer of the Bot API that is not `ok`. */
export class ApiRefusal extends Error {
  readonly code: number;
  readonly parameters: RefusalParameters | undefined;

  constructor(code: number, description: string, parameters?: RefusalParameters) {
    super(description);
    this.name = 'ApiRefusal';
    this.code = code;
    this.parameters = parameters;
  }
}

/** 400, in Telegram's words. */
export function badRequest(what: string): ApiRefusal {
  return new ApiRefusal(400, `Bad Request: ${what}`);
}

/** 403, in Telegram's words. */
export function forbidden(what: string): ApiRefusal {
  return new ApiRefusal(403, `Forbidden: ${what}`);
}
