// What the inbox does beside handling one update after the other: work that goes on, what could not begin, what fails
// for a moment, stops and crashes.
import Database from 'better-sqlite3';
import { BotError, HttpError } from 'grammy';
import type { Update } from 'grammy/types';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';
import { countMessages, firstMessage } from '../../../test/harness/waiting-messages.ts';
import { fake } from '../../../test/harness/fake.ts';
import { CoreError } from '../../core/index.ts';
import { createBotStore, type BotStore } from '../../store/bot-store.ts';
import { createInbox, type InboxDeps } from './inbox.ts';
import { chatOf } from './chat-order.ts';
import type { ConversationChange } from '../../store/bot-store.ts';

let opened: ReturnType<typeof openTestStore>;
beforeEach(() => {
  opened = openTestStore();
});
afterEach(() => {
  vi.useRealTimers();
  return opened.close();
});

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const update = (id: number, chat = 7) => ({ update_id: id, message: { chat: { id: chat } } }) as never;

type Handle = (id: number) => Promise<void> | void;

/** An inbox over the store of this test; another one is another life of the process. */
function open(handle: Handle = () => undefined, more: Partial<InboxDeps> = {}) {
  const store: BotStore = createBotStore(opened.store, () => opened.clock.now());
  const handled: number[] = [];
  const failed: unknown[] = [];
  const setAside: number[] = [];
  const inbox = createInbox({
    store,
    log,
    clock: opened.clock,
    async handle({ update_id: id }) {
      handled.push(id);
      await handle(id);
    },
    notifyFailed: (error) => Promise.resolve(void failed.push(error)),
    takeChange: () => undefined,
    takeRest: () => undefined,
    isStopping: () => false,
    isWanted: () => true,
    isOfMember: () => true,
    renderChatFull: ({ update_id: id }) => [{ key: `full:${id}`, chatId: 7, content: '{"html":"full"}' }],
    renderDeadLetter({ update: { update_id: id } }) {
      setAside.push(id);
      return [{ key: `set-aside:${id}`, chatId: 1, content: '{"html":"set aside"}' }];
    },
    ...more,
  });
  const waiting = () => store.inbox.listWaiting(-1_000, 100).map((row) => row.updateId);
  const attempts = () => store.inbox.listWaiting(-1_000, 100).map((row) => [row.updateId, row.attempts]);
  return { inbox, store, handled, failed, setAside, waiting, attempts };
}

/** Lets commits and what follows them happen, until they did. */
async function turnsUntil(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

const hang: Handle = () => new Promise(() => undefined);
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

test('a chat is free while the work of its update goes on, and the update is over when the work is', async () => {
  const work = Promise.withResolvers<void>();
  const change: ConversationChange = { chatId: 7, userId: 7, state: '{}' };
  const { inbox, store, handled, waiting } = open(undefined, {
    takeChange: (id) => (id === 1 ? change : undefined),
    takeRest: (id) => (id === 1 ? work.promise : undefined),
  });
  inbox.start();
  await inbox.accept([update(1), update(2)]);
  await vi.waitFor(() => expect(waiting()).toEqual([1]));
  expect(handled).toEqual([1, 2]);
  expect(store.conversations.find(7, 7)?.state).toBe('{}');
  work.resolve();
  await vi.waitFor(() => expect(waiting()).toEqual([]));
  await inbox.stop();
});

test('an update that comes twice in one batch is handled once, also while its work goes on', async () => {
  const work = Promise.withResolvers<void>();
  const { inbox, handled, setAside, attempts, waiting } = open(undefined, { takeRest: () => work.promise });
  inbox.start();
  await inbox.accept(Array.from({ length: 5 }, () => update(1)));
  await inbox.accept([update(1)]);
  await vi.waitFor(() => expect(handled).toEqual([1]));
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect({ handled, setAside, attempts: attempts() }).toEqual({
    handled: [1],
    setAside: [],
    attempts: [[1, 1]],
  });
  work.resolve();
  await vi.waitFor(() => expect(waiting()).toEqual([]));
  await inbox.stop();
});

test('work that a stop interrupts is begun again by the next start; work that failed is not', async () => {
  for (const isStopping of [true, false]) {
    const work = Promise.withResolvers<void>();
    work.promise.catch(() => undefined);
    let stopping = false;
    const { inbox, handled, attempts } = open(undefined, {
      takeRest: () => work.promise,
      isStopping: () => stopping,
    });
    inbox.start();
    await inbox.accept([update(1)]);
    await vi.waitFor(() => expect(handled).toEqual([1]));
    stopping = isStopping;
    work.reject(new Error('interrupted'));
    await inbox.stop();
    expect(attempts()).toEqual(isStopping ? [[1, 0]] : []);
  }
});

test('what could not begin is handled again after a pause, in its place in the chat, and counts no attempt', async () => {
  fakeTimers();
  let crowded = true;
  const { inbox, handled, setAside, waiting, attempts } = open((id) => {
    if (crowded && id === 1) throw new CoreError('OVERLOADED', 'Try again.');
  });
  inbox.start();
  await inbox.accept([update(1), update(2)]);
  for (let times = 1; times <= 5; times += 1) {
    await turnsUntil(() => handled.length === times && attempts()[0]?.[1] === 0);
    expect(handled).not.toContain(2);
    crowded = times < 5;
    await vi.advanceTimersByTimeAsync(2_000);
  }
  await turnsUntil(() => waiting().length === 0);
  expect(handled).toEqual([1, 1, 1, 1, 1, 1, 2]);
  expect(setAside).toEqual([]);
});

test('a disk that takes no attempt back sets nothing aside: only ends of processes count', async () => {
  fakeTimers();
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  let failing = true;
  const { inbox, store, handled, setAside, waiting, attempts } = open(() => {
    if (failing) throw full;
  });
  vi.spyOn(store.inbox, 'takeBack').mockImplementation(() => Promise.reject(full));
  inbox.start();
  await inbox.accept([update(1)]);
  while (handled.length < 8) {
    const before = handled.length;
    await turnsUntil(() => attempts()[0]?.[1] === 1);
    await vi.advanceTimersByTimeAsync(60_000);
    await turnsUntil(() => handled.length > before || setAside.length > 0);
    expect([attempts(), setAside]).toEqual([[[1, 1]], []]);
  }
  failing = false;
  await vi.advanceTimersByTimeAsync(60_000);
  await turnsUntil(() => waiting().length === 0);
  expect(setAside).toEqual([]);
});

test('what Telegram caused is handled again with growing pauses, and is told as failed in the end', async () => {
  fakeTimers();
  const cause = new BotError(new HttpError('Network request failed', new Error('ECONNRESET')), {} as never);
  const { inbox, handled, failed, waiting, attempts } = open((id) => {
    if (id === 1) throw cause;
  });
  inbox.start();
  await inbox.accept([update(1), update(2)]);
  await turnsUntil(() => handled.length === 1 && attempts()[0]?.[1] === 0);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(handled).toEqual([1]);
  for (let times = 2; times <= 15; times += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    await turnsUntil(() => handled.length >= times && (times === 15 || attempts()[0]?.[1] === 0));
    expect(failed).toHaveLength(times === 15 ? 1 : 0);
  }
  await turnsUntil(() => waiting().length === 0);
  expect(handled.at(-1)).toBe(2);
});

test('an update that cannot begin, or whose end cannot be kept, is not forgotten until the next start', async () => {
  fakeTimers();
  const { inbox, store, handled, waiting } = open();
  const { begin, finish } = store.inbox;
  const refuse = () => Promise.reject(Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' }));
  let refused = 0;
  store.inbox.begin = (id) => ((refused += 1) <= 2 ? refuse() : begin(id));
  // Kept for a later start: none of them is begun by that.
  await inbox.accept([update(1), update(2)]);
  inbox.start();
  await turnsUntil(() => refused === 1);
  await vi.advanceTimersByTimeAsync(2_000);
  await turnsUntil(() => refused === 2);
  expect(handled).toEqual([]);
  store.inbox.finish = (...end) => ((refused += 1) <= 4 ? refuse() : finish(...end));
  await vi.advanceTimersByTimeAsync(4_000);
  await turnsUntil(() => refused >= 4 && handled.length === 1);
  // The next of the chat would find the conversation as it was before.
  expect([handled, waiting()]).toEqual([[1], [1, 2]]);
  await vi.advanceTimersByTimeAsync(2_000);
  await turnsUntil(() => waiting().length === 0);
  expect(handled).toEqual([1, 2]);
});

test('who is first in their chat begins in the write that keeps it, as far as there are places', async () => {
  const { inbox, store, handled, attempts } = open(hang);
  const begin = vi.spyOn(store.inbox, 'begin');
  inbox.start();
  await inbox.accept([update(1, 1), update(2, 1), update(3, 2)]);
  await vi.waitFor(() => expect(handled).toEqual([1, 3]));
  await inbox.accept([update(4, 1)]);
  expect([attempts(), begin.mock.calls]).toEqual([
    [
      [1, 1],
      [2, 0],
      [3, 1],
      [4, 0],
    ],
    [],
  ]);
  await inbox.accept(Array.from({ length: 99 }, (_, index) => update(100 + index, 100 + index)));
  // Two of them wait behind others of their chat, and have no place; a crash finds nobody who was not called.
  expect(attempts().filter(([id = 0, count]) => id >= 100 && count === 1)).toHaveLength(96);
});

test('what a stop finds between its write and its turn was not begun', async () => {
  const { inbox, handled, attempts } = open();
  inbox.start();
  const accepted = inbox.accept([update(1)]);
  const stopped = inbox.stop();
  await Promise.all([accepted, stopped]);
  expect([handled, attempts()]).toEqual([[], [[1, 0]]]);
});

test('three graceful stops in the middle of an update cost it no attempt', async () => {
  for (let life = 1; life <= 4; life += 1) {
    const release = Promise.withResolvers<void>();
    let stopping = false;
    const { inbox, handled, setAside, attempts } = open(() => release.promise, {
      isStopping: () => stopping,
    });
    inbox.start();
    await inbox.accept([update(1)]);
    await vi.waitFor(() => expect(handled).toEqual([1]));
    const stopped = inbox.stop();
    // Given back at once: whoever is ended before the stop is over loses nothing either.
    await vi.waitFor(() => expect(attempts()).toEqual([[1, 0]]));
    stopping = true;
    release.reject(new Error('given up'));
    await stopped;
    expect([attempts(), setAside]).toEqual([[[1, 0]], []]);
  }
});

test('after a crash suspects go one by one: who brings the process down is set aside, nobody beside it is', async () => {
  fakeTimers();
  const everybody = [1, 2, 3, 4, 5];
  const culprit = 3;
  const first = open(hang);
  first.inbox.start();
  await first.inbox.accept(everybody.map((id) => update(id, id)));
  await turnsUntil(() => first.handled.length === 5);
  // Two more lives: each ends when it comes to the culprit.
  for (const attempts of [2, 3]) {
    const life = open((id) => (id === culprit ? hang(id) : undefined));
    life.inbox.start();
    await turnsUntil(() => life.handled.includes(culprit));
    expect(life.attempts().find(([id]) => id === culprit)).toEqual([culprit, attempts]);
    expect(life.setAside).toEqual([]);
  }
  const last = open();
  last.inbox.start();
  await turnsUntil(() => last.waiting().length === 0);
  expect(last.handled).not.toContain(culprit);
  expect(last.setAside).toEqual([culprit]);
  expect(countMessages(opened.store)).toBe(1);
  await last.inbox.stop();
});

test('those who were there least often go first, and nobody waits longer than a moment for a suspect', async () => {
  fakeTimers();
  const crashed = open(hang);
  crashed.inbox.start();
  await crashed.inbox.accept([update(1, 1), update(2, 2)]);
  await turnsUntil(() => crashed.handled.length === 2);
  const again = open(hang);
  again.inbox.start();
  await turnsUntil(() => again.handled.length === 1);
  const last = open(hang);
  last.inbox.start();
  await turnsUntil(() => last.handled.length === 1);
  await last.inbox.accept([update(3, 3)]);
  await turnsUntil(() => last.handled.length === 2);
  expect(last.handled).toEqual([2, 3]);
  await vi.advanceTimersByTimeAsync(5_000);
  await turnsUntil(() => last.handled.length === 3);
  expect(last.handled).toEqual([2, 3, 1]);
});

test('those who wait for something hold no place, and a checkout waits for nobody', async () => {
  fakeTimers();
  const slow = Array.from({ length: 100 }, (_, index) => update(index + 1, index + 1));
  const { inbox, handled } = open((id) => (id <= 100 ? hang(id) : undefined));
  inbox.start();
  await inbox.accept(slow);
  await turnsUntil(() => handled.length === 100);
  const checkout: Update = fake({ update_id: 101, pre_checkout_query: { id: 'q', from: { id: 1 } } });
  await inbox.accept([checkout, update(102, 102)]);
  await turnsUntil(() => handled.includes(101));
  expect(handled).not.toContain(102);
  await vi.advanceTimersByTimeAsync(100);
  await turnsUntil(() => handled.includes(102));
});

test('it says when it is full', async () => {
  const { inbox } = open(hang);
  const many = Array.from({ length: 10_001 }, (_, index) => update(index + 1, index % 200));
  await inbox.accept(many.slice(1));
  expect(inbox.isFull()).toBe(false);
  await inbox.accept(many);
  expect(inbox.isFull()).toBe(true);
  inbox.start();
  expect(inbox.isFull()).toBe(true);
});

test('what waits is handled in the order in which it came, whatever the ids are', async () => {
  const before = open();
  await before.inbox.accept([update(900)]);
  opened.clock.advance(1_000);
  await before.inbox.accept([update(5)]);
  const { inbox, handled } = open();
  inbox.start();
  await vi.waitFor(() => expect(handled).toEqual([900, 5]));
  await inbox.stop();
});

test('an update that does not open any more is set aside, and holds up none of the others', async () => {
  const before = open();
  await before.inbox.accept([update(1), update(2), update(3)]);
  const connection = new Database(opened.store.path);
  connection.exec('update inbox set update_secret = zeroblob(40) where update_id = 2');
  connection.close();
  const { inbox, handled, store } = open();
  inbox.start();
  await vi.waitFor(() => expect(handled).toEqual([1, 3]));
  await vi.waitFor(() => expect([store.inbox.countSetAside(), store.inbox.countWaiting()]).toEqual([1, 0]));
  await inbox.stop();
});

test('what has no chat belongs to the person; a message that cannot be reached any more has its chat', () => {
  const from = { id: 5 };
  const update_id = 1;
  expect(chatOf(fake({ update_id, callback_query: { id: 'q', from, message: { chat: { id: 9 } } } }))).toBe(
    '9',
  );
  expect(chatOf(fake({ update_id, callback_query: { id: 'q', from } }))).toBe('5');
  expect(chatOf(fake({ update_id, callback_query: { id: 'q', from, message: {} } }))).toBe('5');
  expect(chatOf(fake({ update_id, inline_query: { id: 'q', from } }))).toBe('5');
  expect(chatOf(fake({ update_id, poll: { id: 'p' } }))).toBe('none');
  expect(chatOf({ update_id })).toBe('none');
});

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

test('a chat that writes without end while it hangs is bounded, told once, and holds up nobody else', async () => {
  const { inbox, handled } = open((id) => (id <= 3_000 ? hang(id) : undefined));
  inbox.start();
  for (let id = 1; id <= 2_200; id += 100) await inbox.accept(range(id, 100).map((each) => update(each)));
  expect([inbox.isFull(), inbox.size()]).toEqual([false, 101]);
  expect(countMessages(opened.store)).toBe(1);
  expect(firstMessage(opened.store, 7)?.key).toBe('full:102');
  await inbox.accept([update(5_000, 8)]);
  await vi.waitFor(() => expect(handled).toContain(5_000));
});

test('beyond the bound taps, checkouts and payments are kept all the same', async () => {
  const { inbox, store } = open(hang);
  inbox.start();
  await inbox.accept(range(1, 101).map((id) => update(id)));
  const chat = { id: 7 };
  const from = { id: 7 };
  const always = [
    { update_id: 201, callback_query: { id: 'q', from, message: { chat } } },
    { update_id: 202, message: { chat, from, successful_payment: {} } },
    { update_id: 203, message: { chat, from, refunded_payment: {} } },
    { update_id: 204, my_chat_member: { chat, from } },
    { update_id: 205, pre_checkout_query: { id: 'p', from } },
  ];
  await inbox.accept([update(199)]);
  await inbox.accept([update(200), ...always] as never);
  const kept = store.inbox.listWaiting(199, 100).map(({ updateId }) => updateId);
  expect(kept).toEqual(always.map(({ update_id: id }) => id));
  expect(inbox.size()).toBe(101 + always.length);
});

test('with half of it handled a chat is heard again, and told again the next time', async () => {
  const gate = Promise.withResolvers<void>();
  const { inbox, handled } = open((id) => (id === 1 || id > 300 ? gate.promise : undefined));
  inbox.start();
  await inbox.accept(range(1, 110).map((id) => update(id)));
  await inbox.accept([update(111)]);
  expect(countMessages(opened.store)).toBe(1);
  gate.resolve();
  await vi.waitFor(() => expect(handled).toHaveLength(101));
  await inbox.accept(range(301, 120).map((id) => update(id)));
  expect(countMessages(opened.store)).toBe(2);
});

test('what is not for the bot is not kept', async () => {
  const { inbox, waiting } = open(undefined, { isWanted: ({ update_id: id }) => id !== 2 });
  await inbox.accept([update(1), update(2), update(3)]);
  expect(waiting()).toEqual([1, 3]);
});

test('members are handled before strangers who wait', async () => {
  const isOfMember = ({ update_id: id }: { update_id: number }) => id > 200;
  const { inbox, handled } = open(undefined, { isOfMember });
  await inbox.accept([...range(1, 150), ...range(201, 50)].map((id) => update(id, id)));
  inbox.start();
  await vi.waitFor(() => expect(handled).toHaveLength(200));
  expect(handled.slice(0, 50).every((id) => id > 200)).toBe(true);
  await inbox.stop();
});
