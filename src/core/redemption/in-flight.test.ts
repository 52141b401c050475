// What a stop does with what runs.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Redemption } from '../receipts/receipts.ts';
import { createInFlight, finishInFlight } from './in-flight.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('where nothing runs it is given up at once, without a timer left', async () => {
  const inFlight = createInFlight();
  expect(inFlight.giveUp.signal.aborted).toBe(false);
  await finishInFlight(inFlight, 1_000);
  expect([inFlight.giveUp.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
});

test.each(['promises', 'lookUps'] as const)(
  '%s are waited for, then nothing is given up early',
  async (kind) => {
    const inFlight = createInFlight();
    const { promise, reject } = Promise.withResolvers<Redemption>();
    const ended = promise
      .catch(() => undefined)
      .then(() => (inFlight.redemptions.clear(), inFlight.lookUps.clear()));
    if (kind === 'promises') inFlight.redemptions.set(1, promise);
    else inFlight.lookUps.add(promise);
    let isFinished = false;
    const finished = finishInFlight(inFlight, 1_000).then(() => (isFinished = true));
    await vi.advanceTimersByTimeAsync(999);
    expect([isFinished, inFlight.giveUp.signal.aborted]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([isFinished, inFlight.giveUp.signal.aborted]).toEqual([false, true]);
    reject(new Error('given up'));
    await ended;
    await finished;
    expect([inFlight.giveUp.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
  },
);
