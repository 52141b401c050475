// What a stop does with what runs.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Redemption } from '../receipts/receipts.ts';
import { createRunning, finishRunning } from './in-flight.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('where nothing runs it is given up at once, without a timer left', async () => {
  const running = createRunning();
  expect(running.giveUp.signal.aborted).toBe(false);
  await finishRunning(running, 1_000);
  expect([running.giveUp.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
});

test.each(['promises', 'lookUps'] as const)(
  '%s are waited for, then nothing is given up early',
  async (kind) => {
    const running = createRunning();
    const { promise, reject } = Promise.withResolvers<Redemption>();
    const ended = promise
      .catch(() => undefined)
      .then(() => (running.promises.clear(), running.lookUps.clear()));
    if (kind === 'promises') running.promises.set(1, promise);
    else running.lookUps.add(promise);
    let isFinished = false;
    const finished = finishRunning(running, 1_000).then(() => (isFinished = true));
    await vi.advanceTimersByTimeAsync(999);
    expect([isFinished, running.giveUp.signal.aborted]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([isFinished, running.giveUp.signal.aborted]).toEqual([false, true]);
    reject(new Error('given up'));
    await ended;
    await finished;
    expect([running.giveUp.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
  },
);
