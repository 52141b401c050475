// An order played act by act over the real core, on a clock that stands still between them: what it waits for, or as
// what it has ended, in a word.
import { HOUR_MS, MINUTE_MS } from '../../src/clock.ts';
import type { AccountActor, OrderRequest } from '../../src/core/index.ts';
import { bookUsage, DAILY_LIMIT_QUARTERS, findRoom } from '../../src/core/quota/usage.ts';
import type { Nature } from '../model/orders/model.ts';
import { GAME, makeOf, openOrderWorld, reader, type OrderWorld } from '../model/orders/world.ts';
import { UNREACHED } from './platform.ts';

export const PLAYER = '5170925570';

/** An act, and what the order is then. */
export type Act = readonly [act: (s: OrderStory) => unknown, told: string];

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
    useUp: (left = 0) =>
      world.store().write((tables) => {
        const { accountId, clock } = world;
        const room = findRoom(tables, accountId, 'redemptionTime', clock.now());
        if (room.status === 'quotaExceeded') return;
        const dailyQuarters = DAILY_LIMIT_QUARTERS - room.usedBefore - 4 * left;
        bookUsage(tables, { ...room, plan: { dailyQuarters, purchasedQuarters: 0 } }, clock.now());
      }),
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

/** Plays it: what the order was after each act, beside what it was to be. Of an act without a word nothing is told. */
export async function playActs(
  s: OrderStory,
  acts: readonly Act[],
): Promise<{ told: string[]; expected: string[] }> {
  const told: string[] = [];
  for (const [act, expected] of acts) {
    await act(s);
    await s.world.rest();
    if (expected !== '') told.push(s.tell());
  }
  return { told, expected: acts.flatMap(([, expected]) => expected || []) };
}

/** Acts that many stories have. */
export const ACTS = {
  place: (asked: number | Partial<OrderRequest>) => (s: OrderStory) => s.place(asked),
  /** With a deadline. */
  placeUntil:
    (ms: number, count = 1) =>
    (s: OrderStory) =>
      s.place({ items: [{ denomination: 60, count }], deadline: s.later(ms) }),
  add:
    (codes: number | Nature[], denomination = 60) =>
    (s: OrderStory) =>
      s.add(codes, denomination),
  after: (ms: number) => (s: OrderStory) => s.after(ms),
  hours: (count: number) => (s: OrderStory) => s.after(count * HOUR_MS),
  minutes: (count: number) => (s: OrderStory) => s.after(count * MINUTE_MS),
  /** Time passes, and nothing is looked at. */
  unseen:
    (ms: number) =>
    ({ world }: OrderStory) =>
      world.clock.advance(ms),
  useUp: (s: OrderStory) => s.useUp(),
  down: ({ world }: OrderStory) => void (world.platform.isDown = true),
  up: ({ world }: OrderStory) => void (world.platform.isDown = false),
  cancel: (s: OrderStory) => s.cancel(),
  resume: (s: OrderStory) => s.resume(),
};
