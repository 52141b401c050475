// The rolling window as it is booked: exact against a plain sum, whatever the calendar does. Scorecard row 16.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../../store/index.ts';
import { type CoreClock } from '../../clock.ts';
import { createScaleSaver, openCoreClock } from '../monotonic-scale.ts';
import {
  bookUsage,
  findRoom,
  readQuota,
  requireSubscription,
  COST_QUARTERS,
  type UsageKind,
  DAILY_LIMIT_QUARTERS,
  WINDOW_MS,
} from './usage.ts';

const HOUR_MS = 60 * 60 * 1000;

let t: TestStore;
/** Of the process that lives now. */
let clock: CoreClock;
beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
  restart();
});
afterEach(() => t.close());

const restart = () => void (clock = openCoreClock(t.store, t.clock));
/** The calendar jumps, and the process that lives sees it. */
function jump(ms: number): Promise<void> {
  t.clock.set(t.clock.now() + ms);
  return createScaleSaver({ store: t.store, clock })();
}
const openAccount = (subscriptionExpiresAt: number | null = null) =>
  t.store.write((tables) => tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt }));

/** Usages so often or until it is refused; what was refused is told. */
function usageTimes(tables: Tables, accountId: number, times: number, kind: UsageKind = 'redeem') {
  const usageIds: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const room = findRoom(tables, { accountId }, kind, clock.monotonicNow());
    if (room.status === 'quotaExceeded') return { usageIds, refused: room };
    usageIds.push(bookUsage(tables, room, t.clock.now()));
  }
  return { usageIds, refused: undefined };
}
const usage = (accountId: number, times = 1, kind: UsageKind = 'redeem') =>
  t.store.write((tables) => usageTimes(tables, accountId, times, kind));
const quota = (accountId: number) =>
  t.store.read((tables) => readQuota(tables, accountId, clock.monotonicNow()));
const notices = () =>
  listNotices(t.store).map(
    ({ kind, payload }) => `${kind} ${String((payload as { percent: number }).percent)}`,
  );

interface PlainUsage {
  id: number;
  /** On the monotonic scale. */
  at: number;
  /** When it was made, in time that only grows. */
  elapsed: number;
  daily: number;
  purchased: number;
  returned: boolean;
}

/** What the running total must equal: a list, and a sum over it at every question. */
function createPlainLedger(purchased: number) {
  const usages: PlainUsage[] = [];
  return {
    usages,
    used: (now: number) =>
      usages
        .filter((each) => !each.returned && each.at > now - WINDOW_MS)
        .reduce((sum, each) => sum + each.daily, 0),
    purchased: () =>
      usages.filter((each) => !each.returned).reduce((left, each) => left - each.purchased, purchased),
    /** Whole seconds until so many quarters of the daily quota are free. */
    secondsUntil(needed: number, now: number): number {
      const counted = usages.filter((each) => !each.returned && each.at > now - WINDOW_MS);
      let free = DAILY_LIMIT_QUARTERS - counted.reduce((sum, each) => sum + each.daily, 0);
      if (free >= needed) return 0;
      for (const each of counted.toSorted((a, b) => a.at - b.at)) {
        free += each.daily;
        if (free >= needed) return Math.ceil(Math.min(WINDOW_MS, each.at + WINDOW_MS - now) / 1000);
      }
      return WINDOW_MS / 1000;
    },
  };
}

type Step =
  | { do: 'usage'; kind: UsageKind; times: number }
  | { do: 'return'; index: number }
  | { do: 'advance'; ms: number }
  | { do: 'jump'; ms: number }
  /** One process ends and the next begins, and meanwhile nobody sees what the calendar does. */
  | { do: 'restart'; jumpMs: number };

function steps({ unseen }: { unseen: { min: number; max: number } }) {
  const kinds = fc.constantFrom<UsageKind>('redeem', 'character', 'redemptionTime');
  return fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('usage' as const),
          kind: kinds,
          times: fc.constantFrom(1, 2, 150, 310, 310),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('return' as const), index: fc.nat({ max: 400 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('advance' as const),
          ms: fc.oneof(
            fc.constantFrom(1, HOUR_MS, WINDOW_MS - 1, WINDOW_MS),
            fc.integer({ min: 1, max: WINDOW_MS }),
          ),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('jump' as const),
          ms: fc.oneof(fc.integer(EITHER_WAY), fc.integer({ min: -2 * HOUR_MS, max: 0 })),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('restart' as const),
          jumpMs: fc.oneof(fc.constant(0), fc.integer(unseen)),
        }),
      },
    ),
    { maxLength: 25 },
  );
}

const EITHER_WAY = { min: -3 * WINDOW_MS, max: 3 * WINDOW_MS };

/** Runs the steps against store and plain ledger alike; `elapsed` of the clock is the truth about time. */
async function follow(plan: Step[]): Promise<PlainUsage[]> {
  const accountId = await openAccount();
  await t.store.write((tables) => tables.quota.credit(accountId, 10));
  const plain = createPlainLedger(10);
  for (const step of plan) {
    if (step.do === 'advance') t.clock.advance(step.ms);
    if (step.do === 'jump') await jump(step.ms);
    if (step.do === 'restart') {
      t.clock.set(t.clock.now() + step.jumpMs);
      restart();
    }
    if (step.do === 'return') await giveBack(plain.usages, step.index);
    if (step.do === 'usage') await usageBoth(accountId, plain, step);
    const now = clock.monotonicNow();
    const { used, purchased } = t.store.read((tables) => tables.quota.peek(accountId, now - WINDOW_MS));
    expect({ used, purchased }).toEqual({ used: plain.used(now), purchased: plain.purchased() });
    const nextWhole = Math.min(
      DAILY_LIMIT_QUARTERS,
      (Math.floor(Math.max(0, DAILY_LIMIT_QUARTERS - used) / 4) + 1) * 4,
    );
    expect(quota(accountId).secondsUntilNext).toBe(used === 0 ? 0 : plain.secondsUntil(nextWhole, now));
  }
  return plain.usages;
}

async function giveBack(usages: PlainUsage[], index: number): Promise<void> {
  const chosen = usages[index % Math.max(1, usages.length)];
  if (!chosen) return;
  const returned = await t.store.write((tables) => tables.quota.giveBack(chosen.id, t.clock.now()));
  expect(returned).toBe(!chosen.returned);
  chosen.returned = true;
}

async function usageBoth(
  accountId: number,
  plain: ReturnType<typeof createPlainLedger>,
  { kind, times }: Extract<Step, { do: 'usage' }>,
): Promise<void> {
  const now = clock.monotonicNow();
  const elapsed = t.clock.elapsed();
  const { usageIds, refused } = await usage(accountId, times, kind);
  for (const id of usageIds) {
    const daily = Math.min(COST_QUARTERS[kind], Math.max(0, DAILY_LIMIT_QUARTERS - plain.used(now)));
    plain.usages.push({
      id,
      at: now,
      elapsed,
      daily,
      purchased: COST_QUARTERS[kind] - daily,
      returned: false,
    });
  }
  if (!refused) return;
  const left = Math.max(0, DAILY_LIMIT_QUARTERS - plain.used(now)) + plain.purchased();
  expect(left).toBeLessThan(COST_QUARTERS[kind]);
  const needed = COST_QUARTERS[kind] - plain.purchased();
  expect(refused.retryAfterSeconds).toBe(Math.max(1, plain.secondsUntil(needed, now)));
}

const RUNS = Number(process.env.TORTURE_RUNS ?? 50);
const SEED = process.env.TORTURE_SEED;
const PARAMETERS = { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) };

describe('the window', () => {
  test(
    'is the plain sum of the last 24 hours, after any usages, returns, pauses, restarts and jumps of the calendar',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps({ unseen: EITHER_WAY }), async (plan) => {
          await follow(plan);
        }),
        PARAMETERS,
      );
    },
    RUNS * 2_000,
  );

  // Between two processes a calendar that is put forward cannot be told from a service that stood still.
  test(
    'never holds over 300 in any 24 hours that really passed, however the calendar jumps, and back also between two processes',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps({ unseen: { min: -3 * WINDOW_MS, max: 0 } }), async (plan) => {
          const usages = (await follow(plan)).filter(({ returned }) => !returned);
          for (const last of usages) {
            const within = usages.filter(
              ({ elapsed }) => elapsed <= last.elapsed && elapsed > last.elapsed - WINDOW_MS,
            );
            expect(within.reduce((sum, { daily }) => sum + daily, 0)).toBeLessThanOrEqual(
              DAILY_LIMIT_QUARTERS,
            );
          }
        }),
        PARAMETERS,
      );
    },
    RUNS * 2_000,
  );

  test('a usage leaves it after exactly 24 hours', async () => {
    const accountId = await openAccount();
    await usage(accountId, 300);
    t.clock.advance(WINDOW_MS - 1);
    expect((await usage(accountId)).refused).toEqual({ status: 'quotaExceeded', retryAfterSeconds: 1 });
    expect(quota(accountId)).toMatchObject({ wholeLeft: 0, secondsUntilNext: 1 });
    t.clock.advance(1);
    expect(quota(accountId)).toMatchObject({ wholeLeft: 300, secondsUntilNext: 0 });
    expect((await usage(accountId)).refused).toBeUndefined();
  });

  test('the next whole activation is back when enough has left it, and not when all has', async () => {
    const accountId = await openAccount();
    await usage(accountId, 2);
    t.clock.advance(HOUR_MS);
    await usage(accountId, 1);
    expect(quota(accountId)).toMatchObject({ wholeLeft: 297, secondsUntilNext: 82_800 });
    t.clock.advance(HOUR_MS);
    await usage(accountId, 1, 'character');
    expect(quota(accountId)).toMatchObject({ wholeLeft: 296, secondsUntilNext: 79_200 });
    t.clock.advance(22 * HOUR_MS);
    expect(quota(accountId)).toMatchObject({ wholeLeft: 298, secondsUntilNext: 3_600 });
  });

  test('a day used up by a process that began two days behind stays used up when the calendar is set right, in the next, too', async () => {
    const accountId = await openAccount();
    t.clock.set(t.clock.now() - 2 * WINDOW_MS);
    restart();
    await usage(accountId, 300);
    await jump(2 * WINDOW_MS);
    t.clock.advance(HOUR_MS);
    for (const begin of [() => undefined, restart]) {
      begin();
      const { refused } = await usage(accountId);
      expect(refused).toEqual({ status: 'quotaExceeded', retryAfterSeconds: 23 * 60 * 60 });
    }
    t.clock.advance(WINDOW_MS - HOUR_MS);
    expect((await usage(accountId, 300)).usageIds).toHaveLength(300);
  });

  test('a process that begins days behind makes nobody wait for longer than the window', async () => {
    const accountId = await openAccount();
    await usage(accountId, 300);
    t.clock.advance(HOUR_MS);
    t.clock.set(t.clock.now() - 2 * WINDOW_MS);
    restart();
    expect((await usage(accountId)).refused).toEqual({ status: 'quotaExceeded', retryAfterSeconds: 86_400 });
    await jump(2 * WINDOW_MS);
    t.clock.advance(WINDOW_MS);
    expect((await usage(accountId, 300)).usageIds).toHaveLength(300);
  });

  test('a returned usage counts in no window, and is returned once', async () => {
    const accountId = await openAccount();
    await t.store.write((tables) => tables.quota.credit(accountId, 3));
    await usage(accountId, 299);
    await usage(accountId, 3, 'character');
    const split = (await usage(accountId)).usageIds[0] ?? 0;
    expect(quota(accountId)).toMatchObject({ purchased: 0, daily: { remaining: 0 } });
    const giveBackSplit = () => t.store.write((tables) => tables.quota.giveBack(split, t.clock.now()));
    expect(await giveBackSplit()).toBe(true);
    expect(quota(accountId)).toMatchObject({ purchased: 0.75, daily: { remaining: 0.25 } });
    expect(await giveBackSplit()).toBe(false);
    expect(quota(accountId)).toMatchObject({ purchased: 0.75, daily: { remaining: 0.25 } });
  });

  test('a usage that left the window is returned without making room twice', async () => {
    const accountId = await openAccount();
    const [old = 0] = (await usage(accountId, 1)).usageIds;
    t.clock.advance(WINDOW_MS);
    await usage(accountId, 10);
    await t.store.write((tables) => tables.quota.giveBack(old, t.clock.now()));
    expect(quota(accountId).daily.used).toBe(10);
  });

  test('what is left of purchased activations pays its part, so that the wait is no longer than it must be', async () => {
    const accountId = await openAccount();
    await t.store.write((tables) => tables.quota.credit(accountId, 3));
    await usage(accountId, 1, 'character');
    t.clock.advance(HOUR_MS);
    await usage(accountId, 299);
    await usage(accountId, 3, 'character');
    expect(quota(accountId)).toMatchObject({ purchased: 0.75, wholeLeft: 0 });
    const { refused } = await usage(accountId);
    expect(refused).toEqual({ status: 'quotaExceeded', retryAfterSeconds: (WINDOW_MS - HOUR_MS) / 1000 });
    t.clock.advance(WINDOW_MS - HOUR_MS);
    expect((await usage(accountId)).refused).toBeUndefined();
  });

  test('accounts do not share it', async () => {
    const [first, second] = [await openAccount(), await openAccount()];
    await usage(first, 300);
    expect(quota(second).daily.used).toBe(0);
    expect((await usage(second)).refused).toBeUndefined();
  });
});

describe('notices', () => {
  test('80 % and 100 % are each told once in 24 hours, and again a day later', async () => {
    const accountId = await openAccount();
    await usage(accountId, 239);
    expect(notices()).toEqual([]);
    await usage(accountId, 1);
    expect(notices()).toEqual(['quotaUsed 80']);
    await usage(accountId, 60);
    expect(notices()).toEqual(['quotaUsed 80', 'quotaUsed 100']);
    const [usageId = 0] = (await usage(accountId, 5)).usageIds;
    expect(usageId).toBe(0);
    t.clock.advance(WINDOW_MS);
    await usage(accountId, 300);
    expect(notices()).toEqual(['quotaUsed 80', 'quotaUsed 100', 'quotaUsed 80', 'quotaUsed 100']);
  });

  test('crossing back and forth within a day is told once', async () => {
    const accountId = await openAccount();
    const { usageIds } = await usage(accountId, 300);
    for (const usageId of usageIds.slice(0, 100)) {
      await t.store.write((tables) => tables.quota.giveBack(usageId, t.clock.now()));
    }
    await usage(accountId, 100);
    expect(notices()).toEqual(['quotaUsed 80', 'quotaUsed 100']);
  });

  test('purchased activations that are used beyond the daily quota tell nothing more', async () => {
    const accountId = await openAccount();
    await t.store.write((tables) => tables.quota.credit(accountId, 40));
    await usage(accountId, 310);
    expect(notices()).toEqual(['quotaUsed 80', 'quotaUsed 100']);
  });
});

describe('the subscription', () => {
  const gate = (accountId: number, safeNow: number) =>
    t.store.read((tables) => requireSubscription(tables, accountId, { safeNow }));

  test('ends at its very millisecond', async () => {
    const accountId = await openAccount(TEST_START);
    expect(() => gate(accountId, TEST_START - 1)).not.toThrow();
    expect(() => gate(accountId, TEST_START)).toThrow(
      expect.objectContaining({ code: 'SUBSCRIPTION_EXPIRED' }),
    );
  });

  test('is wanted of an account that never had one, and of one that does not exist', async () => {
    const accountId = await openAccount();
    expect(() => gate(accountId, 0)).toThrow(expect.objectContaining({ code: 'SUBSCRIPTION_EXPIRED' }));
    expect(() => gate(99, 0)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});
