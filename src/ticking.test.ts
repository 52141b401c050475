// Work that is done again and again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createTicking } from './ticking.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const PAUSE_MS = 100;
const pass = (pauses: number) => vi.advanceTimersByTimeAsync(pauses * PAUSE_MS);

test('begins a pause after the start, is never done twice at once, and pauses from its end', async () => {
  const ends: (() => void)[] = [];
  const ticking = createTicking(
    PAUSE_MS,
    () => new Promise((resolve) => void ends.push(() => resolve())),
    () => undefined,
  );
  await pass(5);
  expect(ends).toHaveLength(0);
  ticking.start();
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(ends).toHaveLength(0);
  await pass(5);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await pass(1);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await ticking.stop();
});

test('a failure is told, and ends nothing', async () => {
  const told: unknown[] = [];
  const ticking = createTicking(
    PAUSE_MS,
    () => Promise.reject(new Error(`failure ${told.length + 1}`)),
    (error) => void told.push(String(error)),
  );
  ticking.start();
  await pass(2);
  await ticking.stop();
  expect(told).toEqual(['Error: failure 1', 'Error: failure 2']);
});

test('a failure that lasts is told once, another one again, and that it is over', async () => {
  const told: string[] = [];
  const ends = ['full', 'full', 'gone', 'gone', undefined, undefined, 'gone'];
  const ticking = createTicking(
    PAUSE_MS,
    () => {
      const end = ends.shift();
      return end === undefined ? Promise.resolve() : Promise.reject(new Error(end));
    },
    (error) => void told.push(String(error)),
    () => void told.push('goes on'),
  );
  ticking.start();
  await pass(7);
  await ticking.stop();
  expect(told).toEqual(['Error: full', 'Error: gone', 'goes on', 'Error: gone']);
});

test('a stop waits for what runs, lets it know, and nothing is begun after it', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const steps: unknown[] = [];
  const ticking = createTicking(
    PAUSE_MS,
    async (isStopping) => {
      steps.push(isStopping());
      await promise;
      steps.push(isStopping());
    },
    () => undefined,
  );
  ticking.start();
  await pass(1);
  const stopped = ticking.stop().then(() => void steps.push('stopped'));
  await pass(3);
  expect(steps).toEqual([false]);
  resolve(undefined);
  await stopped;
  await pass(5);
  expect(steps).toEqual([false, true, 'stopped']);
});

test('a stop before the first time begins nothing', async () => {
  let begun = 0;
  const ticking = createTicking(
    PAUSE_MS,
    async () => void (begun += 1),
    () => undefined,
  );
  ticking.start();
  await ticking.stop();
  await pass(5);
  expect(begun).toBe(0);
});
