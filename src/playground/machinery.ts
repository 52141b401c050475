// What is hard to make happen by hand: a timeout, a platform that is down, a kill, a day that passes, an update that
// comes twice. Each says in words what was done, and what came of it.
import type { BotApi } from './telegram/telegram.ts';
import type { Books } from './books.ts';
import type { ActAnswer, HappeningView } from './protocol.ts';
import type { ServiceProcess } from './service-process.ts';
import { count } from './wording.ts';

export interface Machinery {
  letNextTimeOut(): ActAnswer;
  setPlatform(up: boolean): ActAnswer;
  /** Answers when it serves again. */
  killAndStart(): Promise<ActAnswer>;
  jumpDay(): ActAnswer;
  redeliver(): Promise<ActAnswer>;
  clockAheadMs(): number;
}

export interface MachineryDeps {
  api: BotApi;
  service: ServiceProcess;
  books: Books;
  countPending: () => number;
  clockAheadMs: number;
  tell: (kind: HappeningView['kind'], text: string) => void;
  /** Keeps how far the clock is ahead, for the next start. */
  keepClockAhead: (aheadMs: number) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Long enough to be seen, and to be written to in vain. */
const DEAD_FOR_MS = 1_500;
const HANDLED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** The levers. They stand beside the service and know it from outside only. */
export function createMachinery(deps: MachineryDeps): Machinery {
  const { service, tell } = deps;
  let { clockAheadMs } = deps;
  let killing = false;

  return {
    clockAheadMs: () => clockAheadMs,
    letNextTimeOut() {
      if (service.fault() === 'down') return { ok: false, error: 'The platform is down. Bring it up first.' };
      service.steer('nextTimesOut');
      tell('platform', 'The next redemption will be carried out, but its answer will be lost');
      return { ok: true };
    },
    setPlatform(up) {
      if (up === (service.fault() !== 'down')) return { ok: true };
      service.steer(up ? 'none' : 'down');
      const consequence = up
        ? 'doubts can be settled again'
        : 'no redemption can begin there, no doubt be settled';
      tell('platform', `The platform is ${up ? 'up' : 'down'}: ${consequence}`);
      return { ok: true };
    },
    async killAndStart() {
      if (killing || service.state() !== 'running')
        return { ok: false, error: 'The service is not running.' };
      killing = true;
      try {
        await killAndStart(deps);
        return { ok: true };
      } finally {
        killing = false;
      }
    },
    jumpDay() {
      clockAheadMs += DAY_MS;
      service.setClockAhead(clockAheadMs);
      deps.keepClockAhead(clockAheadMs);
      const days = count(Math.round(clockAheadMs / DAY_MS), 'day');
      tell('clock', `The clock jumped: it is ${days} ahead. The daily quota of yesterday is back`);
      return { ok: true };
    },
    redeliver: () => redeliver(deps),
  };
}

async function killAndStart({ service, countPending, tell }: MachineryDeps): Promise<void> {
  await service.kill();
  const pending = countPending();
  tell('process', `Killed (SIGKILL), ${describeOpen(pending)}. What people write now waits at Telegram`);
  await pause(DEAD_FOR_MS);
  await service.start();
  const settling =
    pending === 0 ? 'nothing was under way, nothing is lost' : `${describeOpen(pending)}: being settled`;
  tell('process', `Started again: ${settling}`);
}

function describeOpen(pending: number): string {
  return pending === 0 ? 'no redemption under way' : `${count(pending, 'redemption')} left open`;
}

/** Delivers the last update again, and looks in the books whether anything was done with it. */
async function redeliver({ api, books, tell }: MachineryDeps): Promise<ActAnswer> {
  const last = api.updates().at(-1);
  if (!last) return { ok: false, error: 'Nobody has written to the bot yet.' };
  const id = last.update_id;
  const before = books.update(id);
  api.redeliver(id);
  if (before?.state !== 'done') {
    tell('update', `Update ${id} delivered a second time while it is still being handled`);
    return { ok: true };
  }
  const until = Date.now() + HANDLED_WITHIN_MS;
  while (api.unconfirmed().some((update) => update.update_id === id) && Date.now() < until) {
    await pause(LOOK_EVERY_MS);
  }
  const after = books.update(id);
  const again = after?.attempts !== before.attempts || after.state !== 'done';
  const outcome = again
    ? 'it was handled again'
    : 'it is in the inbox as done already, nothing is done twice';
  tell('update', `Update ${id} delivered again: ${outcome}`);
  return { ok: true };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
