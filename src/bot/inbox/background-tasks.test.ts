// Work of an update that could not begin: in its own update or inside a conversation it begins again, and nobody is
// told.
import { HttpError } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { CoreError } from '../../core/index.ts';
import type { BotContext, InnerContext } from '../context.ts';
import { createPrompts } from '../prompts/prompts.ts';
import { createBackgroundTasks } from './background-tasks.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const overloaded = () => new CoreError('OVERLOADED', 'Try again.');
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function createWork(failures: number) {
  const told = { begun: 0 };
  const work = async () => {
    told.begun += 1;
    if (told.begun <= failures) throw overloaded();
  };
  return { told, work };
}

test('work that goes on after its handler begins again until it can', async () => {
  const { told, work } = createWork(30);
  const backgroundTasks = createBackgroundTasks({ log, stopping: new AbortController().signal });
  // A context that can say nothing: whatever it told would throw.
  backgroundTasks.begin({ update: { update_id: 1 } } as BotContext, work);
  const ended = backgroundTasks.take(1);
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
  expect(told.begun).toBe(31);
  expect([backgroundTasks.take(1), backgroundTasks.take(2)]).toEqual([undefined, undefined]);
});

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
const away = () => new HttpError('Network request failed!', new Error('fetch failed'));

function createFailing(fail: () => Error, failures: number) {
  const told = { begun: 0, said: [] as string[] };
  const work = async () => {
    told.begun += 1;
    if (told.begun <= failures) throw fail();
  };
  const ctx = {
    update: { update_id: 7 },
    say: (key: string) => key,
    reply: (text: string) => Promise.resolve(void told.said.push(text)),
  };
  return { told, work, ctx: fake(ctx) satisfies BotContext };
}

test.each([
  ['a full disk', full, 60],
  ['Telegram', away, 14],
])('what %s caused is done again with growing pauses, and nobody is told', async (_, fail, failures) => {
  const { told, work, ctx } = createFailing(fail, failures);
  const backgroundTasks = createBackgroundTasks({ log, stopping: new AbortController().signal });
  backgroundTasks.begin(ctx, work);
  const ended = backgroundTasks.take(7);
  await vi.advanceTimersByTimeAsync(10_000);
  // After 2, 4 and 8 seconds.
  expect(told.begun).toBe(3);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  await ended;
  expect(told).toEqual({ begun: failures + 1, said: [] });
});

test('what Telegram does not take for ten minutes has failed', async () => {
  const { told, work, ctx } = createFailing(away, 15);
  const backgroundTasks = createBackgroundTasks({ log, stopping: new AbortController().signal });
  backgroundTasks.begin(ctx, work);
  const ended = expect(backgroundTasks.take(7)).rejects.toThrow('Network');
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  await ended;
  expect(told).toEqual({ begun: 15, said: ['error-ours'] });
});

test('a stop ends the pause, and leaves the update to the next start', async () => {
  const { told, work, ctx } = createFailing(full, 1);
  const stopping = new AbortController();
  const backgroundTasks = createBackgroundTasks({ log, stopping: stopping.signal });
  backgroundTasks.begin(ctx, work);
  const ended = expect(backgroundTasks.take(7)).rejects.toThrow('full');
  await vi.advanceTimersByTimeAsync(1_000);
  stopping.abort();
  await ended;
  expect(told).toEqual({ begun: 1, said: [] });
});

test('inside a conversation it begins again as long as a person waits; then the sentence is told', async () => {
  const outer = {} as BotContext;
  const conversation = { external: (run: (ctx: BotContext) => unknown) => Promise.resolve(run(outer)) };
  const prompts = await createPrompts(fake(conversation), {} as InnerContext, () => 'nonce');
  const few = createWork(3);
  const answered = prompts.tryCore(() => few.work().then(() => 'done'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answered).toBe('done');

  const many = createWork(1_000);
  const failed = prompts.tryCore(() => many.work());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failed).toEqual({ failed: 'error-overloaded' });
});
