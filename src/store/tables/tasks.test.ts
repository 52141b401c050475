// Tasks row by row: added once a key, in the order of their queue, held until what they wait for has come, forgotten
// when they are over.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { DAY_MS } from '../../clock.ts';
import type { Tables } from '../index.ts';
import type { NewTask, Task } from './tasks.ts';

const [CHAT, OTHER] = ['chat:5', 'chat:6'];
let t: TestStore;
beforeEach(() => {
  t = openTestStore();
});
afterEach(() => t.close());

const write = <T>(work: (tasks: Tables['tasks'], tables: Tables) => T) =>
  t.store.write((tables) => work(tables.tasks, tables));
const read = <T>(work: (tasks: Tables['tasks']) => T) => t.store.read((tables) => work(tables.tasks));
const add = (key: string, now: number, more: Partial<NewTask> = {}) =>
  write((tasks) => tasks.add({ task: 'result', queue: CHAT, key, payload: `of ${key}`, now, ...more }));
const first = (queue = CHAT) => read((tasks) => tasks.findFirst(queue));
const next = (queue = CHAT) => first(queue)?.key;
const count = () => read((tasks) => tasks.countWaiting().map((one) => [one.task, one.count, one.since]));
/** Runs all that waits in a queue, and tells its keys. */
async function run(queue = CHAT): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  for (let task: Task | undefined; (task = first(queue)); keys.push(task.key)) {
    const { id } = task;
    await write((tasks) => tasks.finish(id, 50));
  }
  return keys;
}

test('where nothing was added nothing waits', () => {
  expect([count(), read((tasks) => tasks.listQueues()), first()]).toEqual([[], [], undefined]);
});

test('a task is added once a key, as it first was; without a key each is one', async () => {
  expect([await add('a', 10), await add('a', 1, { queue: OTHER })]).toEqual([true, false]);
  expect(first()).toMatchObject({
    ...{ id: 1, task: 'result', queue: CHAT, key: 'a', priority: 0, payload: 'of a' },
    ...{ queuedAt: 10, runAt: 10, attempts: 0, crashes: 0 },
  });
  for (let n = 0; n < 2; n += 1) await add('', 20, { key: undefined });
  expect([count(), next(OTHER)]).toEqual([[['result', 3, 10]], undefined]);
});

test('a queue is in the order of its moments, then as it was written; what has a priority comes after all else', async () => {
  for (const [key, now, priority] of [
    ['late', 30, 0],
    ['after all', 1, 1],
    ['early', 10, 0],
    ['second', 10, 0],
  ] as const)
    await add(key, now, { priority });
  await add('of another', 20, { queue: OTHER });
  expect(read((tasks) => tasks.listQueues())).toEqual([CHAT, OTHER]);
  expect(await run()).toEqual(['early', 'second', 'late', 'after all']);
  expect([read((tasks) => tasks.listQueues()), await run(OTHER)]).toEqual([[OTHER], ['of another']]);
});

test('whatever is queued is told of with its commit, and what is rolled back is not run', async () => {
  const told: string[] = [];
  t.store.onQueued((queues) => void told.push(...queues));
  await add('a', 1);
  await add('held', 1, { queue: OTHER, waitsFor: 'job:1' });
  expect(told).toEqual([CHAT]);
  const undone = write((tasks) => {
    tasks.add({ task: 'result', queue: 'chat:7', payload: '{}', now: 1 });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(first('chat:7')).toBeUndefined();
  await write((tasks) => tasks.release('job:1', 2));
  expect(told.filter((queue) => queue === OTHER)).toEqual([OTHER]);
});

test('a task ends once, and runs again only when it has ended', async () => {
  for (const key of ['done', 'dead', 'waits']) await add(key, 10);
  const [done, dead] = [1, 2];
  const ended = await write((tasks) => [
    tasks.repeat('done', 20),
    tasks.finish(done, 20),
    tasks.bury(done, 'late', 20),
    tasks.bury(dead, 'why', 20),
    tasks.finish(dead, 20),
    tasks.finish(99, 20),
  ]);
  expect([ended, next()]).toEqual([[false, true, false, true, false, false], 'waits']);
  const repeated = await write((tasks) =>
    ['done', 'done', 'dead', 'waits', 'none'].map((key) => tasks.repeat(key, 40)),
  );
  expect([repeated, count()]).toEqual([[true, false, true, false, false], [['result', 3, 10]]]);
  expect(await run()).toEqual(['waits', 'done', 'dead']);
});

test('what has failed keeps its place, and its time to run again', async () => {
  for (const key of ['a', 'b']) await add(key, 10);
  await write((tasks) => [tasks.lock(1, 11), tasks.postpone(1, 'why', 90)]);
  expect(first()).toMatchObject({ key: 'a', attempts: 1, runAt: 90, queuedAt: 10 });
});

test('what was under way at an unclean end counts a crash, until it has failed or gone on', async () => {
  for (const key of ['a', 'b']) await add(key, 10);
  await write((tasks) => tasks.lock(1, 11));
  expect(await write((tasks) => [tasks.unlockAll('result'), tasks.unlockAll('result')])).toEqual([1, 0]);
  expect(first()?.crashes).toBe(1);
  await write((tasks) => [tasks.lock(1, 12), tasks.unlock(1), tasks.unlockAll('result')]);
  expect(first()?.crashes).toBe(1);
  await write((tasks) => [tasks.lock(1, 12), tasks.postpone(1, 'why', 13)]);
  expect([first()?.crashes, await write((tasks) => tasks.unlockAll('result'))]).toEqual([0, 0]);
});

test('what goes on stays where it stands, with what it holds then', async () => {
  for (const key of ['a', 'b']) await add(key, 10);
  await write((tasks) => [tasks.lock(1, 11), tasks.continue(1, 'the rest')]);
  expect(first()).toMatchObject({ key: 'a', payload: 'the rest', queuedAt: 10 });
  expect(await write((tasks) => tasks.unlockAll('result'))).toBe(0);
  await write((tasks) => tasks.finish(1, 12));
  await write((tasks) => tasks.continue(1, 'late'));
  expect(await run()).toEqual(['b']);
});

test('what is held comes into its queue when it is released, in the order of that moment', async () => {
  await add('of the job', 10, { waitsFor: 'job:1' });
  await add('of another', 10, { waitsFor: 'job:2' });
  await add('of none', 20);
  const held = () => read((tasks) => ['job:1', 'job:2', 'job:3'].map(tasks.isHeldFor));
  expect([held(), count()]).toEqual([[true, true, false], [['result', 1, 20]]]);
  expect(await write((tasks) => [tasks.release('job:3', 30), tasks.release('job:1', 30)])).toEqual([0, 1]);
  expect([held(), count()]).toEqual([[false, true, false], [['result', 2, 20]]]);
  expect(await run()).toEqual(['of none', 'of the job']);
  expect(await write((tasks) => tasks.release('job:1', 60))).toBe(0);
});

test('what is released while it runs is not held again, but runs once more', async () => {
  for (const key of ['waits', 'runs']) await add(key, 10, { waitsFor: 'redemption:1' });
  await write((tasks) => tasks.release('redemption:1', 10));
  await write((tasks) => [tasks.lock(1, 10), tasks.continue(1, 'in doubt', 'redemption:1')]);
  expect(next()).toBe('runs');
  await write((tasks) => [tasks.lock(2, 11), tasks.release('redemption:1', 11)]);
  await write((tasks) => tasks.continue(2, 'in doubt', 'redemption:1'));
  expect(await run()).toEqual(['waits', 'runs']);
});

test('what is held until a time is run then or once it is released, and does not wait meanwhile', async () => {
  await add('until then', 10, { waitsFor: 'order:1' });
  const hold = () => write((tasks) => [tasks.lock(1, 10), tasks.continue(1, 'until then', 'order:1', 500)]);
  await write((tasks) => tasks.release('order:1', 10));
  await hold();
  expect([first()?.runAt, count()]).toEqual([500, []]);
  await write((tasks) => tasks.release('order:1', 20));
  expect([first()?.runAt, count()]).toEqual([20, [['result', 1, 20]]]);
  await write((tasks) => [tasks.lock(1, 20), tasks.release('order:1', 30)]);
  await write((tasks) => tasks.continue(1, 'until then', 'order:1', 500));
  expect(first()?.runAt).toBe(30);
});

test('what is renewed runs a while after the last time, and not too long after the first; over or under way, once more', async () => {
  const renew = (payload: string, now: number) =>
    write((tasks) =>
      tasks.renew({
        task: 'answer',
        queue: CHAT,
        key: 'import:1',
        payload,
        now,
        quietMs: 400,
        mostMs: 1_000,
      }),
    );
  await renew('one', 100);
  expect(first()).toMatchObject({ id: 1, payload: 'one', runAt: 500, queuedAt: 500 });
  await renew('two', 400);
  await renew('three', 900);
  expect(first()).toMatchObject({ id: 1, payload: 'three', runAt: 1_100 });
  await write((tasks) => tasks.lock(1, 1_100));
  await renew('four', 1_200);
  expect(read((tasks) => tasks.isLocked(1))).toBe(false);
  expect(first()).toMatchObject({ payload: 'four', runAt: 1_600 });
  await write((tasks) => tasks.finish(1, 1_600));
  expect(first()).toBeUndefined();
  await renew('five', 9_000);
  expect(first()).toMatchObject({ id: 1, payload: 'five', runAt: 9_400 });
});

test('of what waits the newest few stay, of one kind and queue', async () => {
  for (const key of ['answer 1', 'answer 2', 'answer 3']) await add(key, 20, { task: 'answer' });
  await add('result', 10);
  await add('of another', 10, { queue: OTHER, task: 'answer' });
  expect(
    await write((tasks) => [tasks.trim(CHAT, 'answer', 2, 21), tasks.trim(CHAT, 'answer', 2, 21)]),
  ).toEqual([1, 0]);
  expect([await run(), await run(OTHER)]).toEqual([['result', 'answer 2', 'answer 3'], ['of another']]);
});

test('what waits for the same handler is listed, the first of it first', async () => {
  for (const [key, task, priority] of [
    ['n1', 'notice', 1],
    ['result', 'result', 0],
    ['n2', 'notice', 1],
    ['n3', 'notice', 1],
  ] as const)
    await add(key, 10, { task, priority });
  await write((tasks) => tasks.finish(2, 11));
  const like = (limit: number) => read((tasks) => tasks.listLike(first()!, limit).map(({ key }) => key));
  expect([like(9), like(2)]).toEqual([
    ['n1', 'n2', 'n3'],
    ['n1', 'n2'],
  ]);
});

const [KEPT_MS, OWED_KEPT_MS] = [2 * DAY_MS, 30 * DAY_MS];

test('what is over is forgotten after two days, as many as were asked for', async () => {
  for (const [key, now] of [
    ['a', 10],
    ['b', 10],
    ['c', 20],
    ['waits', 10],
  ] as const)
    await add(key, now);
  await add('of a job', 10, { waitsFor: 'job:1' });
  await write((tasks) => [tasks.finish(1, 11), tasks.bury(2, 'why', 11), tasks.finish(3, 21)]);
  const forget = (until: number, limit: number) => write((tasks) => tasks.prune(until + KEPT_MS, limit));
  expect([await forget(9, 9), await forget(10, 1), await forget(10, 9), await forget(19, 9)]).toEqual([
    0, 1, 1, 0,
  ]);
  expect([await forget(20, 9), next()]).toEqual([1, 'waits']);
  expect([await add('a', 50), await add('waits', 50), await add('of a job', 50)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('what a chat is owed waits for the chat to open, and is forgotten later than the rest', async () => {
  for (const key of ['owed', 'too', 'sent']) await add(key, 10);
  await write((tasks) => [tasks.hold(1, CHAT), tasks.hold(2, CHAT), tasks.finish(3, 11)]);
  expect([read((tasks) => tasks.isHeldFor(CHAT)), count()]).toEqual([true, []]);
  expect(await write((tasks) => tasks.prune(9 + OWED_KEPT_MS, 9))).toBe(1);
  expect(await write((tasks) => [tasks.release(OTHER, 60), tasks.release(CHAT, 60)])).toEqual([0, 2]);
  expect([await run(), read((tasks) => tasks.isHeldFor(CHAT))]).toEqual([['owed', 'too'], false]);
  await add('for ever', 10);
  await write((tasks) => tasks.hold(4, CHAT));
  // With those that were released, and ran.
  expect(await write((tasks) => tasks.prune(10 + OWED_KEPT_MS, 9))).toBe(3);
});

test('a notice that nobody is there to announce is forgotten after a month; what waits to be sent is not', async () => {
  for (const task of ['announce', 'result', 'notice', 'answer']) await add(task, 10, { task });
  const forget = (now: number) => write((tasks) => tasks.prune(now, 9));
  expect([await forget(9 + OWED_KEPT_MS), await forget(10 + OWED_KEPT_MS)]).toEqual([0, 1]);
  expect(await run()).toEqual(['result', 'notice', 'answer']);
});

test('one that does not open any more comes in its turn with nothing in it', async () => {
  await add('a', 10);
  t.inspect((file) => file.exec('update tasks set payload_secret = zeroblob(60)'));
  expect(first()).toMatchObject({ id: 1, key: 'a', payload: undefined });
});
