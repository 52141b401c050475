// Elapsed time over two clocks of a machine that is suspended: one that stands still meanwhile, and a coarse one that
// does not.
import { expect, test } from 'vitest';

import { createCoreClock, createElapsed, createManualClock, momentOf, systemClock } from './clock.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A machine whose uptime is told in whole seconds. */
function createMachine() {
  let running = 5_321.5;
  let suspended = 0;
  const uptime = () => Math.floor((running + suspended) / 1000) * 1000;
  return {
    elapsed: createElapsed(() => running, uptime),
    run: (ms: number) => void (running += ms),
    suspend: (ms: number) => void (suspended += ms),
  };
}

test('is the fine clock to the fraction while the machine runs, however coarse the other is', () => {
  const machine = createMachine();
  const start = machine.elapsed();
  for (let passed = 0; passed < 100_000; passed += 333.25) {
    expect(machine.elapsed() - start).toBe(passed);
    machine.run(333.25);
  }
});

test('counts a suspend, within a second of waking and to about a second, once', () => {
  const machine = createMachine();
  const start = machine.elapsed();
  for (let night = 1; night <= 5; night += 1) {
    machine.run(HOUR_MS);
    machine.suspend(8 * HOUR_MS);
    machine.run(1_000);
    const passed = night * (9 * HOUR_MS + 1_000);
    for (let call = 0; call < 3; call += 1) {
      expect(Math.abs(machine.elapsed() - start - passed)).toBeLessThanOrEqual(1_000 * night);
    }
  }
});

test('never goes back', () => {
  const machine = createMachine();
  let last = machine.elapsed();
  for (let step = 0; step < 1_000; step += 1) {
    machine.run((step * 397) % 1_700);
    if (step % 7 === 0) machine.suspend((step * 613) % 5_000);
    const next = machine.elapsed();
    expect(next).toBeGreaterThanOrEqual(last);
    last = next;
  }
});

test('the clock of the machine runs', async () => {
  const start = systemClock.elapsed();
  await new Promise((resolve) => setImmediate(resolve));
  expect(systemClock.elapsed()).toBeGreaterThan(start);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});

test('the scales go on from the calendar of the start, whatever becomes of the calendar', () => {
  const manual = createManualClock(1_000_000);
  manual.advance(500);
  const clock = createCoreClock(manual);
  expect(momentOf(clock)).toEqual({ now: 1_000_500, monotonicNow: 1_000_500, safeNow: 1_000_500 });
  manual.advance(70);
  manual.set(2_000_000);
  expect(momentOf(clock)).toEqual({ now: 2_000_000, monotonicNow: 1_000_570, safeNow: 1_000_570 });
  manual.set(3);
  expect(momentOf(clock)).toEqual({ now: 3, monotonicNow: 1_000_570, safeNow: 3 });
  expect(clock.elapsed()).toBe(570);
});

test('the scales are told in whole milliseconds', () => {
  let elapsed = 0.25;
  const clock = createCoreClock({ now: () => 1_000, elapsed: () => elapsed });
  elapsed = 10.9;
  expect(momentOf(clock)).toEqual({ now: 1_000, monotonicNow: 1_010, safeNow: 1_000 });
});
