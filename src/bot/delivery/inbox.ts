// Updates: on disk before Telegram is told that they arrived, then handled, one chat in order, chats side by side. What a
// crash interrupted is handled again, and what could not begin after a pause; what was interrupted three times is set aside.
import { createConcurrentSink, createRunner, type UpdateSource } from '@grammyjs/runner';
import type { Update } from 'grammy/types';

import type { BotLog } from '../context.ts';
import { isInterrupted } from '../errors.ts';
import type { BotKeeping, ConversationChange } from '../keeping.ts';
import { isOverloaded, OVERLOAD_PAUSE_MS } from '../overload.ts';

export interface Inbox {
  /** Keeps updates; resolves when they are on disk. */
  accept(updates: readonly Update[]): Promise<void>;
  /** Handles what an earlier process left, then what arrives. */
  start(): void;
  /** Stops handling; resolves when what runs is over. What waits is handled at the next start. */
  stop(): Promise<void>;
  /** How many updates wait or are handled. */
  size(): number;
}

export interface InboxDeps {
  keeping: Pick<BotKeeping, 'inbox' | 'conversations'>;
  log: BotLog;
  /** Handles one update. A rejection marks it as failed; whoever handles has told the person. */
  handle(update: Update): Promise<void>;
  /** What handling changed in a conversation. */
  takeChange(updateId: number): ConversationChange | undefined;
  /** What goes on of an update after it was handled: the chat is free, and the update is over when this is. */
  takeRest(updateId: number): Promise<void> | undefined;
  /** Whether the process is about to end: what fails now may have been interrupted. */
  isStopping(): boolean;
  /** Told of an update that was set aside. */
  onSetAside(updateId: number): Promise<void>;
}

const MOST_ATTEMPTS = 3;
const AT_ONCE = 100;
const LOADED_AT_ONCE = 200;
const WATCHDOG_MS = 60_000;
/** How long a stop waits for what goes on; it goes on again at the next start. */
const REST_GRACE_MS = 4_000;

export function createInbox(deps: InboxDeps): Inbox {
  const { keeping, log } = deps;
  const queue: Update[] = [];
  let wake: (() => void) | undefined;
  let open = false;
  const rests = new Set<Promise<void>>();
  const lines = createLines((update) => queue.push(update));
  const push = (updates: readonly Update[]) => {
    for (const update of updates) lines.join(update);
    wake?.();
  };

  const pauses = createPauses((update) => {
    queue.push(update);
    wake?.();
  });
  const handleNext = async (update: Update) => {
    const isOver = await handleOne(deps, rests, update);
    if (isOver || !open) lines.leave(update);
    else pauses.add(update);
    wake?.();
  };

  const source = createQueueSource(
    queue,
    () => open,
    (resume) => (wake = resume),
  );
  const sink = createConcurrentSink<Update, never>({ consume: handleNext }, () => Promise.resolve(), {
    concurrency: AT_ONCE,
    timeout: {
      milliseconds: WATCHDOG_MS,
      handler: (update) =>
        log.error({ updateId: update.update_id }, 'an update has been handled for a minute'),
    },
  });
  const runner = createRunner(source, sink);

  return {
    async accept(updates) {
      const rows = updates.map((update) => ({ updateId: update.update_id, update: JSON.stringify(update) }));
      const fresh = new Set(await keeping.inbox.keep(rows));
      if (open) push(updates.filter((update) => fresh.has(update.update_id)));
    },
    start() {
      open = true;
      push(loadWaiting(keeping));
      runner.start();
    },
    async stop() {
      open = false;
      pauses.clear();
      wake?.();
      await runner.stop();
      while (sink.size() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const grace = new Promise((resolve) => setTimeout(resolve, REST_GRACE_MS).unref());
      await Promise.race([Promise.all(rests), grace]);
    },
    size: () => lines.size() + queue.length + sink.size() + pauses.size(),
  };
}

/** One line a chat: who comes first is called at once, the others when it leaves. A chat that is stuck takes one place, never all. */
function createLines(call: (update: Update) => void) {
  // Those behind the one that is called.
  const waiting = new Map<string, Update[]>();
  return {
    join(update: Update): void {
      const line = waiting.get(chatOf(update));
      if (line) return void line.push(update);
      waiting.set(chatOf(update), []);
      call(update);
    },
    leave(update: Update): void {
      const next = waiting.get(chatOf(update))?.shift();
      if (next) call(next);
      else waiting.delete(chatOf(update));
    },
    size: () => [...waiting.values()].reduce((sum, line) => sum + line.length, 0),
  };
}

/** Updates that wait to be handled again: each stays at the head of its chat's line, and takes no place of those that are handled. */
function createPauses(call: (update: Update) => void) {
  const timers = new Map<Update, NodeJS.Timeout>();
  return {
    add(update: Update): void {
      const again = () => {
        timers.delete(update);
        call(update);
      };
      timers.set(update, setTimeout(again, OVERLOAD_PAUSE_MS));
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
    size: () => timers.size,
  };
}

/** Chats side by side, each in order; what has no chat belongs to the person's private one. */
function chatOf(update: Update): string {
  // Telegram gives it ten seconds, and it changes nothing: it does not wait for what the chat is doing.
  if (update.pre_checkout_query) return `checkout:${update.pre_checkout_query.id}`;
  const content = Object.values(update).find((value) => typeof value === 'object' && value !== null) as
    { chat?: { id: number }; message?: { chat: { id: number } }; from?: { id: number } } | undefined;
  return String(content?.chat?.id ?? content?.message?.chat?.id ?? content?.from?.id ?? 'none');
}

function loadWaiting(keeping: InboxDeps['keeping']): Update[] {
  const updates: Update[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = keeping.inbox.listWaiting(after, LOADED_AT_ONCE);
    updates.push(...rows.map((row) => JSON.parse(row.update) as Update));
    const last = rows.at(-1);
    if (!last || rows.length < LOADED_AT_ONCE) return updates;
    after = last.updateId;
  }
}

/** Never rejects: the runner must go on. False where nothing could begin, so that it is handled again after a pause. */
async function handleOne(deps: InboxDeps, rests: Set<Promise<void>>, update: Update): Promise<boolean> {
  const { keeping, log, handle, takeChange, takeRest, onSetAside } = deps;
  const { update_id: updateId } = update;
  try {
    const attempts = await keeping.inbox.begin(updateId);
    if (attempts === 0) return true;
    if (attempts > MOST_ATTEMPTS) {
      log.error({ updateId }, 'an update was interrupted three times: it is set aside');
      await keeping.inbox.finish(updateId, 'set_aside', undefined);
      await onSetAside(updateId);
      return true;
    }
    const handled = await handle(update).then(
      () => 'done' as const,
      (error: unknown) => (isOverloaded(error) ? 'later' : isInterrupted(error) ? 'interrupted' : 'failed'),
    );
    // Nothing was begun, so that it is no attempt.
    if (handled === 'later' || handled === 'interrupted') await keeping.inbox.takeBack(updateId);
    // Where calls are given up by a stop, what was said may not have arrived: the update is handled again at the next start.
    const outcome = deps.isStopping() ? 'interrupted' : handled;
    if (outcome === 'interrupted' || outcome === 'later') {
      takeChange(updateId);
      return outcome === 'interrupted';
    }
    const failed = outcome === 'failed';
    const rest = takeRest(updateId);
    if (!rest) {
      await keeping.inbox.finish(updateId, failed ? 'failed' : 'done', takeChange(updateId));
      return true;
    }
    const change = takeChange(updateId);
    if (change) await keeping.conversations.change(change);
    const ended = finishRest(deps, updateId, rest, failed).finally(() => rests.delete(ended));
    rests.add(ended);
  } catch {
    log.error({ updateId }, 'an update could not be kept: it is handled again at the next start');
  }
  return true;
}

/** Never rejects. What was interrupted by a stop stays in the inbox. */
async function finishRest(
  { keeping, log, isStopping }: InboxDeps,
  updateId: number,
  rest: Promise<void>,
  failed: boolean,
): Promise<void> {
  try {
    const restFailed = await rest.then(
      () => false,
      () => true,
    );
    if (restFailed && isStopping()) return;
    await keeping.inbox.finish(updateId, failed || restFailed ? 'failed' : 'done', undefined);
  } catch {
    log.error({ updateId }, 'an update could not be kept: it is handled again at the next start');
  }
}

/** A runner's source over a queue in memory. */
function createQueueSource(
  queue: Update[],
  isOpen: () => boolean,
  onWait: (resume: () => void) => void,
): UpdateSource<Update> {
  let pace = AT_ONCE;
  return {
    async *generator() {
      while (isOpen()) {
        if (queue.length === 0) await new Promise<void>((resolve) => onWait(resolve));
        else yield queue.splice(0, Math.max(1, pace));
      }
    },
    setGeneratorPace: (capacity) => void (pace = capacity),
    isActive: isOpen,
    close: () => undefined,
  };
}
