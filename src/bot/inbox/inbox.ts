// Updates: on disk before Telegram is told that they arrived, then handled, one chat in order, chats side by side,
// members before strangers. What nobody has to answer is dropped, and what is too much of one chat (chat-order.ts).
// What a crash interrupted is handled again, one by one, and what failed for a moment after a pause (handle-update.ts).
import { createConcurrentSink, createRunner, type UpdateSource } from '@grammyjs/runner';
import type { Update } from 'grammy/types';

import { within } from '../../waiting.ts';
import { describeError } from '../errors.ts';
import type { BotStore, OutgoingRow } from '../../store/bot-store.ts';
import { createUpdateHandler, type UpdateHandler, type UpdateHandlerDeps } from './handle-update.ts';
import { createChatBound, createChatOrder, createPauses, isCheckout, type Entry } from './chat-order.ts';
import { createCrashSuspects } from './crash-suspects.ts';

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
const LOADED_AT_ONCE = 200;
const WATCHDOG_MS = 60_000;

export function createInbox(deps: InboxDeps): Inbox {
  const { store, clock } = deps;
  const handling = createUpdateHandler(deps);
  const work = createWork(deps, handling);
  const bound = createChatBound((chat) => work.countWaiting(chat) + store.outbox.countAnswers(Number(chat)));
  return {
    async accept(arrived) {
      const { taken: updates, refused } = bound.divide(arrived.filter(deps.isWanted));
      // Before they are kept: what fails in between leaves nothing that nobody takes up.
      const words = refused.flatMap(deps.renderChatFull);
      if (words.length > 0) await store.outbox.save(words);
      const first = work.chooseFirst(updates);
      const rows = updates.map((update) => ({ updateId: update.update_id, update: JSON.stringify(update) }));
      const fresh = new Set(rows.length > 0 ? await store.inbox.save(rows, first) : []);
      await handling.countBegun(first.filter((updateId) => fresh.has(updateId)));
      if (!work.isOpen()) return;
      for (const update of updates) {
        // One that is twice in a batch is fresh once.
        if (fresh.delete(update.update_id))
          work.add({ update, receivedAt: clock.now(), attempts: 0, tries: 0 });
      }
    },
    isFull: () => (work.isOpen() ? work.size() : store.inbox.countWaiting()) > FULL_INBOX,
    start() {
      work.start(loadWaiting(deps));
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
  const queue = createQueue(isKnownMember);
  let wake: (() => void) | undefined;
  let open = false;
  const underWay = new Set<Promise<unknown>>();
  const lines = createChatOrder(call);
  const pauses = createPauses(call);
  const suspects = createCrashSuspects((entry) => follow(entry));

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
    if (entry.attempts > 0) suspects.add(entry);
    // Telegram gives it ten seconds: it does not even wait for a place.
    else if (isCheckout(entry.update)) void follow(entry);
    else {
      queue.add(entry);
      wake?.();
    }
  }

  /** Handles it to its end, and calls the next of its chat. */
  async function follow(entry: Entry): Promise<void> {
    const handled = watch(log, entry, handling.handle(entry));
    underWay.add(handled);
    const outcome = await handled;
    underWay.delete(handled);
    if (outcome.over) lines.leave(entry);
    else if (open) pauses.add(entry, outcome.pauseMs);
  }

  const source = createQueueSource(
    queue,
    () => open,
    (resume) => (wake = resume),
  );
  const sink = createConcurrentSink<Entry, never>(
    { consume: (entry) => within(follow(entry), PLACE_MS) },
    () => Promise.resolve(),
    { concurrency: AT_ONCE },
  );
  const runner = createRunner(source, sink);

  return {
    add: (entry: Entry) => lines.join(entry),
    /** Whom there is a place for as soon as they are kept: they begin in the write that keeps them. */
    chooseFirst: (arriving: readonly Update[]): number[] =>
      open ? lines.findHeads(arriving).slice(0, Math.max(0, AT_ONCE - lines.size())) : [],
    isOpen: () => open,
    size: () => lines.size(),
    countWaiting: (chat: string) => lines.countWaiting(chat),
    start(waiting: readonly Entry[]): void {
      open = true;
      for (const entry of waiting) lines.join(entry);
      runner.start();
    },
    /** Resolves when nothing is handled any more. */
    async stop(): Promise<void> {
      open = false;
      pauses.clear();
      suspects.clear();
      queue.clear();
      wake?.();
      await runner.stop();
      while (underWay.size > 0) await Promise.all(underWay);
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

/** Whose turn it is, members before strangers: one of each chat at most. */
function createQueue(isOfMember: (update: Update) => boolean) {
  const [members, strangers]: [Entry[], Entry[]] = [[], []];
  return {
    add: (entry: Entry) => void (isOfMember(entry.update) ? members : strangers).push(entry),
    isEmpty: () => members.length + strangers.length === 0,
    take(count: number): Entry[] {
      const first = members.splice(0, count);
      return [...first, ...strangers.splice(0, count - first.length)];
    },
    clear(): void {
      members.splice(0);
      strangers.splice(0);
    },
  };
}

/** A runner's source over a queue in memory. */
function createQueueSource(
  queue: ReturnType<typeof createQueue>,
  isOpen: () => boolean,
  onWait: (resume: () => void) => void,
): UpdateSource<Entry> {
  let pace = AT_ONCE;
  return {
    async *generator() {
      while (isOpen()) {
        if (queue.isEmpty()) await new Promise<void>((resolve) => onWait(resolve));
        else yield queue.take(Math.max(1, pace));
      }
    },
    setGeneratorPace: (capacity) => void (pace = capacity),
    isActive: isOpen,
    close: () => undefined,
  };
}
