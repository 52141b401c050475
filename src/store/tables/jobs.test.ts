// Bulk work row by row: it runs once for its subject, comes further while it runs, and ends once; its slices one after
// another.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await write(({ accounts, jobs }) => {
    accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
    const job = { accountId: 1, actor: 'apiKey:1', total: 9, now: 1 };
    for (const kind of ['add', 'undo', 'extract'] as const) jobs.open({ ...job, kind, subjectId: 7 });
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (tables: Tables) => T) => t.store.read(work);

test('a job is found by its subject and its kind, and a subject has one of each kind', async () => {
  const find = (subjectId: number) =>
    (['add', 'undo', 'extract'] as const).map((kind) =>
      read(({ jobs }) => jobs.findOfSubject(kind, subjectId)?.id),
    );
  expect([find(7), find(8)]).toEqual([[1, 2, 3], Array(3).fill(undefined)]);
  const again = { accountId: 1, actor: 'apiKey:1', kind: 'add', subjectId: 7, total: 9, now: 1 } as const;
  await expect(write(({ jobs }) => jobs.open(again))).rejects.toThrow('UNIQUE');
});

test('it comes further while it runs, ends once, and is removed when it has ended', async () => {
  const told = await write(({ jobs }) => {
    const early = jobs.remove(1);
    return [
      early,
      jobs.advance(1, { done: 4, cursor: 'here' }),
      jobs.end(1, 'done', 20),
      jobs.end(1, 'cancelled', 21),
      jobs.advance(1, { done: 5, cursor: null }),
      jobs.end(2, 'cancelled', 30, 'It was too much.'),
    ];
  });
  expect(told).toEqual([undefined, true, true, false, false, true]);
  expect(read(({ jobs }) => [1, 2].map((id) => jobs.find(id)))).toMatchObject([
    { state: 'done', done: 4, total: 9, cursor: 'here', endedAt: 20, problem: null },
    { state: 'cancelled', done: 0, endedAt: 30, problem: 'It was too much.' },
  ]);
  const list = (until: number, limit = 9) => read(({ jobs }) => jobs.listEnded(until, limit));
  expect([list(19), list(20), list(30), list(30, 1)]).toEqual([[], [1], [1, 2], [1]]);
  const running = (after: number, limit = 9) => read(({ jobs }) => jobs.listRunning(after, limit));
  expect([running(0), running(3)]).toEqual([[3], []]);
  await write(({ jobs }) => [1, 3].forEach((id) => jobs.remove(id)));
  expect(read(({ jobs }) => [1, 2, 3].map((id) => jobs.find(id)?.state))).toEqual([
    undefined,
    'cancelled',
    'running',
  ]);
});

test('its slices are gone through in their order, each once, and listed as what they became', async () => {
  await write(({ jobSlices }) => {
    for (const [jobId, position] of [
      [1, 1],
      [1, 0],
      [1, 2],
      [2, 0],
    ] as const)
      jobSlices.save({ jobId, position, denomination: 60, content: [`CODE${position}`] });
  });
  const next = (jobId = 1) => read(({ jobSlices }) => jobSlices.findNext(jobId));
  const finish = (position: number, added: number) =>
    write(({ jobSlices }) => jobSlices.finish(1, position, { added, content: { used: position } }));
  expect(next()).toEqual({ position: 0, denomination: 60, added: undefined, content: ['CODE0'] });
  expect([await finish(0, 5), await finish(0, 6), next()?.position, await finish(1, 7)]).toEqual([
    true,
    false,
    1,
    true,
  ]);
  const list = (after: number, limit = 9) => read(({ jobSlices }) => jobSlices.list(1, after, limit));
  const [first, second] = [5, 7].map((added, position) => ({
    ...{ position, denomination: 60, added, content: { used: position } },
  }));
  expect([list(-1), list(0), list(-1, 1), list(1)]).toEqual([[first, second], [second], [first], []]);
  const remove = (limit: number) => write(({ jobSlices }) => jobSlices.remove(1, limit));
  expect([await remove(2), await remove(9), next(), next(2)?.content]).toEqual([2, 1, undefined, ['CODE0']]);
});
