// The task worker: runs what is due, each task by the handler of its name. Tasks of one queue run one after the other
// and in order, queues side by side. A task that fails is run again by its handler's policy; what must not be run any
// more is buried with a reason.
import { HOUR_MS } from '../../clock.ts';
import type { Task } from '../../store/index.ts';
import { retry, within } from '../../waiting.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from '../../concurrency-limit.ts';
import {
  AGAIN_MS,
  createTaskRun,
  MOST_CRASHES,
  type TaskHandler,
  type TaskWorkerDeps,
  writePauseMs,
} from './run-task.ts';

export interface TaskWorker {
  start(): void;
  /** Begins nothing more, gives what runs 2 s, then aborts it: it is run again at the next start. */
  stop(): Promise<void>;
  /** What has failed more than once in this queue is tried again at once. */
  hurry(queue: string): void;
  /** Runs what is due, as it does by itself once it is started; resolves when nothing is. */
  rest(): Promise<void>;
}

type Handlers = Readonly<Record<string, TaskHandler>>;

/**
 * While something waits for a time it is looked at so often: that goes on while the machine is suspended, and a timer
 * does not.
 */
const LOOK_MS = 400;
const SOONEST_MS = 10;
const LONG_MS = 1_500;
const STOP_WITHIN_MS = 2_000;
/** What may have brought the process down runs alone, and others wait so long for it. */
const ALONE_MS = 5_000;
/** No task is planned for later: a time beyond it was written by a clock that was wrong. */
const LONGEST_MS = HOUR_MS;
const PEEKED_AT_ONCE = 200;

export function createTaskWorker(deps: TaskWorkerDeps, handlers: Handlers): TaskWorker {
  const { store } = deps;
  const giveUp = new AbortController();
  const queues = createQueues(deps, handlers);
  const limits = createLimits(handlers);
  const pump = createPump({ ...deps, handlers, queues, limits, signal: giveUp.signal });
  let isStarted = false;

  store.onQueued((keys) => {
    if (!isStarted) return;
    queues.wake(keys);
    if (isForUs(keys)) pump.schedule();
  });

  /** What another worker of this process runs is no reason to look at the others. */
  function isForUs(keys: readonly string[]): boolean {
    try {
      return keys.some((key) => (queues.peek(key)?.task ?? '') in handlers);
    } catch {
      // The pump says what cannot be read.
      return true;
    }
  }

  /** Once it is known what was under way when the process before ended. */
  async function open(): Promise<void> {
    // Those of its own handlers: another worker of this process may run others already.
    const names = Object.keys(handlers);
    await retry(writePauseMs, () => store.write(({ tasks }) => names.map(tasks.unlockAll)), giveUp);
    queues.wakeAll();
    if (isStarted) pump.open();
  }

  return {
    start() {
      isStarted = true;
      // Before anything new is done: what waited for this process goes first in its queue.
      queues.load();
      // What it rejects with a stop interrupted.
      open().catch(() => undefined);
    },
    async stop() {
      isStarted = false;
      pump.close();
      const settled = limits.settled();
      await within(settled, STOP_WITHIN_MS);
      giveUp.abort();
      await settled;
    },
    hurry(key) {
      queues.hurry(key);
      pump.schedule();
    },
    async rest() {
      queues.load();
      while (!giveUp.signal.aborted && pump.begin().isRunning) await limits.settled();
    },
  };
}

interface Queue {
  isRunning: boolean;
  /** What comes next, as far as it is known. */
  head: Task | undefined;
  headId: number;
  /** In elapsed time. */
  notBefore: number;
  /** The same of one that has failed, or could not be begun: nothing wakes it sooner. */
  pausedUntil: number;
  /** It was put off until now: a calendar that was corrected meanwhile puts it off no further. */
  isDue: boolean;
}

type Queues = ReturnType<typeof createQueues>;

/** The queues in which something waits, as far as this process knows. */
function createQueues({ store, clock }: TaskWorkerDeps, handlers: Handlers) {
  const isDangerous = ({ task, crashes }: Task) => crashes >= MOST_CRASHES && handlers[task]?.isOfOpenRow;
  const queues = new Map<string, Queue>();
  /** Whose first is held until a time, and that, in elapsed time: they are not looked at before. */
  const later = new Map<string, number>();
  let soonest = Infinity;

  /** What comes next in a queue. One that was not there before, or has not failed, runs at its time. */
  function peek(key: string): Task | undefined {
    const queue = queues.get(key);
    if (!queue || queue.head) return queue?.head;
    const head = (queue.head = store.read(({ tasks }) => tasks.findFirst(key)));
    if (head && (head.id !== queue.headId || (head.attempts === 0 && !isDangerous(head)))) {
      const ms = isDangerous(head) ? LONGEST_MS : queue.isDue ? 0 : head.runAt - clock.now();
      queue.headId = head.id;
      queue.notBefore = Math.max(queue.pausedUntil, clock.elapsed() + (ms > LONGEST_MS ? 0 : ms));
    }
    return head;
  }

  function wake(keys: Iterable<string>, isDue = false): void {
    for (const key of keys) {
      later.delete(key);
      const queue = queues.get(key);
      const times = { headId: -1, notBefore: 0, pausedUntil: 0 };
      if (queue) Object.assign(queue, { head: undefined, isDue: false });
      else queues.set(key, { isRunning: false, head: undefined, ...times, isDue });
    }
  }

  return {
    wake: (keys: Iterable<string>) => wake(keys),
    wakeAll: () => wake([...queues.keys()]),
    /** What waited before. */
    load: () => wake(store.read(({ tasks }) => tasks.listQueues())),
    list: () => queues.entries(),
    putOff(key: string, { notBefore }: Queue): void {
      queues.delete(key);
      later.set(key, notBefore);
      soonest = Math.min(soonest, notBefore);
    },
    /** Those that were put off until now are among the others; in how many ms the next is. */
    wakeDue(): number {
      const now = clock.elapsed();
      if (soonest <= now) {
        wake(
          [...later].flatMap(([key, notBefore]) => (notBefore <= now ? [key] : [])),
          true,
        );
        soonest = Math.min(...later.values());
      }
      return soonest - now;
    },
    remove: (key: string) => void queues.delete(key),
    peek,
    hurry(key: string): void {
      const queue = queues.get(key);
      if (queue && (peek(key)?.attempts ?? 0) > 1) queue.notBefore = 0;
    },
    /** Behind the others: no queue is served twice before all are. `notBefore`: where its first has failed. */
    goOn(key: string, queue: Queue, notBefore?: number): void {
      const pausedUntil = notBefore === undefined ? 0 : Math.min(notBefore, clock.elapsed() + AGAIN_MS);
      const next = { notBefore: notBefore ?? queue.notBefore, pausedUntil };
      Object.assign(queue, { isRunning: false, head: undefined, isDue: false, ...next });
      if (queues.delete(key)) queues.set(key, queue);
    },
  };
}

type Limits = ReturnType<typeof createLimits>;

/** How many run at once of each handler; of what may have brought the process down, one. */
function createLimits(handlers: Handlers) {
  const suspects = createConcurrencyLimit(1, ALONE_MS);
  const limits = new Map<TaskHandler, ConcurrencyLimit>(
    Object.values(handlers).map((handler) => [handler, createConcurrencyLimit(handler.atOnce, LONG_MS)]),
  );
  return {
    of: (handler: TaskHandler, { crashes }: Task) => (crashes > 0 ? suspects : limits.get(handler)),
    settled: () => Promise.all([...limits.values(), suspects].map((limit) => limit.settled())),
  };
}

interface PumpParts extends TaskWorkerDeps {
  handlers: Handlers;
  queues: Queues;
  limits: Limits;
  signal: AbortSignal;
}

/** Begins what may run now, and comes back when the next may. */
function createPump(parts: PumpParts) {
  const { queues, log, describe } = parts;
  const begin = createBegin(parts, schedule);
  let isOpen = false;
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || !isOpen) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      pump();
    });
  }

  /** In how many ms the next may run, and whether any does. */
  function beginAll(most = Infinity): { nextMs: number; isRunning: boolean } {
    let nextMs = queues.wakeDue();
    let [peeked, isRunning] = [0, false];
    for (const [key, queue] of queues.list()) {
      if (!queue.isRunning && !queue.head && (peeked += 1) > most) {
        schedule();
        break;
      }
      if (!queue.isRunning) nextMs = Math.min(nextMs, begin(key, queue));
      isRunning ||= queue.isRunning;
    }
    return { nextMs, isRunning };
  }

  function pump(): void {
    if (!isOpen) return;
    let nextMs: number;
    try {
      nextMs = beginAll(PEEKED_AT_ONCE).nextMs;
    } catch (error) {
      log.error({ error: describe(error) }, 'what is due could not be looked at, it is tried again');
      nextMs = LOOK_MS;
    }
    clearTimeout(timer);
    if (nextMs < Infinity) timer = setTimeout(pump, Math.min(LOOK_MS, Math.max(SOONEST_MS, nextMs)));
  }

  return {
    schedule,
    begin: beginAll,
    open() {
      isOpen = true;
      schedule();
    },
    close() {
      isOpen = false;
      clearTimeout(timer);
    },
  };
}

/** Runs the first task of a queue, or says in how many ms it may run. `onFree`: there may be room for another. */
function createBegin({ handlers, queues, limits, signal, ...deps }: PumpParts, onFree: () => void) {
  const run = createTaskRun(deps, handlers, signal);
  return (key: string, queue: Queue): number => {
    const head = queues.peek(key);
    const handler = head && handlers[head.task];
    const limit = handler && limits.of(handler, head);
    if (!limit) queues.remove(key);
    if (!limit || limit.isFull()) return Infinity;
    const heldMs = handler.heldMs?.(head) ?? 0;
    if (heldMs > 0) handler.onHeld?.(head);
    const ms = Math.max(heldMs, queue.notBefore - deps.clock.elapsed());
    const isHeld = head.attempts + head.crashes === 0 && heldMs === 0;
    if (isHeld && ms > LOOK_MS) queues.putOff(key, queue);
    if (ms > 0) return ms;
    queue.isRunning = true;
    limit.take(async () => queues.goOn(key, queue, await run(key)), onFree);
    return Infinity;
  };
}
