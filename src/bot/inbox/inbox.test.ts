// What the inbox does beside handling one update after the other (handle-update.test.ts): order and places, what could
// not begin, stops and crashes, and the bound of one chat.
import Database from 'better-sqlite3';
import type { Update } from 'grammy/types';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';
import { countMessages, firstMessage } from '../../../test/harness/waiting-messages.ts';
import { CoreError } from '../../core/index.ts';
import { createBotStore, type BotStore } from '../../store/bot-store.ts';
import { createInbox, type InboxDeps } from './inbox.ts';
import { chatOf, isCheckout } from './chat-order.ts';
import { createPolling } from './polling.ts';

let opened: ReturnType<typeof openTestStore>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  opened = openTestStore();
});
afterEach(() => {
  vi.useRealTimers();
  return opened.close();
});

const of = (update_id: number, content: object): Update => ({ update_id, ...content });
const update = (id: number, chat = 7) => of(id, { message: { chat: { id: chat } } });
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

const ignore = () => undefined;
const SILENT = { info: ignore, warn: ignore, error: ignore };

type Handle = (id: number) => Promise<void> | void;
const hang: Handle = () => new Promise(() => undefined);

/** An inbox over the store of this test; another one is another life of the process. */
function open(handle: Handle = () => undefined, more: Partial<InboxDeps> = {}) {
  const store: BotStore = createBotStore(opened.store, () => opened.clock.now());
  const handled: number[] = [];
  const setAside: number[] = [];
  const inbox = createInbox({
    store,
    log: SILENT,
    clock: opened.clock,
    open: ({ update_id: id }) => ({
      async run() {
        handled.push(id);
        await handle(id);
      },
      fail: () => Promise.resolve(),
      end: () => ({ ended: id }),
    }),
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
  const attempts = () => store.inbox.listWaiting(-1_000, 200).map((row) => [row.updateId, row.attempts]);
  return { inbox, store, handled, setAside, attempts };
}

/** Lets commits and what follows them happen, until they did. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

test.each<[object, string]>([
  [{ message: { chat: { id: 7 }, from: { id: 8 } } }, '7'],
  [{ callback_query: { message: { chat: { id: 7 } }, from: { id: 8 } } }, '7'],
  [{ callback_query: { message: {}, from: { id: 8 } } }, '8'],
  [{ callback_query: { from: { id: 8 } } }, '8'],
  [{ my_chat_member: { chat: { id: -9 }, from: { id: 8 } } }, '-9'],
  [{ pre_checkout_query: { id: 'q', from: { id: 8 } } }, 'checkout:q'],
  [{ poll: { id: 'p' } }, 'none'],
  [{ message: null }, 'none'],
])('%j belongs to the chat %s', (content, chat) => {
  expect([chatOf(of(1, content)), isCheckout(of(1, content))]).toEqual([chat, chat === 'checkout:q']);
});

test('an update that comes twice in one batch is handled once, also while it is under way', async () => {
  const work = Promise.withResolvers<void>();
  const { inbox, handled, setAside, attempts } = open(() => work.promise);
  inbox.start();
  await inbox.accept(Array.from({ length: 5 }, () => update(1)));
  await inbox.accept([update(1)]);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([handled, setAside, attempts()]).toEqual([[1], [], [[1, 1]]]);
  work.resolve();
  await until(() => attempts().length === 0);
});

test('what could not begin is handled again after a pause, in its place in the chat, and counts no attempt', async () => {
  let crowded = true;
  const { inbox, handled, setAside, attempts } = open((id) => {
    if (crowded && id === 1) throw new CoreError('OVERLOADED', 'Try again.');
  });
  inbox.start();
  await inbox.accept([update(1), update(2), update(3, 8)]);
  for (let times = 1; times <= 5; times += 1) {
    await until(() => handled.filter((id) => id === 1).length === times && attempts()[0]?.[1] === 0);
    expect(handled).not.toContain(2);
    crowded = times < 5;
    await vi.advanceTimersByTimeAsync(2_000);
  }
  await until(() => attempts().length === 0);
  expect([handled, setAside]).toEqual([[1, 3, 1, 1, 1, 1, 1, 2], []]);
});

test('an update that cannot begin, or whose end cannot be kept, holds its chat until it is over', async () => {
  const { inbox, store, handled, attempts } = open();
  const { saveAction } = store;
  const { begin } = store.inbox;
  const refuse = () => Promise.reject(Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' }));
  let refused = 0;
  store.inbox.begin = (id) => ((refused += 1) <= 2 ? refuse() : begin(id));
  // Kept for a later start: none of them is begun by that.
  await inbox.accept([update(1), update(2)]);
  inbox.start();
  await until(() => refused === 1);
  await vi.advanceTimersByTimeAsync(2_000);
  await until(() => refused === 2);
  expect(handled).toEqual([]);
  store.saveAction = (...end) => ((refused += 1) <= 4 ? refuse() : saveAction(...end));
  await vi.advanceTimersByTimeAsync(4_000);
  await until(() => refused >= 4 && handled.length === 1);
  // The next of the chat would find the conversation as it was before.
  expect([handled, attempts().length]).toEqual([[1], 2]);
  await vi.advanceTimersByTimeAsync(2_000);
  await until(() => attempts().length === 0);
  expect(handled).toEqual([1, 2]);
});

test('who is first in their chat begins in the write that keeps it, as far as there are places', async () => {
  const { inbox, store, handled, attempts } = open(hang);
  const begin = vi.spyOn(store.inbox, 'begin');
  inbox.start();
  await inbox.accept([update(1, 1), update(2, 1), update(3, 2)]);
  await until(() => handled.length === 2);
  await inbox.accept([update(4, 1)]);
  const counts = { 1: 1, 2: 0, 3: 1, 4: 0 };
  expect([handled, Object.fromEntries(attempts()), begin.mock.calls]).toEqual([[1, 3], counts, []]);
  await inbox.accept(range(100, 99).map((id) => update(id, id)));
  // Two of them wait behind others of their chat, and have no place; a crash finds nobody who was not called.
  expect(attempts().filter(([id = 0, count]) => id >= 100 && count === 1)).toHaveLength(96);
});

test('three stops of our own in the middle of an update, or before its turn, cost it no attempt', async () => {
  for (let life = 1; life <= 3; life += 1) {
    const { inbox, handled, setAside, attempts } = open(hang);
    inbox.start();
    await inbox.accept([update(1)]);
    await until(() => handled.length === 1);
    // Given back at once: whoever is ended before the stop is over loses nothing either.
    void inbox.stop();
    await until(() => attempts()[0]?.[1] === 0);
    expect(setAside).toEqual([]);
  }
  const { inbox, handled, attempts } = open();
  inbox.start();
  await Promise.all([inbox.accept([update(2, 8)]), inbox.stop()]);
  expect([handled, attempts()]).toEqual([
    [],
    [
      [1, 0],
      [2, 0],
    ],
  ]);
});

test('after a crash suspects go one by one: who brings the process down is set aside, nobody beside it is, not even who pauses', async () => {
  const culprit = 3;
  const first = open(hang);
  first.inbox.start();
  await first.inbox.accept(range(1, 5).map((id) => update(id, id)));
  await until(() => first.handled.length === 5);
  // Two more lives: each ends when it comes to the culprit.
  for (const attempts of [2, 3]) {
    const life = open((id) => (id === culprit ? hang(id) : undefined));
    life.inbox.start();
    await until(() => life.handled.includes(culprit));
    expect(life.attempts().find(([id]) => id === culprit)).toEqual([culprit, attempts]);
    expect(life.setAside).toEqual([]);
  }
  let crowded = true;
  const last = open((id) => {
    if (crowded && id === 5) throw new CoreError('OVERLOADED', 'Try again.');
  });
  last.inbox.start();
  await until(() => last.attempts().length === 1);
  crowded = false;
  await vi.advanceTimersByTimeAsync(2_000);
  await until(() => last.attempts().length === 0);
  expect([last.handled.includes(culprit), last.setAside]).toEqual([false, [culprit]]);
  expect(countMessages(opened.store)).toBe(1);
});

test('those who were there least often go first, wholly, and nobody waits longer than five seconds for a suspect', async () => {
  const crashed = open(hang);
  crashed.inbox.start();
  await crashed.inbox.accept(range(1, 4).map((id) => update(id, id)));
  await until(() => crashed.handled.length === 4);
  const again = open(hang);
  again.inbox.start();
  await until(() => again.handled.length === 1);
  const work = Promise.withResolvers<void>();
  const last = open((id) => (id === 3 ? hang(id) : id === 2 ? work.promise : undefined));
  last.inbox.start();
  await until(() => last.handled.length === 1);
  await last.inbox.accept([update(5, 5)]);
  await until(() => last.handled.length === 2);
  expect(last.handled).toEqual([2, 5]);
  work.resolve();
  await until(() => last.handled.length === 3);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(last.handled).toEqual([2, 5, 3]);
  await vi.advanceTimersByTimeAsync(1);
  await until(() => last.handled.length === 5);
  expect(last.handled).toEqual([2, 5, 3, 4, 1]);
});

test('suspects who wait, and who pauses, are forgotten at a stop', async () => {
  const crashed = open(hang);
  crashed.inbox.start();
  await crashed.inbox.accept([update(1, 1), update(2, 2)]);
  await until(() => crashed.handled.length === 2);
  const { inbox, handled, attempts } = open((id) => {
    if (id === 3) throw new CoreError('OVERLOADED', 'Try again.');
    return new Promise((resolve) => void setTimeout(resolve, 1_000));
  });
  inbox.start();
  await inbox.accept([update(3, 3)]);
  await until(() => handled.length === 2 && attempts().some(([id, count]) => id === 3 && count === 0));
  const stopped = inbox.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  await stopped;
  // The two that the crash has left of its own.
  expect([handled, vi.getTimerCount()]).toEqual([[1, 3], 2]);
});

test('those who wait for something hold no place, and a checkout waits for nobody', async () => {
  const { inbox, handled } = open((id) => (id <= 100 ? hang(id) : undefined));
  inbox.start();
  await inbox.accept(range(1, 100).map((id) => update(id, id)));
  await until(() => handled.length === 100);
  await inbox.accept([of(101, { pre_checkout_query: { id: 'q', from: { id: 1 } } }), update(102, 102)]);
  await until(() => handled.includes(101));
  expect(handled).not.toContain(102);
  await vi.advanceTimersByTimeAsync(100);
  await until(() => handled.includes(102));
});

test('it says when it is full', async () => {
  const { inbox } = open(hang);
  const many = range(1, 10_001).map((id) => update(id, id % 200));
  await inbox.accept(many.slice(1));
  expect(inbox.isFull()).toBe(false);
  await inbox.accept(many);
  expect(inbox.isFull()).toBe(true);
  inbox.start();
  expect(inbox.isFull()).toBe(true);
  // And nothing more is asked for meanwhile.
  const asked: string[] = [];
  const getUpdates = () => Promise.reject(new Error(String(asked.push('updates'))));
  const polling = createPolling({
    ...{ inbox, api: { getUpdates }, allowed: [], log: SILENT },
    contention: { conflicted: ignore, fetched: ignore },
    wait: () => Promise.resolve(void (asked.push('pause') >= 5 && void polling.stop())),
  });
  polling.start();
  await until(() => asked.length >= 5);
  expect(new Set(asked)).toEqual(new Set(['pause']));
});

test('what waits is handled in the order in which it came, whatever the ids; what does not open is set aside alone', async () => {
  const before = open();
  await before.inbox.accept([update(900), update(901)]);
  opened.clock.advance(1_000);
  await before.inbox.accept([update(5)]);
  const connection = new Database(opened.store.path);
  connection.exec('update inbox set update_secret = zeroblob(40) where update_id = 901');
  connection.close();
  const { inbox, handled, store } = open();
  inbox.start();
  await until(() => store.inbox.countWaiting() === 0);
  expect([handled, store.inbox.countSetAside()]).toEqual([[900, 5], 1]);
});

test('a chat that writes without end while it hangs is bounded, told once, and holds up nobody else', async () => {
  const { inbox, handled } = open((id) => (id <= 3_000 ? hang(id) : undefined));
  inbox.start();
  for (let id = 1; id <= 2_200; id += 100) await inbox.accept(range(id, 100).map((each) => update(each)));
  expect([inbox.isFull(), inbox.size(), countMessages(opened.store)]).toEqual([false, 101, 1]);
  expect(firstMessage(opened.store, 7)?.key).toBe('full:102');
  await inbox.accept([update(5_000, 8)]);
  await until(() => handled.includes(5_000));
});

test('beyond the bound taps, checkouts and payments are kept all the same', async () => {
  const { inbox, attempts } = open(hang);
  inbox.start();
  await inbox.accept(range(1, 100).map((id) => update(id)));
  await inbox.accept([update(101)]);
  const chat = { id: 7 };
  const from = { id: 7 };
  const always = [
    of(201, { callback_query: { id: 'q', from, message: { chat } } }),
    of(202, { message: { chat, from, successful_payment: {} } }),
    of(203, { message: { chat, from, refunded_payment: {} } }),
    of(204, { my_chat_member: { chat, from } }),
    of(205, { pre_checkout_query: { id: 'p', from } }),
  ];
  const refused = [update(199), of(200, { edited_message: { chat, from } })];
  await inbox.accept([...refused, ...always]);
  expect(attempts().flatMap(([id = 0]) => (id > 198 ? [id] : []))).toEqual([201, 202, 203, 204, 205]);
});

test('with half of it handled a chat is heard again, and told again the next time', async () => {
  const gate = Promise.withResolvers<void>();
  const { inbox, handled } = open((id) => (id === 1 || id > 300 ? gate.promise : undefined));
  inbox.start();
  await inbox.accept(range(1, 110).map((id) => update(id)));
  await inbox.accept([update(111)]);
  expect(countMessages(opened.store)).toBe(1);
  gate.resolve();
  await until(() => handled.length === 100);
  await inbox.accept(range(301, 120).map((id) => update(id)));
  expect(countMessages(opened.store)).toBe(2);
});

test('what is not for the bot is not kept, and members are handled before strangers who wait', async () => {
  const { inbox, handled } = open(undefined, {
    isWanted: ({ update_id: id }) => id !== 2,
    isOfMember: ({ update_id: id }) => id > 200,
  });
  await inbox.accept([...range(1, 150), ...range(201, 50)].map((id) => update(id, id)));
  inbox.start();
  await until(() => handled.length === 199);
  expect([handled.slice(0, 50).every((id) => id > 200), handled.includes(2)]).toEqual([true, false]);
});

test('where a sender cannot be looked up, what they sent is handled all the same', async () => {
  const { inbox, handled } = open(undefined, {
    isOfMember() {
      throw new Error('disk I/O error');
    },
  });
  inbox.start();
  await inbox.accept([update(1), update(2), update(3, 8)]);
  await until(() => handled.length === 3);
});

test('where the word to a full chat cannot be kept, nothing of the batch is kept without being handled', async () => {
  const { inbox, handled, attempts } = open((id) => (id === 1 ? hang(id) : undefined), {
    renderChatFull() {
      throw new Error('disk I/O error');
    },
  });
  inbox.start();
  await inbox.accept(range(1, 100).map((id) => update(id)));
  await inbox.accept([update(101)]);
  const batch = [update(102), update(103, 8)];
  await inbox.accept(batch).catch(() => inbox.accept(batch));
  await until(() => handled.includes(103));
  expect(attempts()).toHaveLength(101);
});
