// An answer in time, whatever the one that is asked does or forgets to do.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ANSWER_WITHIN_MS, askWithin } from './deadlines.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  // What is watched is a clock of this test: whoever restored it later would put that in place of the real one.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const never = () => new Promise<string>(() => undefined);
const late = (cause: unknown) => (cause instanceof Error ? `late: ${cause.message}` : 'late');

test('clients give up at 60 seconds', () => expect(ANSWER_WITHIN_MS).toBe(55_000));

test('what answers in time is the answer, and nothing is left waiting', async () => {
  const parent = new AbortController();
  const remove = vi.spyOn(parent.signal, 'removeEventListener');
  let given: AbortSignal | undefined;
  const ask = (signal: AbortSignal) => ((given = signal), Promise.resolve('answer'));
  expect(await askWithin(1_000, parent.signal, ask, late)).toBe('answer');
  expect([vi.getTimerCount(), remove.mock.calls.length, given?.aborted]).toEqual([0, 1, false]);
  parent.abort();
  expect(given?.aborted).toBe(false);
});

test('what throws or rejects is late, with its cause', async () => {
  const { signal } = new AbortController();
  expect(await askWithin(1_000, signal, () => Promise.reject(new Error('down')), late)).toBe('late: down');
  const ask = () => {
    throw new Error('at once');
  };
  expect(await askWithin<string>(1_000, signal, ask, late)).toBe('late: at once');
  expect(vi.getTimerCount()).toBe(0);
});

test('what never answers is late when the time is over, not before', async () => {
  let answer: string | undefined;
  const asked = askWithin(1_000, new AbortController().signal, never, late).then((it) => (answer = it));
  await vi.advanceTimersByTimeAsync(999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(await asked).toBe('late');
});

test('an adapter that answers to the signal is heard before it is called late', async () => {
  const ask = (signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('gave up')));
  const asked = askWithin(1_000, new AbortController().signal, ask, late);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await asked).toBe('gave up');
});

test('the end of the parent ends the asking, also where it ended before', async () => {
  const parent = new AbortController();
  const asked = askWithin(1_000, parent.signal, never, late);
  parent.abort();
  expect(await asked).toBe('late');
  let wasAborted: boolean | undefined;
  const ask = (signal: AbortSignal) => ((wasAborted = signal.aborted), never());
  expect(await askWithin(1_000, parent.signal, ask, late)).toBe('late');
  expect([wasAborted, vi.getTimerCount()]).toEqual([true, 0]);
});

test('no time left is a timer at once', async () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  const asked = askWithin(-5, new AbortController().signal, never, late);
  expect(set.mock.calls[0]?.[1]).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(await asked).toBe('late');
});
