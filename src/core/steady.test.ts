// The scales that no jump of the calendar moves, beside it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../test/harness/store.ts';
import { createManualClock } from '../clock.ts';
import { createCoreClock, createScaleKeeping, earlierOf, momentOf, openCoreClock } from './steady.ts';
import { WINDOW_MS } from './window.ts';

const HOUR_MS = 60 * 60 * 1000;

test('go on from the calendar of the start, whatever becomes of the calendar', () => {
  const manual = createManualClock(1_000_000);
  manual.advance(500);
  const clock = createCoreClock(manual);
  expect(momentOf(clock)).toEqual({ now: 1_000_500, steadyNow: 1_000_500, datedNow: 1_000_500 });
  manual.advance(70);
  manual.set(2_000_000);
  expect(momentOf(clock)).toEqual({ now: 2_000_000, steadyNow: 1_000_570, datedNow: 1_000_570 });
  manual.set(3);
  expect(momentOf(clock)).toEqual({ now: 3, steadyNow: 1_000_570, datedNow: 1_000_570 });
  expect(clock.elapsed()).toBe(570);
});

test('are told in whole milliseconds', () => {
  let elapsed = 0.25;
  const clock = createCoreClock({ now: () => 1_000, elapsed: () => elapsed });
  elapsed = 10.9;
  expect(momentOf(clock)).toEqual({ now: 1_000, steadyNow: 1_010, datedNow: 1_010 });
});

test('what is over by the earlier of both is over on both', () => {
  expect([earlierOf({ now: 5, datedNow: 9 }), earlierOf({ now: 9, datedNow: 5 })]).toEqual([5, 5]);
});

describe('the next process', () => {
  let t: TestStore;
  beforeEach(() => void (t = openTestStore()));
  afterEach(() => t.close());
  const open = () => openCoreClock(t.store, t.clock);

  test.each([
    ['ahead', 50 * HOUR_MS],
    ['back', -50 * HOUR_MS],
    ['ahead a little', 1_000],
  ])('goes on where this one is, when the calendar was set %s meanwhile', async (_, jump) => {
    const clock = open();
    const keep = createScaleKeeping({ store: t.store, clock });
    t.clock.set(t.clock.now() + jump);
    await keep();
    t.clock.advance(HOUR_MS);
    expect(open().steadyNow()).toBe(clock.steadyNow());
    expect(open().datedNow()).toBe(t.clock.now());
  });

  test('writes nothing while the calendar goes on as the time does', async () => {
    const keep = createScaleKeeping({ store: t.store, clock: open() });
    let commits = 0;
    const { store } = t;
    const counted = {
      ...store,
      write: (work: Parameters<typeof store.write>[0]) => ((commits += 1), store.write(work)),
    };
    const again = createScaleKeeping({ store: counted as typeof store, clock: open() });
    t.clock.advance(HOUR_MS);
    await keep();
    await again();
    expect(commits).toBe(0);
    t.clock.set(t.clock.now() - 1_000);
    await again();
    await again();
    expect(commits).toBe(1);
  });

  test('never begins before the newest charge, whatever the calendar says then', async () => {
    const at = open().steadyNow();
    await t.store.write((tables) => {
      const accountId = tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
      const start = at - WINDOW_MS;
      tables.quota.roll(accountId, start);
      tables.quota.charge({ accountId, at, start, daily: 4, purchased: 0, kind: 'redeem' });
    });
    t.clock.set(at - 48 * HOUR_MS);
    expect(open().steadyNow()).toBe(at);
    expect(open().calendarAheadMs()).toBe(-48 * HOUR_MS);
  });
});
