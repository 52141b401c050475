// What the bot keeps for itself, as it needs it; the application hands it over. Every verb is one durable transaction.

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

export interface Watch {
  redemptionId: number;
  chatId: number;
  messageId: number;
  telegramId: number;
  /** The state of the redemption that the message shows last. */
  shown: string;
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
    listWaiting(
      afterId: number,
      limit: number,
    ): { updateId: number; update: string; attempts: number; receivedAt: number }[];
    lastId(): number | undefined;
    countWaiting(): number;
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
    keepForNotice(noticeId: number, messages: readonly OutgoingRow[]): Promise<void>;
    countWaiting(): number;
    listDue(limit: number): { id: number; chatId: number; content: string; attempts: number }[];
    finish(id: number, state: 'sent' | 'dropped'): Promise<boolean>;
    postpone(id: number, nextAt: number): Promise<boolean>;
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
  watches: {
    keep(watch: Omit<Watch, 'shown'>): Promise<void>;
    listOpen(limit: number): Watch[];
    show(redemptionId: number, shown: string, done: boolean): Promise<boolean>;
  };
  preferences: {
    find(telegramId: number): Preferences | undefined;
    list(): Preferences[];
    save(choice: Preferences): Promise<void>;
  };
  /** Forgets what is over and was there until then, a few at a time; true while there is more. */
  forget(until: number, limit: number): Promise<boolean>;
}
