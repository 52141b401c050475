// What the bot keeps for itself, over the store: inbox, outbox, conversations, confirmations. Each verb is one durable
// transaction.
import type { KnownBot, StarPlace } from './tables/meta.ts';
import type { ChargeNote, PurchaseOrder } from './tables/purchases.ts';
import type { Confirmation } from './tables/confirmations.ts';
import type { Store, Tables } from './index.ts';

export type { ChargeNote, Confirmation, PurchaseOrder, StarPlace };
export type { Task } from './tables/tasks.ts';

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
  /** It waits until it is known what this redemption has come to: its end, or a doubt. */
  redemptionId?: number | undefined;
  /** It waits until this is released. */
  waitsFor?: string | undefined;
  /** While it waits it is looked at after so long, too: it shows how something goes on. */
  lookMs?: number | undefined;
  /** Said once more under the same key: so long after the last time, and after the first at the latest. */
  renewed?: { quietMs: number; mostMs: number } | undefined;
  /**
   * What nothing depends on: `answer`, of which a few of a chat wait and the newest replaces the oldest, and `notice`,
   * said after all else. Without it the result of an action: money, a receipt, a file of codes.
   */
  kind?: 'answer' | 'notice' | undefined;
}

/** What is kept together with an action. */
export interface ActionRows {
  /**
   * The order, used up by this update. Where it was used up or expired meanwhile, the action is undone:
   * ConfirmationUsed.
   */
  confirmation?: { id: string; updateId: number };
  messages?: readonly OutgoingRow[];
  /** Orders that are offered. `madeOf`: of a question, which may be withdrawn, the messages that it was made of. */
  offers?: readonly (Confirmation & { madeOf?: string | null | undefined })[];
  /** What an invoice among the messages asks money for. */
  purchaseOrder?: PurchaseOrder;
  /** A charge was booked for an order. */
  paid?: { orderId: string; chargeId: string };
  /** What Telegram told of charges that are not booked. */
  chargeNotes?: readonly ChargeNote[];
  /** The update that it was for, which is over with it. */
  ended?: number | undefined;
  /** Choices that this update has used up. */
  used?: readonly string[];
  change?: ConversationChange | undefined;
}

/** The longest that Telegram is thought to deliver a payment late, or to list it. */
const ORDERS_KEPT_MS = 365 * 24 * 60 * 60 * 1000;
/** So many answers wait in one chat, at most. */
const MOST_ANSWERS = 100;

/** Another update used the order up meanwhile, or it has expired: the action is undone. */
class ConfirmationUsed extends Error {
  override readonly name = 'ConfirmationUsed';
}

export type BotStore = ReturnType<typeof createBotStore>;

export function createBotStore(store: Store, now: () => number) {
  return {
    inbox: createInboxStore(store, now),
    outbox: createOutboxStore(store, now),
    bots: {
      list: () => store.read((tables) => tables.bots.list()),
      /** Notes which bot it is now; where it was another until now that is true, and told. */
      note: (bot: KnownBot, messages: readonly OutgoingRow[]) =>
        store.write((tables) => noteBot(tables, bot, messages)),
    },
    conversations: {
      find: (chatId: number, userId: number) =>
        store.read((tables) => tables.conversations.find(chatId, userId)),
    },
    confirmations: {
      save: (confirmation: Confirmation, madeOf: string | null = null) =>
        store.write((tables) => tables.confirmations.save(confirmation, madeOf)),
      find: (id: string) => store.read((tables) => tables.confirmations.find(id)),
      take: (id: string, updateId: number) =>
        store.write((tables) => tables.confirmations.take(id, updateId, now())),
      /** Withdraws what is asked, all or what was made of `,7,`; what the same update withdrew is told again. */
      withdraw: ({
        updateId,
        ...asked
      }: {
        chatId: number;
        userId: number;
        updateId: number;
        madeOf: string;
      }) =>
        store.write((tables) => tables.confirmations.withdraw({ ...asked, updateId: -updateId, now: now() })),
      place: (ids: readonly string[], messageId: number) =>
        store.write(({ confirmations }) => ids.forEach((id) => confirmations.place(id, messageId))),
    },
    /** An order, paid or not; undefined once it is a year old. */
    findPurchaseOrder: (id: string) => store.read((tables) => tables.purchaseOrders.find(id)),
    findChargeNote: (chargeId: string, kind: ChargeNote['kind']) =>
      store.read((tables) => tables.chargeNotes.find(chargeId, kind)),
    starPlace: {
      find: () => store.read((tables) => tables.starPlace.find()),
      save: (place: StarPlace) => store.write((tables) => tables.starPlace.save(place)),
    },
    /** What an action of the core keeps in its own transaction. */
    inTransaction:
      <Action>(rows: (action: Action) => ActionRows) =>
      (tables: Tables, action: Action): void =>
        saveAction(tables, rows(action), now()),
    /** The same for an action that is nothing but its result. Rejects with ConfirmationUsed. */
    saveAction: (rows: ActionRows) => store.write((tables) => saveAction(tables, rows, now())),
    preferences: createPreferencesStore(store),
    /** Prunes what is over and was there until then; a few at a time, true while there is more. */
    prune: (until: number, limit: number) =>
      store.write(({ inbox, confirmations, conversations, purchaseOrders }) => {
        const pruned = [
          inbox.prune(until, limit),
          confirmations.prune(until, limit),
          conversations.prune(until, limit),
          purchaseOrders.prune(until - ORDERS_KEPT_MS, limit),
        ];
        return pruned.includes(limit);
      }),
  };
}

type Preferences = Parameters<Tables['preferences']['save']>[0];

function createPreferencesStore(store: Store) {
  return {
    find: (telegramId: number) => store.read((tables) => tables.preferences.find(telegramId)),
    list: () => store.read((tables) => tables.preferences.list()),
    /** What is not said stays as it is. */
    save: ({ telegramId, ...choice }: Pick<Preferences, 'telegramId'> & Partial<Preferences>) =>
      store.write(({ preferences }) => {
        const { language = null, mutedNotices = '', menu = '' } = preferences.find(telegramId) ?? {};
        preferences.save({ telegramId, language, mutedNotices, menu, ...choice });
      }),
  };
}

function createInboxStore(store: Store, now: () => number) {
  return {
    /** Keeps updates, all or none, and begins those of `first`; the ids of those that were new. */
    save: (updates: readonly { updateId: number; update: string }[], first: readonly number[] = []) =>
      store.write((tables) => {
        const fresh = updates.filter(({ updateId, update }) => tables.inbox.save(updateId, update, now()));
        const ids = fresh.map(({ updateId }) => updateId);
        for (const updateId of ids) if (first.includes(updateId)) tables.inbox.begin(updateId);
        return ids;
      }),
    listWaiting: (afterId: number, limit: number) =>
      store.read((tables) => tables.inbox.listWaiting(afterId, limit)),
    countWaiting: () => store.read((tables) => tables.inbox.countWaiting()),
    countSetAside: () => store.read((tables) => tables.inbox.countSetAside()),
    begin: (updateId: number) => store.write((tables) => tables.inbox.begin(updateId)),
    takeBack: (updateId: number) => store.write((tables) => tables.inbox.takeBack(updateId)),
    /** The end of an update that is not handled any more, and what is said of it, are one transaction. */
    setAside: (updateId: number, messages: readonly OutgoingRow[]) =>
      store.write((tables) => {
        tables.inbox.finish(updateId, 'set_aside');
        enqueueMessages(tables, messages, now());
      }),
  };
}

function createOutboxStore(store: Store, now: () => number) {
  return {
    /** Keeps messages, all or none. */
    save: (messages: readonly OutgoingRow[]) =>
      store.write((tables) => enqueueMessages(tables, messages, now())),
    /** How many answers wait in a chat. */
    countAnswers: (chatId: number) => store.read(({ tasks }) => tasks.countIn(chatQueueKey(chatId))),
    /** What waits, by kind. */
    listWaiting: () => store.read((tables) => tables.tasks.countWaiting()),
    /** Puts what waits for a chat into its queue. */
    async open(chatId: number) {
      const queue = chatQueueKey(chatId);
      if (!store.read((tables) => tables.tasks.isHeldFor(queue))) return;
      await store.write((tables) => tables.tasks.release(queue, now()));
    },
    /** Whether a message of this chat waits for any of these, or has waited. */
    isShown: (waitedFor: readonly string[], chatId: number) =>
      store.read((tables) => waitedFor.some((each) => tables.tasks.isIn(chatQueueKey(chatId), each))),
    /** Sends once more what waits no longer; false where there is none of this key. */
    repeat: (key: string) => store.write((tables) => tables.tasks.repeat(key, now())),
  };
}

/**
 * The queue of a chat's messages; what is held until the chat opens waits for it by this name, too. What waits for
 * something has a queue of its own, whose name begins so: it holds up nothing.
 */
const chatQueueKey = (chatId: number): string => `chat:${chatId}`;

function noteBot(tables: Tables, bot: KnownBot, messages: readonly OutgoingRow[]): boolean {
  const known = tables.bots.list();
  const before = known.at(-1);
  if (before?.id === bot.id) {
    if (before.username !== bot.username) tables.bots.save(known.with(-1, { ...bot, since: before.since }));
    return false;
  }
  tables.bots.save([...known, bot]);
  if (!before) return false;
  tables.bots.forgetPlaces();
  enqueueMessages(tables, messages, bot.since);
  return true;
}

function saveAction(
  tables: Tables,
  { confirmation, messages = [], offers = [], purchaseOrder, paid, chargeNotes = [], ...turn }: ActionRows,
  now: number,
): void {
  for (const { madeOf, ...offer } of offers) tables.confirmations.save(offer, madeOf);
  if (confirmation && !tables.confirmations.take(confirmation.id, confirmation.updateId, now))
    throw new ConfirmationUsed();
  enqueueMessages(tables, messages, now);
  if (purchaseOrder) tables.purchaseOrders.save(purchaseOrder);
  if (paid) tables.purchaseOrders.markPaid(paid.orderId, paid.chargeId);
  for (const note of chargeNotes) tables.chargeNotes.save(note);
  endTurn(tables, turn, now);
}

function endTurn(
  tables: Tables,
  { ended, used = [], change }: Pick<ActionRows, 'ended' | 'used' | 'change'>,
  now: number,
): void {
  if (change) changeConversation(tables, change, now);
  if (ended === undefined) return;
  for (const id of used) tables.confirmations.take(id, ended, now);
  tables.inbox.finish(ended, 'done');
}

function enqueueMessages(tables: Tables, messages: readonly OutgoingRow[], now: number): void {
  const { tasks } = tables;
  for (const message of messages) {
    const { key, chatId, content, kind = 'result', lookMs } = message;
    const [chat, waitsFor] = [chatQueueKey(chatId), findHold(tables, message)];
    if (message.renewed) {
      const queue = `${chat}:${key}`;
      tasks.renew({ task: kind, queue, key, payload: content, now, ...message.renewed });
      continue;
    }
    tasks.add({
      ...{ task: kind, key, payload: content, now, waitsFor },
      queue: waitsFor === undefined ? chat : `${chat}:${key}`,
      // Notices are said after all else.
      priority: kind === 'notice' ? 1 : 0,
      until: waitsFor === undefined || lookMs === undefined ? undefined : now + lookMs,
    });
    if (kind === 'answer') tasks.trim(chat, kind, MOST_ANSWERS, now);
  }
}

/** What a message waits for, where that is still to come. */
function findHold(
  { jobs, redemptions }: Tables,
  { jobId, redemptionId, waitsFor }: OutgoingRow,
): string | undefined {
  if (waitsFor !== undefined) return waitsFor;
  if (jobId !== undefined && jobs.find(jobId)?.state === 'running') return `job:${jobId}`;
  const isPending = redemptionId !== undefined && redemptions.find(redemptionId)?.state === 'pending';
  return isPending ? `redemption:${redemptionId}` : undefined;
}

function changeConversation(
  { conversations }: Tables,
  { chatId, userId, state }: ConversationChange,
  now: number,
): void {
  if (state === undefined) conversations.remove(chatId, userId);
  else conversations.save(chatId, userId, state, now);
}
