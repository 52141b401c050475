// The list of Stars, page by page, from a Telegram that does not always answer.
import { GrammyError, type Api } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { readStarTransactions } from './star-transactions.ts';

const stopping = new AbortController();
let length: number;
let failures: Error[];
let asked: unknown[];
let pauses: number[];
const atOnce = setTimeout;
beforeEach(() => {
  [length, failures, asked, pauses] = [220, [], [], []];
  // The pauses are counted, not waited for.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms) => {
    pauses.push(ms ?? 0);
    return atOnce(work, 0);
  });
});
afterEach(() => vi.restoreAllMocks());

const api: Pick<Api, 'getStarTransactions'> = {
  getStarTransactions: ({ offset = 0, limit = 0 } = {}) => {
    asked.push([offset, limit]);
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    const all = Array.from({ length }, (_, index) => ({ id: String(index), amount: 1, date: 0 }));
    return Promise.resolve({ transactions: all.slice(offset, offset + limit) });
  },
};
const list = (signal = stopping.signal, place?: { count: number; last: string }) =>
  readStarTransactions(api, signal, place);
const read = async (signal?: AbortSignal) => (await list(signal)).transactions;
const fail = (times: number, error: Error = new Error('away')) =>
  void failures.push(...Array.from({ length: times }, () => error));
const busy = (seconds: number) => {
  const parameters = { retry_after: seconds };
  const answer = { ok: false, error_code: 429, description: 'Too Many Requests', parameters } as const;
  return new GrammyError('refused', answer, 'getStarTransactions', {});
};

test.each([
  [0, [0]],
  [99, [0]],
  [100, [0, 100]],
  [220, [0, 100, 200]],
])('all %i are read, a hundred at once', async (count, offsets) => {
  length = count;
  expect((await read()).map(({ id }) => Number(id))).toEqual([...Array(count).keys()]);
  expect(asked).toEqual(offsets.map((offset) => [offset, 100]));
  expect(pauses).toEqual([]);
});

test.each([
  ['from a page before it', 30_000, 30_007, '29999', 29_900, [29_900, 30_000]],
  ['where it is within the first page', 50, 60, '49', 0, [0]],
  ['whole where another stands there', 100, 160, 'other', 0, [0, 0, 100]],
  ['whole where the list is shorter', 300, 220, '299', 0, [200, 0, 100, 200]],
  ['whole where there is nothing', 500, 120, '499', 0, [400, 0, 100]],
])('from a place it is read on %s', async (_, count, total, last, skipped, offsets) => {
  length = total;
  const part = await list(undefined, { count, last });
  expect([part.skipped, part.transactions.length]).toEqual([skipped, total - skipped]);
  expect(asked).toEqual(offsets.map((offset) => [offset, 100]));
});

test('a page that fails four times is had after longer and longer pauses', async () => {
  fail(4);
  expect(await read()).toHaveLength(220);
  expect(pauses).toEqual([2_000, 4_000, 6_000, 8_000]);
});

test('a page that fails five times ends the reading', async () => {
  fail(5);
  await expect(read()).rejects.toThrow('away');
  expect([asked.length, pauses.length]).toEqual([5, 4]);
});

test('Telegram is left alone for as long as it asks', async () => {
  failures = [busy(30), busy(1)];
  await read();
  expect(pauses).toEqual([30_000, 4_000]);
});

test('an end of the process ends it', async () => {
  fail(1);
  await expect(read(AbortSignal.abort())).rejects.toThrow('away');
  expect([asked.length, pauses]).toEqual([1, []]);
});
