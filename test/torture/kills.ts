// A shop in a chat under kills: each update comes several times, by webhook or by polling, while the service dies by
// SIGKILL now and then, and is started again. In the end everything is handled, and whoever ordered it compares.
import { pause } from '../../src/waiting.ts';
import { createSeeded } from '../harness/seeded.ts';
import { countRows, query } from './books.ts';
import { longestWaitMs, openChat, type Chat } from './chat.ts';
import { deliverByPolling, deliverByWebhook } from './delivery.ts';
import { KILL_POINTS, UPDATE_KILL_POINTS } from './faults.ts';
import { count, type Findings } from './findings.ts';
import { becomes } from './process.ts';
import { inShop, type Shop } from './shop.ts';

const LEAST_LIFE_MS = 900;
const LIVES_SPREAD_MS = 2_100;
const LONGEST_LURK_MS = 1_000;
/** A machine that is busy answers late: whoever waits so long is answered before the next kill, or was forgotten. */
const LONG_WAIT_MS = 10_000;
/** After a start whatever waited has begun, one suspect after the other, also where the machine is busy. */
const BEGUN_WITHIN_MS = 1_500;
const BEARABLE_WITHIN_MS = 30_000;
/** What is handled at the end, after the last repeat was handed over. */
const SETTLE_MS = 1_000;

export interface Scene {
  shop: Shop;
  chat: Chat;
  /** How many kills there were so far. */
  kills(): number;
  /** How many there were between two moments of `performance.now()`. */
  killsBetween(from: number, to: number): number;
}

interface Play<Cast> {
  env?: Record<string, string>;
  /** Each update is delivered from once to so many times. */
  most: number;
  /** Before the first kill: on a slow machine it lasts longer. */
  hire(shop: Shop, chat: Chat): Promise<Cast>;
  live(cast: Cast, scene: Scene): Promise<unknown>;
  /** When everything is handled. */
  compare(cast: Cast, scene: Scene): Promise<string[]>;
}

/** By webhook where the seed is even, else by polling. */
export async function playUnderKills<Cast>(seed: number, play: Play<Cast>): Promise<Findings> {
  const chat = await openChat();
  const deliver = seed % 2 === 0 ? deliverByWebhook : deliverByPolling;
  const delivery = await deliver({ api: chat.api, seeded: createSeeded(seed + 1), most: play.most });
  try {
    return await inShop(seed, { ...play.env, ...chat.env, ...delivery.env }, async (shop) => {
      delivery.follow(shop.service().url);
      const cast = await play.hire(shop, chat);
      const onStart = () => delivery.follow(shop.service().url);
      const { moments, reached, stop } = keepKilling(shop, chat, onStart);
      const killsBetween = (from: number, to: number) =>
        moments.filter((at) => at >= from && at <= to).length;
      const scene: Scene = { shop, chat, kills: () => moments.length, killsBetween };
      try {
        await play.live(cast, scene);
      } finally {
        await stop();
      }
      await delivery.quiet();
      shop.violations.push(...(await waitUntilHandled(shop)), ...(await play.compare(cast, scene)));
      count(shop, 'deliveries', delivery.handedOver());
      count(shop, 'kills', moments.length);
      count(shop, 'points', reached.size);
    });
  } finally {
    await delivery.close();
    await chat.close();
  }
}

async function waitUntilHandled({ folder }: Shop): Promise<string[]> {
  const waiting = [`inbox where state = 'waiting'`, 'tasks where run_at is not null'];
  await becomes(() => waiting.every((from) => countRows(folder, from) === 0));
  await pause(SETTLE_MS);
  const left = query(
    folder,
    `select 'updates' as what, state from inbox where state <> 'done'
      union all select 'messages', task from tasks where done_at is null`,
  ) as { what: string; state: string }[];
  return left.map(({ what, state }) => `${what} are ${state} at the end`);
}

/** Begins to kill. `stop` resolves when the service runs; rejects when it could not be started. */
function keepKilling(shop: Shop, { api }: Chat, onStart: () => void) {
  const { seeded } = shop;
  const ended = new AbortController();
  const { signal } = ended;
  const moments: number[] = [];
  /** The named points at which it died. */
  const reached = new Set<string>();

  async function killOnce(): Promise<void> {
    const service = shop.service();
    await waitUntilBearable(shop);
    if (seeded.chance(0.6)) {
      const at = seeded.pick(seeded.chance(0.3) ? KILL_POINTS : UPDATE_KILL_POINTS);
      await shop.command({ kill: { at, nth: 1 + seeded.below(3) } }).catch(() => undefined);
      await Promise.race([service.exited, pause(LONGEST_LURK_MS, signal)]);
      if (service.stderr().includes(`killed at ${at}`)) reached.add(at);
    }
    await service.kill('SIGKILL');
    moments.push(performance.now());
    await shop.start();
    onStart();
  }

  const life = (async () => {
    while (!signal.aborted) {
      await pause(LEAST_LIFE_MS + seeded.below(LIVES_SPREAD_MS), signal);
      while (longestWaitMs(api) > LONG_WAIT_MS && !signal.aborted) await pause(200, signal);
      if (signal.aborted) return;
      await killOnce();
      if (!seeded.chance(0.2)) continue;
      await pause(seeded.below(300), signal);
      await killOnce();
    }
  })();
  life.catch(() => undefined);
  return { moments, reached, stop: () => (ended.abort(), life) };
}

/** What was interrupted three times is set aside, by design: nothing here is killed a third time. */
async function waitUntilBearable({ folder, service }: Shop): Promise<void> {
  const isKilled = (times: number) =>
    countRows(folder, `inbox where state = 'waiting' and attempts >= ${times}`);
  await becomes(async () => {
    if (isKilled(2) === 0) return true;
    // Nothing begins once more in this life after what waited was begun at its start.
    if (!service().log().includes('the bot is listening')) return false;
    await pause(BEGUN_WITHIN_MS);
    return isKilled(3) === 0;
  }, BEARABLE_WITHIN_MS);
}
