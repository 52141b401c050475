// Pauses, time limits, back-off and retries, on a clock that tests move.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { backOff, pause, retry, within } from './waiting.ts';

const LONG_MS = 60 * 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  // What is watched is a clock of this test: whoever restored it later would put that in place of the real one.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('an abort ends a pause, and what was aborted before pauses no more; no timer is left', async () => {
  const stopping = new AbortController();
  const under = pause(LONG_MS, stopping.signal);
  stopping.abort();
  await under;
  await expect(pause(LONG_MS, stopping.signal)).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test('a pause lasts as long as it is told', async () => {
  let isOver = false;
  void pause(1_000, new AbortController().signal).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toBe(true);
});

test('what is waited for within a time is answered, rejects, or is late', async () => {
  await expect(within(Promise.resolve(5), LONG_MS)).resolves.toBe(5);
  await expect(within(Promise.reject(new Error('no')), LONG_MS)).rejects.toThrow('no');
  const never = within(new Promise(() => undefined), 1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(never).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test('a back-off doubles up to its longest, however often', () => {
  const growing = backOff(50, 5_000);
  expect([1, 2, 3, 7, 8, 5_000].map(growing)).toEqual([50, 100, 200, 3_200, 5_000, 5_000]);
});

describe('a retry', () => {
  async function begin(failures: number, options: Parameters<typeof retry>[2] = {}, most = Infinity) {
    const told = { tries: 0, again: [] as number[] };
    const work = () => {
      told.tries += 1;
      if (told.tries <= failures) throw new Error(`failure ${told.tries}`);
      return 'done';
    };
    const policy = (count: number) => (count < most ? 2_000 : undefined);
    const result = retry(policy, work, {
      ...options,
      onRetry: (_, count) => void told.again.push(count),
    }).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(1_999);
    return { told, early: told.tries, result };
  }

  test.each([
    [0, Infinity, 1, 'done'],
    [9, Infinity, 10, 'done'],
    [2, 3, 3, 'done'],
    [3, 3, 3, 'failure 3'],
    [1, 1, 1, 'failure 1'],
  ])('of what fails %i times, where the policy allows %d tries', async (failures, most, tries, end) => {
    const { told, early, result } = await begin(failures, {}, most);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([early, told.tries, await result]).toEqual([1, tries, end]);
    expect(told.again).toEqual(Array.from({ length: tries - 1 }, (_, index) => index + 1));
  });

  test.each([
    [false, 1, 'failure 1'],
    [true, 2, 'done'],
  ])('that is aborted in its pause ends at once (with a last try: %s)', async (lastTry, tries, end) => {
    const stopping = new AbortController();
    const { told, result } = await begin(1, { signal: stopping.signal, lastTry });
    stopping.abort();
    expect([await result, told.tries]).toEqual([end, tries]);
  });

  test('that was aborted before fails with its first failure', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { told, result } = await begin(1, { signal: stopping.signal, lastTry: true });
    expect([await result, told]).toEqual(['failure 1', { tries: 1, again: [] }]);
  });
});

describe('what is asked within a time', () => {
  const never = () => new Promise<string>(() => undefined);
  const late = (cause: unknown) => (cause instanceof Error ? `late: ${cause.message}` : 'late');

  test('what answers in time is the answer, and nothing is left waiting', async () => {
    const parent = new AbortController();
    const remove = vi.spyOn(parent.signal, 'removeEventListener');
    let given: AbortSignal | undefined;
    const ask = (signal: AbortSignal) => ((given = signal), Promise.resolve('answer'));
    expect(await within(ask, 1_000, { signal: parent.signal, late })).toBe('answer');
    expect([vi.getTimerCount(), remove.mock.calls.length, given?.aborted]).toEqual([0, 1, false]);
    parent.abort();
    expect(given?.aborted).toBe(false);
  });

  test('what throws or rejects is late, with its cause', async () => {
    const { signal } = new AbortController();
    expect(await within(() => Promise.reject(new Error('down')), 1_000, { signal, late })).toBe('late: down');
    const ask = () => {
      throw new Error('at once');
    };
    expect(await within(ask, 1_000, { signal, late })).toBe('late: at once');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('what never answers is late when the time is over, not before', async () => {
    let answer: string | undefined;
    const asked = within(never, 1_000, { signal: new AbortController().signal, late }).then(
      (it) => (answer = it),
    );
    await vi.advanceTimersByTimeAsync(999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toBe('late');
  });

  test('an adapter that answers to the signal is heard before it is called late', async () => {
    const ask = (signal: AbortSignal) =>
      new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('gave up')));
    const asked = within(ask, 1_000, { signal: new AbortController().signal, late });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await asked).toBe('gave up');
  });

  test('the end of the parent ends the asking, also where it ended before', async () => {
    const parent = new AbortController();
    const asked = within(never, 1_000, { signal: parent.signal, late });
    parent.abort();
    expect(await asked).toBe('late');
    let wasAborted: boolean | undefined;
    const ask = (signal: AbortSignal) => ((wasAborted = signal.aborted), never());
    expect(await within(ask, 1_000, { signal: parent.signal, late })).toBe('late');
    expect([wasAborted, vi.getTimerCount()]).toEqual([true, 0]);
  });

  test('no time left is a timer at once', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const asked = within(never, -5, { signal: new AbortController().signal, late });
    expect(set.mock.calls[0]?.[1]).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toBe('late');
  });
});
