// What may have brought an earlier process down is handled one after the other, the least suspect first.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Entry } from './chat-order.ts';
import { createCrashSuspects } from './crash-suspects.ts';

const entryOf = (update_id: number, attempts: number) =>
  ({ update: { update_id }, attempts, receivedAt: 0, tries: 0 }) as Entry;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function begin(entries: readonly Entry[]) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const suspects = createCrashSuspects(({ update: { update_id: id } }) => {
    begun.push(id);
    return new Promise((resolve) => ends.set(id, resolve));
  });
  for (const entry of entries) suspects.add(entry);
  return { suspects, begun, end: (id: number) => ends.get(id)?.() };
}

/** Whatever can happen without time passing. */
const settle = () => vi.advanceTimersByTimeAsync(0);

async function begunIs(begun: number[], expected: number[]): Promise<void> {
  await settle();
  expect(begun).toEqual(expected);
}

test('those first that were there least often, in the order in which they came, one at a time', async () => {
  const { suspects, begun, end } = begin([entryOf(1, 2), entryOf(2, 1), entryOf(3, 1)]);
  await begunIs(begun, [2]);
  end(2);
  await begunIs(begun, [2, 3]);
  end(3);
  await begunIs(begun, [2, 3, 1]);
  end(1);
  await settle();
  expect(vi.getTimerCount()).toBe(0);
  suspects.add(entryOf(4, 1));
  await begunIs(begun, [2, 3, 1, 4]);
});

test('whoever takes longer than five seconds is not waited for', async () => {
  const { begun } = begin([entryOf(1, 1), entryOf(2, 1)]);
  await begunIs(begun, [1]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(begun).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual([1, 2]);
});

test('those that wait are forgotten at a stop', async () => {
  const { suspects, begun, end } = begin([entryOf(1, 1), entryOf(2, 1)]);
  await begunIs(begun, [1]);
  suspects.clear();
  end(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toEqual([1]);
});
