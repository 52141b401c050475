// What the bot keeps for itself, as it needs it; the application hands it over. Every verb is one durable transaction.
import type { Alongside } from '../core/index.ts';

/** Where a person stands in a conversation after an update: a new state (JSON), or none. */
export interface ConversationChange {
  chatId: number;
  userId: number;
  state: string | undefined;
}

/** A message to be sent later. The same key again is the same message. */
export interface OutgoingRow {
  key: string;
  chatId: number;
  /** JSON */
  content: string;
  /** It waits for the end of this job. */
  jobId?: number | undefined;
  /**
   * What nothing depends on: `answer`, of which a few of a chat wait and the newest replaces the oldest, and `notice`, said after
   * all else. Without it the result of an action: money, a receipt, a file of codes.
   */
  kind?: 'answer' | 'notice' | undefined;
}

/** A message whose turn it is. */
export interface WaitingMessage {
  id: number;
  key: string;
  kind: 'answer' | 'result' | 'notice';
  /** Since when it waits. */
  at: number;
  /** JSON; undefined: it cannot be read any more. */
  content: string | undefined;
}

export interface Draft {
  /** Opaque; also the idempotency key of what it does. */
  id: string;
  chatId: number;
  userId: number;
  action: string;
  /** JSON */
  payload: string;
  expiresAt: number;
}

/** What an invoice asks money for. */
export interface PurchaseOrder {
  /** Opaque; the payload of the invoice. */
  id: string;
  accountId: number;
  /** The Telegram id of the member who asked. */
  orderedBy: number;
  kind: 'activations' | 'subscription';
  /** Thousands of activations, or days of subscription. */
  count: number;
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  at: number;
}

/** What Telegram told of a charge that no payment is booked for. */
export interface ChargeNote {
  chargeId: string;
  /** `unbooked`: it was taken and belongs to no order. `refunded`: it went back, perhaps before its payment was told. */
  kind: 'unbooked' | 'refunded';
  /** The Telegram id of whoever paid. */
  payerId: number;
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  at: number;
}

/** How far Telegram's list of Stars was compared. */
export interface StarPlace {
  /** So many of its transactions, from the oldest on. */
  count: number;
  /** The identifier of the last of them. */
  last: string;
  /** When the whole list was compared. */
  wholeAt: number;
}

export interface Watch {
  redemptionId: number;
  chatId: number;
  /** null: it is shown in a message of its own, once there is something to say. */
  messageId: number | null;
  telegramId: number;
  /** null: as they chose. */
  language: string | null;
  /** The draft that was the order. */
  deed: string | null;
}

/** An order of several codes. */
export interface NewOrder {
  /** The draft that was the order. */
  id: string;
  accountId: number;
  telegramId: number;
  chatId: number;
  /** The message that counts along. */
  messageId: number;
  /** null: as they chose. */
  language: string | null;
  gameId: string;
  /** The newest redemption of the same that the person was warned of; 0 for none. */
  warnedOf: number;
  /** In the order in which they are redeemed. */
  items: readonly NewOrderItem[];
}

export interface NewOrderItem {
  playerId: string;
  playerName: string;
  denomination: number;
}

/** An order as it stands. */
export interface KeptOrder extends Omit<NewOrder, 'items'> {
  state: 'running' | 'done' | 'stopped';
  stopAsked: boolean;
  /** Why it stopped before its end. */
  reason: string | null;
  items: readonly KeptOrderItem[];
}

export interface KeptOrderItem extends NewOrderItem {
  n: number;
  /** null: not begun. */
  redemptionId: number | null;
  /** Of the redemption: pending, in_doubt, redeemed, failed. */
  state: string | null;
}

/** What is kept together with a deed. */
export interface KeptWithDeed {
  /** The order, used up by this update. Where it was used up or expired meanwhile, the deed is undone: DraftUsed. */
  draft?: { id: string; updateId: number };
  messages?: readonly OutgoingRow[];
  /** Orders that the result offers. */
  offers?: readonly Draft[];
  /** What an invoice among the messages asks money for. */
  purchaseOrder?: PurchaseOrder;
  /** A charge was booked for an order. */
  paid?: { orderId: string; chargeId: string };
  chargeNotes?: readonly ChargeNote[];
  watch?: Watch;
  order?: NewOrder;
  /** The redemption that the nth code of an order became. Where the order is over or is to stop, the deed is undone: OrderStopped. */
  orderStep?: { id: string; n: number; redemptionId: number };
}

export interface Preferences {
  telegramId: number;
  /** null: as Telegram says. */
  language: string | null;
  /** Kinds of notices that are not wanted, separated by commas. */
  mutedNotices: string;
  /** For which role and language the command menu of the private chat was set last. */
  menu: string;
}

export interface BotKeeping {
  inbox: {
    keep(updates: readonly { updateId: number; update: string }[]): Promise<number[]>;
    /** `update`: undefined where it does not open any more. */
    listWaiting(
      afterId: number,
      limit: number,
    ): { updateId: number; update: string | undefined; attempts: number; receivedAt: number }[];
    lastId(): number | undefined;
    countWaiting(): number;
    /** Those of the last two days that were set aside. */
    countSetAside(): number;
    /** Counts one more beginning; how many there were with it, 0 when the update is over. */
    begin(updateId: number): Promise<number>;
    /** Takes the last beginning back: nothing was begun, so that it does not count. */
    takeBack(updateId: number): Promise<boolean>;
    finish(
      updateId: number,
      state: 'done' | 'failed' | 'set_aside',
      change: ConversationChange | undefined,
    ): Promise<void>;
    /** Ends an update for good; what is said of it is kept together with its end. */
    setAside(updateId: number, messages: readonly OutgoingRow[]): Promise<void>;
  };
  outbox: {
    keep(messages: readonly OutgoingRow[]): Promise<void>;
    /** What is said of each of these notices, all of it in one moment. */
    keepForNotices(notices: readonly { noticeId: number; messages: readonly OutgoingRow[] }[]): Promise<void>;
    countWaiting(): number;
    /** The chats for which something waits. */
    listChats(): number[];
    /** What comes next in a chat: notices after all else. */
    findFirst(chatId: number): WaitingMessage | undefined;
    /** The notices that wait in a chat, the oldest first. */
    listNotices(chatId: number, limit: number): WaitingMessage[];
    /** Puts what a chat is owed, since it was closed to the bot, into its line; whether there was any. */
    open(chatId: number): Promise<boolean>;
    /** Puts what waited for the end of a job into its chat's line; whether there was any. */
    release(): Promise<boolean>;
    /** `owed`: said when the chat opens. `rest`: what comes in its place, in the chat's line as if it had waited since `at`. */
    finish(
      id: number,
      state: 'sent' | 'dropped' | 'owed',
      rest?: { row: OutgoingRow; at: number },
    ): Promise<boolean>;
    /** Several that were said as one. */
    finishAll(ids: readonly number[], state: 'sent' | 'dropped'): Promise<boolean>;
    /** Sends what waits no longer once more; false where there is none of this key, or it still waits. */
    repeat(key: string): Promise<boolean>;
  };
  conversations: {
    find(chatId: number, userId: number): { state: string; touchedAt: number } | undefined;
    change(change: ConversationChange): Promise<void>;
  };
  drafts: {
    keep(draft: Draft): Promise<void>;
    find(id: string): (Draft & { takenBy: number | null }) | undefined;
    /** Takes a draft for one update, once; the same update may take it again. */
    take(id: string, updateId: number): Promise<boolean>;
  };
  /** An order, paid or not; known for a year. */
  findPurchaseOrder(id: string): (PurchaseOrder & { chargeId: string | null }) | undefined;
  /** Known for good. */
  findChargeNote(chargeId: string, kind: ChargeNote['kind']): ChargeNote | undefined;
  starPlace: {
    find(): StarPlace | undefined;
    keep(place: StarPlace): Promise<void>;
  };
  /** What a deed of the core keeps in its own transaction. */
  alongside<Deed>(rows: (deed: Deed) => KeptWithDeed): Alongside<Deed>;
  /** The same for a deed that is nothing but its result. Rejects with DraftUsed. */
  keepDeed(rows: KeptWithDeed): Promise<void>;
  orders: {
    find(id: string): KeptOrder | undefined;
    listRunning(limit: number): string[];
    /** Nothing more of it begins from now on; false where it is over. */
    stop(id: string): Promise<boolean>;
    /** Ends it, and keeps the message that tells of it; false where it was over. */
    end(
      id: string,
      end: { state: 'done' | 'stopped'; reason: string | null },
      message: OutgoingRow,
    ): Promise<boolean>;
  };
  watches: {
    /** Open watches whose redemption is no longer as their message shows it, with what it is now. */
    listChanged(limit: number): (Watch & { state: string })[];
    /** Notes what watches show from now on, and keeps the messages that show it. */
    show(
      changes: readonly { redemptionId: number; shown: string; done: boolean; message: OutgoingRow }[],
    ): Promise<void>;
  };
  preferences: {
    find(telegramId: number): Preferences | undefined;
    list(): Preferences[];
    /** What is not said stays as it is. */
    save(choice: Pick<Preferences, 'telegramId'> & Partial<Preferences>): Promise<void>;
  };
  /** Forgets what is over and was there until then, a few at a time; true while there is more. */
  forget(until: number, limit: number): Promise<boolean>;
}
