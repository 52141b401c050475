// A queue in turn: who is served when, what is put back, and how many go before whom.
import { beforeEach, expect, test } from 'vitest';

import { createFairQueue, type FairQueue } from './fair-queue.ts';

interface Item {
  name: string;
  whose: number | undefined;
}
let queue: FairQueue<Item>;
beforeEach(() => {
  queue = createFairQueue();
});

const push = (...names: string[]) => {
  for (const name of names) queue.push({ name, whose: /^\d/.test(name) ? Number(name[0]) : undefined });
};
const take = (count = Infinity): string => {
  const taken: string[] = [];
  while (taken.length < count) {
    const item = queue.shift();
    if (!item) break;
    taken.push(item.name);
  }
  return taken.join(' ');
};

test('whoever is alone is served in order', () => {
  push('1a', '1b', '1c');
  expect([queue.size(), take(), queue.size()]).toEqual([3, '1a 1b 1c', 0]);
  push('a', 'b');
  expect(take()).toBe('a b');
});

test('several are served in turn, however much one has, and whoever comes later is the next but one', () => {
  push('1a', '1b', '1c', '1d', '2a', '2b');
  expect(take(2)).toBe('1a 2a');
  push('3a');
  expect(take()).toBe('1b 2b 3a 1c 1d');
});

test("of nobody's one goes between any two others", () => {
  push('a', 'b', 'c', 'd', '1a', '1b', '2a');
  expect(take()).toBe('a 1a b 2a c 1b d');
});

test('what stands at the front is taken out as far as asked, of each', () => {
  push('1old', '1new', '1old', '2old', 'old', 'new');
  const removed = queue.removeWhile(({ name }) => name.includes('old')).map(({ name }) => name);
  expect(removed.sort()).toEqual(['1old', '2old', 'old']);
  expect(queue.firsts().map(({ name }) => name)).toEqual(['1new', 'new']);
  expect([queue.size(), take()]).toEqual([3, 'new 1new 1old']);
});

test('before the next of somebody go as many of each other as they have themselves', () => {
  push(...Array.from({ length: 500 }, (_, at) => `1.${at}`));
  expect([1, 2, undefined].map((whose) => queue.countBefore(whose))).toEqual([500, 2, 500]);
  push('2a', '2b', 'a');
  expect([1, 2, 3, undefined].map((whose) => queue.countBefore(whose))).toEqual([503, 18, 6, 503]);
});
