// The task worker over a real store: in order within a queue, side by side otherwise, until it is done or dead, over
// crashes and stops.
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { HOUR_MS } from '../../clock.ts';
import { createStore, type Task } from '../../store/index.ts';
import type { TaskEnd, TaskHandler } from './run-task.ts';
import { createTaskWorker, type TaskWorker } from './worker.ts';

let t: TestStore;
let workers: TaskWorker[];
let ran: string[];
let logged: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  t = openTestStore();
  [workers, ran, logged] = [[], [], []];
});
afterEach(async () => {
  await stop();
  await t.close();
  vi.useRealTimers();
});

/** Lets time pass, a little each turn of the event loop, until it is so. */
async function soon<T>(read: () => T, expected: T): Promise<void> {
  for (let turn = 0; turn < 5_000 && !isDeepStrictEqual(read(), expected); turn += 1) {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(5);
  }
  expect(read()).toEqual(expected);
}

const DONE: TaskEnd = { state: 'done' };
type Run = (task: Task, signal: AbortSignal) => TaskEnd | Promise<TaskEnd>;

/** A worker of this store whose tasks are run by `run`, two at once; another is another life of the process. */
function start(run: Run = () => DONE, more: Partial<TaskHandler> = {}): TaskWorker {
  const note = (_: object, message: string) => void logged.push(message);
  const deps = { ...t, log: { warn: note, error: note }, describe: () => ({ name: 'what failed' }) };
  const handler: TaskHandler = {
    atOnce: 2,
    async run(task, { signal }) {
      ran.push(String(task.payload));
      return run(task, signal);
    },
    retryMs: (failures) => failures * 1_000,
    ...more,
  };
  const worker = createTaskWorker(deps, { work: handler });
  workers.push(worker);
  worker.start();
  return worker;
}
async function stop(): Promise<void> {
  let isOver = false;
  const stopped = Promise.all(workers.splice(0).map((worker) => worker.stop()));
  void stopped.then(() => (isOver = true));
  await soon(() => isOver, true);
}
const add = (queue: string, ...payloads: string[]) =>
  t.store.write(({ tasks }) => {
    for (const payload of payloads) tasks.add({ task: 'work', queue, payload, now: t.clock.now() });
  });
const left = () => t.store.read(({ tasks }) => tasks.countWaiting()[0]?.count ?? 0);
const isDone = () => soon(left, 0);
/** Runs until the test lets it go. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

test('tasks of a queue run one after the other, in order; queues side by side', async () => {
  const first = gate();
  let atOnce = 0;
  let most = 0;
  start(async ({ queue, payload }) => {
    if (queue === 'a') most = Math.max(most, (atOnce += 1));
    if (payload === 'a1') await first.promise;
    if (queue === 'a') atOnce -= 1;
    return DONE;
  });
  await add('a', 'a1', 'a2', 'a3');
  await add('b', 'b1', 'b2');
  await soon(() => ran, ['a1', 'b1', 'b2']);
  first.open();
  await isDone();
  expect([ran.slice(3), most]).toEqual([['a2', 'a3'], 1]);
});

test('no queue is served twice before all others were, however much waits in it', async () => {
  const held = gate();
  start(() => held.promise.then(() => DONE), { atOnce: 1 });
  await add('crowd', 'first', ...Array.from({ length: 5 }, (_, n) => `crowd ${n}`));
  await soon(() => ran, ['first']);
  await add('alone', 'alone');
  held.open();
  await isDone();
  expect(ran.indexOf('alone')).toBeLessThan(2);
});

test('what is held until a time runs then, or as soon as it is released', async () => {
  const held = ({ payload = '' }: Task): TaskEnd => ({
    ...{ state: 'next', payload, waitsFor: 'news' },
    until: t.clock.now() + 60_000,
  });
  const worker = start(held);
  await add('a', 'a');
  await soon(() => ran.length, 1);
  t.clock.advance(59_999);
  void worker.rest();
  await add('b', 'b');
  await soon(() => ran, ['a', 'b']);
  t.clock.advance(1);
  void worker.rest();
  await soon(() => ran, ['a', 'b', 'a']);
  await t.store.write(({ tasks }) => tasks.release('news', t.clock.now()));
  await soon(() => ran.slice(3).sort(), ['a', 'b']);
});

test('what takes long holds no place that others need', async () => {
  const hangs = gate();
  start(({ queue }) => (queue === 'free' ? DONE : hangs.promise.then(() => DONE)));
  for (const queue of ['x', 'y', 'z']) await add(queue, queue);
  await add('free', 'free');
  await soon(() => ran.includes('free'), true);
  hangs.open();
});

test('what fails is run again in its place, at its time, by its policy, in the next process, too', async () => {
  let fails = 2;
  const run: Run = ({ payload }) => {
    if (payload === 'a1' && (fails -= 1) >= 0) throw new Error('fails');
    return DONE;
  };
  start(run);
  await add('a', 'a1', 'a2');
  await soon(() => logged.length, 1);
  t.clock.advance(999);
  await stop();
  start(run);
  await add('b', 'b');
  await soon(() => ran.includes('b'), true);
  expect(logged).toHaveLength(1);
  t.clock.advance(1);
  await soon(() => logged.length, 2);
  t.clock.advance(2_000);
  await isDone();
  expect(ran.filter((payload) => payload !== 'b')).toEqual(['a1', 'a1', 'a1', 'a2']);
});

test('what has failed more than once is tried at once where there is a reason to', async () => {
  let isUp = false;
  const worker = start(() => {
    if (!isUp) throw new Error('down');
    return DONE;
  });
  await add('a', 'a');
  for (const failures of [1, 2]) {
    await soon(() => logged.length, failures);
    if (failures === 1) t.clock.advance(1_000);
  }
  isUp = true;
  await soon(() => {
    worker.hurry('a');
    return left();
  }, 0);
});

test('a time that no task is planned for was written by a clock that was wrong', async () => {
  await t.store.write(({ tasks }) => {
    tasks.add({ task: 'work', queue: 'a', payload: 'a', now: t.clock.now() + 24 * 60 * 60 * 1000 });
  });
  start();
  await isDone();
});

test('what died is not run any more, holds up nobody, and is told of in the same transaction', async () => {
  const end: TaskEnd = { state: 'dead', error: 'for good' };
  start(({ payload }) => (payload === 'a1' ? end : DONE), {
    bury:
      ({ queue }) =>
      (tables) =>
        void tables.tasks.add({ task: 'work', queue, payload: 'a word of it', now: t.clock.now() }),
  });
  await add('a', 'a1', 'a2');
  await isDone();
  expect(ran).toEqual(['a1', 'a2', 'a word of it']);
  const why = () =>
    t.inspect((file) => file.prepare('select last_error from tasks where id = 1').pluck().get());
  expect([why(), logged]).toEqual(['for good', ['a task has died: work']]);
});

test('tasks that are done with another are not run, and what is written with an end is written once', async () => {
  const writes: string[] = [];
  start(({ payload }) =>
    payload === 'a1'
      ? { state: 'done', also: [2, 3], write: (_, { payload: of }) => void writes.push(String(of)) }
      : DONE,
  );
  await t.store.write(({ tasks }) => {
    for (const payload of ['a1', 'a2', 'a3', 'a4'])
      tasks.add({ task: 'work', queue: 'a', payload, now: t.clock.now() });
  });
  await isDone();
  expect([ran, writes]).toEqual([['a1', 'a4'], ['a1']]);
});

test('what waits for something runs once that has come, and goes on from what it was', async () => {
  start(({ payload }) => (payload === 'a' ? { state: 'next', payload: 'a, then', waitsFor: 'event' } : DONE));
  await add('a', 'a');
  await isDone();
  expect(ran).toEqual(['a']);
  await t.store.write(({ tasks }) => tasks.release('event', t.clock.now()));
  await soon(() => ran, ['a', 'a, then']);
});

test.each([
  ['is done', DONE],
  ['is held', { state: 'held', waitsFor: 'event' }],
] as const)('what %s, and was released while it ran, runs once more', async (_, end) => {
  const running = gate();
  start(async () => {
    if (ran.length === 1) await running.promise;
    return end;
  });
  await t.store.write(({ tasks }) => {
    const task = { task: 'work', queue: 'a', payload: 'a', waitsFor: 'event', now: t.clock.now() };
    tasks.add(task);
    tasks.release('event', t.clock.now());
  });
  await soon(() => ran, ['a']);
  await t.store.write(({ tasks }) => tasks.release('event', t.clock.now()));
  running.open();
  await isDone();
  expect(ran).toEqual(['a', 'a']);
});

test('a queue that is held is not run before it may, and others are', async () => {
  let heldMs = 60_000;
  const held: string[] = [];
  start(undefined, {
    heldMs: ({ queue }) => (queue === 'a' ? heldMs : 0),
    onHeld: ({ queue }) => void held.push(queue),
  });
  await add('a', 'a');
  await add('b', 'b');
  await soon(() => ran, ['b']);
  await soon(() => held.length > 0, true);
  heldMs = 0;
  await isDone();
});

test('what a process that was killed had under way is run alone, and buried where it ends the process again and again', async () => {
  await add('bad', 'bad');
  await add('good', 'good');
  const crash = () =>
    t.inspect((file) => file.exec("update tasks set locked_at = 1 where queue_key in ('bad', 'good')"));
  crash();
  let alone = true;
  const good = gate();
  start(async ({ queue }) => {
    if (queue === 'bad') await good.promise;
    else alone = ran.length === 2;
    return DONE;
  });
  await soon(() => ran, ['bad']);
  good.open();
  await isDone();
  expect(alone).toBe(true);
  await stop();
  await add('bad', 'bad');
  t.inspect((file) => file.exec('update tasks set crashes = 4, locked_at = 1 where run_at is not null'));
  start();
  await isDone();
  expect([ran, logged]).toEqual([['bad', 'good'], ['a task has died: work']]);
});

test('a task of what is open dies of no crash: an hour after the start it runs', async () => {
  await add('bad', 'bad');
  t.inspect((file) => file.exec('update tasks set crashes = 4, locked_at = 1'));
  const worker = start(undefined, { isOfOpenRow: true });
  await add('good', 'good');
  await soon(() => ran, ['good']);
  t.clock.advance(HOUR_MS - 1);
  await add('good', 'too');
  await soon(() => ran, ['good', 'too']);
  t.clock.advance(1);
  void worker.rest();
  await isDone();
  expect([ran, logged]).toEqual([['good', 'too', 'bad'], []]);
});

test('a stop begins nothing more, aborts what hangs, and costs it neither its place nor a crash', async () => {
  start(
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  );
  await add('a', 'a1', 'a2');
  await soon(() => ran, ['a1']);
  await stop();
  const first = t.store.read(({ tasks }) => tasks.findFirst('a'));
  expect(first).toMatchObject({ payload: 'a1', attempts: 0, crashes: 0 });
  expect(await t.store.write(({ tasks }) => tasks.unlockAll('work'))).toBe(0);
});

test('what was done is done once, though its end is refused by the disk at first', async () => {
  const { write } = t.store;
  let refusals = 0;
  start(() => {
    t.store.write = (work, how) =>
      (refusals += 1) <= 2 ? Promise.reject(new Error('full')) : write(work, how);
    return DONE;
  });
  await add('a', 'a');
  await isDone();
  expect([ran, refusals]).toEqual([['a'], 3]);
});

test('one that the disk does not let begin is tried again after a pause, not at once', async () => {
  const { write } = t.store;
  await add('a', 'a');
  let refusals = 0;
  t.store.write = (work, how) =>
    /lock\(/.test(String(work)) ? ((refusals += 1), Promise.reject(new Error('full'))) : write(work, how);
  start();
  await soon(() => refusals, 1);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toBe(1);
  t.store.write = write;
  t.clock.advance(1_000);
  await isDone();
});

test('what another process has queued is found', async () => {
  await t.store.close();
  const store = createStore({ path: t.store.path, exclusive: true });
  t = { ...t, store, close: () => store.close() };
  let isHeld = false;
  start(undefined, { heldMs: () => 60_000, onHeld: () => void (isHeld = true) });
  const beside = createStore({ path: t.store.path, exclusive: false });
  await beside.write(({ tasks }) =>
    tasks.add({ task: 'work', queue: 'a', payload: 'a', now: t.clock.now() }),
  );
  await beside.close();
  await soon(() => isHeld, true);
});

test('what nobody here runs waits on, and stands in nobody’s way', async () => {
  await t.store.write(({ tasks }) =>
    tasks.add({ task: 'of another', queue: 'a', payload: '', now: t.clock.now() }),
  );
  start();
  await add('b', 'b');
  await soon(() => ran, ['b']);
  expect(left()).toBe(1);
});
