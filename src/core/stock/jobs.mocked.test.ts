// How long a job waits whose slices fail: the pauses are counted, not waited for.
import { beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { CoreError } from '../errors.ts';
import { createJobs } from './jobs.ts';

const { pauses } = vi.hoisted(() => ({ pauses: [] as number[] }));
vi.mock(import('../../waiting.ts'), async (load) => ({
  ...(await load()),
  pause: (ms) => Promise.resolve(void pauses.push(ms)),
}));
beforeEach(() => void pauses.splice(0));

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

/** A job whose slices do one after another what `steps` say, and which is done when they are. */
function runJob(steps: readonly (Error | undefined)[], write = () => Promise.resolve()) {
  const left = [...steps];
  const stopping = new AbortController();
  const read = () => ({ id: 1, kind: 'add', state: left.length > 0 ? 'running' : 'done', done: 0 });
  const step = () => {
    const failure = left.shift();
    return failure ? Promise.reject(failure) : Promise.resolve();
  };
  const log = { warn: () => undefined, error: () => undefined };
  const waitedFor = new Set<Promise<unknown>>();
  const deps = { store: { read, write }, clock: { now: () => 0 }, log, works: { add: { step } }, waitedFor };
  const jobs = createJobs(fake({ ...deps, signal: stopping.signal }));
  return { ended: jobs.run(1), stopping, waitedFor };
}

test('a slice that fails again and again is tried after pauses that grow, up to ten seconds', async () => {
  const { ended, waitedFor } = runJob(Array.from({ length: 9 }, busy));
  expect(waitedFor.size).toBe(1);
  expect(await ended).toMatchObject({ state: 'done' });
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]);
  expect(waitedFor.size).toBe(0);
});

test('after a slice that succeeded they grow from the beginning', async () => {
  await runJob([busy(), busy(), undefined, busy()]).ended;
  expect(pauses).toEqual([200, 400, 200]);
});

test('a stop ends the pause, and the job with it', async () => {
  const { ended, stopping } = runJob([busy(), busy()]);
  stopping.abort();
  await expect(ended).rejects.toMatchObject({ code: 'STOPPING' });
});

test('what could not even be set aside is tried again, but not in a loop', async () => {
  const gone = new CoreError('NOT_FOUND', 'It is gone.');
  await runJob([gone, gone], () => Promise.reject(busy())).ended;
  expect(pauses).toEqual([200, 200]);
});
