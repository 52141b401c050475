// Updates: on disk before Telegram is told that they arrived, then handled, one chat in order, chats side by side,
// members before strangers. What nobody has to answer is dropped, and what is too much of one chat (chat-order.ts).
// What a crash interrupted is handled again, one by one, and what failed for a moment after a pause (handle-update.ts).
import type { Update } from 'grammy/types';

import { createConcurrencyLimit, type ConcurrencyLimit } from '../../concurrency-limit.ts';
import { pause } from '../../waiting.ts';
import { describeError } from '../errors.ts';
import type { BotStore, OutgoingRow } from '../../store/bot-store.ts';
import { createUpdateHandler, type UpdateHandler, type UpdateHandlerDeps } from './handle-update.ts';
import { createChatBound, createChatOrder, isCheckout, type Entry } from './chat-order.ts';

export interface Inbox {
  /** Keeps updates; resolves when they are on disk. */
  accept(updates: readonly Update[]): Promise<void>;
  /** Whether nothing more should be asked for, or taken, until some of what is there is handled. */
  isFull(): boolean;
  /** Handles what an earlier process left, then what arrives. */
  start(): void;
  /** Stops handling; resolves when what runs is over. What waits is handled at the next start. */
  stop(): Promise<void>;
  /** How many updates wait or are handled. */
  size(): number;
}

export interface InboxDeps extends UpdateHandlerDeps {
  store: UpdateHandlerDeps['store'] & Pick<BotStore, 'outbox'>;
  clock: { now(): number };
  /** Whether it is for the bot at all; what is not leaves no trace. */
  isWanted(update: Update): boolean;
  /** Whether somebody sent it who is known here: they are handled before strangers. */
  isOfMember(update: Update): boolean;
  /** What a chat is told of which no more is kept for now. */
  renderChatFull(update: Update): readonly OutgoingRow[];
}

/** More than this is more than the machine should hold. */
export const FULL_INBOX = 10_000;
const AT_ONCE = 100;
/** Whoever takes longer waits for something else than the processor, and holds the place of nobody. */
const PLACE_MS = 100;
/** What was under way when an earlier process ended may have brought it down: one after the other, so long at most. */
const ALONE_MS = 5_000;
const LOADED_AT_ONCE = 200;
const WATCHDOG_MS = 60_000;

export function createInbox(deps: InboxDeps): Inbox {
  const { store, clock } = deps;
  const handling = createUpdateHandler(deps);
  const work = createWork(deps, handling);
  const bound = createChatBound((chat) => work.countWaiting(chat) + store.outbox.countAnswers(Number(chat)));
  return {
    async accept(delivered) {
      const { taken: updates, refused } = bound.divide(delivered.filter(deps.isWanted));
      // Before they are kept: what fails in between leaves nothing that nobody takes up.
      const words = refused.flatMap(deps.renderChatFull);
      if (words.length > 0) await store.outbox.save(words);
      const first = work.chooseFirst(updates);
      const rows = updates.map((update) => ({ updateId: update.update_id, update: JSON.stringify(update) }));
      const fresh = new Set(rows.length > 0 ? await store.inbox.save(rows, first) : []);
      await handling.countBegun(first.filter((updateId) => fresh.has(updateId)));
      if (!work.isOpen()) return;
      const receivedAt = clock.now();
      // One that is twice in a batch is fresh once.
      const arrived = updates.filter(({ update_id: id }) => fresh.delete(id));
      work.add(arrived.map((update) => ({ update, receivedAt, attempts: 0, tries: 0 })));
    },
    isFull: () => (work.isOpen() ? work.size() : store.inbox.countWaiting()) > FULL_INBOX,
    start() {
      work.open();
      work.add(loadWaiting(deps));
    },
    async stop() {
      const stopped = work.stop();
      await handling.giveBack();
      await stopped;
    },
    size: () => work.size(),
  };
}

/** Everybody's way to be handled: a line of their chat, then a place, the row of suspects, or at once. */
function createWork({ log, isOfMember }: Pick<InboxDeps, 'log' | 'isOfMember'>, handling: UpdateHandler) {
  const [members, strangers, suspects]: [Entry[], Entry[], Entry[]] = [[], [], []];
  const places = createConcurrencyLimit(AT_ONCE, PLACE_MS);
  const alone = createConcurrencyLimit(1, ALONE_MS);
  const lines = createChatOrder(call);
  const stopping = new AbortController();
  let open = false;

  /** Who cannot be looked up waits with strangers: it is kept by then, and nobody else would take it up. */
  function isKnownMember(update: Update): boolean {
    try {
      return isOfMember(update);
    } catch (error) {
      log.warn(
        { updateId: update.update_id, error: describeError(error) },
        'a sender could not be looked up',
      );
      return false;
    }
  }

  function call(entry: Entry): void {
    if (!open) return;
    if (entry.attempts > 0) suspects.push(entry);
    // Telegram gives it ten seconds: it does not even wait for a place.
    else if (isCheckout(entry.update)) places.take(() => follow(entry), fill);
    else (isKnownMember(entry.update) ? members : strangers).push(entry);
  }

  /** Begins with whoever there is room for. */
  function fill(): void {
    for (let next; !places.isFull() && (next = members.shift() ?? strangers.shift()); begin(places, next));
    // Those first that were there least often: only the one that ends the process again is counted again.
    suspects.sort((one, another) => one.attempts - another.attempts);
    for (let next; !alone.isFull() && (next = suspects.shift()); begin(alone, next));
  }

  const begin = (limit: ConcurrencyLimit, entry: Entry): void => limit.take(() => follow(entry), fill);

  /** Handles it to its end, and calls the next of its chat. */
  async function follow(entry: Entry): Promise<void> {
    const outcome = await watch(log, entry, handling.handle(entry));
    if (outcome.over) lines.leave(entry);
    else void again(entry, outcome.pauseMs);
  }

  /** It stays at the head of its chat's line. */
  async function again(entry: Entry, ms: number): Promise<void> {
    await pause(ms, stopping.signal);
    call(entry);
    fill();
  }

  return {
    add(entries: readonly Entry[]): void {
      entries.forEach(lines.join);
      fill();
    },
    /** Whom there is a place for as soon as they are kept: they begin in the write that keeps them. */
    chooseFirst: (arriving: readonly Update[]): number[] =>
      open ? lines.findHeads(arriving).slice(0, Math.max(0, AT_ONCE - lines.size())) : [],
    isOpen: () => open,
    size: () => lines.size(),
    countWaiting: (chat: string) => lines.countWaiting(chat),
    open: () => void (open = true),
    /** Resolves when nothing is handled any more. */
    async stop(): Promise<void> {
      open = false;
      stopping.abort();
      for (const waiting of [members, strangers, suspects]) waiting.splice(0);
      await Promise.all([places.settled(), alone.settled()]);
    },
  };
}

function watch<T>(log: InboxDeps['log'], { update }: Entry, handled: Promise<T>): Promise<T> {
  const timer = setTimeout(
    () => log.error({ updateId: update.update_id }, 'an update has been handled for a minute'),
    WATCHDOG_MS,
  );
  return handled.finally(() => clearTimeout(timer));
}

/** What waits, in the order in which it came: ids may begin anew, and smaller. */
function loadWaiting({ store, log }: InboxDeps): Entry[] {
  const entries: Entry[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = store.inbox.listWaiting(after, LOADED_AT_ONCE);
    for (const { updateId, update, attempts, receivedAt } of rows) {
      if (update === undefined) setAsideUnread({ store, log }, updateId);
      else entries.push({ update: JSON.parse(update) as Update, attempts, receivedAt, tries: 0 });
    }
    const last = rows.at(-1);
    if (!last || rows.length < LOADED_AT_ONCE) break;
    after = last.updateId;
  }
  return entries.sort((a, b) => a.receivedAt - b.receivedAt || a.update.update_id - b.update.update_id);
}

/** A disk that rots costs its own rows: nobody knows any more who wrote what, and the others are handled. */
function setAsideUnread({ store, log }: Pick<InboxDeps, 'store' | 'log'>, updateId: number): void {
  log.error({ updateId }, 'an update does not open any more and is set aside: run the check');
  store.inbox
    .setAside(updateId, [])
    .catch((error: unknown) =>
      log.error({ updateId, error: describeError(error) }, 'it could not be set aside, the next start tries'),
    );
}
