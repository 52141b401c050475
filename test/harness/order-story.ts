// An order played act by act over the real core, on a clock that stands still between them: what it waits for, or as
// what it has ended, in a word.
import { expect } from 'vitest';

import { HOUR_MS, MINUTE_MS } from '../../src/clock.ts';
import type { AccountActor, OrderRequest } from '../../src/core/index.ts';
import { bookUsage, DAILY_LIMIT_QUARTERS, findRoom } from '../../src/core/quota/usage.ts';
import type { Nature } from '../world/core/orders/model.ts';
import { GAME, makeOf, openOrderWorld, reader, type OrderWorld } from './order-world.ts';
import { UNREACHED } from './platform.ts';

export const PLAYER = '5170925570';

export type OrderStory = Awaited<ReturnType<typeof openOrderStory>>;

export async function openOrderStory() {
  const world: OrderWorld = await openOrderWorld();
  let [keys, id] = [0, ''];
  const actor = (): AccountActor => reader(world);
  const orders = () => world.core().orders;

  function find(of = id) {
    const order = orders().find(actor(), of);
    if (!order) throw new Error(`${of} is not there.`);
    return order;
  }

  /** `running`, `waits stock`, `stopped DOUBT, 60 x2 missing`. */
  function tell(of = id): string {
    const { state, waitsFor, reason, missing = [] } = find(of);
    const left = missing.map((each) =>
      'n' in each ? `, given ${each.n}` : `, ${each.denomination} x${each.count}`,
    );
    return waitsFor ? `waits ${waitsFor}` : [state, ...(reason ? [` ${reason}`] : []), ...left].join('');
  }

  return {
    ...{ world, actor, orders, find, tell },
    core: () => world.core(),
    /** The order that the story is of. */
    id: () => id,
    /** As many as are named. Their nature is how the platform meets them. */
    async add(codes: number | Nature[], denomination = 60): Promise<string[]> {
      const natures =
        typeof codes === 'number' ? Array.from({ length: codes }, () => 'GOOD' as const) : codes;
      const made = natures.map(makeOf);
      await world.core().codes.add(actor(), GAME, [{ denomination, codes: made }]);
      await world.rest();
      return made;
    },
    nextKey: () => ({ scope: 'http', key: `key-${(keys += 1)}` }) as const,
    /** Waits where there is none. A number is so many codes of 60. */
    async place(asked: number | Partial<OrderRequest>, by = actor()): Promise<string> {
      const request = typeof asked === 'number' ? { items: [{ denomination: 60, count: asked }] } : asked;
      const answer = await orders().place(by, {
        ...{ gameId: GAME, playerId: PLAYER, onShortage: 'wait', onBadCode: 'replace' },
        ...{ idempotencyKey: this.nextKey(), ...request },
      });
      if (answer.status !== 'placed') throw new Error(`It was not placed: ${answer.status}.`);
      ({ id } = answer.order);
      await world.rest();
      return answer.order.id;
    },
    async cancel(): Promise<void> {
      await orders().cancel(actor(), id);
      await world.rest();
    },
    async resume(deadline?: number, by = actor()): Promise<void> {
      const answer = await orders().resume(by, id, {
        idempotencyKey: this.nextKey(),
        ...(deadline && { deadline }),
      });
      if (answer?.status !== 'resumed') throw new Error(`It was not resumed: ${answer?.status}.`);
      await world.rest();
    },
    /** Time passes, and what is due is looked at. */
    async after(ms: number): Promise<void> {
      world.clock.advance(ms);
      await world.look();
    },
    /** Of each of its codes: 1, 2 to one that waits, 0 not, -1 not to be. */
    promisedTo: (of = id): number[] =>
      world
        .store()
        .read((tables) => tables.orderItems.list(tables.orders.findByName(of)?.id ?? 0))
        .map(({ promised }) => promised),
    later: (ms: number) => world.clock.now() + ms,
    available: (denomination = 60) => world.core().codes.countAvailable(actor(), GAME).get(denomination),
    /** The platform is out of reach for the orders that follow, or carries them out: in turn. */
    answers(...words: ('down' | 'good')[]): void {
      const { redeem } = world.platform.script;
      world.platform.script.redeem = (order, signal) =>
        words.shift() === 'down' ? UNREACHED : (redeem?.(order, signal) ?? world.platform.redeemNow(order));
    },
    /** All of the quota but `left`, until a day from now. */
    useUp(left = 0) {
      world.allowDrift();
      return world.store().write((tables) => {
        const { accountId, clock } = world;
        const room = findRoom(tables, { accountId }, 'redemptionTime', clock.now());
        if (room.status === 'quotaExceeded') return;
        const dailyQuarters = DAILY_LIMIT_QUARTERS - room.usedBefore - 4 * left;
        bookUsage(tables, { ...room, plan: { dailyQuarters, purchasedQuarters: 0 } }, clock.now());
      });
    },
    /** Without days left the subscription ends; with them it goes on. */
    subscribe: (days: number) =>
      world.store().write(({ accounts }) => {
        const [{ accountId, clock }, ms] = [world, 10 * 365 * 86_400_000];
        if (days > 0) accounts.extendSubscription(accountId, days * 86_400_000, clock.now());
        else accounts.shortenSubscription(accountId, ms, clock.now());
      }),
    close: () => world.close(),
  };
}

type Act = (s: OrderStory, words: readonly string[]) => unknown;

const UNITS: Record<string, number> = { ms: 1, s: 1_000, min: MINUTE_MS, h: HOUR_MS };
function readMs(word = ''): number {
  const [, count = '', unit = ''] = /^(\d+)([a-z]+)$/.exec(word) ?? [];
  return Number(count) * (UNITS[unit] ?? NaN);
}
const readCodes = (words: readonly string[]): number | Nature[] =>
  Number(words[0]) > 0 ? Number(words[0]) : (words as Nature[]);

const ACTS: Record<string, Act> = {
  /** `add 2`, `add GOOD INVALID`: codes of 60. */
  add: (s, words) => s.add(readCodes(words)),
  /** `place 2`, `place 2 until 3h`: codes of 60. */
  place: (s, [count, , until]) =>
    s.place({
      items: [{ denomination: 60, count: Number(count) }],
      ...(until !== undefined && { deadline: s.later(readMs(until)) }),
    }),
  /** `give GOOD INVALID`: codes that are given. */
  give: (s, words) =>
    s.place({ gameId: 'game_id_2', items: (words as Nature[]).map((nature) => ({ code: makeOf(nature) })) }),
  /** `resume`, `resume until 2h`. */
  resume: (s, [, until]) => s.resume(until === undefined ? undefined : s.later(readMs(until))),
  cancel: (s) => s.cancel(),
  /** Time passes, and nothing is looked at. */
  unseen: ({ world }, [ms]) => world.clock.advance(readMs(ms)),
  /** `subscribe 1`: for so many days; 0: no more. */
  subscribe: (s, [days]) => s.subscribe(Number(days)),
  useUp: (s) => s.useUp(),
  down: ({ world }) => void (world.platform.isDown = true),
  up: ({ world }) => void (world.platform.isDown = false),
  answers: (s, words) => s.answers(...(words as 'down'[])),
};

/**
 * Plays acts, `add 2; place 1 until 3h -> waits doubt; 5min -> done`: what the order is after each of which that is
 * said. A time is one that passes, at whose end what is due is looked at. `own`: acts of this story.
 */
export async function expectStory(s: OrderStory, text: string, own: Record<string, Act> = {}): Promise<void> {
  const steps = text
    .split(';')
    .map((step) => step.split('->').map((part) => part.trim().replace(/\s+/g, ' ')));
  const told: string[][] = [];
  for (const [act = '', expected] of steps) {
    const [name = '', ...words] = act.split(/\s+/);
    const run = own[name] ?? ACTS[name] ?? (({ after }: OrderStory) => after(readMs(name)));
    await run(s, words);
    await s.world.rest();
    told.push(expected === undefined ? [act] : [act, s.tell()]);
  }
  const write = (all: string[][]) => all.map((step) => step.join(' -> ')).join('\n');
  expect(write(told)).toBe(write(steps));
}
