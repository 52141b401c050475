// What is over is forgotten two days later, and never because the calendar jumped.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createManualClock } from '../../clock.ts';
import { createTidying } from './tidying.ts';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 13);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('forgets what was over two days ago, by the calendar and by the time that passed', async () => {
  const clock = createManualClock(START);
  const forgotten: number[] = [];
  const forget = (until: number) => Promise.resolve(forgotten.push(until) < 0);
  const log = { warn: () => undefined } as never;
  const tidying = createTidying({ keeping: { forget } as never, clock, log });
  tidying.start();
  const tidyAfter = (ms: number) => {
    clock.advance(ms);
    vi.advanceTimersByTime(10 * 60 * 1000);
    return forgotten.at(-1);
  };
  expect(tidyAfter(HOUR_MS)).toBe(START - 47 * HOUR_MS);
  clock.set(START + 1_000 * HOUR_MS);
  expect(tidyAfter(HOUR_MS)).toBe(START - 46 * HOUR_MS);
  clock.set(START - 1_000 * HOUR_MS);
  expect(tidyAfter(HOUR_MS)).toBe(START - 1_047 * HOUR_MS);
  await tidying.stop();
});
