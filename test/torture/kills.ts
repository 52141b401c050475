// Kills in the background of other torture: the service of a shop dies by SIGKILL now and then, and is started again.
import { query } from './books.ts';
import { KILL_POINTS, UPDATE_KILL_POINTS } from './faults.ts';
import type { Shop } from './shop.ts';

const LONGEST_LURK_MS = 1_000;
/** A machine that is busy answers late: whoever waits so long is answered before the next kill, or was forgotten. */
const LONG_WAIT_MS = 10_000;
/** After a start whatever waited has begun, one suspect after the other, also where the machine is busy. */
const BEGUN_WITHIN_MS = 1_500;

export interface Kills {
  /** How many there were so far. */
  count(): number;
  /** How many there were between two moments of `performance.now()`. */
  between(from: number, to: number): number;
  /** The named points at which it died. */
  reached: ReadonlySet<string>;
  /** No more; resolves when the service runs. Rejects when it could not be started. */
  stop(): Promise<void>;
}

export interface KillOptions {
  /** From one start to the next kill. */
  everyMs: { least: number; most: number };
  /** Told where the service is after each start. */
  onStart: (url: string) => void;
  /** How long somebody has waited for an answer. */
  longestWaitMs: () => number;
}

/** Begins to kill. */
export function keepKilling(shop: Shop, { everyMs, onStart, longestWaitMs }: KillOptions): Kills {
  const { seeded } = shop;
  const ended = new AbortController();
  const moments: number[] = [];
  const reached = new Set<string>();

  async function killOnce(): Promise<void> {
    const service = shop.service();
    await waitUntilBearable(shop);
    if (seeded.chance(0.6)) {
      const at = seeded.pick(seeded.chance(0.3) ? KILL_POINTS : UPDATE_KILL_POINTS);
      await shop.command({ kill: { at, nth: 1 + seeded.below(3) } }).catch(() => undefined);
      await Promise.race([service.exited, pause(LONGEST_LURK_MS, ended.signal)]);
      if (service.stderr().includes(`killed at ${at}`)) reached.add(at);
    }
    await service.kill('SIGKILL');
    moments.push(performance.now());
    await shop.start();
    onStart(shop.service().url);
  }

  const life = (async () => {
    while (!ended.signal.aborted) {
      await pause(everyMs.least + seeded.below(everyMs.most - everyMs.least), ended.signal);
      while (longestWaitMs() > LONG_WAIT_MS && !ended.signal.aborted) await pause(200, ended.signal);
      if (ended.signal.aborted) return;
      await killOnce();
      if (seeded.chance(0.2)) {
        await pause(seeded.below(300), ended.signal);
        await killOnce();
      }
    }
  })();
  life.catch(() => undefined);
  return {
    count: () => moments.length,
    reached,
    between: (from, to) => moments.filter((at) => at >= from && at <= to).length,
    stop() {
      ended.abort();
      return life;
    },
  };
}

/** What was interrupted three times is set aside, by design: nothing here is killed a third time. */
async function waitUntilBearable(shop: Shop): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const worst = findMostAttempts(shop);
    if (worst <= 1) return;
    // Nothing begins once more in this life after what waited was begun at its start.
    const isUnderWay = shop.service().log().includes('the bot is listening');
    if (isUnderWay) await new Promise((resolve) => setTimeout(resolve, BEGUN_WITHIN_MS));
    if (isUnderWay && findMostAttempts(shop) <= 2) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function findMostAttempts({ folder }: Shop): number {
  const rows = query(folder, `select max(attempts) as most from inbox where state = 'waiting'`);
  return (rows as { most: number | null }[])[0]?.most ?? 0;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
