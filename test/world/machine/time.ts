// Simulated time: every timer of the process obeys it, nothing sleeps. What a process of the service has begun belongs
// to its life: when that is ended, as by a kill, none of its timers strikes any more.
import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

import FakeTimers, { type Clock as FakeClock } from '@sinonjs/fake-timers';

import type { Clock } from '../../../src/clock.ts';

/** One process of the service, from its start to its end. */
export interface Life {
  isOver(): boolean;
  /** From now on none of its timers strikes, and whoever asks `isOver` gives it nothing any more. */
  end(): void;
  /** What is begun in `work` belongs to this life. */
  run<T>(work: () => T): T;
  /** Aborted at the end. */
  gone: AbortSignal;
}

export interface Time {
  /** As it is in truth: what Telegram, the platform and people go by. */
  clock: Clock;
  /** As the service's machine tells it: its calendar may be wrong. */
  machine: Clock;
  /** By how much the machine's calendar is wrong from now on. */
  setWrong(ms: number): void;
  beginLife(): Life;
  /** Runs `work` as nobody's: what it begins strikes whoever is killed. */
  outside<T>(work: () => T): T;
  /** Resolves after so much simulated time. */
  sleep(ms: number): Promise<void>;
  /** Time goes on from timer to timer until `isOver`; false where `withinMs` were over before. */
  passUntil(isOver: () => boolean, withinMs: number): Promise<boolean>;
  /** Time in which nothing happens: timers do not notice. */
  skip(ms: number): void;
  /** Of the service and of its world. */
  countTimers(): number;
  /** The machine is suspended: whatever would have struck meanwhile strikes once, when it wakes. */
  suspend(ms: number): void;
  /** Timers are real again, for whoever shares the process. */
  end(): void;
  /** Work of the machine in which no simulated time passes: a file that is copied beside the event loop. */
  native<T>(work: () => Promise<T>): Promise<T>;
}

/** Where every world begins. */
const START = Date.UTC(2026, 2, 2, 6);
/** What a dead process had put in the event loop's next turn: it can reach nothing, and comes to its end. */
const LAST_TURNS = 100_000;

const lives = new AsyncLocalStorage<LifeState | undefined>();
const realTurn = globalThis.setImmediate;
let fake: FakeClock | undefined;

interface LifeState {
  over: boolean;
  turnsLeft: number;
}

/** Whether a file is being read or written beside the loop: that takes no time here. */
const isReading = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/** What `beginTime` takes beside the library. */
const real = { timeout: AbortSignal.timeout.bind(AbortSignal), ...timersPromises };

function giveBack(): void {
  fake?.uninstall();
  fake = undefined;
  AbortSignal.timeout = real.timeout;
  Object.assign(timersPromises, { setTimeout: real.setTimeout, setImmediate: real.setImmediate });
  syncBuiltinESMExports();
}

/** Takes the timers of this process until `end`; time begins anew with every call. */
export function beginTime(): Time {
  fake?.uninstall();
  const clock = FakeTimers.install({ now: START, toFake: [...FAKED] });
  fake = clock;
  bindTimers();
  let [ahead, wrong, native] = [0, 0, 0];
  const [now, elapsed] = [() => Date.now() + ahead, () => Math.floor(performance.now()) + ahead];
  const turn = () => new Promise<void>((resolve) => void realTurn(resolve));

  return {
    clock: { now, elapsed },
    machine: { now: () => now() + wrong, elapsed },
    setWrong: (ms) => void (wrong = ms),
    beginLife,
    outside: (work) => lives.run(undefined, work),
    sleep: (ms) => lives.run(undefined, () => new Promise((resolve) => void setTimeout(resolve, ms))),
    async passUntil(isOver, withinMs) {
      let isLate = false;
      const timer = lives.run(undefined, () => setTimeout(() => (isLate = true), withinMs));
      for (;;) {
        await turn();
        while (native > 0 || isReading()) await turn();
        if (isOver()) break;
        if (isLate) return false;
        clock.next();
      }
      clearTimeout(timer);
      return true;
    },
    skip: (ms) => void (ahead += ms),
    suspend: (ms) => void clock.jump(ms),
    countTimers: () => clock.countTimers(),
    end: giveBack,
    async native(work) {
      const ours = globalThis.setImmediate;
      native += 1;
      // Nobody else runs meanwhile: the loop itself turns for it.
      await turn();
      globalThis.setImmediate = realTurn;
      try {
        return await work();
      } finally {
        globalThis.setImmediate = ours;
        native -= 1;
      }
    },
  };
}

const FAKED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
] as const;

function beginLife(): Life {
  const state: LifeState = { over: false, turnsLeft: LAST_TURNS };
  const gone = new AbortController();
  return {
    isOver: () => state.over,
    end() {
      state.over = true;
      gone.abort();
    },
    run: (work) => lives.run(state, work),
    gone: gone.signal,
  };
}

type Work = (...args: unknown[]) => void;

/** Over the library's timers: they keep their caller's context, as Node's do, and strike nobody who is dead. */
function bindTimers(): void {
  const { setTimeout: after, setInterval: every, setImmediate: next } = globalThis;
  const later = (work: Work): Work => {
    const life = lives.getStore();
    const bound = AsyncLocalStorage.bind(work);
    return life ? (...args) => void (life.over || bound(...args)) : bound;
  };
  const soon = (work: Work): Work => {
    const life = lives.getStore();
    const bound = AsyncLocalStorage.bind(work);
    return (...args) => {
      if (life?.over && (life.turnsLeft -= 1) < 0) return;
      bound(...args);
    };
  };
  const own = {
    setTimeout: (work: Work, ms?: number, ...args: unknown[]) => after(later(work), ms, ...args),
    setInterval: (work: Work, ms?: number, ...args: unknown[]) => every(later(work), ms, ...args),
    setImmediate: (work: Work, ...args: unknown[]) => next(soon(work), ...args),
  };
  Object.assign(globalThis, own);
  AbortSignal.timeout = abortAfter;
  Object.assign(timersPromises, { setTimeout: promiseAfter, setImmediate: promiseNext });
  syncBuiltinESMExports();
}

function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms);
  return controller.signal;
}

interface Abortable {
  signal?: AbortSignal;
}

function promiseAfter<T>(ms?: number, value?: T, { signal }: Abortable = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve(value as T);
    }, ms);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}

const promiseNext = <T>(value?: T): Promise<T> =>
  new Promise((resolve) => void setImmediate(() => resolve(value as T)));
