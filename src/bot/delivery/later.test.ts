// Work of an update that could not begin: in its own update or inside a conversation it begins again, and nobody is told.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { CoreError } from '../../core/index.ts';
import type { BotContext, BotConversation, InnerContext } from '../context.ts';
import { createTalk } from '../talk/talk.ts';
import { createLater } from './later.ts';

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
  const later = createLater({ log });
  // A context that can say nothing: whatever it told would throw.
  later.begin({ update: { update_id: 1 } } as BotContext, work);
  const ended = later.take(1);
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
  expect(told.begun).toBe(31);
  expect([later.take(1), later.take(2)]).toEqual([undefined, undefined]);
});

test('inside a conversation it begins again as long as a person waits; then the sentence is told', async () => {
  const outer = {} as BotContext;
  const conversation = { external: (run: (ctx: BotContext) => unknown) => Promise.resolve(run(outer)) };
  const talk = await createTalk(
    conversation as unknown as BotConversation,
    {} as InnerContext,
    () => 'nonce',
  );
  const few = createWork(3);
  const answered = talk.core(() => few.work().then(() => 'done'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answered).toBe('done');

  const many = createWork(1_000);
  const failed = talk.core(() => many.work());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failed).toEqual({ failed: 'error-overloaded' });
});
