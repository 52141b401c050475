// What the inbox does beside handling one update after the other: work that goes on, and what could not begin.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';
import { CoreError } from '../../core/index.ts';
import { createKeeping } from '../../store/keeping.ts';
import { createInbox, type Inbox } from './inbox.ts';
import type { ConversationChange } from '../keeping.ts';

let opened: ReturnType<typeof openTestStore>;
beforeEach(() => {
  opened = openTestStore();
});
afterEach(() => opened.close());

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const update = (id: number) => ({ update_id: id, message: { chat: { id: 7 } } }) as never;

function open(rest: Promise<void>, stopping = () => false) {
  const keeping = createKeeping(opened.store, () => opened.clock.now());
  const handled: number[] = [];
  const change: ConversationChange = { chatId: 7, userId: 7, state: '{}' };
  const inbox: Inbox = createInbox({
    keeping,
    log,
    handle: ({ update_id }) => Promise.resolve(void handled.push(update_id)),
    takeChange: (id) => (id === 1 ? change : undefined),
    takeRest: (id) => (id === 1 ? rest : undefined),
    isStopping: stopping,
    onSetAside: () => Promise.resolve(),
  });
  const waiting = () => keeping.inbox.listWaiting(0, 10).map((row) => row.updateId);
  return { inbox, keeping, handled, waiting };
}

/** Lets commits and what follows them happen, until they did. */
async function turnsUntil(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

test('a chat is free while the work of its update goes on, and the update is over when the work is', async () => {
  const work = Promise.withResolvers<void>();
  const { inbox, keeping, handled, waiting } = open(work.promise);
  inbox.start();
  await inbox.accept([update(1), update(2)]);
  await vi.waitFor(() => expect(waiting()).toEqual([1]));
  expect(handled).toEqual([1, 2]);
  expect(keeping.conversations.find(7, 7)?.state).toBe('{}');
  work.resolve();
  await vi.waitFor(() => expect(waiting()).toEqual([]));
  await inbox.stop();
});

test('work that a stop interrupts is begun again by the next start; work that failed is not', async () => {
  for (const isStopping of [true, false]) {
    const work = Promise.withResolvers<void>();
    work.promise.catch(() => undefined);
    let stopping = false;
    const { inbox, keeping, waiting } = open(work.promise, () => stopping);
    inbox.start();
    await inbox.accept([update(1)]);
    await vi.waitFor(() => expect(keeping.conversations.find(7, 7)).toBeDefined());
    await keeping.conversations.change({ chatId: 7, userId: 7, state: undefined });
    stopping = isStopping;
    work.reject(new Error('interrupted'));
    await inbox.stop();
    expect(waiting()).toEqual(isStopping ? [1] : []);
  }
});

test('what could not begin is handled again after a pause, in its place in the chat, and counts no attempt', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const keeping = createKeeping(opened.store, () => opened.clock.now());
  const handled: number[] = [];
  const setAside: number[] = [];
  let crowded = true;
  const inbox = createInbox({
    keeping,
    log,
    async handle({ update_id: id }) {
      handled.push(id);
      if (crowded && id === 1) throw new CoreError('OVERLOADED', 'Try again.');
    },
    takeChange: () => undefined,
    takeRest: () => undefined,
    isStopping: () => false,
    onSetAside: (id) => Promise.resolve(void setAside.push(id)),
  });
  const waiting = () => keeping.inbox.listWaiting(0, 10).map((row) => [row.updateId, row.attempts]);
  inbox.start();
  await inbox.accept([update(1), update(2)]);
  for (let times = 1; times <= 5; times += 1) {
    await turnsUntil(() => handled.length === times && waiting()[0]?.[1] === 0);
    expect(handled).not.toContain(2);
    crowded = times < 5;
    await vi.advanceTimersByTimeAsync(2_000);
  }
  await turnsUntil(() => waiting().length === 0);
  expect(handled).toEqual([1, 1, 1, 1, 1, 1, 2]);
  expect(setAside).toEqual([]);
  vi.useRealTimers();
  await inbox.stop();
});
