// What the core does by itself: each work at its own pace, and whatever fails keeps no other from being done.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../test/harness/fake.ts';
import { createManualClock, createCoreClock } from '../clock.ts';
import type { Store } from '../store/index.ts';
import { createBackground } from './background.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Works that count their calls, over a store that has only what is filled: everything else that asks it fails. */
function open() {
  const manual = createManualClock(1_000_000);
  const clock = { ...manual, ...createCoreClock(manual) };
  const tables = {
    quota: { readScale: () => ({ calendarAheadMs: 0, newestStart: 0 }) },
  };
  const work = <T>(doWork: (given: typeof tables) => T) => doWork(tables);
  const write = <T>(doWork: (given: typeof tables) => T) =>
    new Promise<void>((resolve) => setImmediate(resolve)).then(() => doWork(tables));
  const failed = new Set<unknown>();
  const error = (about: object) => void failed.add('work' in about && about.work);
  const deps = {
    store: fake({
      read: work,
      write,
      markAlive: vi.fn(),
      rekey: { isRunning: () => false },
    }) satisfies Store,
    recover: vi.fn(() => Promise.resolve(true)),
    reconcile: {
      checkDue: vi.fn(),
      sweep: vi.fn(() => Promise.resolve()),
      settled: vi.fn(() => Promise.resolve()),
    },
    checkLateLogins: vi.fn(() => Promise.resolve()),
    watchSubscriptions: vi.fn(() => Promise.resolve()),
    imports: { prune: vi.fn(() => Promise.resolve(0)), closeInterrupted: vi.fn(() => Promise.resolve()) },
    hostAlerts: { check: vi.fn(() => Promise.resolve()) },
    wakeDueOrders: vi.fn(() => Promise.resolve()),
    upstreams: { readPauses: vi.fn() },
    jobs: { resume: vi.fn(), prune: vi.fn(() => Promise.resolve(false)) },
    clock,
    log: { info: vi.fn(), warn: vi.fn(), error: vi.fn(error) },
  };
  const background = createBackground(fake(deps));
  /** Lets time pass, and what is begun in it be done. */
  const pass = async (ms: number) => {
    manual.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...deps, background, pass, failed, tables };
}

test('doubts and jobs are looked at twice a second, what was left open every five seconds', async () => {
  const { background, pass, recover, reconcile, jobs, imports } = open();
  const calls = () =>
    [recover, reconcile.checkDue, jobs.resume, imports.closeInterrupted].map(({ mock }) => mock.calls.length);
  await pass(10_000);
  expect(calls()).toEqual([0, 0, 0, 0]);
  background.start();
  await pass(499);
  expect(calls()).toEqual([0, 0, 0, 0]);
  await pass(1);
  expect(calls()).toEqual([0, 1, 1, 1]);
  for (let ms = 500; ms < 5_000; ms += 500) await pass(500);
  expect(calls()).toEqual([1, 10, 10, 10]);
  await background.stop();
  expect(reconcile.settled).toHaveBeenCalledOnce();
  await pass(10_000);
  expect(calls()).toEqual([1, 10, 10, 10]);
});

test('chores are done soon after the start and once a minute, each until nothing is left of it', async () => {
  const { background, pass, watchSubscriptions, imports, jobs, failed } = open();
  imports.prune.mockResolvedValueOnce(20).mockResolvedValueOnce(20).mockResolvedValueOnce(19);
  jobs.prune.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
  const calls = () => [watchSubscriptions, imports.prune, jobs.prune].map(({ mock }) => mock.calls.length);
  background.start();
  await pass(1_000);
  expect(calls()).toEqual([1, 3, 2]);
  expect(imports.prune).toHaveBeenCalledWith(20);
  // Those that the store cannot do have failed, between the others.
  expect(failed).toEqual(
    new Set(['thresholds', 'keys', 'tasks', 'audit log', 'answers of upstreams', 'webhooks']),
  );
  await pass(1_000);
  expect(calls()).toEqual([1, 3, 2]);
  await pass(58_000);
  expect(calls()).toEqual([1, 3, 2]);
  await pass(2_000);
  expect(calls()).toEqual([2, 4, 3]);
  await background.stop();
});

test('pauses of upstreams are read every second: another process may have made them', async () => {
  const { background, pass, upstreams } = open();
  background.start();
  await pass(3_000);
  expect(upstreams.readPauses.mock.calls.length).toBeGreaterThanOrEqual(3);
  await background.stop();
});
