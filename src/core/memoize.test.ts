import { expect, it, vi } from 'vitest';

import { memoize } from './memoize.ts';

const length = vi.fn((text: string) => text.length);

it('reads a text once', () => {
  const read = memoize(length);
  expect([read('ab'), read('ab'), read('')]).toEqual([2, 2, 0]);
  expect(length).toHaveBeenCalledTimes(2);
});

it('keeps no more texts than it may, and no long ones', () => {
  length.mockClear();
  const read = memoize(length, 2);
  for (const text of ['a', 'b', 'c', 'a', 'x'.repeat(257), 'x'.repeat(257)])
    expect(read(text)).toBe(text.length);
  expect(length).toHaveBeenCalledTimes(6);
});
