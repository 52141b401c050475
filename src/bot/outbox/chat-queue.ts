// Chat queues: what waits to be said there leaves in order, one after another, until Telegram takes it; no chat holds up another.
// Rows first, so that a restart loses nothing; what Telegram took is noted after it, so that everything is said at least once.
import type { Clock } from '../../clock.ts';
import { createTicking } from '../../ticking.ts';
import { within } from '../../waiting.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { BotStore, WaitingMessage } from '../../store/bot-store.ts';
import { digestContent, toOutgoingRow, type Voice } from '../outgoing.ts';
import type { ChatRateLimit } from '../telegram/chat-rate-limit.ts';
import { runUnasked } from '../telegram/overall-rate-limit.ts';
import { gather, MOST_GATHERED } from './gather-notices.ts';
import { createMessageSender, pauseAfter, type MessageSenderDeps, type SendResult } from './send-message.ts';

export interface ChatQueues extends BotBackground {
  /** Something was kept for this chat: its turn has come. */
  wake(chatId: number): void;
  /** This chat has proved to be open: what it is owed is said, before whatever comes. */
  open(chatId: number): Promise<void>;
  /** What becomes of the words of this update. */
  voiceOf(updateId: number): Voice;
}

export interface ChatQueuesDeps extends Omit<MessageSenderDeps, 'signal'> {
  store: Pick<BotStore, 'outbox'>;
  clock: Clock;
  log: BotLog;
  rateLimit: ChatRateLimit;
}

interface ChatQueue {
  running: boolean;
  failures: number;
  /** In elapsed time. */
  notBefore: number;
  /** Telegram has named that time. */
  isClosed: boolean;
  /** Of what comes next, as far as it was looked at. */
  urgency: 'answer' | 'notice';
  /** Whether somebody waits for some of it, and sees that the bot types. */
  isAwaited: boolean;
  typedAt: number;
}

const TICK_MS = 400;
const AT_ONCE = 8;
const LONG_MS = 1_500;
/** For so long a chat shows that the bot types. */
const TYPING_MS = 5_000;
const STOP_WITHIN_MS = 2_000;

export function createChatQueues(deps: ChatQueuesDeps): ChatQueues {
  const { store, log } = deps;
  const giveUp = new AbortController();
  const board = createBoard(deps, giveUp.signal);
  const listWaiting = () => {
    for (const chatId of store.outbox.listChats()) board.queueOf(chatId);
  };
  const ticking = createTicking(
    TICK_MS,
    async () => {
      await store.outbox.release();
      listWaiting();
      board.pump();
    },
    (error) => log.error({ error: describeError(error) }, 'sending what waits failed, it is tried again'),
  );

  return {
    start() {
      board.open();
      // Before anything new is said: what waited for this process goes first in its chat.
      listWaiting();
      ticking.start();
    },
    async stop() {
      board.close();
      await ticking.stop();
      const settled = board.settled();
      await within(settled, STOP_WITHIN_MS);
      giveUp.abort();
      await settled;
    },
    wake: board.wake,
    async open(chatId) {
      if (await store.outbox.open(chatId)) board.wake(chatId);
    },
    voiceOf: (updateId) => createVoice(deps, board, updateId),
  };
}

type Board = ReturnType<typeof createBoard>;

/** The chats for which something waits. */
function createBoard(deps: ChatQueuesDeps, signal: AbortSignal) {
  const { store, clock, rateLimit } = deps;
  const send = createMessageSender({ ...deps, signal });
  const limit = createConcurrencyLimit(AT_ONCE, LONG_MS);
  const queues = new Map<number, ChatQueue>();
  let isOpen = false;

  function queueOf(chatId: number): ChatQueue {
    const queue = queues.get(chatId) ?? beginQueue();
    queues.set(chatId, queue);
    return queue;
  }

  function pump(): void {
    for (const [chatId, queue] of queues) {
      if (!isOpen || limit.isFull()) return;
      if (queue.running) continue;
      if (clock.elapsed() < queue.notBefore || !rateLimit.allows(chatId, queue.urgency)) {
        showTyping({ ...deps, signal }, chatId, queue);
        continue;
      }
      queue.running = true;
      limit.take(() => runUnasked(() => sendFirst(chatId, queue)), pump);
    }
  }

  /** Never rejects. */
  async function sendFirst(chatId: number, queue: ChatQueue): Promise<void> {
    let row: WaitingMessage | undefined;
    try {
      row = store.outbox.findFirst(chatId);
      if (!row) return void queues.delete(chatId);
      queue.urgency = row.kind === 'notice' ? 'notice' : 'answer';
      // Room is left for whoever asks meanwhile.
      if (!rateLimit.allows(chatId, queue.urgency)) return;
      await sendRow(store.outbox, chatId, row, (each) => send(chatId, each, queue.failures));
      Object.assign(queue, { failures: 0, isClosed: false });
    } catch (error) {
      if (!signal.aborted) fail(deps, queue, row?.id, error);
    } finally {
      queue.running = false;
    }
  }

  function wake(chatId: number): void {
    queueOf(chatId).urgency = 'answer';
    setImmediate(pump);
  }

  return {
    queueOf,
    pump,
    wake,
    /** Whether something is to be said before an answer that comes now: no notice is. */
    waits(chatId: number) {
      const first = queues.has(chatId) ? store.outbox.findFirst(chatId) : undefined;
      return first !== undefined && first.kind !== 'notice';
    },
    open: () => void (isOpen = true),
    close: () => void (isOpen = false),
    settled: limit.settled,
  };
}

/** Of notices all that are one message with it. */
async function sendRow(
  outbox: ChatQueuesDeps['store']['outbox'],
  chatId: number,
  row: WaitingMessage,
  send: (row: WaitingMessage) => Promise<SendResult>,
): Promise<void> {
  if (row.kind === 'notice') {
    const { row: gathered, ids } = gather(row, outbox.listNotices(chatId, MOST_GATHERED));
    const { state } = await send(gathered);
    await outbox.finishAll(ids, state === 'sent' ? 'sent' : 'dropped');
    return;
  }
  const { state, rest } = await send(row);
  // Before those that were kept in the same moment as what it is a part of.
  await outbox.finish(row.id, state, rest && { row: rest, at: row.at - 1 });
}

/** Where an answer is held by Telegram's limits. What they do not know of, an outage, is shown to nobody. */
function showTyping(
  { api, clock, signal }: Pick<ChatQueuesDeps, 'api' | 'clock'> & { signal: AbortSignal },
  chatId: number,
  queue: ChatQueue,
): void {
  const isHeld = queue.isAwaited && (queue.isClosed || queue.failures === 0);
  if (!isHeld || clock.elapsed() - queue.typedAt < TYPING_MS) return;
  queue.typedAt = clock.elapsed();
  void runUnasked(() => api.sendChatAction(chatId, 'typing', {}, signal as never)).catch(() => undefined);
}

function fail(
  { clock, log }: ChatQueuesDeps,
  queue: ChatQueue,
  outboxId: number | undefined,
  error: unknown,
): void {
  queue.failures += 1;
  const pause = pauseAfter(error, queue.failures);
  queue.notBefore = clock.elapsed() + pause.ms;
  queue.isClosed = pause.isAsked;
  log.warn(
    { outboxId, failures: queue.failures, error: describeError(error) },
    'a message could not be sent, it is tried again',
  );
}

function beginQueue(): ChatQueue {
  const fresh = { running: false, failures: 0, notBefore: 0, isClosed: false } as const;
  return { ...fresh, urgency: 'answer', isAwaited: false, typedAt: -Infinity };
}

function createVoice({ store, rateLimit, log }: ChatQueuesDeps, board: Board, updateId: number): Voice {
  const note = (error: unknown, what: string) => log.warn({ updateId, error: describeError(error) }, what);
  const lost: unknown[] = [];
  let following: (() => Promise<void>) | undefined;
  return {
    mustWait: (chatId) => board.waits(chatId) || !rateLimit.allows(chatId, 'answer'),
    async keep(chatId, content) {
      const key = `words:${updateId}:${digestContent(content)}`;
      await store.outbox.keep([{ ...toOutgoingRow(key, chatId, content), kind: 'answer' }]);
      const queue = board.queueOf(chatId);
      queue.isAwaited = true;
      // Whoever writes hears the bot again: what waited for better times is tried at once.
      if (!queue.isClosed && queue.failures > 1) queue.notBefore = 0;
      board.wake(chatId);
    },
    wake: board.wake,
    giveUp: (error) => note(error, 'nobody is there to be told'),
    forgive: (error) => note(error, 'something could not be said at once'),
    lose: (error) => void lost.push(error),
    follow: (work) => void (following = work),
    finish() {
      if (lost.length > 0) throw lost[0];
      return following;
    },
  };
}

export interface ConcurrencyLimit {
  isFull(): boolean;
  /** Runs it; `onFree` whenever there may be room again. `task` never rejects. */
  take(task: () => Promise<void>, onFree: () => void): void;
  /** Resolves when all that was taken is over. */
  settled(): Promise<void>;
}

export function createConcurrencyLimit(atOnce: number, longMs: number): ConcurrencyLimit {
  const underWay = new Set<Promise<void>>();
  let quick = 0;
  return {
    isFull: () => quick >= atOnce,
    take(task, onFree) {
      let isQuick = true;
      quick += 1;
      const free = () => {
        if (isQuick) quick -= 1;
        isQuick = false;
        onFree();
      };
      const timer = setTimeout(free, longMs);
      const running: Promise<void> = task().finally(() => {
        clearTimeout(timer);
        underWay.delete(running);
        free();
      });
      underWay.add(running);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
