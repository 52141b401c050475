// The monotonic scale from one process to the next.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../test/harness/store.ts';
import { createScaleSaver, openCoreClock } from './monotonic-scale.ts';
import { WINDOW_MS } from './quota/usage.ts';

const HOUR_MS = 60 * 60 * 1000;

describe('the next process', () => {
  let t: TestStore;
  beforeEach(() => {
    t = openTestStore();
    t.allowDrift();
  });
  afterEach(() => t.close());
  const open = () => openCoreClock(t.store, t.clock);

  test.each([
    ['ahead', 50 * HOUR_MS],
    ['back', -50 * HOUR_MS],
    ['ahead a little', 1_000],
  ])('goes on where this one is, when the calendar was set %s meanwhile', async (_, jump) => {
    const clock = open();
    const keep = createScaleSaver({ store: t.store, clock });
    t.clock.set(t.clock.now() + jump);
    await keep();
    t.clock.advance(HOUR_MS);
    expect(open().monotonicNow()).toBe(clock.monotonicNow());
    expect(open().safeNow()).toBe(t.clock.now());
  });

  test('writes nothing while the calendar goes on as the time does', async () => {
    const keep = createScaleSaver({ store: t.store, clock: open() });
    let commits = 0;
    const { store } = t;
    const counted = {
      ...store,
      write: (work: Parameters<typeof store.write>[0]) => ((commits += 1), store.write(work)),
    };
    const again = createScaleSaver({ store: counted as typeof store, clock: open() });
    t.clock.advance(HOUR_MS);
    await keep();
    await again();
    expect(commits).toBe(0);
    t.clock.set(t.clock.now() - 1_000);
    await again();
    await again();
    expect(commits).toBe(1);
  });

  test('never begins before the newest usage, whatever the calendar says then', async () => {
    const at = open().monotonicNow();
    await t.store.write((tables) => {
      const accountId = tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
      const start = at - WINDOW_MS;
      tables.quota.roll(accountId, start);
      tables.quota.book({ accountId, at, start, daily: 4, purchased: 0, kind: 'redeem' });
    });
    t.clock.set(at - 48 * HOUR_MS);
    expect(open().monotonicNow()).toBe(at);
    expect(open().calendarAheadMs()).toBe(-48 * HOUR_MS);
  });
});
